package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/traces"
	"chalie/replay/narrate"
)

// Traces is the projection of traces. Its methods are those of
// *traces.Projection.
type Traces interface {
	Get(trace domain.TraceID) (traces.Line, bool, error)
	Search(before domain.Position, limit, most int, keep func(*traces.Line) bool) (lines []traces.Line, reached domain.Position, err error)
}

var _ Traces = (*traces.Projection)(nil)

func traceHandlers() handlers {
	return handlers{"traces": (*exchange).traces, "trace": (*exchange).trace, "steps": (*exchange).steps}
}

// traces is GET /api/traces?limit=&before=&outcome=&root=&source=&tool=&errors=
// &mattered=&since=&until=&words=&texts=.
func (x *exchange) traces() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	limit, err := q.count("limit")
	if err != nil {
		return err
	}
	before, err := q.count("before")
	if err != nil {
		return err
	}
	texts, err := q.flag("texts")
	if err != nil {
		return err
	}
	x.catchUp()
	search := traceSearch{api: x.api, before: domain.Position(before), limit: int(limit)}
	if err := search.read(x.r.Context(), q); err != nil {
		return err
	}
	lines, err := search.run(x.r.Context())
	if err != nil {
		return err
	}
	out := api.TracePage{Traces: make([]api.Trace, 0, len(lines)), Next: search.before}
	if out.Next != 0 {
		out.Back = search.back
	}
	for _, line := range lines {
		body := bodyOf(line)
		if texts {
			if body.TraceTexts, err = x.textsOf(line); err != nil {
				return err
			}
			if len(search.words) > 0 {
				if body.Matched, err = x.matchedIn(line, search.words); err != nil {
					return err
				}
			}
		}
		out.Traces = append(out.Traces, body)
	}
	return x.answer(http.StatusOK, out)
}

func bodyOf(l traces.Line) api.Trace {
	out := api.Trace{
		TraceID: l.Trace.ID, Kind: narrate.Kind(l.Root.Type), Standing: l.Ending().Brief(), Envelopes: l.Envelopes(), Commands: l.Commands, Events: l.Events, Results: l.Results,
		Streams: l.Streams, Errors: l.Errors, First: l.First, Last: l.Last, StartedAt: l.StartedAt, UpdatedAt: l.UpdatedAt,
		Outcome: string(l.Outcome()), Concluded: l.Ended, Tools: l.Tools.List(), Tokens: l.Tokens, CostMicros: l.CostMicros,
		Root: api.TraceRoot{EnvelopeID: l.Root.EnvelopeID, Type: l.Root.Type, Source: l.Root.Source, Principal: l.Root.Principal},
	}
	if out.Tools == nil {
		out.Tools = []string{}
	}
	if !l.Root.Parent.IsZero() {
		out.Root.ParentID = &l.Root.Parent
	}
	return out
}
