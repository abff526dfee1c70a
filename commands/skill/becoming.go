package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
	"chalie/domain/language/when"
)

// target is what a plan is to become.
type target struct {
	domain.Plan                  // its words are "" where they stay
	said        when.Time        // its time as it was said
	how         speech.Kind      // "" where nothing changes
	also        []speech.Message // what is said besides
}

// How a plan becomes something.
const (
	asItWas speech.Kind = "made"
	changed speech.Kind = "changed"
	moved   speech.Kind = "moved"
	once    speech.Kind = "once" // one time of it, and otherwise it stays
)

// its are the words that a plan has then.
func (to target) its(one planned) speech.Text {
	if to.Text == "" {
		return one.its()
	}
	return theirOwn(to.Text)
}

// move gives a plan another time, or what else is given of it.
func (c *changing) move(ctx context.Context, one planned) (tool.SkillDone, error) {
	to, err := c.becomes(ctx, one)
	if err != nil {
		return asksBack(err)
	}
	switch to.how {
	case once:
		return c.moveOnce(ctx, one, to)
	case asItWas:
		return tell(append([]speech.Message{c.tells(one, to)}, to.also...)...)
	case "":
		return tell(to.also...)
	}
	return c.put(one, to)
}

// becomes is what a plan is to become. A refusal asks what isn't clear.
func (c *changing) becomes(ctx context.Context, one planned) (target, error) {
	if one.Kind.Plan().Ends == domain.EndsByPerson {
		return c.dueBy(one)
	}
	if !blank(c.Except) {
		return c.leftOut(one)
	}
	switch {
	case !one.Recurs && timing.OnSeveralDays(c.When):
		return target{}, refused("when", say("again.one_day", args{"what": one.its()}), c.call)
	case one.recurrence != nil && timing.AtTwoClocks(*one.recurrence, c.at):
		return target{}, refused("when", say("again.two_clocks", args{"what": one.its(), "again": one.returns()}), c.call)
	case one.Kind.TakesPlace():
		return c.takesPlace(ctx, one)
	}
	return c.comes(one)
}

// put has a plan become what it is to.
func (c *changing) put(one planned, to target) (tool.SkillDone, error) {
	e, err := c.happens(c.call, one.Commitment, domain.PlanChanged, to.Plan)
	if err != nil {
		return asksBack(err)
	}
	anew := one.called(to.its(one).Words).dataAt(to.Time.Start, to.Time.End, to.Time.Recurrence != nil)
	return unlessChanged(one.ID, c.from.through)(confirmAll(append([]speech.Message{c.tells(one, to)}, to.also...), anew, e))
}

// moveOnce moves one time of a plan that comes back: it is left out, and there is another plan in its place. One that
// was just told comes once more.
func (c *changing) moveOnce(ctx context.Context, one planned, to target) (tool.SkillDone, error) {
	if one.recurrence == nil {
		return ask(say("again.unknown", args{"what": one.its()}))
	}
	rest, _, more := without(one, []occasion{{one.Due, one.End}})
	if !more && one.Kind.TakesPlace() {
		return ask(say("again.none_left", args{"what": one.its(), "again": one.returns()}))
	}
	if full, err := c.full(ctx); err != nil || full {
		return noRoom(err)
	}
	to.Text, to.Time.Recurrence = to.its(one).Words, nil
	_, fired := justFired([]planned{one}, c.call.Now)
	fired = fired && one.Kind.Plan().Ends == domain.EndsWhenTold && blank(c.Which, c.During)
	var entries []domain.Entry
	if more && !fired {
		left, err := c.happens(c.call, one.Commitment, domain.PlanChanged, domain.Plan{Time: rest})
		if err != nil {
			return asksBack(err)
		}
		entries = append(entries, left)
	}
	e, err := c.happens(c.call, domain.Commitment{Kind: one.Kind}, domain.PlanMade, to.Plan)
	if err != nil {
		return asksBack(err)
	}
	points := map[string]any{string(one.Kind) + "_id": e.Envelope.ID.UUID(), "text": to.Text}
	if one.Kind.TakesPlace() {
		points["start"], points["end"] = to.Time.Start, to.Time.End
	} else {
		points["due"] = to.Time.Start
	}
	says := append([]speech.Message{c.tellsOnce(one, to, fired)}, to.also...)
	return unlessChanged(one.ID, c.from.through)(confirmAll(says, points, append(entries, e)...))
}

// moveEach moves plans that a naming names by their ids, each as it is moved alone: all of them, or
// none where one can't be. More than two are asked about first.
func (c *changing) moveEach(ctx context.Context, found selection) (tool.SkillDone, error) {
	if len(idsIn(c.Which)) < 2 {
		return whichOne(speech.Kind(c.kind), found.plans)
	}
	if len(found.plans) > 2 {
		if done, asks, err := c.confirming(found); asks {
			return done, err
		}
	}
	var parts []tool.SkillDone
	for _, one := range found.plans {
		done, err := c.move(ctx, one)
		if err != nil || refuses(done) {
			return done, err
		}
		parts = append(parts, done)
	}
	return together(c.call, parts)
}

