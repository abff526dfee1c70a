package replay

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/replay/narrate"
)

// endsMost bounds how many conclusions after a signal are looked through for it, of
// each way in which they were shown.
const endsMost = 200

// considered tells which conclusions came to the target, a signal: those that rest on
// it, and those that kept it back.
func (t *teller) considered(ctx context.Context) ([]narrate.Phrase, error) {
	if t.target.Envelope.Type != domain.SignalReceivedType {
		return nil, nil
	}
	ends, err := t.endsAfter(ctx)
	if err != nil {
		return nil, err
	}
	var out []narrate.Phrase
	for _, end := range ends {
		c, err := domain.Decode[domain.ReasoningConcluded](end.Envelope)
		if err != nil {
			continue // erased: what it considered isn't known any more
		}
		told, err := t.judgement(ctx, end, c)
		if err != nil {
			return nil, err
		}
		if len(told) > 0 && len(out) < sentencesMost {
			out = append(out, told)
		}
	}
	return out, nil
}

// endsAfter are the conclusions after the target, in log order.
func (t *teller) endsAfter(ctx context.Context) ([]domain.Record, error) {
	var out []domain.Record
	for _, key := range append(shownKeys(), domain.ReasoningConcluded{}.ShownKey()) {
		ends, err := t.log.Select(ctx, domain.Selector{Key: key}, t.target.Position+1, endsMost)
		if err != nil {
			return nil, err
		}
		out = append(out, ends...)
	}
	slices.SortFunc(out, func(a, b domain.Record) int { return int(a.Position) - int(b.Position) })
	return out, nil
}

// judgement is what a conclusion made of the target; none for nothing.
func (t *teller) judgement(ctx context.Context, end domain.Record, c domain.ReasoningConcluded) (narrate.Phrase, error) {
	id, at := t.target.Envelope.ID, t.clock(end.RecordedAt)
	for _, ev := range c.Evidence {
		if ev.EnvelopeID != id || c.Shown == domain.ShownNot || t.node(end.Envelope.ID) != nil {
			continue
		}
		if err := t.fetchReply(ctx, end.Envelope); err != nil {
			return nil, err
		}
		return narrate.Sayf("At %s Chalie told you %s, which rests on it (weight %s).", at, narrate.About(end, narrate.Quoted(t.saying(end))), ev.Weight), nil
	}
	for _, r := range c.Rejected {
		if r.EnvelopeID != id {
			continue
		}
		why, err := t.gateOf(ctx, end.Envelope, r)
		return narrate.Sayf("At %s it %s, and you were not told: %s.", at, narrate.About(end, "was considered"), why), err
	}
	return nil, nil
}
