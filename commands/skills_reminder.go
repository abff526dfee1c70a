package commands

import (
	"context"
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/domain/when"
)

// reminder changes or ends one.
func (s *skills) reminder() Skill {
	return skill{effects: true, do: s.changeReminder, lacks: reminderLacks, tool: domain.Tool{
		Name:        "reminder",
		Description: "End or move a reminder: it is done, not wanted any more, or is to come at another time.",
		Documentation: "action is done, cancel or move; move needs when, and takes what for other words. A reminder that comes back ends for good with done and cancel. " +
			"One that was told can be moved as long as it is among the latest: that is how to snooze it. When several fit, the answer asks which one.",
		Parameters: []domain.Parameter{
			{Name: "action", Type: domain.TypeString, Required: true, Description: "done, cancel or move."},
			{Name: "which", Type: domain.TypeString, Description: "Words of the reminder, or its id. May be left out when there is only one."},
			{Name: "when", Type: domain.TypeString, Description: whenHelp},
			{Name: "what", Type: domain.TypeString, Description: "For move: what it is to say from now on."},
		},
	}}
}

type changeParams struct{ Action, Which, When, What string }

func (s *skills) changeReminder(ctx context.Context, call SkillCall) (SkillDone, error) {
	p, err := params[changeParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	switch action {
	case "done", "cancel", "move":
	case "snooze":
		action = "move"
	default:
		return asks(fmt.Sprintf("What should happen to the reminder: done, cancel or move? %q is none of them.", p.Action))
	}
	all, through, err := s.open(ctx, domain.ItemReminder)
	if err != nil {
		return SkillDone{}, err
	}
	told, err := s.told(ctx)
	if err != nil {
		return SkillDone{}, err
	}
	all, told = dated(all, call), dated(told, call)
	one, question := pick(p.Which, "reminder", append(all, told...))
	if question != "" && len(told) > 0 {
		// What waits goes before what was told already.
		if waiting, other := pick(p.Which, "reminder", all); other == "" {
			one, question = waiting, ""
		}
	}
	if question != "" {
		return asks(question)
	}
	if action == "move" {
		return s.moveReminder(call, one, through, p)
	}
	return s.endReminder(call, one, through, action)
}

// told are the reminders that were told lately and not said to be done.
func (s *skills) told(ctx context.Context) ([]planned, error) {
	var ended []domain.Commitment
	s.cfg.Plans.Read(func(p *domain.Plans) { ended = append(ended, p.Commitments.Ended...) })
	var out []planned
	for _, c := range ended {
		if c.Standing != domain.StandingTold {
			continue
		}
		_, text, err := s.read(ctx, c.TextID)
		if err != nil {
			return nil, err
		}
		out = append(out, planned{Commitment: c, text: text})
	}
	return out, nil
}

func (s *skills) moveReminder(call SkillCall, one planned, through domain.Position, p changeParams) (SkillDone, error) {
	at, err := when.Parse(p.When, call.Now, call.Zone)
	if err != nil {
		return asksBack(err)
	}
	moved := domain.ReminderChanged{ReminderID: one.ID, Due: at.At, Zone: call.Zone.String(), Recurrence: at.Recurrence}
	if what := strings.TrimSpace(p.What); what != "" {
		if err := (domain.ReminderSet{Text: what}).Check(); err != nil {
			return asksBack(err)
		}
		one.text, moved.Text = what, &what
	}
	e, err := entry(s, call, moved, moved.Keys())
	if err != nil {
		return SkillDone{}, err
	}
	return resting(one.ID, through)(did("I'll remind you "+confirmed(at, call)+": "+one.text, one.data("reminder_id"), e))
}

func (s *skills) endReminder(call SkillCall, one planned, through domain.Position, action string) (SkillDone, error) {
	var e domain.Entry
	var err error
	text := "Done: " + one.text
	if action == "done" {
		done := domain.ReminderDone{ReminderID: one.ID}
		e, err = entry(s, call, done, done.Keys())
	} else {
		cancelled := domain.ReminderCancelled{ReminderID: one.ID}
		e, err = entry(s, call, cancelled, cancelled.Keys())
		text = "I won't remind you any more: " + one.text
	}
	if err != nil {
		return SkillDone{}, err
	}
	return resting(one.ID, through)(did(text, one.data("reminder_id"), e))
}

// resting adds the condition that nothing has happened to a plan since.
func resting(id domain.ID, through domain.Position) func(SkillDone, error) (SkillDone, error) {
	return func(done SkillDone, err error) (SkillDone, error) {
		done.Conditions = append(done.Conditions, domain.Condition{Key: domain.PlanKey(id), After: through})
		return done, err
	}
}

func (p planned) data(name string) map[string]any {
	return map[string]any{name: p.ID.UUID(), "text": p.text}
}
