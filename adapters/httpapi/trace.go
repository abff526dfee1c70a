package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/traces"
)

// trace is GET /api/traces/{id}?from=&limit=&gist=. Next is the position to go on
// from, absent when the last record is among them.
func (x *exchange) trace() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	line, _, err := x.traceNamed(x.params.ByName("id"))
	if err != nil {
		return err
	}
	from, err := q.count("from")
	if err != nil {
		return err
	}
	limit, err := q.count("limit")
	if err != nil {
		return err
	}
	gists, err := q.flag("gist")
	if err != nil {
		return err
	}
	records, cut, err := domain.SelectWithin(x.r.Context(), x.api.cfg.Log, domain.Selector{Trace: line.Trace}, max(1, domain.Position(from)), int(limit), domain.PageBytes)
	if err != nil {
		return err
	}
	out := api.WholeTrace{Trace: bodyOf(line), Records: entries(records, gists)}
	if n := len(records); (cut || n == int(limit)) && records[n-1].Position < line.Last {
		out.Next = records[n-1].Position + 1
	}
	return x.answer(http.StatusOK, out)
}

// traceNamed is a trace by its own id, or by the id or pos: and the position of one of
// its envelopes; at is where that stands, 0 for a trace's own id.
func (x *exchange) traceNamed(name string) (line traces.Line, at domain.Position, err error) {
	x.catchUp()
	number, isPosition := strings.CutPrefix(name, "pos:")
	if pos, err := strconv.ParseUint(number, 10, 63); isPosition && err == nil {
		rec, err := x.recordAt(domain.Position(pos))
		if err == nil && rec.Position == 0 {
			err = noTrace("there is no envelope at position " + number)
		}
		if err != nil {
			return traces.Line{}, 0, err
		}
		return x.traceOf(rec)
	}
	id, err := parseID("id", name)
	if err != nil {
		return traces.Line{}, 0, err
	}
	line, found, err := x.api.cfg.Traces.Get(domain.TraceID{ID: id})
	if err != nil || found {
		return line, 0, err
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if domain.CategoryOf(err) == domain.NotFound {
		return traces.Line{}, 0, noTrace(fmt.Sprintf("there is no trace %s, and no envelope of that id", id))
	}
	if err != nil {
		return traces.Line{}, 0, err
	}
	return x.traceOf(rec)
}

func (x *exchange) traceOf(rec domain.Record) (traces.Line, domain.Position, error) {
	line, found, err := x.api.cfg.Traces.Get(rec.Envelope.Trace)
	if err == nil && !found {
		err = noTrace(fmt.Sprintf("the trace of the envelope at position %d isn't known yet", rec.Position))
	}
	return line, rec.Position, err
}

func noTrace(why string) error {
	return &domain.Error{Op: "show trace", Category: domain.NotFound, Code: "no_trace", Field: "id", Message: why + ": GET /api/traces lists them"}
}
