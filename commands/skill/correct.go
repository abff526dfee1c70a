package skill

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// exceptHelp describes the parameter by which days are left out of a plan that comes back.
const exceptHelp = `For move: days of the week on which one that comes back isn't to come any more, such as: "Wednesdays", "weekends".`

// leaveOut leaves days of the week out of a plan that comes back, from now on; on others it may come
// instead.
func (s *skills) leaveOut(call tool.SkillCall, one planned, said, instead string, through domain.Position) (tool.SkillDone, error) {
	if one.recurrence == nil && one.Recurs {
		return ask(say("again.unknown", args{"what": one.its()}))
	} else if one.recurrence == nil {
		return ask(say("again.only_once", args{"what": one.its(), "at": one.dueAt()}))
	}
	out := when.Weekdays(said)
	if len(out) == 0 {
		return ask(say("again.not_on_which", args{"what": one.its()}))
	}
	days, named := when.DaysOf(*one.recurrence)
	kept := slices.DeleteFunc(slices.Clone(days), func(d time.Weekday) bool { return slices.Contains(out, d) })
	switch {
	case !named:
		return ask(say("again.not_by_days", args{"what": one.its(), "again": one.returns()}))
	case len(days)-len(kept) < len(out) && !blank(instead), len(kept) == len(days):
		return tell(say("again.not_then", args{"what": one.its(), "again": one.returns()}))
	case !blank(instead):
		added := when.Weekdays(instead)
		if len(added) == 0 {
			return ask(say("again.on_which", args{"what": one.its()}))
		}
		kept = append(kept, added...)
	case len(kept) == 0:
		return ask(say("again.nothing_left", args{"what": one.its(), "again": one.returns()}))
	}
	from := cmp.Or(one.waits, one.Due)
	again, ok := when.OnDays(*one.recurrence, kept, from-1, one.zone)
	next := when.Next(again, from-1, one.zone)
	if !ok || next == 0 {
		return ask(say("again.no_time_left", args{"what": one.its()}))
	}
	if one.Kind == domain.ItemReminder {
		changed := domain.ReminderChanged{ReminderID: one.ID, Due: next, Zone: one.zone.String(), Recurrence: &again}
		e, err := entry(s, call, changed, changed.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		return resting(one.ID, through)(confirm(willRemind(when.Time{At: next, Recurrence: &again}, one.its(), call), one.spokenAnew(next, 0, true), e))
	}
	a := one.appointment
	end, tell := when.Occurs(a, next, one.zone)
	if next == from {
		tell = one.Tell // it may have been told
	}
	a.Start, a.End, a.Tell, a.Recurrence = next, end, tell, &again
	changed := a.Changed(one.ID, nil)
	e, err := entry(s, call, changed, changed.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	return resting(one.ID, through)(alsoSaid(whenTold(a, call)...)(confirm(plannedAs("changed", one.its(), a, call), one.spokenAnew(next, end, true), e)))
}

// Beginnings of a time that is a day of the week, or of the month.
var (
	weekday  = regexp.MustCompile(`(?i)^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)
	monthday = regexp.MustCompile(`(?i)^(?:on )?the \d{1,2}(?:st|nd|rd|th)\b`)
)

// toldDate is a period that is a date, as plans are told.
var toldDate = regexp.MustCompile(`\d (?:January|February|March|April|May|June|July|August|September|October|November|December)\b`)

// dayOfMove is a time as it is said, on the day that is meant. The Wednesday that choir next Monday is moved
// to is in the week of that Monday, where it was named by its period; and the 6th that something in
// April is moved to is in April.
func dayOfMove(one planned, n naming, to string, call tool.SkillCall) *when.Text {
	said := when.Look(to, call.Now, call.Zone)
	named := len(one.times) > 0 && !toldDate.MatchString(n.During)
	begins, day := midnight(one.Due, call.Zone), weekday.FindString(to)
	if today := strings.ToLower(call.Now.Time().In(call.Zone).Weekday().String()); day != "" && strings.Contains(strings.ToLower(day), today) && !strings.Contains(strings.ToLower(day), "this") {
		const week = 7 // on a Monday, to Monday is to the next one: today is called so
		return said.OnDay(domain.MillisOf(midnight(call.Now, call.Zone).AddDate(0, 0, week)))
	}
	if day != "" && !named {
		return said
	} else if day != "" {
		begins = begins.AddDate(0, 0, -(int(begins.Weekday())+6)%7)
	} else if day = monthday.FindString(to); day != "" {
		begins = begins.AddDate(0, 0, 1-begins.Day())
	}
	base := domain.MillisOf(begins) - 1
	if day == "" || base < call.Now {
		return said
	}
	if at, err := when.Parse(day, base, call.Zone); err == nil && at.Recurrence == nil {
		return said.OnDay(at.At)
	}
	return said
}

// sameHour is a change of how a plan comes back with the time of day that it had, where none is
// said.
func sameHour(was domain.Millis, said *when.Text) *when.Text {
	return untimed(said, func(t *when.Text) *when.Text { return t.AtClockOf(was) })
}

// untimed is that with a time of day.
func untimed(said *when.Text, clocked func(*when.Text) *when.Text) *when.Text {
	at, err := said.Parse()
	if _, clock := said.Parts(); clock || err != nil || at.Recurrence == nil {
		return said
	}
	timed := clocked(said)
	if kept, err := timed.Parse(); err == nil && kept.Recurrence != nil {
		return timed
	}
	return said
}

// atClocksOf is a time as it is said at the times of day at which something comes back.
func atClocksOf(said *when.Text, r domain.Recurrence) *when.Text {
	said, _ = said.AtClocksOf(r)
	return said
}

// sameNight is a moment on the day of another, or on the day beside it where both are in one night:
// half past midnight, for what was at eleven in the evening, comes after it.
func sameNight(was, at domain.Millis, call tool.SkillCall) domain.Millis {
	const evening, small = 20, 5
	then, local := was.Time().In(call.Zone), at.Time().In(call.Zone)
	if then.Format(time.DateOnly) != local.Format(time.DateOnly) {
		return at
	}
	switch {
	case then.Hour() >= evening && local.Hour() < small:
		return domain.MillisOf(local.AddDate(0, 0, 1))
	case then.Hour() < small && local.Hour() >= evening && domain.MillisOf(local.AddDate(0, 0, -1)) > call.Now:
		return domain.MillisOf(local.AddDate(0, 0, -1))
	}
	return at
}

// anchorOf is when a time in words is said: now, or right before a time of the plan, where they say
// how it comes back and not on which day: what comes on Tuesdays comes every two weeks on a Tuesday.
func anchorOf(was domain.Millis, said *when.Text, call tool.SkillCall) domain.Millis {
	rule := func(base domain.Millis) string {
		at, err := said.From(base).Parse()
		if err != nil || at.Recurrence == nil {
			return ""
		}
		return at.Recurrence.Rule
	}
	before := was - domain.Millis(time.Minute.Milliseconds())
	if before < call.Now || rule(before) == rule(before.Add(24*time.Hour)) {
		return call.Now
	}
	return before
}

// hourOfAll is a time of day as it is said, for all times of a plan, on the day of one of them: which
// half of the day it is in doesn't hang on what has passed today.
func hourOfAll(was domain.Millis, said *when.Text, daily bool, call tool.SkillCall) (domain.Millis, bool) {
	if day, clock := said.Parts(); day || !clock {
		return 0, false
	}
	const week = 7
	then := was.Time().In(call.Zone).AddDate(0, 0, week)
	base := dayBefore(domain.MillisOf(then), call.Zone)
	at, err := halfOf(domain.MillisOf(then), said.From(base), call).Parse()
	if err != nil || at.Rest(said.String()) != "" || at.Recurrence != nil {
		return 0, false
	}
	if night := sameNight(domain.MillisOf(then), at.At, call); night != at.At && !daily {
		return 0, false // it is on the day beside
	}
	return domain.MillisOf(at.At.Time().In(call.Zone).AddDate(0, 0, -week)), true
}

// resting makes the period of plans that are to rest for a while of what was said; a question asks
// for it. To skip for a week is as much as pausing.
func (n *naming) resting(action string, call tool.SkillCall) (question speech.Message) {
	length, ok := cutAny(strings.TrimSpace(n.During), "for ")
	if _, lasts := when.Later(length, call.Now, call.Zone); action == "skip" && (!ok || !lasts) {
		return question
	}
	n.During, question = paused(n.During, call)
	return question
}

// paused is the period in which a plan is to rest, for leaving out its times then; question asks
// for it.
func paused(during string, call tool.SkillCall) (period string, question speech.Message) {
	during = strings.TrimSpace(during)
	if during == "" {
		return "", say("rest.how_long")
	}
	until := func(at domain.Millis) (string, speech.Message) {
		if day := at.Time().In(call.Zone); at.Sub(call.Now) >= 24*time.Hour {
			return day.Format("until 2 January 2006"), question
		}
		return "", say("rest.whole_days")
	}
	if length, ok := cutAny(during, "for the next ", "the next ", "for "); ok || strings.ContainsAny(length, " ") {
		if to, ok := when.Later(length, call.Now, call.Zone); ok {
			return until(to)
		}
	}
	if day, ok := cutAny(during, "until ", "till "); ok {
		if at, err := when.Parse(day, call.Now, call.Zone); err == nil && at.Recurrence == nil && at.Rest(day) == "" {
			if today := midnight(call.Now, call.Zone); strings.EqualFold(day, today.Weekday().String()) {
				at.At = domain.MillisOf(today.AddDate(0, 0, 7)) // on a Monday until the next
			}
			return until(domain.MillisOf(midnight(at.At, call.Zone).AddDate(0, 0, 1)) - 1)
		}
	}
	length, _ := cutAny(during, "for ")
	return length, question
}

// severalDays is a range of days of the week that isn't said to come again and again.
var severalDays = regexp.MustCompile(`(?i)^(?:on |from )?(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:to|till|until|through|-|–) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// notOnDays asks for one day where a plan that doesn't come back is to be moved to several, and where what
// comes on several days of the week would come on some of them alone by a time of day that is meant for
// those: the alarm of every weekday at 7 on Fridays. Who says "every" means it.
func notOnDays(one planned, said string, call tool.SkillCall) (question speech.Message) {
	if !one.Recurs && severalDays.MatchString(strings.TrimSpace(said)) {
		return say("again.one_day", args{"what": one.its()})
	}
	if one.recurrence == nil || containsAny(strings.Fields(strings.ToLower(said)), []string{"every", "each", "only", "daily"}) {
		return question
	}
	days, named := when.DaysOf(*one.recurrence)
	_, clock := when.Parts(said, call.Now, call.Zone)
	at, err := when.Parse(said, call.Now, call.Zone)
	if !named || len(days) < 2 || !clock || err != nil || at.Recurrence == nil {
		return question
	}
	if on, ok := when.DaysOf(*at.Recurrence); !ok || len(on) >= len(days) {
		return question
	}
	return say("again.two_clocks", args{"what": one.its(), "again": one.returns()})
}

// cutAny is a text without the first of some beginnings that it has.
func cutAny(text string, beginnings ...string) (string, bool) {
	for _, b := range beginnings {
		if len(text) > len(b) && strings.EqualFold(text[:len(b)], b) {
			return text[len(b):], true
		}
	}
	return text, false
}

// chooseFor finds the plans to which something is to happen.
func chooseFor(action string, n naming, noun string, all []planned, call tool.SkillCall) selection {
	if action == "skip" {
		return chooseSkipped(n, noun, all, call)
	}
	return choose(n, noun, all, call)
}

// comingBack are the plans that come back, which alone can be skipped.
func comingBack(all []planned) []planned {
	return slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return p.recurrence == nil })
}

// chooseSkipped finds the plans of which a time is to be left out: among those that come back, and
// where none is meant, among the others, of which it can be said that they don't. With all those
// are meant, too.
func chooseSkipped(n naming, noun string, all []planned, call tool.SkillCall) selection {
	first, _, several := strings.Cut(strings.TrimSpace(n.Which), " and ")
	if _, err := domain.ParseID(first); n.All || several && err == nil {
		return choose(n, noun, all, call)
	}
	again := comingBack(all)
	found := choose(n, noun, again, call)
	if !found.absent {
		return found
	}
	named := strings.TrimSpace(n.Which)
	found.none, found.question = speech.Message{}, say("skip.nothing_then")
	if named != "" {
		found.question = say("skip.nothing_like", args{"which": theirOwn(named)})
	}
	anytime := n
	anytime.During = ""
	if of := choose(anytime, noun, again, call); !blank(n.During) && len(of.plans) == 1 {
		one := of.plans[0]
		found.question = say("plan.no_time_then", args{"what": one.its(), "period": periodSaid(n.During, call), "again": one.returns()})
	} else if of := choose(n, noun, all, call); len(of.plans) == 1 {
		of.absent = true
		return of
	}
	return found
}
