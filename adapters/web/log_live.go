package web

import (
	"net/url"
	"slices"
	"strconv"

	"chalie/domain"
)

// tailWait is how long the module's question waits for something new.
const tailWait = "20s"

// tailPart is what came since.
type tailPart struct {
	Entries  []entry
	Next     string // the part with what comes then
	PassedBy string // where to read what came faster than it could be shown; "" for nothing
	Missed   uint64 // how many those are; 0 when that isn't known
	Tail     domain.Position
}

// logEnds is the part that waits until the log goes on, and says where it ends then:
// for who paused it.
func (v *visit) logEnds() error {
	var got shownLog
	if err := v.ask("/api/log", url.Values{"from": {v.r.URL.Query().Get("from")}, "limit": {"1"}, "wait": {tailWait}}, &got); err != nil {
		return err
	}
	return v.part("log", "tail", tailPart{Tail: got.Tail})
}

// logTail is the part that waits for what comes. Of a flood it has the newest.
func (v *visit) logTail(page logPage) error {
	query := page.Filter.asked(v.location())
	query.Set("from", v.r.URL.Query().Get("from"))
	query.Set("limit", strconv.Itoa(tailRows))
	query.Set("wait", tailWait)
	query.Set("gist", "true")
	query.Del("until") // what is still to come was recorded after any moment that was
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
	out.Tail = got.Tail
	if len(out.Entries) > 0 {
		out.Tail = max(out.Tail, out.Entries[0].Position)
	}
	return v.part("log", "tail", out)
}

// logOlder is the part with what stands further back, for a search that goes on.
func (v *visit) logOlder(page logPage) error {
	if err := v.logBefore(&page, v.r.URL.Query().Get("before"), logRows); err != nil {
		return err
	}
	return v.part("log", "older", page)
}
