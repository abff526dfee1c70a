package skill

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

const whenHelp = `A time as people say it: "in 2 hours", "tomorrow at 8", "on Friday at 17:30", "on 3 March", "2026-12-01 09:00", "every day at 7", "every Monday and Thursday at 18:00", "on the 1st of every month".`

// remind sets a reminder.
func (s *skills) remind() tool.Skill {
	return skill{effects: true, do: s.setReminder, lacks: remindLacks, tool: domain.Tool{
		Name:        "remind",
		Description: "Set a reminder: Chalie tells the person at a time, once or again and again.",
		Documentation: "Give what and when, or the whole sentence as text; of a whole sentence the time may stand anywhere in it. " + whenHelp +
			" A time that has passed, or can be read in two ways, is answered by a question. To change or end a reminder use reminder; what takes place, such as a meeting, is an appointment.",
		Parameters: []domain.Parameter{
			{Name: "what", Type: domain.TypeString, Description: "What to be reminded of, without the time."},
			{Name: "when", Type: domain.TypeString, Description: whenHelp},
			{Name: "text", Type: domain.TypeString, Description: "Both in one sentence, such as: dinner reservation at Luigi's in 2 hours."},
			{Name: "again", Type: domain.TypeBoolean, Description: againHelp},
		},
	}}
}

type remindParams struct {
	What, When, Text string
	Again            bool
}

func (s *skills) setReminder(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
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
	} else if what = asAsked(what); what == "" {
		what = asAsked(p.Text)
	}
	if said == "" {
		return asks(`What should the reminder be about, and when? Say it such as "call Anna tomorrow at 8".`)
	}
	at, err := when.Parse(said, call.Now, call.Zone)
	if read := err == nil && unread(at, said) == ""; !read || at.Recurrence == nil {
		if done, ok, anchorErr := s.remindBeside(ctx, call, said, what, p.Again, read); ok || anchorErr != nil {
			return done, anchorErr
		}
	}
	if err != nil {
		return asksBack(err)
	}
	if what == "" {
		what = asAsked(at.Rest(said))
	}
	if left := unread(at, said); left != "" {
		question, again := doubt(at, left, what, call)
		return asksFor(question, tool.Answer{Label: confirmed(at, call), With: map[string]any{"what": what, "when": again, "text": nil}}, no())
	}
	if what == "" {
		return asks("That is a time, " + when.Say(at.At, call.Now, call.Zone) + ". What should the reminder be about?")
	}
	zone, known := zoneFor(at, call)
	if !known {
		return asks(fmt.Sprintf("I don't know how the clocks go in %s, so I can't remind you there again and again: say a place, such as: every day at 9 London time.", at.Zone))
	}
	set := domain.ReminderSet{Text: what, Due: at.At, Zone: zone, Recurrence: at.Recurrence}
	if err := set.Check(); err != nil {
		return asksBack(err)
	}
	if full, err := s.full(ctx); err != nil || full != "" {
		return notNow(full, err)
	}
	if !p.Again {
		if there, err := s.alreadyPlanned(ctx, call, domain.ItemReminder, what, domain.Timing{Due: set.Due, Zone: zone, Recurrence: set.Recurrence}); err != nil || there != "" {
			return orAnyway(there, "Set it anyway", err)
		}
	}
	e, err := entry(s, call, set, nil)
	if err != nil {
		return tool.SkillDone{}, err
	}
	return did("I'll remind you "+confirmed(at, call)+": "+what, map[string]any{
		"reminder_id": e.Envelope.ID.UUID(), "text": what, "due": at.At, "recurs": at.Recurrence != nil,
	}, e)
}

