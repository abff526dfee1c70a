package httpapi

import (
	"fmt"
	"math"
	"net/http"

	"chalie/domain"
	"chalie/projections/traces"
)

// Traces is the projection of traces. Its methods are those of
// *traces.Projection.
type Traces interface {
	Get(trace domain.TraceID) (traces.Line, bool, error)
	List(before domain.Position, limit int) ([]traces.Line, error)
}

var _ Traces = (*traces.Projection)(nil)

// traceBody is one line of GET /api/traces.
type traceBody struct {
	TraceID   domain.ID       `json:"trace_id"`
	Root      rootBody        `json:"root"`
	Envelopes uint64          `json:"envelopes"`
	Commands  uint64          `json:"commands"`
	Events    uint64          `json:"events"`
	Results   uint64          `json:"results"`
	Streams   uint64          `json:"streams"`
	Errors    uint64          `json:"errors"`
	First     domain.Position `json:"first"`
	Last      domain.Position `json:"last"`
	StartedAt domain.Millis   `json:"started_at"`
	UpdatedAt domain.Millis   `json:"updated_at"`
	Outcome   traces.Outcome  `json:"outcome"`
}

type rootBody struct {
	EnvelopeID domain.ID        `json:"envelope_id"`
	ParentID   *domain.ID       `json:"parent_id"`
	Type       domain.EventType `json:"type"`
	Source     domain.Source    `json:"source"`
	Principal  domain.Principal `json:"principal"`
}

// traces is GET /api/traces?limit=&before=. Next is what to give as before to go
// on; 0 when there are no more.
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
	x.catchUp()
	lines, err := x.api.cfg.Traces.List(domain.Position(before), int(limit))
	if err != nil {
		return err
	}
	out := struct {
		Traces []traceBody     `json:"traces"`
		Next   domain.Position `json:"next"`
	}{Traces: make([]traceBody, 0, len(lines))}
	for _, line := range lines {
		out.Traces = append(out.Traces, bodyOf(line))
	}
	if len(lines) == int(limit) {
		out.Next = lines[len(lines)-1].First
	}
	return x.answer(http.StatusOK, out)
}

// trace is GET /api/traces/{id}?from=&limit=. Next is the position to go on
// from, absent when the last record is among them.
func (x *exchange) trace() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	from, err := q.count("from", 1, 0, math.MaxInt64)
	if err != nil {
		return err
	}
	limit, err := q.count("limit", 1000, 1, 1000)
	if err != nil {
		return err
	}
	x.catchUp()
	trace := domain.TraceID{ID: id}
	line, found, err := x.api.cfg.Traces.Get(trace)
	if err != nil {
		return err
	}
	if !found {
		return &domain.Error{Op: "show trace", Category: domain.NotFound, Code: "no_trace", Field: "id",
			Message: fmt.Sprintf("there is no trace %s: GET /api/traces lists them", id)}
	}
	records, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{Trace: trace}, max(1, domain.Position(from)), int(limit))
	if err != nil {
		return err
	}
	out := struct {
		Trace   traceBody       `json:"trace"`
		Records []domain.Record `json:"records"`
		Next    domain.Position `json:"next,omitempty"`
	}{Trace: bodyOf(line), Records: records}
	if records == nil {
		out.Records = []domain.Record{}
	}
	if n := len(records); n == int(limit) && records[n-1].Position < line.Last {
		out.Next = records[n-1].Position + 1
	}
	return x.answer(http.StatusOK, out)
}

func bodyOf(l traces.Line) traceBody {
	out := traceBody{
		TraceID: l.Trace.ID, Envelopes: l.Envelopes(), Commands: l.Commands, Events: l.Events, Results: l.Results,
		Streams: l.Streams, Errors: l.Errors, First: l.First, Last: l.Last, StartedAt: l.StartedAt, UpdatedAt: l.UpdatedAt,
		Outcome: l.Outcome(),
		Root:    rootBody{EnvelopeID: l.Root.EnvelopeID, Type: l.Root.Type, Source: l.Root.Source, Principal: l.Root.Principal},
	}
	if !l.Root.Parent.IsZero() {
		out.Root.ParentID = &l.Root.Parent
	}
	return out
}
