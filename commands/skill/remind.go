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
	if blank(said) {
		said = strings.TrimSpace(p.Text)
		if said == "" {
			said, what = what, ""
		}
	} else if what = asAsked(what); what == "" {
		what = asAsked(p.Text)
	}
	if said == "" {
		return ask(say("reminder.what_and_when"))
	}
	at, err := when.Parse(said, call.Now, call.Zone)
	if read := err == nil && unread(at, said) == ""; !read || at.Recurrence == nil {
		by, anchorErr := s.anchored(ctx, call, said)
		_, asked := speech.RefusalOf(anchorErr)
		switch {
		case asked && !read, anchorErr != nil && !asked:
			return asksBack(anchorErr)
		case by == nil, read && !by.sure: // the words say it themselves
		case besideEvery(said):
			return ask(say("reminder.not_by_every"))
		default:
			at, err = when.Known(by.due, call.Now, call.Zone).Parse()
			return s.setAt(ctx, call, at, err, "", by.about(what), p.Again)
		}
	}
	return s.setAt(ctx, call, at, err, said, what, p.Again)
}

// about is what to be reminded of by the plan that says when.
func (by *anchor) about(what string) string {
	switch {
	case what == "":
		what = cmp.Or(by.what, by.of)
	case by.what != "":
		what = by.what + ": " + what
	}
	return asAsked(what)
}

// setAt sets a reminder for a time, as it was read from what was said.
func (s *skills) setAt(ctx context.Context, call tool.SkillCall, at when.Time, wrong error, said, what string, again bool) (tool.SkillDone, error) {
	if wrong != nil {
		return asksBack(wrong)
	}
	if what == "" {
		what = asAsked(at.Rest(said))
	}
	if left := unread(at, said); left != "" {
		question, when := doubt(at, left, what, call)
		return ask(question, tool.Answer{Says: timesOf(at, call), With: map[string]any{"what": what, "when": when, "text": nil}}, no())
	}
	if what == "" {
		return ask(say("reminder.about_what", args{"at": moment(at.At, call)}))
	}
	zone, known := zoneFor(at, call)
	if !known {
		return ask(say("zone.unknown_again", args{"zone": theirOwn(at.Zone.String())}))
	}
	set := domain.Plan{Text: what, Time: domain.Appointment{Start: at.At, Zone: zone, Recurrence: at.Recurrence}}
	return s.begin(ctx, call, domain.ItemReminder, set, again, willRemind(at, theirOwn(what), call), map[string]any{"due": at.At, "recurs": at.Recurrence != nil})
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
func doubt(at when.Time, left, what string, call tool.SkillCall) (question speech.Message, again string) {
	asks := args{"times": timesOf(at, call), "left": theirOwn(left), "what": theirOwn(strings.Trim(what, `"“”`))}
	if at.Recurrence == nil {
		asks["at"] = moment(at.At, call)
		return say("reminder.unread", asks), when.Say(at.At, call.Now, call.Zone)
	}
	again = when.SayAgain(*at.Recurrence)
	asks["again"] = speech.Again{Rule: at.Recurrence.Rule}
	if at.Zone != nil {
		again += " in the zone " + at.Zone.String()
		asks["zone"] = theirOwn(at.Zone.String())
	}
	return say("reminder.unread", asks), again
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

// orAnyway asks about a plan that there is already.
func orAnyway(question speech.Message, kind domain.ItemKind, err error) (tool.SkillDone, error) {
	if err != nil {
		return tool.SkillDone{}, err
	}
	label := speech.ID("label.add_anyway")
	if kind == domain.ItemReminder {
		label = "label.set_anyway"
	}
	return ask(question, tool.Answer{Says: say(label), With: map[string]any{"again": true}}, no())
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
	moving

	Action string
}

// reminderActions are the words by which the skill is asked for what happens to reminders.
var reminderActions = map[string]domain.PlanVerb{
	"done": domain.PlanDone, "cancel": domain.PlanDropped, "move": domain.PlanChanged, "snooze": domain.PlanChanged, "skip": skipped, "pause": skipped,
}

func (s *skills) changeReminder(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[changeParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	verb, known := reminderActions[action]
	if !known {
		return ask(say("reminder.no_such_action", args{"action": theirOwn(p.Action)}))
	}
	if verb == skipped {
		if question := p.resting(action, call); !question.IsZero() {
			return ask(question)
		}
	}
	return s.changePlans(ctx, call, request{naming: p.naming, moving: p.moving, kind: domain.ItemReminder, verb: verb, snoozes: action == "snooze"})
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

// time is the one to which a plan is moved that is told at it: once, or again and again.
func (r request) time(one planned, call tool.SkillCall) (when.Time, error) {
	said := dayOfMove(one, r.naming, r.When, call)
	if one.recurrence != nil {
		said = untimed(said, func(t *when.Text) *when.Text { return atClocksOf(t, *one.recurrence) })
	}
	all := func(at domain.Millis) (when.Time, bool) {
		again, ok := seriesAt(one, at, false, call)
		if !ok {
			return when.Time{}, false
		}
		return when.Time{At: when.Next(*again, call.Now, one.zone), Recurrence: again}, true
	}
	always := r.Always && one.recurrence != nil
	if hour, ok := hourOfAll(one.Due, said, one.isDaily(), call); ok && always {
		if at, ok := all(hour); ok {
			return at, nil
		}
	}
	if one.Due > call.Now { // what isn't said of its time stays
		said = keptOf(one.Due, said, call)
	}
	at, err := said.From(anchorOf(one.Due, said, call)).Parse()
	switch {
	case err != nil:
		return at, err
	case at.Recurrence != nil && one.recurrence != nil:
		at.Recurrence = when.EndingAs(at.Recurrence, *one.recurrence)
	case always && at.Recurrence == nil:
		if all, ok := all(at.At); ok {
			at.At, at.Recurrence = all.At, all.Recurrence
		}
	}
	return at, nil
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

// once moves one time of a reminder that comes back: it is left out, and there is another reminder
// in its place. By itself a time says nothing of when it comes back, which stays as it is. One that
// was just told comes once more.
func (s *skills) once(ctx context.Context, call tool.SkillCall, one planned, at when.Time, through domain.Position, n naming) (tool.SkillDone, error) {
	if one.recurrence == nil {
		return ask(say("again.unknown", args{"what": one.its()}))
	}
	if full, err := s.full(ctx); err != nil || full {
		return noRoom(err)
	}
	e, err := s.happens(call, domain.Commitment{Kind: one.Kind}, domain.PlanMade, domain.Plan{Text: one.text, Time: domain.Appointment{Start: at.At, Zone: call.Zone.String()}})
	if err != nil {
		return asksBack(err)
	}
	entries := []domain.Entry{e}
	stays := args{"times": timesOf(at, call), "what": one.its(), "again": one.returns()}
	if _, told := justFired([]planned{one}, call.Now); told && blank(n.Which, n.During) {
		return resting(one.ID, through)(confirm(say("reminder.once_more", stays), map[string]any{"reminder_id": e.Envelope.ID.UUID(), "due": at.At, "text": one.text}, e))
	}
	one.times = one.times[:min(1, len(one.times))]
	if _, _, ok := without(one, one.timesLeftOut()); ok {
		left, _, err := s.skipping(call, one)
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries = []domain.Entry{left, e}
	}
	return resting(one.ID, through)(confirm(say("reminder.this_once", stays), map[string]any{"reminder_id": e.Envelope.ID.UUID(), "due": at.At, "text": one.text}, entries...))
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