// remindBeside sets a reminder whose time is said by another plan; false when it isn't. Where
// the words were read as a time already, the plan has to be one that is there, and the only time.
func (s *skills) remindBeside(ctx context.Context, call tool.SkillCall, said, what string, again, read bool) (tool.SkillDone, bool, error) {
	by, question, err := s.anchored(ctx, call, said)
	switch {
	case err != nil || by == nil && (question == "" || read) || read && !by.sure:
		return tool.SkillDone{}, false, err
	case question != "":
		done, err := asks(question)
		return done, true, err
	case besideEvery(said):
		done, err := asks("I can remind you by one of its times, and not by every: say which, or a time that comes again, such as: every Thursday at 9.")
		return done, true, err
	}
	switch {
	case what == "":
		what = cmp.Or(by.what, by.of)
	case by.what != "":
		what = by.what + ": " + what
	}
	params, err := json.Marshal(map[string]any{"what": what, "when": by.due.Time().In(call.Zone).Format("on 2 January 2006 at 15:04"), "again": again})
	if err != nil {
		return tool.SkillDone{}, false, err
	}
	call.Params = params
	done, err := s.setReminder(ctx, call)
	return done, true, err
}

// besideEvery reports whether words ask to be reminded by all times of another plan.
func besideEvery(said string) bool {
	words := strings.Fields(strings.ToLower(said))
	for i, w := range words {
		if (w == "every" || w == "each") && i > 0 && (words[i-1] == "before" || words[i-1] == "after") {
			return true
		}
	}
	return false
}

// unread are the words beside a time that may be a part of it.
func unread(at when.Time, said string) string {
	left := at.Unread(said)
	if loose := at.Loose(said); len(left) == 0 && loose != "" {
		return loose
	}
	return strings.Join(left, " … ")
}

// doubt asks what words mean that weren't read, and says how to go on; again is the time that
// was read, as it can be said once more.
func doubt(at when.Time, left, what string, call tool.SkillCall) (question, again string) {
	understood := confirmed(at, call)
	again = when.Say(at.At, call.Now, call.Zone)
	if at.Recurrence != nil {
		again, _, _ = strings.Cut(understood, ", first ")
	}
	return fmt.Sprintf("I read that as %s, but not “%s”, so I have set nothing. Say the time in other words; or, if those words only belong to what I should say: remind me %s “%s”.",
		understood, left, again, strings.Trim(what, `"“”`)), again
}

// zoneFor is the zone on whose wall a plan stays: the one that its recurrence was said in.
func zoneFor(at when.Time, call tool.SkillCall) (string, bool) {
	if at.Recurrence == nil || at.Zone == nil {
		return call.Zone.String(), true
	}
	_, known := commands.ZoneNamed(at.Zone.String())
	return at.Zone.String(), known
}

// confirmed is a time as it is confirmed.
func confirmed(at when.Time, call tool.SkillCall) string {
	first := when.SayFully(at.At, call.Now, call.Zone)
	if at.Recurrence == nil {
		return first + there(at, call)
	}
	again := when.SayAgain(*at.Recurrence)
	if at.Zone != nil {
		again += " in the zone " + at.Zone.String()
	}
	return again + ", first " + first
}

// there is the time where it was said to be, when the clocks are others than the person's.
func there(at when.Time, call tool.SkillCall) string {
	if at.Zone == nil {
		return ""
	}
	clock := at.At.Time().In(at.Zone).Format("15:04")
	if clock == at.At.Time().In(call.Zone).Format("15:04") {
		return ""
	}
	return fmt.Sprintf(" (%s in the zone %s)", clock, at.Zone)
}

// asAsked is what a sentence asks to be reminded of, without the asking.
func asAsked(text string) string {
	for {
		text = strings.TrimLeft(strings.TrimSpace(text), " :,;-")
		rest, found := withoutAsking(text)
		if !found {
			return unquoted(text)
		}
		text = rest
	}
}

// unquoted is a text without the quotation marks that stand around all of it.
func unquoted(text string) string {
	for _, marks := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		inner, ok := strings.CutPrefix(text, marks[0])
		if inner, ends := strings.CutSuffix(inner, marks[1]); ok && ends && !strings.Contains(inner, marks[0]) {
			return inner
		}
	}
	return text
}

