// Package replay tells what happened and why. It reads records and changes
// nothing.
//
// A Tree puts the records of one trace under what caused them:
//
//	err := replay.NewTree(records).Walk(func(rec domain.Record, last []bool) error { … })
//
// An Explanation goes from one envelope back to its roots, over all traces, with
// the numbers as they were recorded then and in sentences for a person:
//
//	target, err := replay.ParseTarget("last")
//	why, err := replay.Explain(ctx, log, target, time.UTC)
//
// Its nodes come the nearest causes first, and its edges go from cause to effect.
// It reads what it needs by id, at most MaxNodes envelopes of it, so a trace of any
// length is told as quickly. LedTo goes the other way, to what an envelope led to, in
// the order of the log; package draw makes pictures of both. What can't be read any
// more they say to be erased, and what the log doesn't hold to be missing; they fail
// only when the log does. Their sentences come in parts, too, of which some name the
// record that they speak of.
//
// A Silence is the opposite: why something was not told, with every decision that
// considered it and the gate that stopped it there:
//
//	q, err := replay.ParseQuestion(id)
//	why, err := replay.WhyNot(ctx, log, q, replay.Asking{Zone: time.UTC})
//
// Nothing here reads a clock, writes to the log or has any other effect, so what
// it tells is the same whenever it is asked. To test with it, make records by
// hand: a position, an id and a parent are enough.
package replay
