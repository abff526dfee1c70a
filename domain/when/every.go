package when

import (
	"fmt"
	"slices"
	"time"

	"chalie/domain"
)

// every is a recurrence as it was said.
type every struct {
	unit     domain.RecurrenceUnit
	interval int
	weekdays []time.Weekday // of a week
	date     dateWords      // the day of a month, or the date of a year
	part     *partOfDay
}

// short reports whether it counts hours or less, so that it has no time of day.
func (e every) short() bool { return e.unit == domain.EveryHour || e.unit == domain.EveryMinute }

var recurrenceUnits = map[string]domain.RecurrenceUnit{
	"minute": domain.EveryMinute, "minutes": domain.EveryMinute, "min": domain.EveryMinute, "mins": domain.EveryMinute,
	"hour": domain.EveryHour, "hours": domain.EveryHour, "day": domain.EveryDay, "days": domain.EveryDay,
	"week": domain.EveryWeek, "weeks": domain.EveryWeek, "month": domain.EveryMonth, "months": domain.EveryMonth,
	"year": domain.EveryYear, "years": domain.EveryYear,
}

var adverbs = map[string]every{
	"hourly": {unit: domain.EveryHour, interval: 1}, "daily": {unit: domain.EveryDay, interval: 1},
	"weekly": {unit: domain.EveryWeek, interval: 1}, "fortnightly": {unit: domain.EveryWeek, interval: 2},
	"monthly": {unit: domain.EveryMonth, interval: 1}, "yearly": {unit: domain.EveryYear, interval: 1},
	"annually": {unit: domain.EveryYear, interval: 1},
}

var workdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}

var weekend = []time.Weekday{time.Saturday, time.Sunday}

// every reads "every 2 weeks", "every Monday and Thursday", "on the 1st of every
// month", "daily", "on weekdays", "on Mondays".
func (p *parser) every(i int) (*every, int) {
	if e, ok := adverbs[p.text(i)]; ok {
		return p.which(e, i+1)
	}
	if p.is(i, "every", "each") {
		if p.noCount(i + 1) {
			return nil, 0
		}
		return p.everyOne(i + 1)
	}
	at := i
	if p.is(at, "on", "at") {
		at++
	}
	if days, next := p.plurals(at); next > 0 {
		return &every{unit: domain.EveryWeek, interval: 1, weekdays: days}, next
	}
	if p.is(at, "the") {
		at++
	}
	n, ok := ordinal(p.text(at))
	if p.noCount(at) {
		return nil, 0
	}
	if ok && n >= 1 && n <= 31 && (p.is(at+1, "of") && p.is(at+2, "every", "each") && p.is(at+3, "month")) {
		return &every{unit: domain.EveryMonth, interval: 1, date: dateWords{day: n}}, at + 4
	}
	return nil, 0
}

// noCount refuses "the first Monday of the month", which would otherwise be read as
// something else.
func (p *parser) noCount(i int) bool {
	_, ok := ordinal(p.text(i))
	_, named := p.weekday(i+1, true)
	if !named || !ok && !p.is(i, "last") || !p.is(i+2, "of") {
		return false
	}
	p.refuse(fmt.Sprintf("%q of a month can't be told yet: the day of a month is a number", p.said(i, i+2)))
	return true
}

// everyOne reads what follows "every".
func (p *parser) everyOne(i int) (*every, int) {
	interval := 1
	switch n, ok := ordinal(p.text(i)); {
	case p.is(i, "other"):
		interval, i = 2, i+1
	case ok && n > 0 && p.counted(i+1):
		interval, i = n, i+1
	case ok && n >= 1 && n <= 31 && months[p.text(i+1)] == 0 && !p.is(i+1, "of"):
		return &every{unit: domain.EveryMonth, interval: 1, date: dateWords{day: n}}, i + 1
	case ok && n >= 1 && n <= 31 && p.phrase(i+1, "of", "the", "month") > 0:
		return &every{unit: domain.EveryMonth, interval: 1, date: dateWords{day: n}}, i + 4
	default:
		if hundredths, next := p.quantity(i); next > 0 && recurrenceUnits[p.text(next)] != "" && hundredths%100 == 0 && hundredths > 0 {
			interval, i = hundredths/100, next
		}
	}
	if unit := recurrenceUnits[p.text(i)]; unit != "" {
		return p.which(every{unit: unit, interval: interval}, i+1)
	}
	if days, next := p.weekdayList(i); next > 0 {
		return &every{unit: domain.EveryWeek, interval: interval, weekdays: days}, next
	}
	if part, ok := parts[p.text(i)]; ok {
		return &every{unit: domain.EveryDay, interval: interval, part: &part}, i + 1
	}
	switch {
	case p.is(i, "weekday", "workday"):
		return &every{unit: domain.EveryWeek, interval: interval, weekdays: workdays}, i + 1
	case p.is(i, "working") && p.is(i+1, "day"):
		return &every{unit: domain.EveryWeek, interval: interval, weekdays: workdays}, i + 2
	case p.is(i, "weekend"):
		return &every{unit: domain.EveryWeek, interval: interval, weekdays: weekend}, i + 1
	}
	if date, next := p.date(i); next > 0 && date.year == 0 {
		return &every{unit: domain.EveryYear, interval: interval, date: date}, next
	}
	return nil, 0
}

// counted reports whether it is something that every so many of can be meant.
func (p *parser) counted(i int) bool {
	_, named := p.weekday(i, true)
	return recurrenceUnits[p.text(i)] != "" || named
}

// which reads which days of its unit are meant: "on Monday", "on the 1st", "on 3 March".
func (p *parser) which(e every, i int) (*every, int) {
	at := i
	if p.is(at, "on") {
		at++
	}
	switch e.unit {
	case domain.EveryWeek:
		if days, next := p.weekdayList(at); next > 0 {
			e.weekdays = days
			return &e, next
		}
	case domain.EveryMonth:
		if p.is(at, "the") {
			at++
		}
		if n, ok := ordinal(p.text(at)); ok && n >= 1 && n <= 31 {
			e.date.day = n
			return &e, at + 1
		}
	case domain.EveryYear:
		if date, next := p.date(at); next > 0 && date.year == 0 {
			e.date = date
			return &e, next
		}
	}
	return &e, i
}

// weekdayList reads "Monday, Wednesday and Friday".
func (p *parser) weekdayList(i int) ([]time.Weekday, int) {
	return p.days(i, func(i int) (time.Weekday, bool) { return p.weekday(i, true) })
}

// plurals reads "Mondays and Thursdays", "weekdays", "weekends".
func (p *parser) plurals(i int) ([]time.Weekday, int) {
	switch {
	case p.is(i, "weekdays", "workdays"):
		return workdays, i + 1
	case p.is(i, "weekends"):
		return weekend, i + 1
	}
	return p.days(i, func(i int) (time.Weekday, bool) {
		for name, d := range weekdays {
			if p.text(i) == name+"s" {
				return d, true
			}
		}
		return 0, false
	})
}

func (p *parser) days(i int, read func(int) (time.Weekday, bool)) ([]time.Weekday, int) {
	var out []time.Weekday
	end := 0
	for {
		at := i
		if end > 0 && p.is(at, "and") {
			at++
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
	slices.SortFunc(out, func(a, b time.Weekday) int { return (int(a)+6)%7 - (int(b)+6)%7 })
	return out, end
}
