package replay

import (
	"context"
	"fmt"

	"chalie/domain"
	"chalie/replay/narrate"
)

// maxChanges bounds what is read of what happened to one plan.
const maxChanges = 1000

// planned asks about a reminder or a task: whether its time has come, and what the
// latest decisions made of it.
func (s *silent) planned(ctx context.Context) error {
	id := s.target.Envelope.ID
	changes, err := s.log.Select(ctx, domain.Selector{Key: domain.PlanKey(id)}, s.target.Position, maxChanges)
	if err != nil {
		return err
	}
	if err := s.timed(ctx, append([]domain.Record{s.target}, changes...)); err != nil {
		return err
	}
	if !s.out.Surfaced.IsZero() {
		return nil
	}
	from, err := latest(ctx, s.log, domain.TopicReasoning, domain.ReasoningStartedType, latestDecisions, s.target.Position, s.tail)
	if err != nil {
		return err
	}
	it := item{silent: s, id: id, isPlan: true}
	clock := s.out.Considered
	s.out.Considered = []Considered{}
	r := decisions{log: s.log, through: s.tail, visit: func(d *decision) (going, error) {
		c, considered, err := it.judge(ctx, d)
		if considered {
			s.out.Considered = append(s.out.Considered, c)
		}
		return goOn, err
	}}
	if s.out.Cut, err = r.read(ctx, from); err != nil {
		return err
	}
	s.out.Cut = s.out.Cut || from > s.target.Position && len(s.out.Considered) > 0
	if err := s.nearestOf(ctx, it); err != nil {
		return err
	}
	s.out.Considered = append(s.out.Considered, clock...)
	return nil
}

// timed is what its own time makes of a plan.
func (s *silent) timed(ctx context.Context, history []domain.Record) error {
	var plans domain.Commitments
	timing := s.target
	for _, rec := range history {
		if err := plans.Evolve(rec); err != nil {
			return err
		}
		if rec.Envelope.Type != domain.TimerDueType {
			timing = rec
			continue
		}
		end, err := s.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(rec.Envelope.Trace)}, 1, 1)
		if err != nil {
			return err
		}
		if len(end) > 0 {
			s.out.Surfaced = end[0].Envelope.ID
		}
	}
	one, known := plans.Find(s.target.Envelope.ID)
	if !known || !s.out.Surfaced.IsZero() {
		return nil
	}
	now, err := s.lastMoment(ctx)
	if err != nil {
		return err
	}
	c := Considered{Decision: timing.Envelope.ID, Trace: timing.Envelope.Trace, Position: timing.Position, At: timing.RecordedAt, Kind: ByClock, Numbers: Numbers{}}
	c.Gate, c.Words = s.byClock(one, now, &c)
	s.out.Considered = append(s.out.Considered, c)
	if c.Gate != domain.GateLate {
		return nil
	}
	return s.stoppedSince(ctx, timing.Position)
}

func (s *silent) byClock(one domain.Commitment, now domain.Millis, c *Considered) (domain.Gate, string) {
	left := one.Due.Sub(now)
	switch {
	case one.Standing == domain.StandingDone:
		return domain.GateEnded, "it was done before it was due"
	case one.Standing == domain.StandingDropped && one.Kind == domain.ItemReminder:
		return domain.GateEnded, "it was cancelled before it was due"
	case one.Standing == domain.StandingDropped:
		return domain.GateEnded, "it was dropped"
	case one.Due == 0:
		return domain.GateNoDeadline, "it has no deadline, so it is told only together with something that bears on it"
	case left > 0:
		c.Numbers["due_in_ms"] = float64(left.Milliseconds())
		return domain.GateNotDue, fmt.Sprintf("it is due at %s, which was %s away when anything was last recorded", s.clock(one.Due), narrate.Span(left))
	}
	c.Numbers["overdue_ms"] = float64(-left.Milliseconds())
	return domain.GateLate, fmt.Sprintf("it was due at %s, and nobody has told it since", s.clock(one.Due))
}

// lastMoment is when the log was written last: what nobody wrote down since isn't
// known.
func (s *silent) lastMoment(ctx context.Context) (domain.Millis, error) {
	last, err := s.log.Select(ctx, domain.Selector{}, s.tail, 1)
	if err != nil || len(last) == 0 {
		return s.target.RecordedAt, err
	}
	return last[0].RecordedAt, nil
}
