package when

import (
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// every is a recurrence as it was said.
type every struct {
	freq      rrule.Frequency
	interval  int
	weekdays  []time.Weekday  // of a week
	nth       []rrule.Weekday // of a month: the first Monday
	monthdays []int           // of a month or year, from its end for negative ones
	month     time.Month      // of a year
	part      *partOfDay
	also      []clock // more times of day

	begin *days // the first ones
	until *days // the last ones
	count int   // how often
	span  *span // how long
}

// short reports whether it counts hours or less, so that it has no time of day.
func (e every) short() bool { return e.freq == rrule.HOURLY || e.freq == rrule.MINUTELY }

var frequencies = map[string]rrule.Frequency{
	"minute": rrule.MINUTELY, "minutes": rrule.MINUTELY, "min": rrule.MINUTELY, "mins": rrule.MINUTELY,
	"hour": rrule.HOURLY, "hours": rrule.HOURLY, "day": rrule.DAILY, "days": rrule.DAILY,
	"week": rrule.WEEKLY, "weeks": rrule.WEEKLY, "month": rrule.MONTHLY, "months": rrule.MONTHLY,
	"year": rrule.YEARLY, "years": rrule.YEARLY,
}

var adverbs = map[string]every{
	"hourly": {freq: rrule.HOURLY, interval: 1}, "daily": {freq: rrule.DAILY, interval: 1},
	"weekly": {freq: rrule.WEEKLY, interval: 1}, "fortnightly": {freq: rrule.WEEKLY, interval: 2},
	"monthly": {freq: rrule.MONTHLY, interval: 1}, "yearly": {freq: rrule.YEARLY, interval: 1},
	"annually": {freq: rrule.YEARLY, interval: 1},
}

var workdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}

var allDays = append(slices.Clone(workdays), weekend...)

var weekend = []time.Weekday{time.Saturday, time.Sunday}

// every reads "every 2 weeks", "every Monday and Thursday", "on the 1st of every
// month", "the first Monday of each month", "daily", "on weekdays", "on Mondays".
func (r *reader) every(i int) (*every, int) {
	e, next := r.everyKind(i)
	if next == 0 {
		return nil, 0
	}
	return r.bounded(e, next)
}

func (r *reader) everyKind(i int) (*every, int) {
	if e, ok := adverbs[r.text(i)]; ok {
		return r.which(e, i+1)
	}
	switch {
	case r.is(i, "every", "each"):
		return r.everyOne(i + 1)
	case r.is(i, "everyday"):
		return &every{freq: rrule.DAILY, interval: 1}, i + 1
	case r.is(i, "quarterly"):
		return r.which(every{freq: rrule.MONTHLY, interval: 3}, i+1)
	case r.is(i, "alternate") && r.is(i+1, "days", "weeks", "months"):
		return &every{freq: frequencies[r.text(i+1)], interval: 2}, i + 2
	}
	at := r.skip(i, "on", "at")
	if days, next := r.plurals(at); next > 0 {
		return &every{freq: rrule.WEEKLY, interval: 1, weekdays: days}, next
	}
	e, next := r.ofMonth(r.skip(at, "the"))
	if end := r.anyOf(next, "of every month", "of each month", "in every month", "every month", "each month"); next > 0 && end > 0 {
		return e, end
	}
	return nil, 0
}

// ofMonth reads a day of a month: 1st, first Monday, last day, last.
func (r *reader) ofMonth(i int) (*every, int) {
	n, next := r.nth(i)
	if next == 0 || n > 31 || n < -31 {
		return nil, 0
	}
	e := every{freq: rrule.MONTHLY, interval: 1}
	if w, end := r.weekday(next, true); end > 0 {
		if n > 5 || n < -5 {
			return nil, 0
		}
		day := []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[*w]
		e.nth = []rrule.Weekday{day.Nth(n)}
		return &e, end
	}
	next = r.skip(next, "day")
	if n < 0 && !r.is(next-1, "day") {
		return nil, 0
	}
	e.monthdays = []int{n}
	if other, end := r.ordinal(r.skip(r.skip(next, "and", "&"), "the")); end > 0 && r.is(next, "and", "&") && n > 0 && other <= 31 {
		e.monthdays, next = append(e.monthdays, other), end
	}
	return &e, next
}

