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

// OK says that the request was carried out, or has begun.
type OK struct {
	OK bool `json:"ok"`
}

// CodeKeyNeeded refuses a request that has a session's cookie but not its key.
const CodeKeyNeeded domain.Code = "key_needed"

// LogInDoc is where a client reads, of any Chalie and without a login, how it gets a
// session's key.
const LogInDoc = "/openapi.json#/paths/~1auth~1login/post"

// CodeLoginNeeded refuses what takes a login of just now from a session of an earlier one.
const CodeLoginNeeded domain.Code = "login_needed"

// CodeNobodyKnows says that a tool was called and the outcome is unknown.
const CodeNobodyKnows domain.Code = "tool_outcome_unknown"

// Headers of every answer to the operator's GET requests, where the numbers are known.
const (
	WaitingHeader       = "Chalie-Approvals-Waiting"       // proposals that wait for a decision
	AskingHeader        = "Chalie-Rights-Asked"            // interfaces that declared rights for themselves, until they are decided about
	ElsewhereHeader     = "Chalie-Sessions-Elsewhere"      // uses of sessions from elsewhere that weren't acknowledged
	ElsewhereOpenHeader = "Chalie-Sessions-Elsewhere-Open" // those of them whose session is still open
)

// KeyHeader is the request header that carries a session's key.
const KeyHeader = "Chalie-Key"

// SessionCookie is the cookie that carries a session's secret.
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
		out = append(out, 403) // cross-origin
	}
	if r.ID != "" {
		out = append(out, 400, 404)
	}
	if len(r.Query) > 0 {
		out = append(out, 400)
	}
	return out
}
