package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
	"chalie/domain/language/when"
)

// appointment puts appointments into the calendar, moves and cancels them.
func (s *skills) appointment() tool.Skill {
	return skill{effects: true, do: s.doAppointment, lacks: appointmentLacks, tool: domain.Tool{
		Name:        "appointment",
		Description: "Keep the calendar: put an appointment, meeting or event into it, move it, cancel it, or skip one time of it.",
		Documentation: "action is add, cancel, move, skip or pause. add needs what and when; without a time of day it lasts all day, " +
			"without an end an hour. The person is told 30 minutes before, or as before says. " +
			"move changes what is given: when, until, place, with, before or what; except leaves days of the week out of one that comes back. " +
			"That one ends for good with cancel; skip leaves out its next time, or those in during, and pause those in during: for two weeks, " +
			"until 20 March. " +
			"When several fit, the answer asks which one; with all it names them, and they are cancelled when confirmed is given too.",
		Parameters: append([]domain.Parameter{
			{Name: "action", Type: domain.TypeString, Description: "add, cancel, move, skip or pause. Left out: add."},
			{Name: "what", Type: domain.TypeString, Description: "What it is, without the time: meeting, lunch with Ted."},
			{Name: "when", Type: domain.TypeString, Description: `When it begins, or from when to when: "on Friday from 3 to 4pm", "tomorrow ` +
				`at 11", "on 15 March", "every Thursday at 10".`},
			{Name: "until", Type: domain.TypeString, Description: `When it ends, or how long it takes: "4pm", "2 hours", "30 minutes longer".`},
			{Name: "place", Type: domain.TypeString, Description: "Where it takes place."},
			{Name: "with", Type: domain.TypeString, Description: "Who else takes part, separated by commas; with and before them they take " +
				"part, too."},
			{Name: "before", Type: domain.TypeString, Description: `How long before it the person is told: "30 minutes", "a day", "none".`},
			{Name: "again", Type: domain.TypeBoolean, Description: "True to add one that is there already."},
			{Name: "always", Type: domain.TypeBoolean, Description: alwaysHelp},
			{Name: "except", Type: domain.TypeString, Description: exceptHelp},
		}, namingParameters("appointment")...),
	}}
}

type appointmentParams struct {
	naming
	moving

	Action string
	Again  bool
}

func appointmentLacks(p checkedParams) (field, question string) {
	switch strings.ToLower(strings.TrimSpace(p.Action)) {
	case "", "add":
		if blank(p.What, p.When) {
			return "what", "give what the appointment is as what, and when it is as when"
		}
	}
	return "", ""
}

// appointmentActions are the words by which the skill is asked for what happens to appointments.
var appointmentActions = map[string]domain.PlanVerb{
	"": domain.PlanMade, "add": domain.PlanMade, "create": domain.PlanMade, "new": domain.PlanMade, "set": domain.PlanMade,
	"cancel": domain.PlanDropped, "delete": domain.PlanDropped, "remove": domain.PlanDropped, "drop": domain.PlanDropped,
	"move": domain.PlanChanged, "change": domain.PlanChanged, "reschedule": domain.PlanChanged, "skip": skipped, "pause": skipped,
}

