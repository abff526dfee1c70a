package domain

import "encoding/json"

// StateTaken is what a tool says of the state it acts on, as it was just before
// or just after a call: the difference is what the call did.
type StateTaken struct {
	InvocationID ID              `json:"invocation_id"`
	When         Moment          `json:"when"`
	State        json.RawMessage `json:"state"`       // an object; null when it could not be had
	Description  string          `json:"description"` // the tool's own words
	Problem      string          `json:"problem"`     // why it could not be had; "" when it was
}

// Moment says whether a state was taken before or after the call.
type Moment string

// The moments.
const (
	BeforeCall Moment = "before"
	AfterCall  Moment = "after"
)

// MaxStateBytes bounds a state that is kept.
const MaxStateBytes = 64 << 10

// ToolVerified is what checking a tool's answer against what it declares to
// return found. It comes with the tool.completed that it checks.
type ToolVerified struct {
	InvocationID ID       `json:"invocation_id"`
	Passed       bool     `json:"passed"`
	Errors       []string `json:"errors"` // told to the caller; none when it passed
}
