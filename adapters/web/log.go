package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// What one answer of the page holds. Of what has no index, so many are looked at
// before the page is shown; its module then looks on.
const (
	logRows  = 50
	tailRows = 100
	lookOnce = 10_000
)

// logPage is what the log says, the newest first.
type logPage struct {
	Filter         logFilter
	Error          string // why nothing is shown
	Entries        []entry
	Tail           domain.Position // where the log ends
	Newest, Newer  string          // links; "" where there is none
	Older          string
	LookOn         domain.Position // what is looked for may stand before this position, too; 0 when it was looked at
	More           string          // the part with what comes after those shown, for the module
	Live           string          // the part that waits for what comes; "" on pages of what was
	Ends           string          // the part that says where the log ends by now
	Jump, JumpFail string          // what was to be jumped to, and why that was not possible
	Topics         []topicTypes
	Export         string
}

// shownLog is an answer of GET /api/log.
type shownLog struct {
	api.LogPage
	Records []entry `json:"records"`
}

// log is GET /system/log. A part of it is what the page's module asks for.
func (v *visit) log() error {
	query := v.r.URL.Query()
	page := logPage{Filter: filterOf(query), Jump: query.Get("to"), Topics: catalogued()}
	page.Export = page.Filter.exported(v.location())
	switch query.Get("part") {
	case "tail":
		return v.logTail(page)
	case "ends":
		return v.logEnds()
	case "older":
		return v.logOlder(page)
	}
	if page.Jump != "" {
		pos, err := v.positionOf(page.Jump)
		if err == nil {
			to := page.Filter.query()
			to.Set("around", position(pos))
			return v.goTo(logPath(to))
		}
		text, mistaken := wrong(err)
		if !mistaken {
			return err
		}
		page.JumpFail = text
	}
	err := v.logShown(&page)
	if text, mistaken := wrong(err); mistaken {
		page.Error, err = text, nil
	}
	if err != nil {
		return err
	}
	return v.systemPage("log", "Log", []string{"log.js"}, page)
}

// logShown fills the page with what is asked for: around a position, from one on,
// before one, or the newest.
func (v *visit) logShown(page *logPage) error {
	query := v.r.URL.Query()
	around, from, before := query.Get("around"), query.Get("from"), query.Get("before")
	switch {
	case around != "":
		at, err := strconv.ParseUint(around, 10, 62)
		if err != nil {
			return &refusal{status: http.StatusBadRequest, message: "A position is a whole number."}
		}
		if err := v.logNewer(page, position(domain.Position(at)+1), logRows/2); err != nil {
			return err
		}
		above := page.Entries
		if err := v.logBefore(page, position(domain.Position(at)+1), logRows/2); err != nil {
			return err
		}
		page.Entries = append(above, page.Entries...)
		for i := range page.Entries {
			page.Entries[i].Found = page.Entries[i].Position == domain.Position(at)
		}
	case from != "":
		if err := v.logNewer(page, from, logRows); err != nil {
			return err
		}
		if n := len(page.Entries); n > 0 {
			page.Older = page.link("before", page.Entries[n-1].Position)
		}
	default:
		if err := v.logBefore(page, before, logRows); err != nil {
			return err
		}
		if before == "" {
			last := page.Tail
			if len(page.Entries) > 0 {
				last = max(last, page.Entries[0].Position)
			}
			page.Live, page.Ends = page.part("tail", "from", last+1), logPath(url.Values{"part": {"ends"}})
			return nil
		}
	}
	page.Newest = logPath(page.Filter.query())
	if before != "" && len(page.Entries) > 0 && page.Entries[0].Position < page.Tail {
		page.Newer = page.link("from", page.Entries[0].Position+1)
	}
	return nil
}

// logNewer is what stands at a position or later, as many as fit, the newest first.
func (v *visit) logNewer(page *logPage, from string, limit int) error {
	query := page.Filter.asked(v.location())
	query.Set("from", from)
	got, err := v.askLog(query, limit)
	page.Entries, page.Tail = got.Records, got.Tail
	slices.Reverse(page.Entries)
	if got.Next <= got.Tail {
		page.Newer = page.link("from", got.Next)
	}
	return err
}

// logBefore is what stands before a position, or before the end.
func (v *visit) logBefore(page *logPage, before string, limit int) error {
	query := page.Filter.asked(v.location())
	query.Set("order", "newest")
	if before != "" {
		query.Set("before", before)
	}
	got, err := v.askLog(query, limit)
	page.Entries, page.Tail = got.Records, got.Tail
	if got.Next > 0 {
		page.Older = page.link("before", got.Next)
		if len(got.Records) < limit {
			page.LookOn, page.More = got.Next, page.part("older", "before", got.Next)
		}
	}
	return err
}

func (v *visit) askLog(query url.Values, limit int) (got shownLog, err error) {
	query.Set("limit", strconv.Itoa(limit))
	query.Set("look", strconv.Itoa(lookOnce))
	query.Set("gist", "true")
	return got, v.ask("/api/log", query, &got)
}

// link leads to the same filter elsewhere in the log.
func (p logPage) link(name string, pos domain.Position) string {
	query := p.Filter.query()
	query.Set(name, position(pos))
	return logPath(query)
}

// part is a link to a part of the page.
func (p logPage) part(part, name string, pos domain.Position) string {
	query := p.Filter.query()
	query.Set("part", part)
	query.Set(name, position(pos))
	return logPath(query)
}

func position(pos domain.Position) string { return strconv.FormatUint(uint64(pos), 10) }
