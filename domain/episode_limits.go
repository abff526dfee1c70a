package domain

import (
	"fmt"
	"time"
)

// MaxYields is how often a background cycle makes room before it is given up: the
// world it looked at is then an old one.
const MaxYields = 3

// ReasoningLimits bound one episode. They are recorded with its start.
type ReasoningLimits struct {
	ModelCalls int   `json:"model_calls"` // the last of them is offered no tools
	ToolCalls  int   `json:"tool_calls"`
	TimeMS     int64 `json:"time_ms"`     // from the start, the person's approvals not counted
	CostMicros int64 `json:"cost_micros"` // millionths of a US dollar
}

// Time is the bound on how long an episode takes.
func (l ReasoningLimits) Time() time.Duration { return time.Duration(l.TimeMS) * time.Millisecond }

// DefaultReasoningLimits are those of an episode unless somebody asks for others.
func DefaultReasoningLimits() ReasoningLimits {
	return ReasoningLimits{ModelCalls: 8, ToolCalls: 16, TimeMS: (5 * time.Minute).Milliseconds(), CostMicros: 500_000}
}

// spending is the part of its limits that an episode has used.
type spending struct {
	tools  int
	cost   int64
	began  Millis
	latest Millis
	paused Millis // since when it waits; 0 while it doesn't
	waited time.Duration
}

func (s *spending) begin(at Millis) { s.began = at }

func (s *spending) seen(at Millis) { s.latest = max(s.latest, at) }

func (s *spending) pause(at Millis) { s.paused = at }

func (s *spending) resume(at Millis) {
	if s.paused != 0 {
		s.waited += max(0, at.Sub(s.paused))
	}
	s.paused = 0
}

// Exhausted reports whether a limit is reached, and says which.
func (e *Episode) Exhausted() (why string, exhausted bool) {
	if e.Started == nil {
		return "", false
	}
	limit := e.Started.Limits
	took := e.spent.latest.Sub(e.spent.began) - e.spent.waited
	switch {
	case len(e.Calls) >= limit.ModelCalls:
		return fmt.Sprintf("after %d calls to the model", limit.ModelCalls), true
	case took >= limit.Time():
		return fmt.Sprintf("after %s", limit.Time()), true
	case e.spent.cost >= limit.CostMicros && limit.CostMicros > 0:
		return fmt.Sprintf("after calls to the model for $%d.%02d", e.spent.cost/1_000_000, e.spent.cost%1_000_000/10_000), true
	}
	return "", false
}

// ToolsLeft is the number of tool calls left. Those beyond are rejected.
func (e *Episode) ToolsLeft() int {
	if e.Started == nil {
		return 1 // an action is one call
	}
	return max(0, e.Started.Limits.ToolCalls-e.spent.tools)
}

// FinalCall reports whether the next call to the model is the last there may be:
// it is offered no tools, so that it answers with what it has.
func (e *Episode) FinalCall() bool {
	return e.Started != nil && (len(e.Calls) >= e.Started.Limits.ModelCalls-1 || e.ToolsLeft() == 0)
}
