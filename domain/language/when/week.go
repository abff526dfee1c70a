package when

import (
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// pluralDays reads "on Mondays and Thursdays", "Sunday evenings", "in the mornings".
func (r *reader) pluralDays(i int) (*every, int) {
	at := r.skip(i, "on", "at")
	if r.is(at, "the") && r.is(at+1, "weekend", "weekday") {
		at++
	}
	days, next := r.plurals(at)
	if next == 0 {
		days, next = r.weekdayList(at)
		if next == 0 || !r.isPlural(next) {
			days, next = nil, at
		}
	}
	part, behind := r.pluralPart(next)
	switch {
	case len(days) == 0 && behind == 0:
		return nil, 0
	case len(days) == 0:
		return &every{freq: rrule.DAILY, interval: 1, part: part}, behind
	}
	e := onDays(days)
	e.part = part
	return &e, max(next, behind)
}

// pluralPart reads "mornings", behind a day or an introduction.
func (r *reader) pluralPart(i int) (*partOfDay, int) {
	at := max(i, r.seq(i, "in the"))
	part, ok := parts[strings.TrimSuffix(r.text(at), "s")]
	behindDay := weekdays[strings.TrimSuffix(r.text(i-1), "s")] != nil || r.is(i-1, "weekday", "weekdays", "weekend", "weekends")
	switch {
	case !ok || !r.isPlural(at):
		return nil, 0
	case at > i || behindDay || (r.leads(i) || r.is(i-1, "on")) && !r.countsSomething(at+1):
		return &part, at + 1
	}
	return nil, 0
}

// weekdayRange reads "Monday to Friday", "Mon-Fri".
func (r *reader) weekdayRange(i int) (*every, int) {
	if r.apart || r.past {
		return nil, 0
	}
	at := r.skip(r.skip(i, "from", "on"), "from")
	if r.is(at, "m") && r.tokens[at].upper && r.is(at+1, "-", "–") && r.is(at+2, "f") && r.joined(at+1) && r.joined(at+2) {
		e := onDays(workdays)
		e.ranged = true
		return &e, at + 3
	}
	from, next := r.rangedDay(at)
	sign := r.rangeSign(next, false)
	if next == 0 || sign == 0 {
		return nil, 0
	}
	to, end := r.rangedDay(sign)
	if end == 0 || *from == *to || r.is(at-1, "from") && r.moves(*from, *to) {
		return nil, 0
	}
	e := onDays(daysFrom(*from, *to))
	e.ranged = !r.isPlural(at)
	e.part, next = r.pluralPart(end)
	return &e, max(end, next)
}

// moves reports whether a sentence moves something from one day to another, or may.
func (r *reader) moves(from, to time.Weekday) bool {
	return (from+1)%7 == to || (to+1)%7 == from && from != time.Monday || slices.ContainsFunc(r.tokens, func(w token) bool {
		return slices.Contains([]string{"move", "moved", "reschedule", "shift", "postpone", "push", "change", "switch", "delay"}, w.text)
	})
}

// rangedDay reads one end of a range of weekdays: Mon, Mondays.
func (r *reader) rangedDay(i int) (*time.Weekday, int) {
	if name, ok := strings.CutSuffix(r.text(i), "s"); ok && weekdays[name] != nil {
		return weekdays[name], i + 1
	}
	return r.weekday(i, true)
}

func daysFrom(from, to time.Weekday) []time.Weekday {
	var out []time.Weekday
	for d := from; ; d = (d + 1) % 7 {
		out = append(out, d)
		if d == to {
			return byWeek(out)
		}
	}
}

// byWeek sorts days as a week has them, from Monday on.
func byWeek(days []time.Weekday) []time.Weekday {
	slices.SortFunc(days, func(a, b time.Weekday) int { return (int(a)+6)%7 - (int(b)+6)%7 })
	return days
}

// onRange makes what comes daily come on the days from one of the week to another.
func (e *every) onRange(first, last *days) bool {
	from, to := first.named.weekday, last.named.weekday
	if from == nil || to == nil || e.freq != rrule.DAILY || e.interval != 1 {
		return false
	}
	e.freq, e.weekdays = rrule.WEEKLY, daysFrom(*from, *to)
	return true
}

// weekdayList reads "Monday, Wednesday and Friday".
func (r *reader) weekdayList(i int) ([]time.Weekday, int) {
	return r.listOfDays(i, func(i int) (time.Weekday, bool) {
		d, next := r.weekday(i, true)
		if next == 0 {
			return 0, false
		}
		return *d, true
	})
}

// plurals reads "Mondays and Thursdays", "weekdays", "weekends".
func (r *reader) plurals(i int) ([]time.Weekday, int) {
	switch {
	case r.is(i, "weekdays", "workdays", "schooldays"):
		return workdays, i + 1
	case r.anyOf(i, "week days", "work days", "working days", "business days", "school days") > 0:
		return workdays, i + 2
	case r.is(i, "weekday", "weekend") && r.isPlural(i+1):
		return map[string][]time.Weekday{"weekday": workdays, "weekend": weekend}[r.text(i)], i + 1
	case r.is(i, "weekends"):
		return weekend, i + 1
	}
	return r.listOfDays(i, func(i int) (time.Weekday, bool) {
		if name, ok := strings.CutSuffix(r.text(i), "s"); ok && weekdays[name] != nil {
			return *weekdays[name], true
		}
		return 0, false
	})
}

func (r *reader) listOfDays(i int, read func(int) (time.Weekday, bool)) ([]time.Weekday, int) {
	var out []time.Weekday
	end := 0
	for {
		at := i
		if end > 0 {
			at = r.skip(r.skip(r.skip(at, ",", "/"), "and", "&"), "every", "each", "on")
		}
		d, ok := read(at)
		if !ok {
			break
		}
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
		i, end = at+1, at+1
	}
	return byWeek(out), end
}
