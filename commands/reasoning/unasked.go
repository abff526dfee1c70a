package reasoning

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
)

// Bounds of what is looked back on for what was told unasked. Where more was recorded it isn't looked
// for: the last one found might not be the last one told.
const (
	unaskedTurns = 3
	unaskedFor   = 6 * time.Hour // where fewer turns were taken
	maxUnasked   = 1 << 12       // records
)

// unasked is what was told unasked last before an episode, and after the end of the last turns, whose ends
// are given, oldest first.
func (r *Reasoner) unasked(ctx context.Context, ep *domain.Episode, ends []domain.Position) (Unasked, error) {
	if !ep.ByOperator() {
		return Unasked{}, nil
	}
	from, err := r.cfg.Reader.Since(ctx, ep.Started.AsOf.Add(-unaskedFor))
	if err != nil {
		return Unasked{}, err
	}
	if n := len(ends); n >= unaskedTurns {
		from = max(from, ends[n-unaskedTurns]+1)
	}
	var out Unasked
	var wrong error
	looked, err := domain.Look(ctx, r.cfg.Reader, domain.Selector{Topic: domain.TopicReasoning}, from, maxUnasked, func(rec domain.Record) {
		e := rec.Envelope
		if e.Type != domain.ReasoningConcludedType || e.Principal == domain.PrincipalOperator || rec.Position >= ep.Opening.Position {
			return
		}
		end, err := domain.ConclusionOf(e)
		if err != nil {
			wrong = err
			return
		}
		if end.Shown != domain.ShownNotification && end.Shown != domain.ShownEscalation {
			return
		}
		if buttons := domain.PressablesIn(end.Blocks); len(buttons) > 0 {
			out = Unasked{Text: domain.PlainText(end.Blocks), Buttons: buttons, Latest: !slices.ContainsFunc(ends, func(at domain.Position) bool { return at > rec.Position })}
		}
	})
	if err == nil {
		err = wrong
	}
	if err != nil || looked >= maxUnasked {
		return Unasked{}, err
	}
	return out, nil
}
