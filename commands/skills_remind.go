package commands

import (
	"context"
	"strings"

	"chalie/domain"
	"chalie/domain/when"
)

const whenHelp = `A time as people say it: "in 2 hours", "tomorrow at 8", "on Friday at 17:30", "on 3 March", "2026-12-01 09:00", "every day at 7", "every Monday and Thursday at 18:00", "on the 1st of every month".`

// remind sets a reminder.
func (s *skills) remind() Skill {
	return skill{effects: true, do: s.setReminder, lacks: remindLacks, tool: domain.Tool{
		Name:        "remind",
		Description: "Set a reminder: Chalie tells the person at a time, once or again and again.",
		Documentation: "Give what and when, or the whole sentence as text; of a whole sentence the time may stand anywhere in it. " + whenHelp +
			" A time that has passed, or can be read in two ways, is answered by a question. To change or end a reminder use reminder.",
		Parameters: []domain.Parameter{
			{Name: "what", Type: domain.TypeString, Description: "What to be reminded of, without the time."},
			{Name: "when", Type: domain.TypeString, Description: whenHelp},
			{Name: "text", Type: domain.TypeString, Description: "Both in one sentence, such as: dinner reservation at Luigi's in 2 hours."},
		},
	}}
}

type remindParams struct{ What, When, Text string }

func (s *skills) setReminder(ctx context.Context, call SkillCall) (SkillDone, error) {
	p, err := params[remindParams](call)
	if err != nil {
		return asksBack(err)
	}
	said, what := p.When, strings.TrimSpace(p.What)
	if strings.TrimSpace(said) == "" {
		said = strings.TrimSpace(p.Text)
		if said == "" {
			said, what = what, ""
		}
	} else if what == "" {
		what = asAsked(p.Text)
	}
	if said == "" {
		return asks(`What should the reminder be about, and when? Say it such as "call Anna tomorrow at 8".`)
	}
	at, err := when.Parse(said, call.Now, call.Zone)
	if err != nil {
		return asksBack(err)
	}
	if what == "" {
		what = asAsked(at.Rest(said))
	}
	if what == "" {
		return asks("That is a time, " + when.Say(at.At, call.Now, call.Zone) + ". What should the reminder be about?")
	}
	set := domain.ReminderSet{Text: what, Due: at.At, Zone: call.Zone.String(), Recurrence: at.Recurrence}
	if err := set.Check(); err != nil {
		return asksBack(err)
	}
	if full, err := s.full(ctx); err != nil || full != "" {
		return notNow(full, err)
	}
	e, err := entry(s, call, set, nil)
	if err != nil {
		return SkillDone{}, err
	}
	return did("I'll remind you "+confirmed(at, call)+": "+what, map[string]any{
		"reminder_id": e.Envelope.ID.UUID(), "due": at.At, "recurs": at.Recurrence != nil,
	}, e)
}

// confirmed is a time as it is confirmed.
func confirmed(at when.Time, call SkillCall) string {
	first := when.Say(at.At, call.Now, call.Zone)
	if at.Recurrence == nil {
		return first
	}
	return when.SayAgain(*at.Recurrence) + ", first " + first
}

// asAsked is what a sentence asks to be reminded of, without the asking.
func asAsked(text string) string {
	for {
		text = strings.TrimLeft(strings.TrimSpace(text), " :,;-")
		rest, found := withoutAsking(text)
		if !found {
			return text
		}
		text = rest
	}
}

func withoutAsking(text string) (rest string, found bool) {
	lower := strings.ToLower(text)
	for _, asking := range []string{
		"please", "can you", "could you", "would you", "chalie", "remind me to", "remind me that", "remind me about", "remind me of",
		"remind me", "reminder to", "reminder for", "reminder about", "set a reminder to", "set a reminder for", "set a reminder about",
		"set a reminder", "reminder", "don't let me forget to", "don't let me forget",
	} {
		if len(lower) != len(text) { // some letters change their length
			return text, false
		}
		after, ok := strings.CutPrefix(lower, asking)
		if ok && (after == "" || strings.ContainsAny(after[:1], " :,;-")) {
			return text[len(asking):], true
		}
	}
	return text, false
}

// MaxOpenCommitments bounds how many reminders and tasks are open at a time.
const MaxOpenCommitments = 5000

// full says that there is no room for another reminder or task; "" when there is.
func (s *skills) full(ctx context.Context) (string, error) {
	if err := s.caughtUp(ctx); err != nil {
		return "", err
	}
	open := 0
	s.cfg.Plans.Read(func(p *domain.Plans) { open = len(p.Commitments.Open) })
	if open < MaxOpenCommitments {
		return "", nil
	}
	return "There are as many reminders and tasks as there can be: finish or cancel some first.", nil
}

func notNow(question string, err error) (SkillDone, error) {
	if err != nil {
		return SkillDone{}, err
	}
	return asks(question)
}
