package api

import "chalie/domain"

// Refusal is the body of every answer that is not a success.
type Refusal struct {
	Error        string      `json:"error" doc:"What is wrong and what to change, for a person."`
	Code         domain.Code `json:"code,omitempty" doc:"The same for a program."`
	Field        string      `json:"field,omitempty" doc:"The field or parameter that has to be changed."`
	Hint         string      `json:"hint,omitempty" doc:"What this route takes to let somebody in."`
	InvocationID string      `json:"invocation_id,omitempty" format:"uuid" doc:"Of a tool that gave no answer: the log has all of it under this id."`
}

// OK says that it was done, or has begun.
type OK struct {
	OK bool `json:"ok"`
}

// CodeKeyNeeded is the refusal of a session's cookie alone.
const CodeKeyNeeded domain.Code = "key_needed"

// CodeNobodyKnows says that a tool was called, and nobody knows what came of it.
const CodeNobodyKnows domain.Code = "tool_outcome_unknown"

// Headers beside whatever the operator is answered to a GET, where it is known.
const (
	WaitingHeader       = "Chalie-Approvals-Waiting"       // how many things wait for their approval
	ElsewhereHeader     = "Chalie-Sessions-Elsewhere"      // how many uses of their sessions elsewhere they haven't seen
	ElsewhereOpenHeader = "Chalie-Sessions-Elsewhere-Open" // how many of those are of sessions that haven't ended
)

// KeyHeader is where a session's key is shown.
const KeyHeader = "Chalie-Key"

// SessionCookie is where a session's secret is kept.
const SessionCookie = "chalie_session"

// Refusals are the statuses of all refusals that a route may answer with.
func (r Route) Refusals() []int {
	out := append([]int{500, 503}, r.Refuses...)
	switch r.Who {
	case Anyone:
	case Neighbours, Viewers:
		out = append(out, 401, 403)
	default:
		out = append(out, 401, 403)
	}
	if r.Body.Most > 0 {
		out = append(out, 400, 413)
	}
	if r.Method != get {
		out = append(out, 403) // a page of another site sent it
	}
	if r.ID != "" {
		out = append(out, 400, 404)
	}
	if len(r.Query) > 0 {
		out = append(out, 400)
	}
	return out
}