// bounded reads until when, how long or how often it comes.
func (r *reader) bounded(e *every, next int) (*every, int) {
	for at := next; ; {
		switch {
		case r.is(at, "until", "till", "til", "through") || r.anyOf(at, "up to") > 0:
			last, end := r.day(r.skip(at, "up") + 1)
			if end == 0 {
				return e, next
			}
			e.until, next = last, end
		case r.is(at, "from"):
			first, end := r.day(at + 1)
			sign := r.rangeSign(end, false)
			if end == 0 || sign == 0 {
				return e, next
			}
			last, behind := r.day(sign)
			if behind == 0 {
				return e, next
			}
			if from, to := first.named.weekday, last.named.weekday; from != nil && to != nil && e.freq == rrule.DAILY && e.interval == 1 {
				e.freq = rrule.WEEKLY
				for d := *from; ; d = (d + 1) % 7 {
					e.weekdays = append(e.weekdays, d)
					if d == *to {
						break
					}
				}
				next, at = behind, behind
				continue
			}
			e.begin, e.until, next = first, last, behind
		case r.is(at, "for"):
			from := r.skip(r.skip(at+1, "the"), "next")
			if n, end := r.cardinal(from); end > 0 && r.is(end, "times") {
				e.count, next = n, end+1
			} else if s, end := r.length(from); end > 0 && s.grain >= Day {
				e.span, next = &s, end
			} else {
				return e, next
			}
		default:
			n, end := r.cardinal(at)
			if end == 0 || !r.is(end, "times") {
				return e, next
			}
			e.count, next = n, end+1
		}
		at = next
	}
}

// everyOne reads what follows "every", without the days that it isn't on.
func (r *reader) everyOne(i int) (*every, int) {
	e, next := r.everyThing(i)
	if next == 0 || e.interval != 1 || e.freq != rrule.DAILY && (e.freq != rrule.WEEKLY || len(e.weekdays) == 0) {
		return e, next
	}
	at := r.anyOf(next, "except for", "except on", "except", "but not on", "but not at", "but not", "but", "apart from", "other than", "excluding")
	if at == 0 {
		return e, next
	}
	not, end := r.plurals(r.skip(at, "on", "the"))
	if end == 0 {
		not, end = r.weekdayList(r.skip(at, "on", "the"))
	}
	if end == 0 {
		return e, next
	}
	kept := slices.DeleteFunc(slices.Clone(allDays), func(d time.Weekday) bool {
		return slices.Contains(not, d) || e.freq == rrule.WEEKLY && !slices.Contains(e.weekdays, d)
	})
	if len(kept) == 0 {
		return e, next
	}
	return &every{freq: rrule.WEEKLY, interval: 1, weekdays: kept, part: e.part}, end
}

func (r *reader) everyThing(i int) (*every, int) {
	interval := 1
	i = r.skip(i, "single")
	n, next := r.ordinal(i)
	if e, end := r.ofMonth(i); end > 0 {
		if of := r.anyOf(end, "of the month", "of a month", "of every month", "in the month", "each month"); of > 0 {
			return e, of
		}
	}
	switch {
	case r.is(i, "other", "second") && r.repeats(i+1):
		interval, i = 2, i+1
	case next > 0 && n > 0 && r.repeats(next):
		interval, i = n, next
	case next > 0 && n >= 1 && n <= 31 && r.tokens[i].isNumber() && months[r.text(next)] == 0 && !r.is(next, "of"):
		return &every{freq: rrule.MONTHLY, interval: 1, monthdays: []int{n}}, next
	default:
		hundredths, next := r.quantity(i)
		if _, known := frequencies[r.text(next)]; next > 0 && known && hundredths%100 == 0 && hundredths > 0 {
			interval, i = hundredths/100, next
		} else if next > 0 && hundredths == halfOf && r.is(next, "hour") {
			return &every{freq: rrule.MINUTELY, interval: 30}, next + 1
		}
	}
	if freq, ok := frequencies[r.text(i)]; ok {
		return r.which(every{freq: freq, interval: interval}, i+1)
	}
	if days, next := r.weekdayList(i); next > 0 {
		e := every{freq: rrule.WEEKLY, interval: interval, weekdays: days}
		for name, part := range parts {
			if r.is(next, name, name+"s") {
				e.part = &part
				return &e, next + 1
			}
		}
		return &e, next
	}
	if part, ok := parts[r.text(i)]; ok {
		return &every{freq: rrule.DAILY, interval: interval, part: &part}, i + 1
	}
	switch {
	case r.is(i, "weekday", "workday"):
		return &every{freq: rrule.WEEKLY, interval: interval, weekdays: workdays}, i + 1
	case r.anyOf(i, "working day", "week day", "business day", "work day") > 0:
		return &every{freq: rrule.WEEKLY, interval: interval, weekdays: workdays}, i + 2
	case r.weekendWord(i) > 0:
		return &every{freq: rrule.WEEKLY, interval: interval, weekdays: weekend}, r.weekendWord(i)
	}
	if d, next := r.calendarDate(i, true); next > 0 {
		return yearly(d.named.date, interval, next)
	}
	if d, next := r.holiday(i, true); next > 0 && d.of != nil {
		if p, ok := d.of(r.now.Year()); ok && sameDate(d, r.now.Year()) {
			_, month, day := p.from.split()
			return &every{freq: rrule.YEARLY, interval: interval, month: month, monthdays: []int{day}}, next
		}
	}
	return nil, 0
}

