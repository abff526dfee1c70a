package web

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// stepsPerPage bounds the rows of a page; an opened run of similar steps has fewer.
const (
	stepsPerPage = "200"
	runPerPage   = "50"
)

// rowOf is a step, as GET /api/traces/:id/steps has it.
type rowOf struct {
	api.TraceStep

	trace *episode
	open  domain.Position
}

type tracePage struct {
	api.TraceSteps
	Trace episode `json:"trace"`
	Rows  []rowOf `json:"steps"`

	Here string // the address of the part that is renewed
	More string // the address of the next rows; "" at the end
	Late bool   // the first row isn't the first of the trace
	Run  bool   // these are the rows of a run
}

// trace is GET /traces/:id?from=&at=&alike=&through=. Its id may be that of any of its
// envelopes. With part=live it is what changes, with part=run the rows of
// a run, with part=picture the picture.
func (v *visit) trace() error {
	in := v.r.URL.Query()
	query := url.Values{"limit": {stepsPerPage}}
	if in.Get("alike") != "" {
		query.Set("limit", runPerPage)
	}
	for _, name := range []string{"from", "through", "alike"} {
		if text := in.Get(name); text != "" {
			query.Set(name, text)
		}
	}
	if at := in.Get("at"); at != "" {
		query.Set("keep", at)
	}
	if in.Get("part") == "picture" {
		return v.tracePicture()
	}
	page, err := v.steps(query)
	if err != nil {
		return err
	}
	if page.At != 0 {
		return v.goTo(recordPlace(page.Trace.TraceID, page.At))
	}
	// The row in question may be beyond the first page.
	if at := placeIn(in.Get("at")); at != 0 && in.Get("from") == "" && page.Next != 0 && at >= page.Next {
		query.Set("from", position(at))
		if page, err = v.steps(query); err != nil {
			return err
		}
	}
	page.show(query, placeIn(in.Get("at")))
	switch in.Get("part") {
	case "live":
		return v.part("trace", "live", page)
	case "run":
		return v.part("trace", "run", page)
	}
	return v.show(http.StatusOK, "trace", frame{Title: page.Trace.Kind(), Here: "/traces", Scripts: []string{"trace.js"}, Page: page})
}

func (v *visit) steps(query url.Values) (tracePage, error) {
	var page tracePage
	if err := v.ask("/api/traces/"+url.PathEscape(v.params.ByName("id"))+"/steps", query, &page); err != nil {
		return page, err
	}
	who, err := v.who()
	page.Trace.tell(who)
	return page, err
}

// show completes the page, with the row at open.
func (p *tracePage) show(query url.Values, at domain.Position) {
	for i := range p.Rows {
		p.Rows[i].trace, p.Rows[i].open = &p.Trace, at
	}
	p.Run = query.Get("alike") != ""
	p.Late = len(p.Rows) > 0 && p.Rows[0].Record.Position > p.Trace.First
	place := "/traces/" + p.Trace.TraceID.String()
	values := url.Values{}
	for _, name := range []string{"from", "through", "alike"} {
		if text := query.Get(name); text != "" {
			values.Set(name, text)
		}
	}
	if at != 0 {
		values.Set("at", position(at))
	}
	values.Set("part", "live")
	p.Here = address(place, values)
	if p.Next != 0 {
		values.Set("from", position(p.Next))
		values.Del("at")
		values.Del("part")
		p.More = address(place, values)
	}
}

// placeIn reads a position from an address; 0 for none.
func placeIn(text string) domain.Position {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0
	}
	return domain.Position(n)
}

// StartsAnother reports whether its cause isn't among the rows above it.
func (r rowOf) StartsAnother() bool {
	return r.Depth == 0 && !r.Record.Envelope.Parent.IsZero()
}

// maxDepth bounds how far a row is indented.
const maxDepth = 12

// Indent is its indentation.
func (r rowOf) Indent() int { return min(r.Depth, maxDepth) }

// Offset is its time since the beginning of the trace.
func (r rowOf) Offset() time.Duration { return r.Record.RecordedAt.Sub(r.trace.StartedAt) }

// Took is the time until the last of its effects.
func (r rowOf) Took() time.Duration { return r.Until.Sub(r.Record.RecordedAt) }

// Left is the start of its bar, in thousandths of the trace's duration.
func (r rowOf) Left() int { return r.share(r.Record.RecordedAt - r.trace.StartedAt) }

// Wide is the width of its bar, in thousandths.
func (r rowOf) Wide() int { return r.share(r.Until - r.Record.RecordedAt) }

func (r rowOf) share(span domain.Millis) int {
	whole := max(1, int64(r.trace.UpdatedAt-r.trace.StartedAt))
	return int(min(1000, max(0, 1000*int64(span)/whole)))
}

// Count is the number of steps in the row.
func (r rowOf) Count() string { return grouped(uint64(r.Like + 1)) }

// Open reports whether the row is open.
func (r rowOf) Open() bool { return r.open != 0 && r.Record.Position == r.open }

// Members is the address of the steps of a run.
func (r rowOf) Members() string {
	at := position(r.Record.Position)
	return address("/traces/"+r.trace.TraceID.String(), url.Values{"alike": {at}, "from": {at}, "through": {position(r.Through)}})
}

// Said is its payload for display.
func (r rowOf) Said() reading { return readingOf(r.Record.Envelope) }
