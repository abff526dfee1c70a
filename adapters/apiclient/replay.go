package apiclient

import (
	"context"
	"encoding/json"
	"net/http"

	"chalie/domain"
)

// ReplayRequest is what is to be replayed: one trace, or all that began since.
type ReplayRequest struct {
	Trace string `json:"trace,omitempty"` // last, or any id of it
	Since string `json:"since,omitempty"` // 30d, a time, or a position
	Supposed
}

// ReplayReport is what a replay found.
type ReplayReport struct {
	Identical        bool              `json:"identical"`
	Traces           int               `json:"traces"` // with something to decide
	Skipped          int               `json:"skipped"`
	Open             int               `json:"open"`
	Erased           int               `json:"erased"`
	Cut              int               `json:"cut"`
	WithoutDecisions int               `json:"without_decisions"`
	Steps            int               `json:"steps"`
	Envelopes        int               `json:"envelopes"`
	Diverged         int               `json:"diverged"`
	Divergence       *ReplayDivergence `json:"divergence"`
}

// ReplayDivergence is where today's code decides differently for the first time.
type ReplayDivergence struct {
	Trace    domain.ID        `json:"trace_id"`
	Envelope domain.ID        `json:"envelope_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field"` // a path; next where one of the two goes on
	Recorded json.RawMessage  `json:"recorded"`
	Replayed json.RawMessage  `json:"replayed"`
	Versions struct {
		Recorded CodeVersion `json:"recorded"`
		Replayed CodeVersion `json:"replayed"`
	} `json:"versions"`
}

// CodeVersion names code: its build, and the hash of its rules.
type CodeVersion struct {
	Build string `json:"build"`
	Rules string `json:"rules"`
}

// Replay replays, and calls progress on the way. That something is decided
// differently is no error: the report says so.
func (c *Client) Replay(ctx context.Context, what ReplayRequest, progress func(Progress)) (Object[ReplayReport], error) {
	return replayed[ReplayReport](ctx, c, what, progress)
}

// replayed reads progress, and the report behind it.
func replayed[T any](ctx context.Context, c *Client, what ReplayRequest, progress func(Progress)) (Object[T], error) {
	const op = http.MethodPost + " /api/replay"
	resp, err := c.ask(ctx, http.MethodPost, "/api/replay", nil, what)
	if err != nil {
		return Object[T]{}, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var line Object[struct {
			Identical *bool `json:"identical"` // only the report has it
			Progress
			Error string      `json:"error"` // of an answer that failed on its way
			Code  domain.Code `json:"code"`
		}]
		if err := lines.Decode(&line); err != nil {
			return Object[T]{}, brokenOff(op, err)
		}
		told, err := line.Value()
		if err != nil {
			return Object[T]{}, err
		}
		if told.Identical != nil {
			return Object[T](line), nil
		}
		if told.Error != "" {
			return Object[T]{}, &domain.Error{Op: op, Category: domain.Dependency, Code: told.Code, Message: told.Error}
		}
		progress(told.Progress)
	}
}