func withoutAsking(text string) (rest string, found bool) {
	lower := strings.ToLower(text)
	for _, asking := range []string{
		"please", "can you", "could you", "would you", "chalie", "remind me to", "remind me that", "remind me about", "remind me of",
		"remind me", "reminder to", "reminder for", "reminder about", "set a reminder to", "set a reminder for", "set a reminder about",
		"set a reminder", "reminder", "don't let me forget to", "don't let me forget", "to", "of", "about", "that",
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

// MaxOpenCommitments bounds how many reminders, appointments and tasks are open at a time.
const MaxOpenCommitments = 5000

// full says that there is no room for another reminder, appointment or task; "" when there is.
func (s *skills) full(ctx context.Context) (string, error) {
	if err := s.caughtUp(ctx); err != nil {
		return "", err
	}
	open := 0
	s.cfg.Plans.Read(func(p *domain.Plans) { open = len(p.Commitments.Open) })
	if open < MaxOpenCommitments {
		return "", nil
	}
	return "There are as many reminders, appointments and tasks as there can be: finish or cancel some first.", nil
}

// orAnyway asks about a plan that there is already.
func orAnyway(question, label string, err error) (tool.SkillDone, error) {
	if err != nil {
		return tool.SkillDone{}, err
	}
	return asksFor(question, tool.Answer{Label: label, With: map[string]any{"again": true}}, no())
}

func notNow(question string, err error) (tool.SkillDone, error) {
	if err != nil {
		return tool.SkillDone{}, err
	}
	return asks(question)
}

// reminder changes or ends one.
func (s *skills) reminder() tool.Skill {
	return skill{effects: true, do: s.changeReminder, lacks: reminderLacks, tool: domain.Tool{
		Name:        "reminder",
		Description: "End, move or skip a reminder: it is done, not wanted any more, is to come at another time, or not this time.",
		Documentation: "action is done, cancel, move, skip, snooze or pause; move needs when or except, and takes what for other words. A reminder that comes back ends for good with done and cancel; skip leaves out its next time, or those in during, and pause those in during: for two weeks, until 20 March. snooze moves one that was just told, by ten minutes without when. " +
			"One that was told can be moved as long as it is among the latest: that is how to snooze it. When several fit, the answer asks which one; with all it names them, and they end when confirmed is given too.",
		Parameters: append([]domain.Parameter{
			{Name: "action", Type: domain.TypeString, Required: true, Description: "done, cancel, move, skip, snooze or pause."},
			{Name: "when", Type: domain.TypeString, Description: whenHelp},
			{Name: "what", Type: domain.TypeString, Description: "For move: what it is to say from now on."},
			{Name: "always", Type: domain.TypeBoolean, Description: alwaysHelp},
			{Name: "except", Type: domain.TypeString, Description: exceptHelp},
		}, namingParameters("reminder")...),
	}}
}

// alwaysHelp describes the parameter that tells the times of a plan from the next of them.
const alwaysHelp = "For move: true to move all times of one that comes back, and not only the next."

type changeParams struct {
	naming
	Action, When, What, Except string
	Always                     bool
}

func (s *skills) changeReminder(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[changeParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	switch action {
	case "done", "cancel", "move":
	case "snooze":
		action = "move"
	case "pause", "skip":
		if question := p.resting(action, call); question != "" {
			return asks(question)
		}
		action = "skip"
	default:
		return asks(fmt.Sprintf("What should happen to the reminder: done, cancel, move or skip? %q is none of them.", p.Action))
	}
	all, through, err := s.open(ctx, domain.ItemReminder)
	if err != nil {
		return tool.SkillDone{}, err
	}
	told, err := s.recentlyTold(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if all, err = s.timed(ctx, dated(all, call)); err != nil {
		return tool.SkillDone{}, err
	}
	snoozes := strings.EqualFold(strings.TrimSpace(p.Action), "snooze")
	if _, told := justFired(append(slices.Clone(all), told...), call.Now); snoozes && blank(p.Which, p.During) && !told {
		return says("No reminder has come just now, so there is nothing to snooze.")
	}
	if p.ends = action == "cancel"; p.ends {
		if done, ok, err := s.endTogether(ctx, call, p.naming); ok || err != nil {
			return done, err
		}
	}
	found := chooseReminders(p.naming, action, all, dated(told, call), call)
	if found.absent {
		if done, ok, err := s.elsewhere(ctx, call, p.naming, domain.ItemReminder, action, changedTo{p.When, p.Always, p.Except}); ok || err != nil {
			return done, err
		}
	}
	switch {
	case found.question != "":
		return found.asks()
	case found.none != "":
		return says(found.none)
	}
	one := found.plans[0]
	switch {
	case snoozes && len(found.plans) == 1 && one.Told == 0:
		return says(fmt.Sprintf("%q hasn't come yet, so there is nothing to snooze: it comes %s.", one.text, one.due))
	case snoozes && blank(p.When):
		p.When = "in 10 minutes"
	}
	switch {
	case action == "skip" && len(found.plans) > 1:
		return s.skipAll(s.endingReminders(call, "cancel"), call, found.plans, through)
	case action == "skip":
		return s.skip(call, one, through)
	case len(found.plans) > 1 && action == "move":
		return movingEach("reminder", found, p.naming, func(one planned) (tool.SkillDone, error) {
			return s.moveReminder(ctx, call, one, through, p)
		})
	case action == "move":
		return s.moveReminder(ctx, call, one, through, p)
	}
	return s.endReminders(call, found, through, action, p.naming)
}

// chooseReminders finds the reminders that are meant. Waiting ones go before those that were
// told, which are named by words alone.
func chooseReminders(n naming, action string, all, told []planned, call tool.SkillCall) selection {
	both := append(slices.Clone(all), told...)
	if fired, ok := justFired(both, call.Now); ok && strings.TrimSpace(n.Which+n.During) == "" && !n.All && (action == "done" || action == "move") {
		return selection{plans: []planned{fired}}
	}
	if action == "skip" {
		return chooseSkipped(n, "reminder", all, call)
	}
	if len(told) == 0 || n.All || n.During != "" {
		return choose(n, "reminder", all, call)
	}
	found := choose(n, "reminder", both, call)
	if found.question == "" && found.none == "" && len(found.plans) == 1 {
		return found
	}
	if waiting := choose(n, "reminder", all, call); waiting.question == "" {
		return waiting
	}
	return found
}

// endingReminders is how several reminders end.
func (s *skills) endingReminders(call tool.SkillCall, action string) ending {
	how := ending{noun: "reminder", verb: "Cancel", past: "Cancelled", spares: true, end: func(p planned) (domain.Entry, error) {
		cancelled := domain.ReminderCancelled{ReminderID: p.ID}
		return entry(s, call, cancelled, cancelled.Keys())
	}}
	if action == "done" {
		how.spares = false
		how.verb, how.past, how.end = "End", "Done:", func(p planned) (domain.Entry, error) {
			done := domain.ReminderDone{ReminderID: p.ID}
			return entry(s, call, done, done.Keys())
		}
	}
	return how
}

// endReminders ends one, or several when that was confirmed.
func (s *skills) endReminders(call tool.SkillCall, found selection, through domain.Position, action string, n naming) (tool.SkillDone, error) {
	return s.endAll(s.endingReminders(call, action), found, through, n, func(one planned) (tool.SkillDone, error) {
		return s.endReminder(call, one, through, action)
	})
}

// justFired is the reminder that was told last, when nothing was set since: what is done, or
// to come again in ten minutes, is that one.
func justFired(all []planned, now domain.Millis) (planned, bool) {
	const lately = 30 * time.Minute
	var last planned
	var set domain.Position
	for _, p := range all {
		if p.ToldBy > last.ToldBy {
			last = p
		}
		set = max(set, p.Position)
	}
	return last, last.Told > 0 && now.Sub(last.Told) < lately && set < last.ToldBy
}

// recentlyTold are the reminders that were told lately and not said to be done.
func (s *skills) recentlyTold(ctx context.Context) ([]planned, error) {
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

func (s *skills) moveReminder(ctx context.Context, call tool.SkillCall, one planned, through domain.Position, p changeParams) (tool.SkillDone, error) {
	if !blank(p.Except) {
		return s.leaveOut(call, one, p.Except, p.When, through)
	}
	if question := cmp.Or(ofSeveralDays(one, p.When), ofSomeDays(one, p.When, call)); question != "" {
		return asks(question)
	}
	said := dayOfMove(one, p.naming, p.When, call)
	if one.recurrence != nil {
		said = untimed(said, func(t *when.Text) *when.Text { return atClocksOf(t, *one.recurrence) })
	}
	if hour, ok := hourOfAll(one.Due, said, one.isDaily(), call); ok && p.Always && one.recurrence != nil {
		if again, ok := seriesAt(one, hour, false, call); ok {
			return s.reminderMoved(call, one, when.Time{At: when.Next(*again, call.Now, one.zone), Recurrence: again}, through, p)
		}
	}
	if one.Due > call.Now { // what isn't said of its time stays
		said = keptOf(one.Due, said, call)
	}
	at, err := said.From(anchorOf(one.Due, said, call)).Parse()
	if err != nil {
		return asksBack(err)
	}
	if at.Recurrence != nil && one.recurrence != nil {
		at.Recurrence = when.EndingAs(at.Recurrence, *one.recurrence)
	}
	if one.Recurs && at.Recurrence == nil && p.Always && one.recurrence != nil {
		if again, ok := seriesAt(one, at.At, false, call); ok {
			at.At, at.Recurrence = when.Next(*again, call.Now, one.zone), again
		}
	}
	if one.Recurs && at.Recurrence == nil {
		return s.once(ctx, call, one, at, through, p.naming)
	}
	return s.reminderMoved(call, one, at, through, p)
}

// reminderMoved is a reminder at another time, or its times at others.
func (s *skills) reminderMoved(call tool.SkillCall, one planned, at when.Time, through domain.Position, p changeParams) (tool.SkillDone, error) {
	zone, known := zoneFor(at, call)
	if !known {
		return asks(fmt.Sprintf("I don't know how the clocks go in %s: say a place, such as: every day at 9 London time.", at.Zone))
	}
	moved := domain.ReminderChanged{ReminderID: one.ID, Due: at.At, Zone: zone, Recurrence: at.Recurrence}
	if what := strings.TrimSpace(p.What); what != "" {
		if err := (domain.ReminderSet{Text: what}).Check(); err != nil {
			return asksBack(err)
		}
		one.text, moved.Text = what, &what
	}
	e, err := entry(s, call, moved, moved.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(did("I'll remind you "+confirmed(at, call)+": "+one.text, one.spokenAnew(at.At, 0, at.Recurrence != nil), e))
}

// keptOf is a time as it is said with what that leaves open taken from the one before: its day, its
// time of day, and which half of the day it is in.
func keptOf(was domain.Millis, said *when.Text, call tool.SkillCall) *when.Text {
	if to, ok := shifted(said.String(), was, call.Zone); ok {
		return when.Known(to, call.Now, call.Zone)
	}
	switch day, clock := said.Parts(); {
	case clock && !day:
		base := dayBefore(was, call.Zone)
		half := halfOf(was, said.From(base), call)
		at, err := half.Parse()
		at.At = sameNight(was, at.At, call)
		if err != nil || at.Rest(said.String()) != "" || at.Recurrence != nil || at.At < call.Now {
			return said
		}
		return when.Known(at.At, call.Now, call.Zone)
	case clock:
		return halfOf(was, said, call)
	case day:
		at, err := said.Parse()
		if err == nil && at.Recurrence != nil {
			return sameHour(was, said)
		}
		if err != nil || at.Grain < when.Day {
			return said
		}
		timed := said.AtClockOf(was)
		if kept, err := timed.Parse(); err == nil && midnight(kept.At, call.Zone).Equal(midnight(at.At, call.Zone)) {
			return timed
		}
	}
	return said
}

// halfOf is a time as it is said in the half of the day that is nearer to the time before, where it
// leaves that open. Nothing goes far into the evening or the night.
func halfOf(was domain.Millis, said *when.Text, call tool.SkillCall) *when.Text {
	usual, err := said.Occasion()
	if err != nil || usual.Recurrence != nil {
		return said
	}
	const day, far = 24 * time.Hour, 3 * time.Hour
	then := was.Time().In(call.Zone)
	distance := func(at domain.Millis) time.Duration {
		local := at.Time().In(call.Zone)
		apart := (time.Duration(local.Hour()-then.Hour())*time.Hour + time.Duration(local.Minute()-then.Minute())*time.Minute).Abs()
		apart = min(apart, day-apart) // around midnight
		if (local.Hour() < 6 || local.Hour() >= 20) && apart > far {
			return day
		}
		return apart
	}
	for _, half := range []when.Half{when.Morning, when.Evening} {
		other := said.InHalf(half)
		at, err := other.Occasion()
		if err != nil || len(at.Unread(said.String())) > 0 || at.At.Sub(usual.At).Abs() != day/2 || sameNight(was, at.At, call) < call.Now {
			continue
		}
		if distance(at.At) < distance(usual.At) || usual.At < call.Now {
			return other
		}
	}
	return said
}

// dayBefore is the last moment before the day of another.
func dayBefore(at domain.Millis, zone *time.Location) domain.Millis {
	return domain.MillisOf(midnight(at, zone)) - 1
}

// toChangeAll ends the sentence that a plan stays otherwise as it is.
const toChangeAll = "; to change that, say from now on, or how it comes back, such as: every day at 9."

// once moves one time of a reminder that comes back: it is left out, and there is another reminder
// in its place. By itself a time says nothing of when it comes back, which stays as it is. One that
// was just told comes once more.
func (s *skills) once(ctx context.Context, call tool.SkillCall, one planned, at when.Time, through domain.Position, n naming) (tool.SkillDone, error) {
	if one.recurrence == nil {
		return asks(fmt.Sprintf("%q comes back, and how isn't known any more: say it with how it comes back, such as: every day at 9.", one.text))
	}
	if full, err := s.full(ctx); err != nil || full != "" {
		return notNow(full, err)
	}
	again := domain.ReminderSet{Text: one.text, Due: at.At, Zone: call.Zone.String()}
	e, err := entry(s, call, again, nil)
	if err != nil {
		return tool.SkillDone{}, err
	}
	entries := []domain.Entry{e}
	if _, told := justFired([]planned{one}, call.Now); told && blank(n.Which, n.During) {
		text := fmt.Sprintf("I'll remind you once more %s: %s. It stays %s; to change that, say how it comes back, such as: every day at 9.", confirmed(at, call), one.text, when.SayAgain(*one.recurrence))
		return resting(one.ID, through)(did(text, map[string]any{"reminder_id": e.Envelope.ID.UUID(), "due": at.At, "text": one.text}, e))
	}
	one.times = one.times[:min(1, len(one.times))]
	if _, _, ok := without(one, one.timesLeftOut()); ok {
		left, _, err := s.skipping(call, one)
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries = []domain.Entry{left, e}
	}
	text := fmt.Sprintf("I'll remind you this once %s: %s. Otherwise it stays %s%s", confirmed(at, call), one.text, when.SayAgain(*one.recurrence), toChangeAll)
	return resting(one.ID, through)(did(text, map[string]any{"reminder_id": e.Envelope.ID.UUID(), "due": at.At, "text": one.text}, entries...))
}

func (s *skills) endReminder(call tool.SkillCall, one planned, through domain.Position, action string) (tool.SkillDone, error) {
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
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(did(text, one.ended(), e))
}

// resting adds the condition that nothing has happened to a plan since.
func resting(id domain.ID, through domain.Position) func(tool.SkillDone, error) (tool.SkillDone, error) {
	return func(done tool.SkillDone, err error) (tool.SkillDone, error) {
		done.Conditions = append(done.Conditions, domain.Condition{Key: domain.PlanKey(id), After: through})
		return done, err
	}
}

func (p planned) data(name string) map[string]any {
	return map[string]any{name: p.ID.UUID(), "text": p.text}
}
