package commands

import (
	"context"
	"fmt"
	"time"

	"chalie/domain"
	"chalie/domain/when"
)

// schedulerSource emits what falls due.
const schedulerSource domain.Source = "scheduler"

// Roles of the evidence of a conclusion that tells what is due.
const (
	rolePlanned = "planned" // what the person had planned
	roleDue     = "due"     // that its time has come
)

// plan is what is known of a commitment's time and words, from the log.
type plan struct {
	timing     domain.Envelope // what set its time
	text       string
	recurrence *domain.Recurrence
	zone       *time.Location
}

// due is the episode of something that has fallen due: that it has, and what the
// person is shown.
func (s *Scheduler) due(ctx context.Context, c domain.Commitment, now domain.Millis) ([]domain.Entry, error) {
	p, err := s.plan(ctx, c)
	if err != nil {
		return nil, notRecorded(c, err)
	}
	timer := domain.TimerDue{SubjectID: c.ID, Kind: c.Kind, Due: c.Due}
	if p.recurrence != nil {
		timer.Missed = missed(*p.recurrence, c.Due, now, p.zone)
		timer.Next = when.Next(*p.recurrence, max(c.Due, now), p.zone)
	}
	id := s.cfg.IDs.NewID()
	opening, err := domain.New(domain.Resume(p.timing, domain.TraceID{ID: id}), id, now, schedulerSource, timer)
	if err != nil {
		return nil, err
	}
	opening.Envelope.Keys = timer.Keys()
	told := domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Topic: string(c.Kind),
		Blocks: []domain.Block{domain.TextBlock(inTime(c, p, timer, now), domain.FormatPlain)},
		Evidence: []domain.Evidence{
			{EnvelopeID: c.TextID, Role: rolePlanned, Weight: domain.One}, {EnvelopeID: id, Role: roleDue, Weight: domain.One},
		},
		Findings: []int{}, Rejected: []domain.Rejected{},
	}
	shown, err := domain.New(domain.Continue(opening.Envelope), s.cfg.IDs.NewID(), now, schedulerSource, told)
	if err != nil {
		return nil, err
	}
	shown.Envelope.Keys = []domain.Key{domain.ConcludedKey(opening.Envelope.Trace), told.ShownKey()}
	return []domain.Entry{opening, shown}, nil
}

// plan reads a commitment's time and words. What was erased meanwhile doesn't come
// back, and says so.
func (s *Scheduler) plan(ctx context.Context, c domain.Commitment) (plan, error) {
	timing, err := s.cfg.Reader.Find(ctx, c.Timing)
	if err != nil {
		return plan{}, err
	}
	said, err := s.cfg.Reader.Find(ctx, c.TextID)
	if err != nil {
		return plan{}, err
	}
	p := plan{timing: timing.Envelope, text: erasedText, zone: time.UTC}
	if text, err := domain.PlanText(said.Envelope); err == nil {
		p.text = text
	} else if domain.CodeOf(err) != domain.CodeErased {
		return plan{}, err
	}
	set, err := domain.TimingOf(timing.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return plan{}, err
	}
	p.recurrence, p.zone = set.Recurrence, zoneOf(set.Zone)
	return p, nil
}

// mostMissed bounds how far missed times are counted.
const mostMissed = 1000

// missed is how often something came back after due, through now: those times are
// not told any more. It counts to mostMissed.
func missed(r domain.Recurrence, due, now domain.Millis, zone *time.Location) int {
	n := 0
	for at := when.Next(r, due, zone); at <= now && n < mostMissed; at = when.Next(r, at, zone) {
		n++
	}
	return n
}

// late is from when on it is said that something is told late.
const late = 2 * time.Minute

// inTime is what the person reads.
func inTime(c domain.Commitment, p plan, timer domain.TimerDue, now domain.Millis) string {
	text := "Reminder: " + p.text
	if c.Kind == domain.ItemTask {
		text = "Due now: " + p.text
		if c.Percent > 0 {
			text += fmt.Sprintf(" (%d %%)", c.Percent)
		}
	}
	if now.Sub(timer.Due) < late {
		return text
	}
	text += "\nIt was due " + when.Say(timer.Due, now, p.zone)
	switch {
	case timer.Missed == 1:
		text += ", and once more since"
	case timer.Missed >= mostMissed:
		text += fmt.Sprintf(", and at least %d times since", mostMissed)
	case timer.Missed > 1:
		text += fmt.Sprintf(", and %d times since", timer.Missed)
	}
	return text + "."
}
