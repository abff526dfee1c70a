package replay

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Direction is which way an explanation goes.
type Direction string

// The directions. Back is to the causes, and what "" means.
const (
	Back    Direction = "back"
	Forward Direction = "forward"
)

// How much is read to find out what an envelope led to, beside MaxNodes of what is
// found. What is beyond is not looked at, and the explanation says so.
const (
	maxEnds = 20_000 // conclusions after it, of which some may rest on it
	maxSent = 20_000 // signals and messages, of which some may come from whom it let in
)

// LedTo tells what a target led to: the envelopes that it caused, and the
// conclusions that rest on it or on one of those, and so on, over all traces, in the
// order of the log. The target is the envelope that is named: an exchange's id means
// its message. The nodes begin with it, the earliest of its effects behind; edges go
// from cause to effect.
//
// Children are found by the log's index, whatever they are and however late. Evidence
// isn't indexed: it is looked for in the conclusions after the target, which an index
// has, at most maxEnds of them. So what it takes depends on how much came of the target
// and on how often Chalie came to a conclusion since, not on how much was heard. Replies
// that no conclusion shows are not looked through.
//
// Errors are those of Explain.
func LedTo(ctx context.Context, log Log, target Target, zone *time.Location) (Explanation, error) {
	rec, err := target.locateItself(ctx, log)
	if err != nil {
		return Explanation{}, err
	}
	w := newWalk(log)
	w.out.Direction = Forward
	if err := w.onward(ctx, rec); err != nil {
		return Explanation{}, err
	}
	if err := w.score(ctx); err != nil {
		return Explanation{}, err
	}
	if err := w.label(ctx); err != nil {
		return Explanation{}, err
	}
	t := teller{walk: w, zone: zone, target: rec}
	w.out.Target = Focus{ID: rec.Envelope.ID, Type: rec.Envelope.Type, Trace: rec.Envelope.Trace}
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return Explanation{}, err
	}
	w.out.Target.Said = w.said(rec)
	told, err := t.consequences(ctx)
	w.out.Sentences, w.out.Parts = narrate.Sentences(told)
	return w.out, err
}

// locateItself finds the record that is named, and not what came of it.
func (t Target) locateItself(ctx context.Context, log Log) (domain.Record, error) {
	if t.id.IsZero() {
		return t.locate(ctx, log)
	}
	rec, err := log.Find(ctx, t.id)
	if domain.CategoryOf(err) == domain.NotFound {
		return locateID(ctx, log, t.id)
	}
	return rec, err
}
