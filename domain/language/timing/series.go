package timing

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// Untimed is a change of how a plan comes back with a time of day, where none is said.
func Untimed(said *when.Text, clocked func(*when.Text) *when.Text) *when.Text {
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

// AtClocksOf is a time as it is said at the times of day at which something comes back.
func AtClocksOf(said *when.Text, r domain.Recurrence) *when.Text {
	said, _ = said.AtClocksOf(r)
	return said
}

// AnchorOf is when a time in words is said: now, or right before a time of the plan, where they say
// how it comes back and not on which day: what comes on Tuesdays comes every two weeks on a Tuesday.
func AnchorOf(was domain.Millis, said *when.Text, now domain.Millis) domain.Millis {
	rule := func(base domain.Millis) string {
		at, err := said.From(base).Parse()
		if err != nil || at.Recurrence == nil {
			return ""
		}
		return at.Recurrence.Rule
	}
	before := was - domain.Millis(time.Minute.Milliseconds())
	if before < now || rule(before) == rule(before.Add(24*time.Hour)) {
		return now
	}
	return before
}

// HourOfAll is a time of day as it is said, for all times of a plan, on the day of one of them: which
// half of the day it is in doesn't hang on what has passed today.
func HourOfAll(was domain.Millis, said *when.Text, daily bool, now domain.Millis, zone *time.Location) (domain.Millis, bool) {
	if day, clock := said.Parts(); day || !clock {
		return 0, false
	}
	const week = 7
	then := domain.MillisOf(was.Time().In(zone).AddDate(0, 0, week))
	at, err := HalfOf(then, said.From(DayBefore(then, zone)), now, zone).Parse()
	if err != nil || at.Rest(said.String()) != "" || at.Recurrence != nil {
		return 0, false
	}
	if night := SameNight(then, at.At, now, zone); night != at.At && !daily {
		return 0, false // it is on the day beside
	}
	return domain.MillisOf(at.At.Time().In(zone).AddDate(0, 0, -week)), true
}

// SeriesAt is how a plan comes back when all its times are like a new one: at its time of day, and
// on its day of the week, the month or the year; false when that can't be said. It may be counted
// from a day that has passed. The zone is the plan's.
func SeriesAt(r domain.Recurrence, was, at domain.Millis, allDay bool, now domain.Millis, zone *time.Location) (*domain.Recurrence, bool) {
	to := at.Time().In(zone)
	if !allDay && to.Format(time.DateOnly) == was.Time().In(zone).Format(time.DateOnly) {
		out, ok := when.AtHour(r, to.Hour(), to.Minute(), zone)
		return &out, ok
	}
	return when.SeriesOn(r, at, allDay, now, zone)
}

// severalDays is a range of days of the week that isn't said to come again and again.
var severalDays = regexp.MustCompile(`(?i)^(?:on |from )?(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:to|till|until|through|-|–) ` +
	`(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// OnSeveralDays reports whether words name a range of days that isn't said to come again and again.
func OnSeveralDays(said string) bool { return severalDays.MatchString(strings.TrimSpace(said)) }

// AtTwoClocks reports whether what comes on several days of the week would come on some of them alone by a time of
// day that is meant for those: the alarm of every weekday at 7 on Fridays. Who says "every" means it.
func AtTwoClocks(r domain.Recurrence, said *when.Text) bool {
	every := func(w string) bool { return slices.Contains([]string{"every", "each", "only", "daily"}, w) }
	if slices.ContainsFunc(strings.Fields(strings.ToLower(said.String())), every) {
		return false
	}
	days, named := when.DaysOf(r)
	_, clock := said.Parts()
	at, err := said.Parse()
	if !named || len(days) < 2 || !clock || err != nil || at.Recurrence == nil {
		return false
	}
	on, ok := when.DaysOf(*at.Recurrence)
	return ok && len(on) < len(days)
}

// LeaveOut is how something comes back without days of the week, from a moment on, and when it comes next; on other days
// it may come instead. The message says what to ask where that isn't clear, or can't be.
func LeaveOut(r domain.Recurrence, days, instead string, from domain.Millis, zone *time.Location) (
	rest domain.Recurrence, next domain.Millis, why speech.ID) {
	out, others := when.Weekdays(days), when.Weekdays(instead)
	its, named := when.DaysOf(r)
	kept := slices.DeleteFunc(slices.Clone(its), func(d time.Weekday) bool { return slices.Contains(out, d) })
	said := strings.TrimSpace(instead) != ""
	switch {
	case len(out) == 0:
		return r, 0, "again.not_on_which"
	case !named:
		return r, 0, "again.not_by_days"
	case len(its)-len(kept) < len(out) && said, len(kept) == len(its):
		return r, 0, "again.not_then"
	case said && len(others) == 0:
		return r, 0, "again.on_which"
	case !said && len(kept) == 0:
		return r, 0, "again.none_left"
	}
	rest, ok := when.OnDays(r, append(kept, others...), from-1, zone)
	next = when.Next(rest, from-1, zone)
	if !ok || next == 0 {
		return r, 0, "again.none_left"
	}
	return rest, next, ""
}
