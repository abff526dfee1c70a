package replay

import (
	"context"

	"chalie/domain"
)

// Change is what is to be otherwise. The zero Change changes nothing: what comes of
// it is what was.
type Change struct {
	Without []domain.ID         // inputs that never came
	Edits   []Edit              // inputs that came otherwise
	Params  *domain.Params      // what is decided by; nil for today's
	Policy  *domain.PolicyRules // in force throughout, in place of any other; nil for those that were
	Model   string              // answers in place of those that did, by name; "" for those that did
}

// Scope is what is run again.
type Scope struct {
	// Trace is the only one that is decided anew; none for all. What happened in the
	// others is taken as it was, but for what follows from an input that is left out.
	Trace domain.TraceID
	Since domain.Position // what began before is taken as it was; 0 for everything
}

// Outcomes is what would have come of a change.
type Outcomes struct {
	Traces   int       `json:"traces" doc:"That were decided anew."`
	Open     int       `json:"open" doc:"Of those, how many had no end when the log ended."`
	Skipped  int       `json:"skipped" doc:"Taken as they were: something in them was erased."`
	Outcomes []Outcome `json:"outcomes"`
	Asked    *Asked    `json:"asked,omitempty" doc:"Nil when nobody was."`
}

// Asked is what was asked of a model that is no part of the program.
type Asked struct {
	Model     string       `json:"model"`
	Questions int          `json:"questions"`
	Usage     domain.Usage `json:"usage" doc:"Of those it answered."`
}

// WhatIf runs what was recorded again through today's code, with something changed,
// and lists the traces that would have come to another end, in their order.
//
// The branch begins just before the first change. From there on every input comes as
// it was recorded, at its time, unless it is changed, or what it follows from isn't
// there: what was said to a question that was never put is not said. Whatever Chalie
// decided it decides anew, at the moments at which it did then.
//
// # Effects
//
// Nothing has any. A tool that is called just as it was then answers as it did; any
// other call ends as failed, and is listed under Ending.Calls as one that would have
// been made. A model that isn't part of the program says what it said when it is
// asked the same; asked anything else, it can't be told what it would have said, and
// the outcome is OutcomeUnknown, unless Change.Model names another.
//
// # What isn't followed
//
// Inputs are those that were recorded. What falls due in the branch is told there; what
// would only have been noticed or said there doesn't happen.
//
// What is appended while it goes on doesn't count. The same log and change give the same outcomes, on every machine. progress, when
// not nil, is called now and then with positions. Errors: validation, of a change
// that can't be made; not found, of an envelope or trace that isn't there; those of
// the log; and the end of ctx.
func WhatIf(ctx context.Context, log Log, staging Staging, change Change, scope Scope, progress func(done, total domain.Position)) (Outcomes, error) {
	if progress == nil {
		progress = func(_, _ domain.Position) {}
	}
	w, err := newBranching(ctx, asItStands(log), change, scope)
	if err != nil {
		return Outcomes{}, err
	}
	defer w.stopAll()
	if err := w.begin(ctx, staging); err != nil {
		return Outcomes{}, err
	}
	if err := w.walk(ctx, progress); err != nil {
		return Outcomes{}, err
	}
	return w.outcomes(ctx)
}
