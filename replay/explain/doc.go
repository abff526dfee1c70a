// Package explain answers why something happened, and why something was not told.
//
// An Explanation goes from one envelope back to its root causes, over all traces, with
// the recorded numbers and with sentences for a person:
//
//	target, err := replay.ParseTarget("last")
//	out, err := explain.Why(ctx, log, target, time.UTC)
//
// Its nodes are ordered from the nearest causes on, and its edges go from cause to
// effect. It reads at most MaxNodes envelopes by id, so the length of a trace doesn't
// matter. Effects goes the other way, to an envelope's consequences, in the order of the
// log. An erased payload is called erased, and an envelope that isn't in the log missing;
// both fail only when the log does. The sentences come in parts, too, some of which name
// the record that they are about.
//
// A NotTold says why something was not told: every decision that considered it, the gate
// that stopped it there, and the change with which it would have been told, tried in a
// branch of the log:
//
//	q, err := explain.ParseQuestion(id)
//	out, err := explain.WhyNot(ctx, log, q, explain.Asking{Zone: time.UTC})
//
// Begin reading with why.go and whynot.go, each of which shows its steps in order:
// walk.go gathers causes, effects.go consequences, and said.go, result.go, recalled.go and
// halted.go those that no record names; score.go finds the numbers they had, tell.go makes
// the sentences; decision.go, episode.go and tool.go find the gate,
// remedy.go and trial.go the change.
package explain
