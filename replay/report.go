package replay

import (
	"cmp"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// MaxDiffering bounds the traces that a report names as decided differently.
const MaxDiffering = 200

// Report is what a replay found.
type Report struct {
	// Identical says that today's code decides everything that was replayed as it was
	// decided then.
	Identical bool `json:"identical"`
	// Traces are those with something to decide. Some of them are Skipped, wholly or
	// from some step on: those that have no end yet, which are Open, those whose inputs
	// are Erased, and those whose beginning the log doesn't hold, which are
	// Cut.
	Traces  int `json:"traces"`
	Skipped int `json:"skipped"`
	Open    int `json:"open"`
	Erased  int `json:"erased"`
	Cut     int `json:"cut"`
	// WithoutDecisions are the traces in which there is nothing to decide, such as a
	// signal that was heard.
	WithoutDecisions int `json:"without_decisions"`
	Steps            int `json:"steps" doc:"Decisions that were compared, each of one or more envelopes."`
	Envelopes        int `json:"envelopes" doc:"That were compared."`
	// Diverged is how many traces are decided differently; Divergence is the first, by
	// its place in the log.
	Diverged   int         `json:"diverged"`
	Divergence *Divergence `json:"divergence,omitempty"`
	// Differing says of each of them where it differs first, in log order: of at most
	// MaxDiffering, the earliest.
	Differing []Differing `json:"differing,omitempty"`
}

// Differing is one trace that is decided differently, and where it is first.
type Differing struct {
	Trace    domain.TraceID   `json:"trace_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field"`
}

// Divergence is where today's code decides differently for the first time.
type Divergence struct {
	Trace domain.TraceID `json:"trace_id"`
	// Envelope is the recorded one that differs. When today's code goes on where the
	// record ends, or ends where the record goes on, it is the last that agrees, and
	// Field is "next".
	Envelope domain.ID        `json:"envelope_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field" doc:"A path, such as payload.world.items[0].salience."`
	Recorded json.RawMessage  `json:"recorded" doc:"Null where there is nothing."`
	Replayed json.RawMessage  `json:"replayed"`
	Versions Versions         `json:"versions"`
}

// Versions tell which code wrote, and which replayed.
type Versions struct {
	Recorded Version `json:"recorded"`
	Replayed Version `json:"replayed"`
}

// Version names code: its build, and the hash of the rules and parameters that it
// decides by; "" where that wasn't recorded.
type Version struct {
	Build string `json:"build"`
	Rules string `json:"rules"`
}

// add takes what another walk over the same log found, over other traces.
func (r *Report) add(o Report) {
	r.Traces += o.Traces
	r.Skipped += o.Skipped
	r.Open += o.Open
	r.Erased += o.Erased
	r.Cut += o.Cut
	r.WithoutDecisions += o.WithoutDecisions
	r.Steps += o.Steps
	r.Envelopes += o.Envelopes
	r.Diverged += o.Diverged
	if o.Divergence != nil && (r.Divergence == nil || o.Divergence.Position < r.Divergence.Position) {
		r.Divergence = o.Divergence
	}
	r.Differing = append(r.Differing, o.Differing...)
	slices.SortFunc(r.Differing, func(a, b Differing) int { return cmp.Compare(a.Position, b.Position) })
	r.Differing = r.Differing[:min(len(r.Differing), MaxDiffering)]
	r.Identical = r.Diverged == 0
}