func (s *skills) doAppointment(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[appointmentParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	verb, known := appointmentActions[action]
	switch {
	case !known:
		return ask(say("none_of_them", args{"of": speech.Kind("appointment"), "said": theirOwn(p.Action)}))
	case verb == domain.PlanMade:
		return s.addAppointment(ctx, call, p)
	case verb == skipped:
		if question := p.resting(action, call); !question.IsZero() {
			return ask(question)
		}
	}
	if blank(p.Which) {
		p.Which, p.What = p.What, ""
	}
	r := request{naming: p.naming, moving: p.moving, kind: domain.ItemAppointment, verb: verb}
	if r.everything = verb == domain.PlanDropped && p.isEverything(); r.everything {
		r.Which = "everything"
	}
	return s.changePlans(ctx, call, r)
}

func (s *skills) addAppointment(ctx context.Context, call tool.SkillCall, p appointmentParams) (tool.SkillDone, error) {
	e, err := s.asSaid(ctx, call, p)
	if err != nil {
		return asksBack(err)
	}
	what, a := e.What, e.Time
	if a.Before, err = timing.Before(p.Before, a.AllDay, call.Now, call.Zone); err != nil {
		return asksBack(err)
	}
	a.Place, a.People = timing.Place(p.Place), timing.People(p.With)
	a.Tell = firstTold(a, call)
	others, err := s.openTimed(ctx, domain.ItemAppointment)
	if err != nil {
		return tool.SkillDone{}, err
	}
	points := map[string]any{"start": a.Start, "end": a.End, "all_day": a.AllDay, "recurs": a.Recurrence != nil}
	says := append([]speech.Message{plannedAs(asItWas, theirOwn(what), a, call)}, toldOf(a, others, call)...)
	return s.begin(ctx, call, domain.ItemAppointment, domain.Plan{Text: what, Time: a}, p.Again, points, says...)
}

// asSaid is what an appointment is and when, which may be said in one, or by another plan. A refusal asks what is
// missing.
func (s *skills) asSaid(ctx context.Context, call tool.SkillCall, p appointmentParams) (timing.Event, error) {
	what := timing.Unquoted(strings.TrimSpace(p.What))
	e, err := timing.EventIn(what, p.When, p.Until, call.Now, call.Zone)
	inside := blank(p.When) // the time is in the words for it
	if inside && (err != nil || e.Unread != "") {
		by, wrong := s.anchored(ctx, call, what)
		if wrong != nil {
			return e, wrong
		}
		if by != nil {
			inside = false
			e, err = timing.EventBy(by.what, by.due, by.ends, p.Until, call.Now, call.Zone)
		}
	}
	if err == nil {
		err = inKnownZone(e.Time, call)
	}
	switch {
	case domain.CodeOf(err) == when.CodeNoTime && inside && what != "":
		return e, refused("when", say("appointment.when", args{"what": theirOwn(what)}), call)
	case err != nil:
		return e, err
	}
	if people := timing.People(p.With); e.What == "" && len(people) > 0 {
		e.What = "appointment with " + domain.Listed(people)
	}
	if e.What == "" {
		return e, refused("what", say("ask.of_what", args{"kind": speech.Kind("appointment"), "span": spanOf(e.Time, call)}), call)
	}
	if e.Unread != "" {
		return e, refused("when", say("time.unread", args{"span": spanOf(e.Time, call), "left": theirOwn(e.Unread)}), call)
	}
	e.Time = timing.Yearly(e.What, e.Time, e.At, call.Now, call.Zone)
	return e, nil
}

// inKnownZone refuses an appointment that comes back by the clocks of a zone that isn't known.
func inKnownZone(a domain.Appointment, call tool.SkillCall) error {
	if _, known := commands.ZoneNamed(a.Zone); known || a.Zone == call.Zone.String() {
		return nil
	}
	return refused("when", say("zone.unknown", args{"zone": theirOwn(a.Zone)}), call)
}

// firstTold is when an appointment is told the first time, 0 for never.
func firstTold(a domain.Appointment, call tool.SkillCall) domain.Millis {
	return timing.FirstTold(a, call.Now, commands.ZoneOf(a.Zone))
}

// plannedAs is an appointment as it is confirmed. Place and people are of whoever has its words; who is named in
// those isn't named again.
func plannedAs(how speech.Kind, what speech.Text, a domain.Appointment, call tool.SkillCall) speech.Message {
	out := args{"how": how, "what": what, "at": spanOf(a, call)}
	if a.Recurrence != nil {
		out["again"] = speech.Again{Rule: a.Recurrence.Rule, AllDay: a.AllDay}
	}
	if a.Place != "" {
		out["place"] = speech.Text{Words: a.Place, In: what.In}
	}
	var people speech.List
	for _, name := range a.OthersThan(what.Words) {
		people = append(people, speech.Text{Words: name, In: what.In})
	}
	if people != nil {
		out["people"] = people
	}
	if a.Zone != call.Zone.String() {
		out["zone"] = theirOwn(a.Zone)
	}
	return say("appointment.planned", out)
}

// toldOf is what is said of an appointment beside what it is: when it will be told, and what is at the same time.
func toldOf(a domain.Appointment, others []planned, call tool.SkillCall) []speech.Message {
	return append(whenTold(a, call), overlapping(a, others, call)...)
}

// whenTold is when an appointment will be told.
func whenTold(a domain.Appointment, call tool.SkillCall) []speech.Message {
	m := say("appointment.untold", args{"how": speech.Kind("begins")})
	switch {
	case a.Before == nil:
		m = say("appointment.untold", args{"how": speech.Kind("never")})
	case a.Tell == 0 && a.Recurrence == nil:
		m = say("appointment.untold", args{"how": speech.Kind("not_again")})
	case a.AllDay:
		at := a.Tell
		if at == 0 {
			_, at = when.Occurs(a, when.NextOccasion(a, a.Start, call.Zone), call.Zone)
		}
		m = say("appointment.told", args{"at": moment(at, call)})
	case a.Tell != a.Start:
		m = say("appointment.told", args{"before": speech.Length(a.Before.Sub(0))})
	}
	return []speech.Message{m}
}

// overlapping says which other appointments are at the same time as one, if any are. What lasts all day is at
// no time.
func overlapping(a domain.Appointment, others []planned, call tool.SkillCall) []speech.Message {
	var there speech.List
	for _, o := range within(others, when.Window{From: a.Start, To: a.End}, call) {
		if !a.AllDay && !o.appointment.AllDay {
			o.appointment.Start, o.appointment.End = o.Due, o.End
			there = append(there, say("plan.named", args{"what": o.its(), "span": spanOf(o.appointment, call)}))
		}
	}
	if there == nil {
		return nil
	}
	return []speech.Message{say("appointment.overlaps", args{"others": there})}
}

// takesPlace is an appointment with what is given of it. One that comes back is moved once, unless it is said how it
// comes back.
func (c *changing) takesPlace(ctx context.Context, one planned) (target, error) {
	given := !blank(c.What, c.Place, c.With, c.Before)
	if !given && blank(c.When, c.Until) {
		return target{}, refused("when", say("appointment.change_what", args{"what": one.its()}), c.call)
	}
	was := one.appointment
	was.Start, was.End, was.Tell = one.Due, one.End, one.Tell
	a, err := c.givenOf(one, was)
	if err != nil {
		return target{}, err
	}
	isMoved := a.Start != was.Start || a.Recurrence != was.Recurrence
	same := !isMoved && a.End == was.End && a.AllDay == was.AllDay && (was.Recurrence == nil || one.waits == 0)
	if same && !given {
		return target{domain.Plan{Time: was}, when.Time{}, asItWas, append(whenTold(was, c.call), say("appointment.as_it_was"))}, nil
	}
	if !isMoved && one.waits != 0 { // another of its times was named
		a.Start, a.End = one.waits, one.waits+a.End-a.Start
	}
	if isMoved || !blank(c.Before) {
		a.Tell = firstTold(a, c.call)
	}
	to := target{domain.Plan{Time: a}, when.Time{}, changed, nil}
	if !blank(c.What, c.Place, c.With) { // its words are with its place and people
		to.Text = cmp.Or(strings.TrimSpace(c.What), one.text)
	}
	others := slices.DeleteFunc(slices.Clone(c.from.open), func(o planned) bool { return o.ID == one.ID })
	if isMoved {
		return c.movedIn(ctx, one, to, others)
	}
	to.also = toldOf(a, others, c.call)
	return to, nil
}

// movedIn is an appointment that is moved, among others: one time of what comes back, or all of them.
func (c *changing) movedIn(ctx context.Context, one planned, to target, others []planned) (target, error) {
	stays, err := c.staysOf(ctx, c.call, []planned{one})
	if err != nil {
		return target{}, err
	}
	to.how = moved
	a := to.Time
	if one.recurrence != nil && a.Recurrence == one.recurrence {
		again, ok := one.seriesAt(a.Start, a.AllDay, c.call.Now)
		if !ok || !c.Always {
			to.how = once
			otherwise := []speech.Message{say("appointment.otherwise", args{"again": one.returns()})}
			to.also = slices.Concat(whenTold(a, c.call), otherwise, overlapping(a, others, c.call), stays)
			return to, nil
		}
		length := a.End - a.Start
		a.Recurrence = again
		if a.Start = when.Next(*again, c.call.Now, one.zone); a.Start == 0 {
			return target{}, refused("when", say("again.none_left", args{"what": one.its(), "again": one.returns()}), c.call)
		}
		a.End = a.Start + length
		a.Tell = firstTold(a, c.call)
	}
	to.Time, to.also = a, append(toldOf(a, others, c.call), stays...)
	return to, nil
}

// givenOf is an appointment with the time that was said, of which one time is moved, or all, and what else is given.
func (c *changing) givenOf(one planned, was domain.Appointment) (domain.Appointment, error) {
	now, zone := c.call.Now, c.call.Zone
	a := was
	said := timing.OnDay(one.Due, one.isNamedBy(c.During), c.at, now, zone)
	all := c.Always && was.Recurrence != nil && !was.AllDay && blank(c.Until)
	if hour, ok := timing.HourOfAll(was.Start, said, one.isDaily(), now, zone); ok && all {
		a.Start, a.End = hour, hour+was.End-was.Start
	} else {
		var err error
		if a, err = timing.Moved(was, said, c.Until, now, zone); err != nil {
			return a, err
		}
		if err := inKnownZone(a, c.call); err != nil && a.Zone != was.Zone {
			return a, err
		}
	}
	if !blank(c.Place) {
		a.Place = timing.Place(c.Place)
	}
	if !blank(c.With) {
		a.People = timing.Joined(was.People, c.With)
	}
	var err error
	if !blank(c.Before) || a.AllDay != was.AllDay {
		a.Before, err = timing.Before(c.Before, a.AllDay, now, zone)
	}
	return a, err
}
