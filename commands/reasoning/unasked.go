package reasoning

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/speech"
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
func (r *Reasoner) unasked(ctx context.Context, ep *domain.Episode, ends []domain.Position) (language.Unasked, error) {
	if !ep.ByOperator() {
		return language.Unasked{}, nil
	}
	from, err := r.cfg.Reader.Since(ctx, ep.Started.AsOf.Add(-unaskedFor))
	if err != nil {
		return language.Unasked{}, err
	}
	if n := len(ends); n >= unaskedTurns {
		from = max(from, ends[n-unaskedTurns]+1)
	}
	var out language.Unasked
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
		blocks := end.Blocks // of a message the reply has the words of others
		if len(end.Findings) > 0 {
			said, err := r.cardOf(ctx, e)
			if err != nil {
				wrong = err
				return
			}
			blocks = said.Blocks
		}
		if buttons := domain.PressablesIn(blocks); len(buttons) > 0 {
			out = language.Unasked{Text: domain.PlainText(blocks), Said: speech.Recorded(end.Spoken), Buttons: buttons, Latest: !slices.ContainsFunc(ends, func(at domain.Position) bool { return at > rec.Position })}
		}
	})
	if err == nil {
		err = wrong
	}
	if err != nil || looked >= maxUnasked {
		return language.Unasked{}, err
	}
	return out, nil
}

// cardOf is what a cycle told; nothing of what was erased.
func (r *Reasoner) cardOf(ctx context.Context, conclusion domain.Envelope) (domain.Said, error) {
	said, err := domain.SaidIn(conclusion, func(id domain.ID) (domain.Envelope, error) {
		rec, err := r.cfg.Reader.Find(ctx, id)
		return rec.Envelope, err
	})
	if domain.CategoryOf(err) == domain.NotFound || domain.CodeOf(err) == domain.CodeErased {
		return domain.Said{}, nil
	}
	return said, err
}
