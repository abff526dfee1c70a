package background

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// pass records that an appointment is over, and when it comes next, if nothing has happened
// to it meanwhile. Nobody is told of that.
func (s *Scheduler) pass(ctx context.Context, c domain.Commitment, through domain.Position, now domain.Millis) error {
	p, err := s.plan(ctx, c)
	if err != nil {
		return s.unlessStuck(ctx, c, notRecorded(c, err))
	}
	id := s.cfg.IDs.NewID()
	var coming domain.Plan
	// Times that passed while nothing ran are left out; one that is under way isn't.
	if next := when.NextOccasion(p.appointment, max(c.Due, now-(c.End-c.Due)), p.zone); next != 0 {
		coming.Time.Start = next
		coming.Time.End, coming.Time.Tell = when.Occurs(p.appointment, next, p.zone)
	}
	passed, err := c.Effect(domain.PlanPassed, coming)
	if err != nil {
		return err
	}
	e, err := domain.New(domain.Begin(domain.TraceID{ID: id}, p.timing.Principal), id, now, schedulerSource, passed.Payload)
	if err != nil {
		return err
	}
	e.Envelope.Keys = passed.Keys
	_, err = s.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{e}, Conditions: []domain.Condition{{Key: domain.PlanKey(c.ID), After: through}}})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil
	}
	return s.unlessStuck(ctx, c, err)
}

// ahead is what the person is told of an appointment, some time before it begins.
func ahead(c domain.Commitment, p plan, now domain.Millis) []speech.Message {
	what := speech.Args{"what": p.its(c)}
	if p.appointment.Place != "" {
		what["place"] = speech.Text{Words: p.appointment.Place, In: p.timing.ID}
	}
	var people speech.List
	for _, name := range p.appointment.OthersThan(p.text) {
		people = append(people, speech.Text{Words: name, In: p.timing.ID})
	}
	if len(people) > 0 {
		what["people"] = people
	}
	begins := speech.Time{At: c.Due, Zone: p.zone.String()}
	switch left := c.Due.Sub(now); {
	case now >= c.End:
		what["how"] = speech.Kind("missed")
		span := speech.Span{From: c.Due, To: c.End, AllDay: p.appointment.AllDay, Zone: p.zone.String()}
		return []speech.Message{{ID: "due.ahead", Args: what}, {ID: "due.was", Args: speech.Args{"span": span}}}
	case p.appointment.AllDay:
		begins.Grain = speech.Day
		what["at"] = begins
	case left <= 0 && -left < late:
		what["how"] = speech.Kind("now")
	case left <= 0:
		what["how"] = speech.Kind("now")
		return []speech.Message{{ID: "due.ahead", Args: what}, {ID: "due.began", Args: speech.Args{"at": begins}}}
	case left >= 12*time.Hour:
		what["at"] = begins
	default:
		what["length"] = speech.Length(left)
	}
	return []speech.Message{{ID: "due.ahead", Args: what}}
}
