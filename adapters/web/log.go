package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// Bounds of one page. A search without an index reads this many records before the page
// is shown; its module then searches on.
const (
	logRows  = 50
	tailRows = 100
	lookOnce = 10_000
)

// logPage is a page of the log, the newest record first.
type logPage struct {
	Filter         logFilter
	Error          string // the error, if nothing is shown
	Entries        []entry
	Tail           domain.Position // where the log ends
	Held           uint64          // how many records it holds
	Newest, Newer  string          // links; "" where there is none
	Older          string
	LookOn         domain.Position // the search goes on before this position; 0 when it is complete
	More           string          // the part with newer records, for the module
	Live           string          // the part that waits for what comes; "" on pages of what was
	Ends           string          // the part with the log's present end
	Jump, JumpFail string          // the target of a jump, and why it failed
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

// logShown fills the page with records around a position, from one on, before one, or the
// newest.
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

// logNewer reads the records at a position or later, up to limit, the newest first.
func (v *visit) logNewer(page *logPage, from string, limit int) error {
	query := page.Filter.asked(v.location())
	query.Set("from", from)
	got, err := v.askLog(query, limit)
	page.Entries, page.Tail, page.Held = got.Records, got.Tail, got.Held
	slices.Reverse(page.Entries)
	if got.Next <= got.Tail {
		page.Newer = page.link("from", got.Next)
	}
	return err
}

// logBefore reads the records before a position, or before the end.
func (v *visit) logBefore(page *logPage, before string, limit int) error {
	query := page.Filter.asked(v.location())
	query.Set("order", "newest")
	if before != "" {
		query.Set("before", before)
	}
	got, err := v.askLog(query, limit)
	page.Entries, page.Tail, page.Held = got.Records, got.Tail, got.Held
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

// link is the address of the same filter at another position.
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

// entry is a record with its gist, as the log's answers have it.
type entry struct {
	domain.Record
	Gist  string
	Found bool // the target of the jump
}

// UnmarshalJSON reads the record's published shape, and the gist beside it.
func (e *entry) UnmarshalJSON(text []byte) error {
	var told api.Entry
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	e.Record = told.Record
	if told.Gist != nil {
		e.Gist = *told.Gist
	}
	return nil
}

// entryPage is one whole envelope.
type entryPage struct {
	entry
	Said   reading
	Others []only // links to similar records
}

// only is a link to the log, narrowed.
type only struct{ Path, Name string }

// WhyNot reports whether why-not answers for the record: it came from outside, or is a
// plan.
func (p entryPage) WhyNot() bool {
	switch p.Envelope.Type {
	case domain.SignalReceivedType, domain.MessageReceivedType, domain.ToolInvokedType:
		return true
	}
	return domain.MakesCommitment(p.Envelope.Type)
}

// Proposal reports whether the record is one that the person could say yes to.
func (p entryPage) Proposal() bool { return p.Envelope.Type == domain.ApprovalProposedType }

// logEntry is GET /system/log/:id. With part=envelope it is only the part for a list.
func (v *visit) logEntry() error {
	var got entry
	if err := v.ask("/api/log/"+url.PathEscape(v.params.ByName("id")), url.Values{"gist": {"true"}}, &got); err != nil {
		return err
	}
	e := got.Envelope
	page := entryPage{entry: got, Said: readingOf(e), Others: []only{
		{logPath(url.Values{"type": {string(e.Type)}}), "this type"},
		{logPath(url.Values{"topic": {string(got.Topic)}}), "this topic"},
		{logPath(url.Values{"source": {string(e.Source)}}), "this source"},
		{logPath(url.Values{"trace": {e.Trace.String()}}), "this trace"},
	}}
	if v.r.URL.Query().Get("part") == "envelope" {
		return v.part("entry", "envelope", page)
	}
	return v.systemPage("entry", plainWords(string(e.Type)), []string{"times.js"}, page)
}

// logPath is the log's page with a query.
func logPath(query url.Values) string {
	if len(query) == 0 {
		return "/system/log"
	}
	return "/system/log?" + query.Encode()
}

// plainWords is a stored name in words.
func plainWords(name string) string { return strings.NewReplacer("_", " ", ".", " ").Replace(name) }

// refusedWith is the message of a refusal with one of the statuses.
func refusedWith(err error, statuses ...int) (string, bool) {
	refused, ok := err.(*refusal) //nolint:errorlint // ask returns it as it is
	if !ok {
		return "", false
	}
	if !slices.Contains(statuses, refused.status) {
		return "", false
	}
	return refused.message, true
}

// wrong is the message of a request that has to be changed.
func wrong(err error) (string, bool) {
	return refusedWith(err, http.StatusBadRequest, http.StatusNotFound)
}

// logFilter is the form's filter of the log; times are in the person's zone.
type logFilter struct {
	Topic, Type, Source, Trace, Since, Until string
}

func filterOf(query url.Values) logFilter {
	said := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	return logFilter{said("topic"), said("type"), said("source"), said("trace"), said("since"), said("until")}
}

// query is the filter as the page's own links have it.
func (f logFilter) query() url.Values {
	out := url.Values{}
	for name, text := range f.fields() {
		if text != "" {
			out.Set(name, text)
		}
	}
	return out
}

func (f logFilter) fields() map[string]string {
	return map[string]string{"topic": f.Topic, "type": f.Type, "source": f.Source, "trace": f.Trace, "since": f.Since, "until": f.Until}
}

// Any reports whether any filter is set.
func (f logFilter) Any() bool { return f != logFilter{} }

// More reports whether a filter is set that the form keeps behind a fold.
func (f logFilter) More() bool { return f.Trace != "" || f.Since != "" || f.Until != "" }

// asked is the filter as the API takes it.
func (f logFilter) asked(zone *time.Location) url.Values {
	out := f.query()
	for _, name := range []string{"since", "until"} {
		if at, ok := momentIn(out.Get(name), zone); ok {
			out.Set(name, at.Format(time.RFC3339))
		}
	}
	return out
}

// momentIn reads a time as forms and people write it, in their zone.
func momentIn(text string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05.000", "2006-01-02 15:04", time.DateTime, time.DateOnly, time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// location is the person's zone; UTC until the browser said which.
func (v *visit) location() *time.Location {
	if name := v.zone(); name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.UTC
}

// exported is the address of an export with the same filter, if it is by trace or period.
func (f logFilter) exported(zone *time.Location) string {
	bare := logFilter{Trace: f.Trace, Since: f.Since, Until: f.Until}
	if f != bare || f.Trace != "" && (f.Since != "" || f.Until != "") {
		return ""
	}
	return "/api/export?" + f.asked(zone).Encode()
}

// topicTypes are the types of a topic.
type topicTypes struct {
	Topic domain.Topic
	Types []domain.EventType
}

// catalogued are the types there are, by topic.
func catalogued() []topicTypes {
	byTopic := map[string][]domain.EventType{}
	for _, d := range domain.Events().Definitions() {
		byTopic[string(d.Topic)] = append(byTopic[string(d.Topic)], d.Type)
	}
	var out []topicTypes
	for _, topic := range sortedKeys(byTopic) {
		slices.Sort(byTopic[topic])
		out = append(out, topicTypes{domain.Topic(topic), byTopic[topic]})
	}
	return out
}

// positionOf finds the position of a jump: given as a position, the id of an envelope, or
// a time.
func (v *visit) positionOf(text string) (domain.Position, error) {
	text = strings.TrimSpace(text)
	digits := strings.NewReplacer(",", "", " ", "", "pos:", "", "#", "").Replace(text)
	if n, err := strconv.ParseUint(digits, 10, 62); err == nil && len(digits) < len("1800000000000") {
		if n == 0 {
			return 0, &refusal{status: http.StatusBadRequest, message: "The first record stands at position 1: write a number from there on."}
		}
		return v.positionNamed("pos:" + strconv.FormatUint(n, 10))
	}
	if id, err := domain.ParseID(text); err == nil {
		return v.positionNamed(id.String())
	}
	at, ok := v.momentOf(text)
	if !ok {
		return 0, &refusal{status: http.StatusBadRequest, message: fmt.Sprintf("“%s” is no position, no id and no time. Write 1234, an id of 26 or 36 characters, 18:30, or 2026-03-17 18:30.", shortened(text))}
	}
	var got shownLog
	if err := v.ask("/api/log", url.Values{"since": {at}, "limit": {"1"}}, &got); err != nil {
		return 0, err
	}
	switch {
	case len(got.Records) > 0:
		return got.Records[0].Position, nil
	case got.Tail > 0:
		return got.Tail, nil // nothing was recorded since, so the last record
	}
	return 0, &refusal{status: http.StatusNotFound, message: "The log holds nothing yet."}
}

func (v *visit) positionNamed(name string) (domain.Position, error) {
	var got entry
	err := v.ask("/api/log/"+url.PathEscape(name), nil, &got)
	return got.Position, err
}

// momentOf is a time as the API takes it. A time of day is the last one there was.
func (v *visit) momentOf(text string) (string, bool) {
	zone := v.location()
	if at, ok := momentIn(text, zone); ok {
		return at.Format(time.RFC3339), true
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		clock, err := time.ParseInLocation(layout, text, zone)
		if err != nil {
			continue
		}
		now := time.Now().In(zone)
		at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, zone)
		if at.After(now) {
			at = at.AddDate(0, 0, -1)
		}
		return at.Format(time.RFC3339), true
	}
	if back, err := time.ParseDuration(text); err == nil && back > 0 {
		return text, true
	}
	return "", false
}

// tailWait is how long the module's request waits for new records.
const tailWait = "20s"

// tailPart is the new records.
type tailPart struct {
	Entries  []entry
	Next     string // the part with the next records
	PassedBy string // address of records that came too fast to be shown; "" for none
	Missed   uint64 // number of skipped records; 0 when unknown
	Tail     domain.Position
	Held     uint64 // how many records the log holds
}

// logEnds is the part that waits for new records and has only their last position, for a
// paused page.
func (v *visit) logEnds() error {
	var got shownLog
	if err := v.ask("/api/log", url.Values{"from": {v.r.URL.Query().Get("from")}, "limit": {"1"}, "wait": {tailWait}}, &got); err != nil {
		return err
	}
	return v.part("log", "tail", tailPart{Tail: got.Tail, Held: got.Held})
}

// logTail is the part that waits for new records. Of many it has the newest.
func (v *visit) logTail(page logPage) error {
	query := page.Filter.asked(v.location())
	query.Set("from", v.r.URL.Query().Get("from"))
	query.Set("limit", strconv.Itoa(tailRows))
	query.Set("wait", tailWait)
	query.Set("gist", "true")
	query.Del("until") // future records are later than any past moment
	var got shownLog
	if err := v.ask("/api/log", query, &got); err != nil {
		return err
	}
	out := tailPart{Entries: got.Records}
	next := got.Next
	if len(got.Records) == tailRows {
		first := got.Records[0].Position
		query.Del("wait")
		query.Set("order", "newest")
		if err := v.ask("/api/log", query, &got); err != nil {
			return err
		}
		lowest := got.Records[len(got.Records)-1].Position
		if lowest > first {
			out.PassedBy = page.link("from", first)
			if !page.Filter.Any() {
				out.Missed = uint64(lowest - first)
			}
		}
		out.Entries, next = got.Records, got.Records[0].Position+1
	} else {
		slices.Reverse(out.Entries)
	}
	out.Next = page.part("tail", "from", next)
	out.Tail, out.Held = got.Tail, got.Held
	if len(out.Entries) > 0 {
		out.Tail = max(out.Tail, out.Entries[0].Position)
	}
	return v.part("log", "tail", out)
}

// logOlder is the part with older records, for a continued search.
func (v *visit) logOlder(page logPage) error {
	if err := v.logBefore(&page, v.r.URL.Query().Get("before"), logRows); err != nil {
		return err
	}
	return v.part("log", "older", page)
}
