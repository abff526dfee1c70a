package replay

import (
	"context"

	"chalie/domain"
	"chalie/replay/narrate"
)

// heard asks about a signal: the decisions from where it stands to the first that
// saw it faded or pushed out. It only loses weight, so it can't come back.
func (s *silent) heard(ctx context.Context) error {
	it := item{silent: s, id: s.target.Envelope.ID}
	beyond := false
	r := decisions{log: s.log, through: s.tail, visit: func(d *decision) (going, error) {
		if !s.out.Surfaced.IsZero() {
			return finish, nil
		}
		c, considered, err := it.judge(ctx, d)
		if err != nil || !considered {
			beyond = beyond || err == nil && it.outOfReach(d)
			if beyond {
				return finish, err
			}
			return goOn, err
		}
		s.out.Considered = append(s.out.Considered, c)
		if c.Gate == domain.GateBelowThreshold || c.Gate == domain.GateOverCapacity {
			return finish, nil
		}
		return goOn, nil
	}}
	var err error
	if s.out.Cut, err = r.read(ctx, s.target.Position+1); err != nil {
		return err
	}
	if err := s.nearestOf(ctx, it); err != nil {
		return err
	}
	if len(s.out.Considered) > 0 {
		return nil
	}
	if beyond {
		s.out.Never = NeverInTime
		s.before = append(s.before, narrate.Words("No decision considered it: when Chalie thought next, too many newer signals had come."))
		return nil
	}
	return s.never(ctx)
}

// outOfReach reports whether a decision knew the log through the item and didn't
// see it: so many came after it that it isn't even among those left out.
func (it item) outOfReach(d *decision) bool {
	ground := d.ground()
	return ground != nil && ground.World.Position >= it.target.Position && ground.World.Unlisted == 0
}

// nearestOf compares the item with what it may bear on, for the last decision that
// found nothing that it does.
func (s *silent) nearestOf(ctx context.Context, it item) error {
	for i := len(s.out.Considered) - 1; i >= 0; i-- {
		c := &s.out.Considered[i]
		if c.Kind != ByCycle || !isUnrelated(c.Gate) {
			continue
		}
		ground, err := s.groundOf(ctx, c.Trace)
		if err != nil || ground == nil {
			return err
		}
		near, err := it.compare(ctx, ground)
		if err != nil || !near.known {
			return err
		}
		switch {
		case !c.near.known:
			c.near, c.Numbers["relation"] = near, near.score.Float()
		case c.near.id == near.id:
			c.near.needs = near.needs // the score is that of then
		}
		return nil
	}
	return nil
}

// isUnrelated reports whether a gate leaves open what the item bears on.
func isUnrelated(gate domain.Gate) bool {
	switch gate {
	case domain.GateUnrelated, domain.GateBelowThreshold, domain.GateNotInFive, domain.GateOverCapacity:
		return true
	}
	return false
}
