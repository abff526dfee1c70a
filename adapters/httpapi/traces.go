package httpapi

import (
	"math"
	"net/http"

	"chalie/domain"
	"chalie/projections/traces"
)

// Traces is the projection of traces. Its methods are those of
// *traces.Projection.
type Traces interface {
	Get(trace domain.TraceID) (traces.Line, bool, error)
	Search(before domain.Position, limit, most int, keep func(*traces.Line) bool) (lines []traces.Line, reached domain.Position, err error)
}

var _ Traces = (*traces.Projection)(nil)

// traceBody is one line of GET /api/traces.
type traceBody struct {
	TraceID    domain.ID       `json:"trace_id"`
	Root       rootBody        `json:"root"`
	Envelopes  uint64          `json:"envelopes"`
	Commands   uint64          `json:"commands"`
	Events     uint64          `json:"events"`
	Results    uint64          `json:"results"`
	Streams    uint64          `json:"streams"`
	Errors     uint64          `json:"errors"`
	First      domain.Position `json:"first"`
	Last       domain.Position `json:"last"`
	StartedAt  domain.Millis   `json:"started_at"`
	UpdatedAt  domain.Millis   `json:"updated_at"`
	Outcome    traces.Outcome  `json:"outcome"`
	Concluded  domain.Outcome  `json:"concluded,omitempty"`
	Tools      []string        `json:"tools"`
	Tokens     uint64          `json:"tokens"`
	CostMicros uint64          `json:"cost_micros"`

	*traceTexts
	Matched *matchedBody `json:"matched,omitempty"` // with words and texts
}

type rootBody struct {
	EnvelopeID domain.ID        `json:"envelope_id"`
	ParentID   *domain.ID       `json:"parent_id"`
	Type       domain.EventType `json:"type"`
	Source     domain.Source    `json:"source"`
	Principal  domain.Principal `json:"principal"`
}

// tracesBody is the answer of GET /api/traces. Next is what to give as before to go
// on; 0 when there is nothing further back. Back is when what was looked at last
// began: with filters less than limit may be found, and more be further back.
type tracesBody struct {
	Traces []traceBody     `json:"traces"`
	Next   domain.Position `json:"next"`
	Back   domain.Millis   `json:"back,omitempty"`
}

// traces is GET /api/traces?limit=&before=&outcome=&root=&source=&tool=&errors=
// &mattered=&since=&until=&words=&texts=.
func (x *exchange) traces() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	limit, err := q.count("limit", 50, 1, 1000)
	if err != nil {
		return err
	}
	before, err := q.count("before", 0, 0, math.MaxInt64)
	if err != nil {
		return err
	}
	texts, err := q.flag("texts", false)
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
	out := tracesBody{Traces: make([]traceBody, 0, len(lines)), Next: search.before}
	if out.Next != 0 {
		out.Back = search.back
	}
	for _, line := range lines {
		body := bodyOf(line)
		if texts {
			if body.traceTexts, err = x.textsOf(line); err != nil {
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

func bodyOf(l traces.Line) traceBody {
	out := traceBody{
		TraceID: l.Trace.ID, Envelopes: l.Envelopes(), Commands: l.Commands, Events: l.Events, Results: l.Results,
		Streams: l.Streams, Errors: l.Errors, First: l.First, Last: l.Last, StartedAt: l.StartedAt, UpdatedAt: l.UpdatedAt,
		Outcome: l.Outcome(), Concluded: l.Ended, Tools: l.Tools.List(), Tokens: l.Tokens, CostMicros: l.CostMicros,
		Root: rootBody{EnvelopeID: l.Root.EnvelopeID, Type: l.Root.Type, Source: l.Root.Source, Principal: l.Root.Principal},
	}
	if out.Tools == nil {
		out.Tools = []string{}
	}
	if !l.Root.Parent.IsZero() {
		out.Root.ParentID = &l.Root.Parent
	}
	return out
}
