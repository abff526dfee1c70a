package background

import (
	"context"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
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

// ahead is an appointment in words for the person, some time before it begins.
func ahead(c domain.Commitment, p plan, now domain.Millis) string {
	text := p.text + p.appointment.PlaceAndPeople(p.text)
	span := when.SaySpan(c.Due, c.End, p.appointment.AllDay, now, p.zone)
	switch left := c.Due.Sub(now); {
	case now >= c.End:
		return "Missed: " + text + "\nIt was " + span + "."
	case p.appointment.AllDay:
		day, _, _ := strings.Cut(span, ",")
		return capital(day) + ": " + text
	case left <= 0 && -left < late:
		return "Now: " + text
	case left <= 0:
		return "Now: " + text + "\nIt began " + when.Say(c.Due, now, p.zone) + "."
	case left >= 12*time.Hour:
		return capital(when.Say(c.Due, now, p.zone)) + ": " + text
	default:
		return "In " + commands.Lasting(left) + ": " + text
	}
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
