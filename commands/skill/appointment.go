package skill

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// appointment puts appointments into the calendar, moves and cancels them.
func (s *skills) appointment() tool.Skill {
	return skill{effects: true, do: s.doAppointment, lacks: appointmentLacks, tool: domain.Tool{
		Name:        "appointment",
		Description: "Keep the calendar: put an appointment, meeting or event into it, move it, cancel it, or skip one time of it.",
		Documentation: "action is add, cancel, move, skip or pause. add needs what and when; without a time of day it lasts all day, without an end an hour. The person is told 30 minutes before, or as before says. " +
			"move changes what is given: when, until, place, with, before or what; except leaves days of the week out of one that comes back. That one ends for good with cancel; skip leaves out its next time, or those in during, and pause those in during: for two weeks, until 20 March. " +
			"When several fit, the answer asks which one; with all it names them, and they are cancelled when confirmed is given too.",
		Parameters: append([]domain.Parameter{
			{Name: "action", Type: domain.TypeString, Description: "add, cancel, move, skip or pause. Left out: add."},
			{Name: "what", Type: domain.TypeString, Description: "What it is, without the time: meeting, lunch with Ted."},
			{Name: "when", Type: domain.TypeString, Description: `When it begins, or from when to when: "on Friday from 3 to 4pm", "tomorrow at 11", "on 15 March", "every Thursday at 10".`},
			{Name: "until", Type: domain.TypeString, Description: `When it ends, or how long it takes: "4pm", "2 hours", "30 minutes longer".`},
			{Name: "place", Type: domain.TypeString, Description: "Where it takes place."},
			{Name: "with", Type: domain.TypeString, Description: "Who else takes part, separated by commas; with and before them they take part, too."},
			{Name: "before", Type: domain.TypeString, Description: `How long before it the person is told: "30 minutes", "a day", "none".`},
			{Name: "again", Type: domain.TypeBoolean, Description: "True to add one that is there already."},
			{Name: "always", Type: domain.TypeBoolean, Description: alwaysHelp},
			{Name: "except", Type: domain.TypeString, Description: exceptHelp},
		}, namingParameters("appointment")...),
	}}
}

