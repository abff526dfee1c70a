package apiclient

import (
	"context"
	"encoding/json"

	"chalie/domain"
)

// Supposed is what is to be otherwise in a replay; the zero value is nothing.
type Supposed struct {
	Without []string          `json:"without,omitempty"` // inputs, by id or position
	Edit    []SupposedEdit    `json:"edit,omitempty"`
	Set     map[string]string `json:"set,omitempty"`    // parameters by name
	Policy  json.RawMessage   `json:"policy,omitempty"` // in place of those that were in force
	Model   string            `json:"model,omitempty"`  // in place of those that answered
	Zone    string            `json:"zone,omitempty"`   // for the sentences; UTC without
}

// IsAnything reports whether something is to be otherwise.
func (s Supposed) IsAnything() bool {
	return len(s.Without) > 0 || len(s.Edit) > 0 || len(s.Set) > 0 || s.Policy != nil || s.Model != ""
}

// SupposedEdit gives a field of an input another value.
type SupposedEdit struct {
	ID    string `json:"envelope_id"`
	Field string `json:"field"`
	Value string `json:"value"`
}

// WhatIf is what would have come otherwise.
type WhatIf struct {
	Identical bool            `json:"identical"` // nothing
	Traces    int             `json:"traces"`    // decided anew
	Skipped   int             `json:"skipped"`
	Open      int             `json:"open"`
	Outcomes  []WhatIfOutcome `json:"outcomes"`
	Asked     *WhatIfAsked    `json:"asked"` // nil when no model was really asked
}

// WhatIfAsked is what was asked of a model that is no part of Chalie.
type WhatIfAsked struct {
	Model     string       `json:"model"`
	Questions int          `json:"questions"`
	Usage     domain.Usage `json:"usage"`
}

// WhatIfOutcome is a trace that would have come to another end.
type WhatIfOutcome struct {
	Trace     domain.ID       `json:"trace_id"`
	Position  domain.Position `json:"position"`
	Sentences []string        `json:"sentences"`
	Recorded  WhatIfEnding    `json:"recorded"`
	Replayed  WhatIfEnding    `json:"replayed"`
}

// WhatIfEnding is what came of a trace.
type WhatIfEnding struct {
	Outcome domain.Outcome `json:"outcome"`
	Shown   domain.Showing `json:"shown"`
	Text    string         `json:"text"`
	At      domain.Millis  `json:"at"`
	Model   string         `json:"model"`
}

// WhatIf tells what would have come otherwise, and calls progress on the way.
func (c *Client) WhatIf(ctx context.Context, what ReplayRequest, progress func(Progress)) (Object[WhatIf], error) {
	return replayed[WhatIf](ctx, c, what, progress)
}
