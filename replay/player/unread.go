package player

import (
	"context"
	"slices"

	"chalie/domain"
)

// This page has the rules for what was recorded before today. Of steps that didn't record how
// far they had read the log, which of several views they had isn't known, so that one that
// agrees with any of them agrees.

// unreasoned is what the code appends, without the reasons of relations, if the recorded
// step is of the time before those were recorded.
func unreasoned(batch []domain.Record, b domain.Batch) domain.Batch {
	const since = 3 // the version of reasoning.started
	first := batch[0].Envelope
	if n := len(b.Entries) - 1; n > 0 && first.Type == domain.ReasoningStartedType && first.Version < since && b.Entries[n].Envelope.Type == domain.RelationsFoundType {
		b.Entries = b.Entries[:n]
	}
	return b
}

// stepUnread makes such a step.
func (c *comparing) stepUnread(ctx context.Context, r *run, tr *tracing) ([]miss, error) {
	var first []miss
	if r.rests() {
		m, err := c.move(ctx, r, tr)
		if m == nil || err != nil {
			return m, err
		}
		first = m
	}
	m, err := c.anew(ctx, r, tr, view{at: c.now})
	if m == nil || err != nil {
		return m, err
	}
	if len(first) == 0 || first[0].field == fieldNext && first[0].index == 0 {
		first = m
	}
	views, err := c.views(ctx, r.act, tr)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if m, err := c.anew(ctx, r, tr, v); m == nil || err != nil {
			return m, err
		}
	}
	return first, nil
}

// anew starts the code from the log's state, with a view.
func (c *comparing) anew(ctx context.Context, r *run, tr *tracing, v view) ([]miss, error) {
	through, now := c.then.through, c.now
	if v.through != 0 {
		c.then.through = v.through
	}
	c.now, c.heard, c.known = v.at, v.heard, v.known
	defer func() { c.then.through, c.now, c.heard, c.known = through, now, 0, 0 }()
	c.restart(r)
	return c.move(ctx, r, tr)
}

// view is what the code may have had when it decided a step.
type view struct {
	at      domain.Millis
	through domain.Position // how much of the log; 0 for all before the step
	heard   domain.Position // how much of the conversation was folded; 0 for all of that
	known   domain.Position // how much of the interfaces was folded; 0 for all of that
}

// mostViews bounds the views that a step is tried with.
const mostViews = 12

// views are what the code may have had besides all that stands before the step in
// the log. Between reading and appending there is a moment, in which its clock went
// on, the person may have said something, and a fold may not have been there yet: the
// log doesn't tell, so a step that agrees with one of these agrees.
//
//   - The clock was read after the step before, and before this one.
//   - What came into the trace since the step before may not have been read yet.
//   - What was answered since the trace began may not have been folded yet when it was
//     started, and neither what interfaces did when it was looked what they offer. (How
//     far the world was is recorded.)
func (c *comparing) views(ctx context.Context, act Act, tr *tracing) ([]view, error) {
	at := c.now
	var out []view
	if since := tr.last.at; since != 0 && since != at {
		out = append(out, view{at: since})
	}
	between, err := c.then.Select(ctx, domain.Selector{Trace: act.Trace}, tr.last.position+1, mostViews)
	if err != nil {
		return nil, err
	}
	for _, rec := range slices.Backward(between) {
		out = append(out, view{at: at, through: rec.Position - 1})
	}
	topic, fits, late := domain.TopicInterfaces, everyType, func(pos domain.Position) view { return view{at: at, known: pos} }
	if c.batch[0].Envelope.Type == domain.ReasoningStartedType {
		topic, fits, late = domain.TopicReasoning, isConclusion, func(pos domain.Position) view { return view{at: at, heard: pos} }
	}
	changes, err := c.changesSince(ctx, topic, fits, tr.opened)
	for _, pos := range slices.Backward(changes) {
		if len(out) < mostViews {
			out = append(out, late(pos-1))
		}
	}
	return out, err
}

func everyType(domain.EventType) bool { return true }

func isConclusion(t domain.EventType) bool { return t == domain.ReasoningConcludedType }

// changesSince are the records of a topic behind a position, of the types that fit,
// oldest first.
func (c *comparing) changesSince(ctx context.Context, topic domain.Topic, fits func(domain.EventType) bool, from domain.Position) (out []domain.Position, err error) {
	const page, most = 512, 16 // pages: behind so much no fold can have been
	for range most {
		records, err := c.then.Select(ctx, domain.Selector{Topic: topic}, from+1, page)
		if err != nil {
			return nil, err
		}
		for _, rec := range records {
			if from = rec.Position; fits(rec.Envelope.Type) {
				out = append(out, rec.Position)
			}
		}
		if len(records) < page {
			break
		}
	}
	return out, nil
}