type appointmentParams struct {
	naming
	Action, What, When, Until, Place, With, Before, Except string
	Again, Always                                          bool
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
var appointmentActions = map[string]domain.PlanVerb{"cancel": domain.PlanDropped, "move": domain.PlanChanged, "skip": skipped}

func (s *skills) doAppointment(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[appointmentParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	switch action {
	case "", "add", "create", "new", "set":
		return s.addAppointment(ctx, call, p)
	case "cancel", "delete", "remove", "drop":
		action = "cancel"
	case "move", "change", "reschedule":
		action = "move"
	case "pause", "skip":
		if question := p.resting(action, call); !question.IsZero() {
			return ask(question)
		}
		action = "skip"
	default:
		return ask(say("appointment.no_such_action", args{"action": theirOwn(p.Action)}))
	}
	all, through, err := s.open(ctx, domain.ItemAppointment)
	if err == nil {
		all, err = s.timed(ctx, dated(all, call))
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	if blank(p.Which) {
		p.Which, p.What = p.What, ""
	}
	if p.ends = action == "cancel"; p.ends {
		if done, ok, err := s.endTogether(ctx, call, p.naming); ok || err != nil {
			return done, err
		}
	}
	everything := action == "cancel" && p.isEverything()
	if everything {
		p.Which = "everything"
	}
	found := chooseFor(action, p.naming, "appointment", all, call)
	if everything {
		stays, err := s.staying(ctx, p.naming, call)
		if err != nil {
			return asksBack(err)
		}
		if !found.none.IsZero() {
			return tell(found.none, stays)
		}
		found.stays = []speech.Message{stays}
	}
	if found.absent {
		if done, ok, err := s.elsewhere(ctx, call, request{naming: p.naming, moving: moving{When: p.When, Always: p.Always, Except: p.Except}, kind: domain.ItemAppointment, verb: appointmentActions[action]}); ok || err != nil {
			return done, err
		}
	}
	switch {
	case found.namesNone():
		return found.asks()
	case action == "skip" && len(found.plans) > 1:
		return s.skipAll(s.cancelling(call), call, found.plans, through)
	case action == "skip":
		return s.skip(call, found.plans[0], through)
	case action == "cancel":
		return s.cancelAppointments(ctx, call, found, through, p.naming)
	case len(found.plans) > 1:
		return movingEach(call, "appointment", found, p.naming, func(one planned) (tool.SkillDone, error) {
			return s.moveAppointment(ctx, call, one, all, through, p)
		})
	}
	return s.moveAppointment(ctx, call, found.plans[0], all, through, p)
}

func (s *skills) addAppointment(ctx context.Context, call tool.SkillCall, p appointmentParams) (tool.SkillDone, error) {
	what := unquoted(strings.TrimSpace(p.What))
	people := peopleIn(p.With)
	inside := blank(p.When) // the time is in the words for it
	said := when.Look(p.When, call.Now, call.Zone)
	if inside {
		said = said.Saying(what)
	}
	a, at, err := occasionOf(said, p.Until, call)
	if inside && (err != nil || unread(at, said.String()) != "") {
		by, anchorErr := s.anchored(ctx, call, what)
		if anchorErr != nil {
			return asksBack(anchorErr)
		}
		if by != nil {
			what, inside = article.ReplaceAllString(unquoted(by.what), ""), false
			said, a, at, err = besidePlan(by, p.Until, call)
		}
	}
	if domain.CodeOf(err) == when.CodeNoTime && inside && what != "" {
		return ask(say("appointment.when", args{"what": theirOwn(what)}))
	}
	if err != nil {
		return asksBack(err)
	}
	if inside {
		what = at.Rest(said.String())
	}
	if what == "" && len(people) > 0 {
		what = "appointment with " + domain.Listed(people)
	}
	if what == "" {
		return ask(say("appointment.what", args{"at": spanOf(a, call)}))
	}
	if left := unread(at, said.String()); left != "" {
		return ask(say("appointment.unread", args{"at": spanOf(a, call), "left": theirOwn(left)}))
	}
	if feast.MatchString(what) && a.AllDay && a.Recurrence == nil && at.Grain == when.Day {
		a = yearly(a, call)
	}
	if a.Before, err = beforeOf(p.Before, a.AllDay, call); err != nil {
		return asksBack(err)
	}
	a.Place, a.People = placeOf(p.Place), people
	a.Tell = firstTold(a, call)
	set := a.Set(what)
	if err := set.Check(); err != nil {
		return asksBack(err)
	}
	if full, err := s.full(ctx); err != nil || full {
		return noRoom(err)
	}
	others, _, err := s.open(ctx, domain.ItemAppointment)
	if err == nil {
		others, err = s.timed(ctx, others)
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	for _, o := range others {
		if !p.Again && strings.EqualFold(o.text, what) && o.Due == a.Start {
			return orAnyway(say("appointment.there", args{"what": o.its(), "at": spanOf(a, call)}), "label.add_anyway", nil)
		}
	}
	e, err := entry(s, call, set, nil)
	if err != nil {
		return tool.SkillDone{}, err
	}
	return alsoSaid(toldOf(a, others, call)...)(confirm(plannedAs("made", theirOwn(what), a, call),
		map[string]any{"appointment_id": e.Envelope.ID.UUID(), "text": what, "start": a.Start, "end": a.End, "all_day": a.AllDay, "recurs": a.Recurrence != nil}, e))
}

// yearly is a day that comes back every year.
func yearly(a domain.Appointment, call tool.SkillCall) domain.Appointment {
	again, ok := when.SeriesOn(domain.Recurrence{Rule: "FREQ=YEARLY"}, a.Start, true, call.Now, call.Zone)
	if ok && again.Start == a.Start {
		a.Recurrence = again
	}
	return a
}

// besidePlan is an appointment whose time is said by another plan. What is right before that ends
// where it begins.
func besidePlan(by *anchor, until string, call tool.SkillCall) (said *when.Text, a domain.Appointment, at when.Time, err error) {
	said = when.Known(by.due, call.Now, call.Zone)
	a, at, err = occasionOf(said, until, call)
	if length := a.End - a.Start; by.ends && err == nil && a.Start-length > call.Now {
		a.Start, a.End = a.Start-length, a.Start
	}
	return said, a, at, err
}

// article stands before the words for an appointment.
var article = regexp.MustCompile(`(?i)^(?:an?|the|my) `)

// feast is what comes back every year though nobody says so: a day that is a birthday, and not a
// party for it.
var feast = regexp.MustCompile(`(?i)\b(birthday|anniversary)$`)

// forLong is how long something takes, at the end of when it begins: at 3pm for 2 hours.
var forLong = regexp.MustCompile(`(?i)^(.*\S)\s+for\s+((?:an?|half an|\d+|one|two|three|four|five|six)\b.*(?:hours?|minutes?|mins?|h|hrs?|half))\.?$`)

// usualLength is how long an appointment takes when nothing is said of that.
const usualLength = time.Hour

// occasionOf is when an appointment takes place, by when it begins, or from when to when, and
// perhaps its end or length. Whatever else an appointment has is left open.
func occasionOf(said *when.Text, until string, call tool.SkillCall) (domain.Appointment, when.Time, error) {
	if blank(until) {
		if parts := forLong.FindStringSubmatch(said.String()); parts != nil {
			said, until = said.Saying(parts[1]), parts[2]
		}
	}
	if rest, annual := strings.CutPrefix(said.String(), "annual "); annual {
		said = said.Saying("yearly " + rest)
	}
	at, err := said.Occasion()
	if err != nil {
		return domain.Appointment{}, at, err
	}
	zone, known := zoneFor(at, call)
	if !known {
		return domain.Appointment{}, at, refused("when", say("zone.unknown", args{"zone": theirOwn(at.Zone.String())}), call)
	}
	a := domain.Appointment{Start: at.At, End: at.At.Add(usualLength), Zone: zone, Recurrence: at.Recurrence}
	switch _, clock := said.Parts(); {
	case !clock && at.Grain >= when.Hour || !clock && at.Recurrence != nil:
		a.AllDay = true
		a.Start, a.End, a.Recurrence = at.WholeDays(call.Zone)
	case at.From == at.At && at.To > at.At:
		a.End = at.To
	}
	if blank(until) {
		return a, at, nil
	}
	a.End, err = endOf(until, a, call)
	return a, at, err
}

// resized finds how much longer or shorter something becomes.
var resized = regexp.MustCompile(`(?i)^(.+) (longer|shorter)$`)

// endOf is the end of an appointment as it was said: how long it takes, or when it ends.
func endOf(until string, a domain.Appointment, call tool.SkillCall) (domain.Millis, error) {
	if by := resized.FindStringSubmatch(strings.TrimSpace(until)); by != nil {
		later, ok := when.Later(by[1], a.End, call.Zone)
		switch earlier := when.Earlier(by[1], a.End, call.Zone); {
		case ok && strings.EqualFold(by[2], "longer"):
			return later, nil
		case ok && earlier > a.Start:
			return earlier, nil
		case ok:
			return 0, refused("until", say("appointment.no_length"), call)
		}
	}
	if end, ok := when.Later(until, a.Start, call.Zone); ok {
		return end, nil
	}
	at, err := when.Parse(until, a.Start, call.Zone)
	if err != nil {
		return 0, err
	}
	if a.AllDay {
		_, end, _ := at.WholeDays(call.Zone)
		return end, nil
	}
	return at.At, nil
}

// Times of telling where nothing is said of them.
const (
	usualBefore = domain.Millis(30 * time.Minute / time.Millisecond)
	oneDay      = domain.Millis(24 * time.Hour / time.Millisecond)
	nineOClock  = domain.Millis(9 * time.Hour / time.Millisecond) // of one that lasts all day
)

// beforeOf is how long before an appointment it is told; nil for never.
func beforeOf(said string, allDay bool, call tool.SkillCall) (*domain.Millis, error) {
	before := usualBefore
	switch strings.ToLower(strings.Trim(said, " .")) {
	case "none", "no", "never", "not", "not at all", "nothing":
		return nil, nil
	case "":
		if allDay {
			before = 0
		}
	case "0", "at the start", "at start", "when it begins", "when it starts":
		before = 0
	default:
		length, ok := when.Later(said, 0, time.UTC)
		if !ok {
			return nil, refused("before", say("appointment.how_long_before", args{"said": theirOwn(said)}), call)
		}
		before = length
	}
	if allDay && before%oneDay == 0 {
		before -= nineOClock
	}
	return &before, nil
}

// firstTold is when an appointment is told the first time, 0 for never. When that has passed
// it is told when it begins, and one of today that lasts all day isn't.
func firstTold(a domain.Appointment, call tool.SkillCall) domain.Millis {
	_, tell := when.Occurs(a, a.Start, commands.ZoneOf(a.Zone))
	switch {
	case tell == 0 || tell > call.Now:
		return tell
	case a.Start > call.Now:
		return a.Start
	}
	return 0
}

func peopleIn(said string) []string {
	var out []string
	for name := range strings.SplitSeq(strings.ReplaceAll(said, " and ", ","), ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// placeOf is a place without the word that leads to it.
func placeOf(said string) string {
	said = strings.TrimSpace(said)
	if rest, ok := strings.CutPrefix(said, "at "); ok {
		return strings.TrimSpace(rest)
	}
	return said
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
	m := say("appointment.told_as_it_begins")
	switch {
	case a.Before == nil:
		m = say("appointment.not_told")
	case a.Tell == 0 && a.Recurrence == nil:
		m = say("appointment.not_told_again")
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
			there = append(there, say("appointment.other", args{"what": o.its(), "at": spanOf(o.appointment, call)}))
		}
	}
	if there == nil {
		return nil
	}
	return []speech.Message{say("appointment.overlaps", args{"others": there})}
}

// cancelling is how appointments end.
func (s *skills) cancelling(call tool.SkillCall) ending {
	return ending{noun: "appointment", deed: "cancel", spares: true, end: func(p planned) (domain.Entry, error) {
		cancelled := domain.AppointmentCancelled{AppointmentID: p.ID}
		return entry(s, call, cancelled, cancelled.Keys())
	}}
}

func (s *skills) cancelAppointments(ctx context.Context, call tool.SkillCall, found selection, through domain.Position, n naming) (tool.SkillDone, error) {
	how := s.cancelling(call)
	var err error
	if how.stays, err = s.staysOf(ctx, call, found.plans); err != nil {
		return tool.SkillDone{}, err
	}
	how.stays = append(how.stays, s.untold(ctx, found.plans)...)
	return s.endAll(how, found, through, n, func(one planned) (tool.SkillDone, error) {
		e, err := how.end(one)
		if err != nil {
			return tool.SkillDone{}, err
		}
		ended := args{"what": one.its()}
		if one.recurrence != nil {
			ended["again"] = one.returns()
		} else {
			ended["at"] = one.dueAt()
		}
		return resting(one.ID, through)(alsoSaid(how.stays...)(confirm(say("appointment.ended", ended), one.ended(), e)))
	})
}

// moveAppointment changes what is given of an appointment. One that comes back is moved once,
// unless it is said how it comes back.
func (s *skills) moveAppointment(ctx context.Context, call tool.SkillCall, one planned, all []planned, through domain.Position, p appointmentParams) (tool.SkillDone, error) {
	if !blank(p.Except) {
		return s.leaveOut(call, one, p.Except, p.When, through)
	}
	if question := notOnDays(one, p.When, call); !question.IsZero() {
		return ask(question)
	}
	if blank(p.What, p.When, p.Until, p.Place, p.With, p.Before) {
		return ask(say("appointment.change_what", args{"what": one.its()}))
	}
	was := one.appointment
	was.Start, was.End, was.Tell = one.Due, one.End, one.Tell
	a, err := one.movedTo(was, p, call)
	if err != nil {
		return asksBack(err)
	}
	if !blank(p.Place) {
		a.Place = placeOf(p.Place)
	}
	if also, adds := strings.CutPrefix(strings.TrimSpace(p.With), "and "); adds {
		a.People = append(slices.Clone(was.People), peopleIn(also)...)
	} else if !blank(p.With) {
		a.People = peopleIn(p.With)
	}
	if !blank(p.Before) || a.AllDay != was.AllDay {
		if a.Before, err = beforeOf(p.Before, a.AllDay, call); err != nil {
			return asksBack(err)
		}
	}
	moved := a.Start != was.Start || a.Recurrence != was.Recurrence
	if !moved && a.End == was.End && a.AllDay == was.AllDay && (was.Recurrence == nil || one.waits == 0) && blank(p.What, p.Place, p.With, p.Before) {
		return tell(append([]speech.Message{plannedAs("made", one.its(), was, call)}, append(whenTold(was, call), say("appointment.as_it_was"))...)...)
	}
	if !moved && one.waits != 0 { // another of its times was named
		a.Start, a.End = one.waits, one.waits+a.End-a.Start
	}
	if moved || !blank(p.Before) {
		a.Tell = firstTold(a, call)
	}
	var text *string
	what := one.its()
	if !blank(p.What) {
		what = theirOwn(strings.TrimSpace(p.What))
	}
	if !blank(p.What, p.Place, p.With) { // its words are with its place and people
		text = &what.Words
	}
	var stays []speech.Message
	if moved {
		if stays, err = s.staysOf(ctx, call, []planned{one}); err != nil {
			return tool.SkillDone{}, err
		}
	}
	others := slices.DeleteFunc(slices.Clone(all), func(o planned) bool { return o.ID == one.ID })
	if was.Recurrence != nil && moved && a.Recurrence == was.Recurrence {
		if again, ok := seriesAt(one, a.Start, a.AllDay, call); ok && p.Always {
			return alsoSaid(stays...)(s.moveSeries(call, one, a, again, what, others, through))
		}
		return alsoSaid(stays...)(s.moveOnce(ctx, call, one, a, what, others, through))
	}
	changed := a.Changed(one.ID, text)
	if err := changed.Check(); err != nil {
		return asksBack(err)
	}
	e, err := entry(s, call, changed, changed.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	how := speech.Kind("changed")
	if moved {
		how = "moved"
	}
	return resting(one.ID, through)(alsoSaid(append(toldOf(a, others, call), stays...)...)(confirm(plannedAs(how, what, a, call), one.called(what.Words).spokenAnew(a.Start, a.End, a.Recurrence != nil), e)))
}

// movedTo is an appointment at another time, of which one time is moved, or all.
func (p planned) movedTo(was domain.Appointment, to appointmentParams, call tool.SkillCall) (domain.Appointment, error) {
	said := dayOfMove(p, to.naming, to.When, call)
	if hour, ok := hourOfAll(was.Start, said, p.isDaily(), call); ok && to.Always && was.Recurrence != nil && !was.AllDay && blank(to.Until) {
		a := was
		a.Start, a.End = hour, hour+was.End-was.Start
		return a, nil
	}
	return movedTo(was, said, to.Until, call)
}

// movedTo is an appointment at another time, which leaves open what isn't said: the day, the
// time of day, how long it takes.
func movedTo(was domain.Appointment, said *when.Text, until string, call tool.SkillCall) (domain.Appointment, error) {
	a := was
	if blank(said.String()) {
		if blank(until) {
			return a, nil
		}
		var err error
		a.End, err = endOf(until, a, call)
		return a, err
	}
	day, clock := said.Parts()
	switch shift, later := shifted(said.String(), was.Start, call.Zone); {
	case later:
		a.Start, a.End = shift, shift+was.End-was.Start
		return a, nil
	case !day && clock: // on the same day
		said = said.From(max(call.Now, dayBefore(was.Start, call.Zone)))
	}
	if clock && !was.AllDay {
		said = halfOf(was.Start, said, call)
	}
	if anchor := anchorOf(was.Start, said, call); anchor != call.Now {
		said = said.From(anchor)
	}
	b, at, err := occasionOf(said, until, call)
	if err != nil {
		return a, err
	}
	if night := sameNight(was.Start, b.Start, call); clock && !day && !was.AllDay && night != b.Start {
		b.End += night - b.Start
		b.Start = night
	}
	if left := unread(at, said.String()); left != "" {
		return a, refused("when", say("appointment.unmoved", args{"at": spanOf(b, call), "left": theirOwn(left)}), call)
	}
	if b.AllDay && !was.AllDay && blank(until) { // at the same time of day
		clocked := said.AtClockOf(was.Start)
		if was.Recurrence != nil && b.Recurrence != nil {
			clocked = atClocksOf(clocked, *was.Recurrence)
		}
		if again, _, err := occasionOf(clocked, "", call); err == nil {
			b = again
		}
	}
	if days := daysOf(was, call); b.AllDay && was.AllDay && daysOf(b, call) == 1 && days > 1 && blank(until) { // as many days
		b.End = domain.MillisOf(b.Start.Time().In(call.Zone).AddDate(0, 0, days))
	}
	ends := at.From == at.At && at.To > at.At
	if !b.AllDay && !was.AllDay && !ends && blank(until) {
		b.End = b.Start + was.End - was.Start
	}
	a.Start, a.End, a.AllDay, a.Zone = b.Start, b.End, b.AllDay, b.Zone
	if b.Recurrence != nil && was.Recurrence != nil {
		b.Recurrence = when.EndingAs(b.Recurrence, *was.Recurrence)
	}
	if b.Recurrence != nil {
		a.Recurrence = b.Recurrence
	}
	return a, nil
}

// daysOf is how many days something lasts.
func daysOf(a domain.Appointment, call tool.SkillCall) int {
	const half = 12 * time.Hour // the clocks move by less
	return int((a.End.Time().In(call.Zone).Sub(a.Start.Time().In(call.Zone)) + half).Hours()) / 24
}

// later is a time that is said by how much later or earlier it is.
var later = regexp.MustCompile(`(?i)^(?:by )?(.+?) (later|earlier|forward|back)$`)

// shifted is a moment moved by as much as words say: an hour later, by 30 minutes earlier.
func shifted(said string, from domain.Millis, zone *time.Location) (domain.Millis, bool) {
	parts := later.FindStringSubmatch(strings.TrimSpace(said))
	if parts == nil {
		return 0, false
	}
	to, ok := when.Later(parts[1], from, zone)
	if strings.EqualFold(parts[2], "earlier") || strings.EqualFold(parts[2], "forward") {
		to = when.Earlier(parts[1], from, zone)
	}
	return to, ok
}

// moveOnce moves one time of an appointment that comes back: it is left out, and there is
// another appointment in its place.
func (s *skills) moveOnce(ctx context.Context, call tool.SkillCall, one planned, a domain.Appointment, what speech.Text, others []planned, through domain.Position) (tool.SkillDone, error) {
	rest, _, ok := without(one, []occasion{{one.Due, one.End}})
	if !ok {
		return ask(say("again.no_time_left", args{"what": one.its()}))
	}
	if full, err := s.full(ctx); err != nil || full {
		return noRoom(err)
	}
	a.Recurrence = nil
	set := a.Set(what.Words)
	if err := set.Check(); err != nil {
		return asksBack(err)
	}
	skipped := rest.Changed(one.ID, nil)
	left, err := entry(s, call, skipped, skipped.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	e, err := entry(s, call, set, nil)
	if err != nil {
		return tool.SkillDone{}, err
	}
	also := append(whenTold(a, call), append([]speech.Message{say("appointment.otherwise", args{"again": one.returns()})}, overlapping(a, others, call)...)...)
	return resting(one.ID, through)(alsoSaid(also...)(confirm(plannedAs("once", what, a, call), map[string]any{"appointment_id": e.Envelope.ID.UUID(), "text": what.Words, "start": a.Start, "end": a.End}, left, e)))
}

// moveSeries moves all times of an appointment that comes back.
func (s *skills) moveSeries(call tool.SkillCall, one planned, a domain.Appointment, again *domain.Recurrence, what speech.Text, others []planned, through domain.Position) (tool.SkillDone, error) {
	length := a.End - a.Start
	a.Recurrence = again
	if a.Start = when.Next(*again, call.Now, one.zone); a.Start == 0 {
		return ask(say("again.no_time_left", args{"what": one.its()}))
	}
	a.End = a.Start + length
	a.Tell = firstTold(a, call)
	changed := a.Changed(one.ID, nil)
	if err := changed.Check(); err != nil {
		return asksBack(err)
	}
	e, err := entry(s, call, changed, changed.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(alsoSaid(toldOf(a, others, call)...)(confirm(plannedAs("moved", what, a, call), one.spokenAnew(a.Start, a.End, true), e)))
}

// without is a plan that comes back without some of its times, as an appointment, and when it
// comes next; false when no time is left.
func without(one planned, times []occasion) (a domain.Appointment, next domain.Millis, ok bool) {
	again := *one.recurrence
	again.Except = append([]domain.Millis{}, again.Except...)
	for _, o := range times {
		again.Except = append(again.Except, o.start)
	}
	from := cmp.Or(one.waits, one.Due)
	if next = when.Next(again, from-1, one.zone); next == 0 {
		return a, 0, false
	}
	a = one.appointment
	a.Recurrence = &again
	if one.Kind != domain.ItemAppointment {
		return a, next, true
	}
	end, tell := when.Occurs(one.appointment, next, one.zone)
	a.Start, a.End, a.Tell = next, end, tell
	if next == from {
		a.Tell = one.Tell // it may have been told
	}
	return a, next, true
}

// skip leaves out one time of a plan that comes back, or those that lie in a period.
func (s *skills) skip(call tool.SkillCall, one planned, through domain.Position) (tool.SkillDone, error) {
	if one.recurrence == nil {
		return ask(say("skip.not_returning", args{"what": one.its()}))
	}
	times := one.timesLeftOut()
	if len(times) >= mostOccasions {
		return ask(say("skip.for_years", args{"what": one.its()}))
	}
	if _, _, ok := without(one, times); !ok {
		return ask(say("skip.nothing_after", args{"what": one.its()}))
	}
	e, next, err := s.skipping(call, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	at := func(at domain.Millis) speech.Value {
		t := speech.Time{At: at, Zone: call.Zone.String()}
		if one.Kind == domain.ItemAppointment && one.appointment.AllDay {
			t.Grain = speech.Day
		}
		return t
	}
	said := say("skip.once", args{"what": one.its(), "at": at(times[0].start)})
	if len(times) > 1 {
		said = say("skip.times", args{"n": speech.Count(len(times)), "what": one.its(), "from": at(times[0].start), "to": at(times[len(times)-1].start)})
	}
	return resting(one.ID, through)(alsoSaid(say("skip.next", args{"at": at(next)}))(confirm(said, one.spokenAnew(next, 0, true), e)))
}
