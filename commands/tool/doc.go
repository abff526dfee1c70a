// Package tool invokes what interfaces offer and what Chalie itself can do, decides by the
// policy whether that may be, and asks the person where the policy says so.
//
//	tool.invoked ← policy.decided ← tool.dispatched ← tool.completed, tool.failed or tool.outcome_unknown
//
// Each step is in the log before what it announces happens, on the condition that the step
// before it was the last: a call is made once, and no invocation ends twice. What an earlier
// process left open is ended by Recover. A call that waits for approval goes on by the
// episode it belongs to, or by Approvals.
//
// A skill of Chalie's own is a Skill; it decides and appends nothing, so it passes the same
// gate as every other tool.
//
// # Testing
//
// commandstest has a Workshop, where tools are asked for, and a Counter, where each waits
// for the person.
package tool
