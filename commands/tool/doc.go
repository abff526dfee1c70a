// Package tool invokes the tools of interfaces and Chalie's own skills, as the policy
// decides, and asks the person for approval where the policy says so.
//
//	tool.invoked ← policy.decided ← tool.dispatched ← tool.completed, tool.failed or tool.outcome_unknown
//
// Each step is in the log before what it announces happens, on the condition that the step
// before it was the last: a call is made once, and no invocation ends twice. Recover ends
// the invocations that an earlier process left open. After an approval the call's episode
// goes on with it, or else Approvals does.
//
// A Skill decides and appends nothing, so it passes the same gate as every other tool.
//
// # Testing
//
// commandstest has a Workshop, where tools are asked for, and a Counter, where each waits
// for the person.
package tool