// sameDate reports whether a holiday is on one date each year.
func sameDate(d *days, year int) bool {
	var dates [4][2]int
	for n := range dates {
		p, ok := d.of(year + n)
		if !ok {
			return false
		}
		_, month, day := p.from.split()
		dates[n] = [2]int{int(month), day}
	}
	return dates[0] == dates[1] && dates[1] == dates[2] && dates[2] == dates[3]
}

func yearly(d dateWords, interval, next int) (*every, int) {
	if d.year != 0 || d.month == 0 {
		return nil, 0
	}
	return &every{freq: rrule.YEARLY, interval: interval, month: time.Month(d.month), monthdays: []int{d.day}}, next
}

// repeats reports whether it is something that every so many of can be meant.
func (r *reader) repeats(i int) bool {
	_, next := r.weekday(i, true)
	_, known := frequencies[r.text(i)]
	if next > 0 && r.is(next, "of", "in") {
		return false
	}
	return known || next > 0
}

// which reads which days of its unit are meant: "on Monday", "on the 1st", "on the last
// Friday", "on 3 March".
func (r *reader) which(e every, i int) (*every, int) {
	at := r.skip(i, "on")
	switch e.freq {
	case rrule.WEEKLY:
		if days, next := r.weekdayList(at); next > 0 {
			e.weekdays = days
			return &e, next
		}
	case rrule.MONTHLY:
		if day, next := r.ofMonth(r.skip(at, "the")); next > 0 {
			day.interval = e.interval
			return day, next
		}
	case rrule.YEARLY:
		if d, next := r.calendarDate(at, true); next > 0 {
			if out, end := yearly(d.named.date, e.interval, next); end > 0 {
				return out, end
			}
		}
		if day, next := r.ofMonth(r.skip(at, "the")); next > 0 && r.is(next, "of", "in") && months[r.text(next+1)] != 0 {
			day.freq, day.interval, day.month = rrule.YEARLY, e.interval, months[r.text(next+1)]
			return day, next + 2
		}
	}
	return &e, i
}

// rule is the recurrence as RFC 5545 has it, at times of day; without any for what counts
// hours or less.
func (e every) rule(hours []int, minute int) rrule.ROption {
	out := rrule.ROption{Freq: e.freq, Byweekday: slices.Clone(e.nth)}
	if e.interval > 1 {
		out.Interval = e.interval
	}
	for _, d := range e.weekdays {
		out.Byweekday = append(out.Byweekday, []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[d])
	}
	if e.month != 0 {
		out.Bymonth = []int{int(e.month)}
	}
	out.Bymonthday = slices.Clone(e.monthdays)
	if len(e.monthdays) == 1 && e.monthdays[0] > 28 { // the last day of a month that is shorter
		out.Bymonthday, out.Bysetpos = nil, []int{-1}
		for d := 28; d <= e.monthdays[0]; d++ {
			out.Bymonthday = append(out.Bymonthday, d)
		}
	}
	if !e.short() {
		out.Byhour, out.Byminute = hours, []int{minute}
	}
	out.Count = e.count
	return out
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
	case r.is(i, "weekdays", "workdays"):
		return workdays, i + 1
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
			at = r.skip(r.skip(r.skip(at, ","), "and", "&"), "every", "each", "on")
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