// dueBy is a plan that its person ends, with another deadline, or none.
func (c *changing) dueBy(one planned) (target, error) {
	if blank(c.When) {
		return target{how: moved}, nil
	}
	until := c.at
	if one.Due != 0 { // what isn't said of it stays
		until = timing.Kept(one.Due, until, c.call.Now, c.call.Zone)
	}
	at, err := timing.Until(until, c.call.Zone)
	return target{domain.Plan{Time: domain.Appointment{Start: at.At, Zone: c.call.Zone.String()}}, at, moved, nil}, err
}

// comes is a plan that is told at its time, at another: once, or again and again.
func (c *changing) comes(one planned) (target, error) {
	at, err := c.time(one)
	if err != nil {
		return target{}, err
	}
	zone, known := zoneFor(at, c.call)
	if !known {
		return target{}, refused("when", say("zone.unknown", args{"zone": theirOwn(at.Zone.String())}), c.call)
	}
	its := domain.Appointment{Start: at.At, Zone: zone, Recurrence: at.Recurrence}
	to := target{domain.Plan{Text: strings.TrimSpace(c.What), Time: its}, at, moved, nil}
	if one.Recurs && at.Recurrence == nil {
		to.Text, to.how = "", once
	}
	return to, nil
}

// time is the one to which a plan is moved that is told at it: once, or again and again.
func (c *changing) time(one planned) (when.Time, error) {
	now, zone := c.call.Now, c.call.Zone
	said := timing.OnDay(one.Due, one.isNamedBy(c.During), c.at, now, zone)
	if one.recurrence != nil {
		said = timing.Untimed(said, func(t *when.Text) *when.Text { return timing.AtClocksOf(t, *one.recurrence) })
	}
	all := func(at domain.Millis) (again when.Time, ok bool) {
		if again.Recurrence, ok = one.seriesAt(at, false, now); ok {
			again.At = when.Next(*again.Recurrence, now, one.zone)
		}
		return again, ok
	}
	always := c.Always && one.recurrence != nil
	if hour, ok := timing.HourOfAll(one.Due, said, one.isDaily(), now, zone); ok && always {
		if at, ok := all(hour); ok {
			return at, nil
		}
	}
	if one.Due > now { // what isn't said of its time stays
		said = timing.Kept(one.Due, said, now, zone)
	}
	at, err := said.From(timing.AnchorOf(one.Due, said, now)).Parse()
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

// isNamedBy reports whether a plan was found by a period that isn't just its date.
func (p planned) isNamedBy(during string) bool { return len(p.times) > 0 && !timing.IsDate(during) }

// seriesAt is how a plan comes back when all its times are like a new one.
func (p planned) seriesAt(at domain.Millis, allDay bool, now domain.Millis) (*domain.Recurrence, bool) {
	return timing.SeriesAt(*p.recurrence, p.Due, at, allDay, now, p.zone)
}

// leftOut is a plan that comes back without days of the week, from now on; on others it may come instead.
func (c *changing) leftOut(one planned) (target, error) {
	if one.recurrence == nil && one.Recurs {
		return target{}, refused("except", say("again.unknown", args{"what": one.its()}), c.call)
	} else if one.recurrence == nil {
		return target{}, refused("except", say("again.only_once", args{"what": one.its(), "at": one.dueAt()}), c.call)
	}
	rest, next, why := timing.LeaveOut(*one.recurrence, c.Except, c.When, cmp.Or(one.waits, one.Due), one.zone)
	what := args{"what": one.its()}
	switch why {
	case "":
	case "again.not_then":
		return target{also: []speech.Message{say(why, what, args{"again": one.returns()})}}, nil
	case "again.not_by_days", "again.none_left":
		return target{}, refused("except", say(why, what, args{"again": one.returns()}), c.call)
	default:
		return target{}, refused("except", say(why, what), c.call)
	}
	to := target{domain.Plan{Time: one.fromThen(rest, next)}, when.Time{At: next, Recurrence: &rest}, changed, nil}
	if one.Kind.TakesPlace() {
		to.also = whenTold(to.Time, c.call)
	}
	return to, nil
}

// fromThen is the time of a plan that comes back as it is said, next at a moment.
func (p planned) fromThen(again domain.Recurrence, next domain.Millis) domain.Appointment {
	if !p.Kind.TakesPlace() {
		return domain.Appointment{Start: next, Zone: p.zone.String(), Recurrence: &again}
	}
	a := p.appointment
	a.End, a.Tell = when.Occurs(a, next, p.zone)
	a.Start, a.Recurrence = next, &again
	if next == cmp.Or(p.waits, p.Due) {
		a.Tell = p.Tell // it may have been told
	}
	return a
}

// without is the time of a plan that comes back without some of its times, and when it comes next; false when no
// time is left.
func without(one planned, times []occasion) (domain.Appointment, domain.Millis, bool) {
	again := *one.recurrence
	again.Except = slices.Clone(again.Except)
	for _, o := range times {
		again.Except = append(again.Except, o.start)
	}
	next := when.Next(again, cmp.Or(one.waits, one.Due)-1, one.zone)
	if next == 0 {
		return domain.Appointment{}, 0, false
	}
	return one.fromThen(again, next), next, true
}

// skip leaves out one time of a plan that comes back, or those that lie in a period.
func (c *changing) skip(one planned) (tool.SkillDone, error) {
	if one.recurrence == nil {
		return ask(say("skip.not_returning", args{"what": one.its()}))
	}
	times := one.timesLeftOut()
	if len(times) >= mostOccasions {
		return ask(say("skip.for_years", args{"what": one.its()}))
	}
	rest, next, more := without(one, times)
	if !more {
		return ask(say("skip.nothing_after", args{"what": one.its()}))
	}
	e, err := c.happens(c.call, one.Commitment, domain.PlanChanged, domain.Plan{Time: rest})
	if err != nil {
		return asksBack(err)
	}
	at := func(at domain.Millis) speech.Value {
		t := speech.Time{At: at, Zone: c.call.Zone.String()}
		if one.appointment.AllDay {
			t.Grain = speech.Day
		}
		return t
	}
	from, to := at(times[0].start), at(times[len(times)-1].start)
	said := say("skip.done", args{"what": one.its(), "from": from})
	if n := len(times); n > 1 {
		said = say("skip.done", args{"n": speech.Count(n), "what": one.its(), "from": from, "to": to})
	}
	says := []speech.Message{said, say("skip.next", args{"at": at(next)})}
	return unlessChanged(one.ID, c.from.through)(confirmAll(says, one.dataAt(next, 0, true), e))
}

// skipEach leaves out the times of several plans, and ends those that don't come back.
func (c *changing) skipEach(found []planned) (tool.SkillDone, error) {
	if len(comingBack(found)) == 0 {
		return ask(say("skip.nothing", args{"plans": withTimes(found, maxNamed)}))
	}
	return c.endEach(found, nil)
}

// progress notes how far a plan has come.
func (c *changing) progress(one planned) (tool.SkillDone, error) {
	if c.percent == nil {
		return ask(say("ask.how_far", args{"what": one.its()}))
	}
	e, err := c.happens(c.call, one.Commitment, domain.PlanProgressed, domain.Plan{Percent: *c.percent, Note: strings.TrimSpace(c.note)})
	if err != nil {
		return asksBack(err)
	}
	come := say("task.percent", args{"what": one.its(), "percent": speech.Count(*c.percent)})
	return unlessChanged(one.ID, c.from.through)(confirm(come, one.spoken(), e))
}

// end ends plans: several only when that was confirmed.
func (c *changing) end(ctx context.Context, found selection) (tool.SkillDone, error) {
	var stays []speech.Message
	if c.kind.TakesPlace() {
		var err error
		if stays, err = c.staysOf(ctx, c.call, found.plans); err != nil {
			return tool.SkillDone{}, err
		}
		stays = append(stays, c.untold(ctx, found.plans)...)
	}
	if done, asks, err := c.sparing(found); asks {
		return done, err
	}
	if done, asks, err := c.confirming(found); asks {
		return done, err
	}
	if len(found.plans) > 1 {
		return c.endEach(found.plans, stays)
	}
	one := found.plans[0]
	e, err := c.ending(one)
	if err != nil {
		return asksBack(err)
	}
	return unlessChanged(one.ID, c.from.through)(confirmAll(append([]speech.Message{one.gone(c.verb)}, stays...), one.ended(), e))
}

// ending is how a plan ends. Of what is skipped and comes back only those times are left out.
func (c *changing) ending(one planned) (domain.Entry, error) {
	if c.verb != skipped {
		return c.happens(c.call, one.Commitment, c.verb, domain.Plan{})
	}
	if one.recurrence == nil {
		return c.happens(c.call, one.Commitment, domain.PlanDropped, domain.Plan{})
	}
	rest, _, more := without(one, one.timesLeftOut())
	if !more {
		return domain.Entry{}, refused("which", say("skip.nothing_after", args{"what": one.its()}), c.call)
	}
	return c.happens(c.call, one.Commitment, domain.PlanChanged, domain.Plan{Time: rest})
}

// endEach ends several plans, if nothing has happened to any of them since. Where only one time of what comes back is
// left out, that is told apart.
func (c *changing) endEach(found []planned, stays []speech.Message) (tool.SkillDone, error) {
	entries, data := make([]domain.Entry, len(found)), make([]map[string]any, len(found))
	var ended, left []planned
	for i, p := range found {
		var err error
		if entries[i], err = c.ending(p); err != nil {
			return asksBack(err)
		}
		data[i] = p.ended()
		if c.verb == skipped && p.recurrence != nil {
			left = append(left, p)
		} else {
			ended = append(ended, p)
		}
	}
	verb := c.verb
	if verb == skipped {
		verb = domain.PlanDropped
	}
	says := slices.Concat(c.ended(verb, ended), c.ended(skipped, left), stays)
	done, err := confirmAll(says, map[string]any{"plans": data}, entries...)
	for _, p := range found {
		done, err = unlessChanged(p.ID, c.from.through)(done, err)
	}
	return done, err
}
