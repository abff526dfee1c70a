// Package explain tells why something is as it is, and why something was not told.
//
// An Explanation goes from one envelope back to its roots, over all traces, with
// the numbers as they were recorded then and in sentences for a person:
//
//	target, err := replay.ParseTarget("last")
//	out, err := explain.Why(ctx, log, target, time.UTC)
//
// Its nodes come the nearest causes first, and its edges go from cause to effect.
// It reads what it needs by id, at most MaxNodes envelopes of it, so a trace of any
// length is told as quickly. Effects goes the other way, to what an envelope led to,
// in the order of the log. What can't be read any more is said to be erased, and what
// the log doesn't hold to be missing; both fail only when the log does. The sentences
// come in parts, too, of which some name the record that they speak of.
//
// A NotTold is the opposite: why something was not told, with every decision that
// considered it, the gate that stopped it there, and the change that would have let
// it through, tried in a branch of the log:
//
//	q, err := explain.ParseQuestion(id)
//	out, err := explain.WhyNot(ctx, log, q, explain.Asking{Zone: time.UTC})
//
// Begin reading with why.go and whynot.go, each of which shows its steps in order:
// walk.go gathers causes, effects.go consequences, score.go the numbers they had,
// tell.go makes the sentences; decision.go, episode.go and tool.go find the gate,
// remedy.go and trial.go the change.
package explain
