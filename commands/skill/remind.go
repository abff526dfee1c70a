package skill

import (
	"cmp"
	"context"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
	"chalie/domain/language/when"
)

const whenHelp = `A time as people say it: "in 2 hours", "tomorrow at 8", "on Friday at 17:30", "on 3 March", "2026-12-01 09:00", ` +
	`"every day at 7", "every Monday and Thursday at 18:00", "on the 1st of every month".`

// remind sets a reminder.
func (s *skills) remind() tool.Skill {
	return skill{effects: true, do: s.setReminder, lacks: remindLacks, tool: domain.Tool{
		Name:        "remind",
		Description: "Set a reminder: Chalie tells the person at a time, once or again and again.",
		Documentation: "Give what and when, or the whole sentence as text; of a whole sentence the time may stand anywhere in it. " + whenHelp +
			" A time that has passed, or can be read in two ways, is answered by a question. To change or end a reminder use reminder; what " +
			"takes place, such as a meeting, is an appointment.",
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
	if blank(said) {
		said = strings.TrimSpace(p.Text)
		if said == "" {
			said, what = what, ""
		}
	} else if what = timing.AsAsked(what); what == "" {
		what = timing.AsAsked(p.Text)
	}
	if said == "" {
		return ask(say("ask.remind", args{"lacks": speech.Kind("everything")}))
	}
	asked, err := timing.AskedIn(said, call.Now, call.Zone)
	if read := err == nil && asked.Unread == ""; !read || asked.At.Recurrence == nil {
		by, anchorErr := s.anchored(ctx, call, said)
		_, refuses := speech.RefusalOf(anchorErr)
		switch {
		case refuses && !read, anchorErr != nil && !refuses:
			return asksBack(anchorErr)
		case by == nil, read && !by.sure: // the words say it themselves
		case timing.ByEvery(said):
			return ask(say("reminder.not_by_every"))
		default:
			asked, what = timing.Asked{}, by.about(what)
			asked.At, err = when.Known(by.due, call.Now, call.Zone).Parse()
		}
	}
	if err != nil {
		return asksBack(err)
	}
	if what != "" {
		asked.What = what
	}
	return s.setAt(ctx, call, asked, p.Again)
}

// about is what to be reminded of by the plan that says when.
func (by *anchor) about(what string) string {
	switch {
	case what == "":
		what = cmp.Or(by.what, by.of)
	case by.what != "":
		what = by.what + ": " + what
	}
	return timing.AsAsked(what)
}

// setAt sets a reminder of what was asked.
func (s *skills) setAt(ctx context.Context, call tool.SkillCall, asked timing.Asked, again bool) (tool.SkillDone, error) {
	at, what := asked.At, asked.What
	if asked.Unread != "" {
		question, when := doubt(at, asked.Unread, what, call)
		return ask(question, tool.Answer{Says: timesOf(at, call), With: map[string]any{"what": what, "when": when, "text": nil}}, no())
	}
	if what == "" {
		return ask(say("ask.of_what", args{"kind": speech.Kind("reminder"), "at": moment(at.At, call)}))
	}
	zone, known := zoneFor(at, call)
	if !known {
		return ask(say("zone.unknown", args{"zone": theirOwn(at.Zone.String())}))
	}
	set := domain.Plan{Text: what, Time: domain.Appointment{Start: at.At, Zone: zone, Recurrence: at.Recurrence}}
	points := map[string]any{"due": at.At, "recurs": at.Recurrence != nil}
	return s.begin(ctx, call, domain.ItemReminder, set, again, points, willRemind(at, theirOwn(what), call))
}

// doubt asks what words mean that weren't read, and says how to go on; again is the time that
// was read, as it can be said once more.
func doubt(at when.Time, left, what string, call tool.SkillCall) (question speech.Message, again string) {
	asks := args{"times": timesOf(at, call), "left": theirOwn(left), "what": theirOwn(strings.Trim(what, `"“”`))}
	if at.Recurrence == nil {
		asks["at"] = moment(at.At, call)
		return say("time.unread", asks), when.Say(at.At, call.Now, call.Zone)
	}
	again = when.SayAgain(*at.Recurrence)
	asks["again"] = speech.Again{Rule: at.Recurrence.Rule}
	if at.Zone != nil {
		again += " in the zone " + at.Zone.String()
		asks["zone"] = theirOwn(at.Zone.String())
	}
	return say("time.unread", asks), again
}

// zoneFor is the zone on whose wall a plan stays: the one that its recurrence was said in.
func zoneFor(at when.Time, call tool.SkillCall) (string, bool) {
	if at.Recurrence == nil || at.Zone == nil {
		return call.Zone.String(), true
	}
	_, known := commands.ZoneNamed(at.Zone.String())
	return at.Zone.String(), known
}

// timesOf is a time as it is confirmed: how it comes back, and where it was said to be when the clocks there
// are others than the person's.
func timesOf(at when.Time, call tool.SkillCall) speech.Message {
	if at.Recurrence != nil {
		times := args{"again": speech.Again{Rule: at.Recurrence.Rule}, "first": moment(at.At, call)}
		if at.Zone != nil {
			times["zone"] = theirOwn(at.Zone.String())
		}
		return say("when.again", times)
	}
	times := args{"at": moment(at.At, call)}
	if at.Zone != nil {
		if clock := at.At.Time().In(at.Zone).Format("15:04"); clock != at.At.Time().In(call.Zone).Format("15:04") {
			times["there"], times["zone"] = speech.Clock(clock), theirOwn(at.Zone.String())
		}
	}
	return say("when.once", times)
}

// rings are the texts of reminders that only ring.
var rings = map[string]speech.Kind{"alarm": "alarm", "timer": "timer", "wake up": "wake_up"}

// willRemind says when a reminder will be told.
func willRemind(at when.Time, what speech.Text, call tool.SkillCall) speech.Message {
	times := timesOf(at, call)
	if alarm := rings[what.Words]; alarm != "" {
		return say("alarm.new", args{"times": times, "alarm": alarm})
	}
	if name, ok := strings.CutPrefix(what.Words, "alarm: "); ok {
		what.Words = name
		return say("alarm.named", args{"times": times, "what": what})
	}
	return say("reminder.new", args{"times": times, "what": what})
}

// MaxOpenCommitments bounds how many reminders, appointments and tasks are open at a time.
const MaxOpenCommitments = 5000

// full reports whether there is no room for another reminder, appointment or task.
func (s *skills) full(ctx context.Context) (bool, error) {
	if err := s.caughtUp(ctx); err != nil {
		return false, err
	}
	open := 0
	s.cfg.Plans.Read(func(p *domain.Plans) { open = len(p.Commitments.Open) })
	return open >= MaxOpenCommitments, nil
}

// noRoom says so.
func noRoom(err error) (tool.SkillDone, error) {
	if err != nil {
		return tool.SkillDone{}, err
	}
	return ask(say("plans_full"))
}

// reminder changes or ends one.
func (s *skills) reminder() tool.Skill {
	return skill{effects: true, do: s.changeReminder, lacks: reminderLacks, tool: domain.Tool{
		Name:        "reminder",
		Description: "End, move or skip a reminder: it is done, not wanted any more, is to come at another time, or not this time.",
		Documentation: "action is done, cancel, move, skip, snooze or pause; move needs when or except, and takes what for other words. A " +
			"reminder that comes back ends for good with done and cancel; skip leaves out its next time, or those in during, and pause those " +
			"in during: for two weeks, until 20 March. snooze moves one that was just told, by ten minutes without when. " +
			"One that was told can be moved as long as it is among the latest: that is how to snooze it. When several fit, the answer asks " +
			"which one; with all it names them, and they end when confirmed is given too.",
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
	moving

	Action string
}

// reminderActions are the words by which the skill is asked for what happens to reminders.
var reminderActions = map[string]domain.PlanVerb{
	"done": domain.PlanDone, "cancel": domain.PlanDropped, "move": domain.PlanChanged, "snooze": domain.PlanChanged,
	"skip": skipped, "pause": skipped,
}

func (s *skills) changeReminder(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[changeParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	verb, known := reminderActions[action]
	if !known {
		return ask(say("none_of_them", args{"of": speech.Kind("reminder"), "said": theirOwn(p.Action)}))
	}
	if verb == skipped {
		if question := p.resting(action, call); !question.IsZero() {
			return ask(question)
		}
	}
	r := request{naming: p.naming, moving: p.moving, kind: domain.ItemReminder, verb: verb, snoozes: action == "snooze"}
	return s.changePlans(ctx, call, r)
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

// recentlyTold are the plans of a kind that were told lately and not said to be done.
func (s *skills) recentlyTold(ctx context.Context, kind domain.ItemKind) ([]planned, error) {
	var ended []domain.Commitment
	s.cfg.Plans.Read(func(p *domain.Plans) { ended = append(ended, p.Commitments.Ended...) })
	var out []planned
	for _, c := range ended {
		if c.Standing != domain.StandingTold || c.Kind != kind {
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

// unlessChanged adds the condition that nothing has happened to a plan since.
func unlessChanged(id domain.ID, through domain.Position) func(tool.SkillDone, error) (tool.SkillDone, error) {
	return func(done tool.SkillDone, err error) (tool.SkillDone, error) {
		done.Conditions = append(done.Conditions, domain.Condition{Key: domain.PlanKey(id), After: through})
		return done, err
	}
}

func (p planned) data(name string) map[string]any {
	return map[string]any{name: p.ID.UUID(), "text": p.text}
}
