package replay

import (
	"bytes"
	"context"
	"slices"

	"chalie/domain"
)

// item judges what became of one item of the world state, a signal or a plan, in
// decisions.
type item struct {
	*silent
	id     domain.ID
	isPlan bool // or else a signal
}

// names reports whether a record's payload speaks of the item: most that were read
// need not be decoded to know that they don't.
func (it item) names(rec domain.Record) bool {
	return bytes.Contains(rec.Envelope.Payload.Bytes, []byte(it.id.String()))
}

// seen is the item as a decision saw it; false when it didn't.
func (it item) seen(ground *domain.ReasoningStarted) (domain.SeenItem, bool) {
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		if i := slices.IndexFunc(items, func(s domain.SeenItem) bool { return s.EnvelopeID == it.id }); i >= 0 {
			return items[i], true
		}
	}
	return domain.SeenItem{}, false
}

// judge is what a decision made of the item; ok is false when it didn't consider it.
func (it item) judge(ctx context.Context, d *decision) (c Considered, ok bool, err error) {
	if !it.names(d.started) && !it.names(d.replied) && !it.names(d.end) {
		return c, false, nil
	}
	if c, err = it.of(ctx, d); err != nil {
		return c, false, err
	}
	ground := d.ground()
	if ground == nil {
		c.Gate = domain.GateErased
		return c, true, nil
	}
	c.At = ground.AsOf
	seen, in := it.seen(ground)
	if in {
		if err := it.weigh(ctx, &c, ground, seen); err != nil {
			return c, true, err
		}
	}
	if end := d.conclusion(); end != nil {
		if end.Shown != domain.ShownNot && slices.ContainsFunc(end.Evidence, it.isIt) {
			c.Gate, it.out.Surfaced = domain.Gate(""), d.end.Envelope.ID
			return c, true, nil
		}
		if i := slices.IndexFunc(end.Rejected, func(r domain.Rejected) bool { return r.EnvelopeID == it.id }); i >= 0 {
			return c, true, it.rejected(ctx, &c, d, end.Rejected[i])
		}
	}
	if !in {
		return c, false, nil // as what it bears on only, or in an answer of long ago
	}
	it.unsaid(&c, d, seen)
	return c, true, nil
}

func (it item) isIt(ev domain.Evidence) bool { return ev.EnvelopeID == it.id }

// of is a decision without what it made of anything.
func (s *silent) of(ctx context.Context, d *decision) (Considered, error) {
	rec := d.end
	if rec.Position == 0 {
		rec = d.started
	}
	e := rec.Envelope
	c := Considered{Decision: e.ID, Trace: e.Trace, Position: rec.Position, At: rec.RecordedAt, Numbers: Numbers{}}
	opening, err := s.openingOf(ctx, e.Trace)
	c.Kind = kindOf(opening, e)
	return c, err
}

// kindOf says whose decision an episode is, by what opened it.
func kindOf(opening domain.Record, e domain.Envelope) Decider {
	switch {
	case opening.Envelope.Type == domain.SpineSignalEmittedType:
		return ByCycle
	case e.Principal == domain.PrincipalOperator:
		return ByAnswer
	case opening.Position == 0:
		return ByCycle // most are
	}
	return ByPassing
}

// weigh notes how the item was scored then.
func (it item) weigh(ctx context.Context, c *Considered, ground *domain.ReasoningStarted, seen domain.SeenItem) error {
	rules := domain.DefaultWorldRules()
	c.Numbers["salience"], c.Numbers["bonus"] = seen.Salience.Float(), seen.Bonus.Float()
	c.Numbers["threshold"] = rules.Threshold.Float()
	since, err := domain.CountsSince(ctx, it.log, it.target, ground.World.Position, ground.AsOf)
	if err != nil {
		return err
	}
	c.Numbers["age_ms"] = float64(max(0, ground.AsOf-since))
	if n := len(ground.World.Items); seen.Gate == domain.GateNotInFive && n > 0 {
		last := ground.World.Items[n-1]
		c.Numbers["slots"], c.Numbers["last_in"] = float64(n), (last.Salience + last.Bonus).Float()
	}
	c.near = it.related(ground)
	if c.near.known {
		c.Numbers["relation"] = c.near.score.Float()
	}
	if c.Kind == ByCycle {
		c.Numbers["relation_needed"] = domain.DefaultWorldRules().Surfaces.Float()
	}
	return nil
}

// nearest is what an item comes closest to bear on, or what comes closest to bear
// on it.
type nearest struct {
	id    domain.ID
	text  domain.ID // the envelope that has its words
	score domain.PPM
	needs string // what the pair would need to share; "" when that isn't known
	known bool
	today bool // the score isn't that of then, when none was found
}

// related is the strongest relation of the item that was recorded.
func (it item) related(ground *domain.ReasoningStarted) nearest {
	var best nearest
	for _, rel := range ground.Relations {
		own, other := rel.Signal, rel.Commitment
		if it.isPlan {
			own, other = other, own
		}
		if own == it.id && rel.Score > best.score {
			best = nearest{id: other, text: other, score: rel.Score, known: true}
		}
	}
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		if i := slices.IndexFunc(items, func(s domain.SeenItem) bool { return s.EnvelopeID == best.id }); best.known && i >= 0 {
			best.text = items[i].Text()
		}
	}
	return best
}

// rejected is a candidate that the rules of what may be told kept back.
func (it item) rejected(ctx context.Context, c *Considered, d *decision, r domain.Rejected) error {
	c.Gate, c.because, c.rests = r.Gate, r.Because, restsOf(d.replied.Envelope, r.EnvelopeID)
	c.Numbers["score"] = r.Score.Float()
	if r.Because.IsZero() {
		return nil
	}
	told, err := it.log.Find(ctx, r.Because)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil || told.Envelope.Type != domain.ReasoningConcludedType {
		return err
	}
	since, err := domain.CountsSince(ctx, it.log, told, d.end.Position, d.end.Envelope.Timestamp)
	c.Numbers["told_ago_ms"] = float64(max(0, d.end.Envelope.Timestamp-since))
	return err
}

// unsaid is why an item came to nothing that no rule kept back.
func (it item) unsaid(c *Considered, d *decision, seen domain.SeenItem) {
	end := d.conclusion()
	bears := c.near.known && c.near.score >= domain.DefaultWorldRules().Surfaces
	switch {
	case d.end.Position == 0:
		c.Gate = domain.GateUnderWay
	case seen.Gate != domain.Gate("") && !bears:
		c.Gate = seen.Gate
	case end == nil:
		c.Gate = domain.GateErased
	case end.Outcome == domain.OutcomeFailed:
		c.Gate = domain.GateFailed
	case end.Outcome == domain.OutcomeYielded:
		c.Gate = domain.GateYielded
	case end.Outcome == domain.OutcomeCancelled:
		c.Gate = domain.GateCancelled
	case c.Kind != ByCycle:
		c.Gate = domain.GateNotUsed
	case bears:
		c.Gate = domain.GateNotBrought
	default:
		c.Gate = domain.GateUnrelated
	}
}
