package replay

import (
	"context"
	"slices"

	"chalie/domain"
)

// view is what the code may have had when it decided a step.
type view struct {
	at      domain.Millis
	through domain.Position // how much of the log; 0 for all before the step
	heard   domain.Position // how much of the conversation was folded; 0 for all of that
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
//     started. (How far the world was is recorded.)
func (w *performance) views(ctx context.Context, a *acting, batch []domain.Record) ([]view, error) {
	at := momentOf(batch[0])
	var out []view
	if since := a.last.at; since != 0 && since != at {
		out = append(out, view{at: since})
	}
	between, err := w.log.Select(ctx, domain.Selector{Trace: a.act.Trace}, a.last.position+1, mostViews)
	if err != nil {
		return nil, err
	}
	for _, rec := range slices.Backward(between) {
		out = append(out, view{at: at, through: rec.Position - 1})
	}
	if batch[0].Envelope.Type != "reasoning.started" {
		return out, nil
	}
	ends, err := w.endsSince(ctx, a.opened)
	for _, end := range slices.Backward(ends) {
		if len(out) < mostViews {
			out = append(out, view{at: at, heard: end - 1})
		}
	}
	return out, err
}

// endsSince are the ends of other episodes behind a position, oldest first.
func (w *performance) endsSince(ctx context.Context, from domain.Position) (out []domain.Position, err error) {
	const page, most = 512, 16 // pages: behind so much the fold can't have been
	for range most {
		records, err := w.log.Select(ctx, domain.Selector{Topic: domain.TopicReasoning}, from+1, page)
		if err != nil {
			return nil, err
		}
		for _, rec := range records {
			if from = rec.Position; rec.Envelope.Type == "reasoning.concluded" {
				out = append(out, rec.Position)
			}
		}
		if len(records) < page {
			break
		}
	}
	return out, nil
}
