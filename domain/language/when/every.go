package when

import (
	"slices"
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
	months    []time.Month    // of a year
	part      *partOfDay
	mark      *int // the minute of each hour

	begin  *days  // the first ones
	until  *days  // the last ones
	before *clock // the last of the day, of what counts hours
	lasts  lasting

	times   int  // so many in its unit: twice a day
	ranged  bool // Monday to Friday, which needs a time of day
	forNext bool // "for the next ten days", which needs one, too, or to be said first
	quarter bool // a quarter, which may be one of an hour
}

func daily() every { return every{freq: rrule.DAILY, interval: 1} }

func onDays(days []time.Weekday) every {
	return every{freq: rrule.WEEKLY, interval: 1, weekdays: days}
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
	"weekly": {freq: rrule.WEEKLY, interval: 1}, "fortnightly": {freq: rrule.WEEKLY, interval: 2}, "biweekly": {freq: rrule.WEEKLY, interval: 2},
	"monthly": {freq: rrule.MONTHLY, interval: 1}, "yearly": {freq: rrule.YEARLY, interval: 1},
	"annually": {freq: rrule.YEARLY, interval: 1},
}

var workdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}

var allDays = append(slices.Clone(workdays), weekend...)

var weekend = []time.Weekday{time.Saturday, time.Sunday}

// every reads "every 2 weeks", "every Monday and Thursday", "on the 1st of every
// month", "the first Monday of each month", "daily", "on weekdays", "on Mondays".
func (r *reader) every(i int) (*every, int) {
	at := r.skip(i, "recurring", "repeating")
	if r.beforeNoun(i) > 0 {
		at = i
	}
	e, next := r.everyKind(at)
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
		return r.everyThing(i + 1)
	case r.is(i, "everyday"):
		e := daily()
		return &e, i + 1
	case r.is(i, "nightly"):
		part := parts["night"]
		return &every{freq: rrule.DAILY, interval: 1, part: &part}, i + 1
	case r.is(i, "quarterly"):
		return r.which(every{freq: rrule.MONTHLY, interval: 3}, i+1)
	case r.seq(i, "bi - weekly") > 0:
		return r.which(adverbs["biweekly"], i+3)
	case r.beforeNoun(i) > 0:
		return r.namedOften(i)
	case r.is(i, "alternate") && r.is(i+1, "days", "weeks", "months"):
		return &every{freq: frequencies[r.text(i+1)], interval: 2}, i + 2
	}
	for _, read := range []func(int) (*every, int){r.often, r.onMark, r.onEdge, r.forNext, r.weekdayRange, r.pluralDays, r.ofMonths} {
		if e, next := read(i); next > 0 {
			return e, next
		}
	}
	return nil, 0
}

// beforeNoun is the token behind a word for how often something comes, as it stands before a noun,
// where a time of day is all that follows: weekday at 7, recurring at 10 pm. 0 when it isn't there.
func (r *reader) beforeNoun(i int) int {
	if i > 0 && !r.is(i-1, "alarm", "timer", "up") || !r.is(i, "weekday", "weekend", "recurring", "repeating") {
		return 0
	}
	if _, next := r.clock(i+1, false); next != len(r.tokens) {
		return 0
	}
	return i + 1
}

func (r *reader) namedOften(i int) (*every, int) {
	e := daily()
	switch {
	case r.is(i, "weekday"):
		e = onDays(workdays)
	case r.is(i, "weekend"):
		e = onDays(weekend)
	}
	return &e, i + 1
}

// ofMonths reads "the 1st of every month", "the 2nd and 4th Tuesday", "the third Friday of
// March and June".
func (r *reader) ofMonths(i int) (*every, int) {
	e, next := r.ofMonth(r.skip(r.skip(i, "on", "at"), "the"))
	if next == 0 {
		return nil, 0
	}
	if end := r.anyOf(next, "of every month", "of each month", "in every month", "every month", "each month"); end > 0 {
		return e, end
	}
	if all, end := r.monthList(next); len(all) > 1 {
		e.freq, e.months = rrule.YEARLY, all
		return e, end
	}
	switch end := r.anyOf(next, "of the month", "in the month", "of a month"); {
	case len(e.nth) < 2, end == 0 && r.is(next, "of", "in"):
		return nil, 0
	default:
		return e, max(next, end)
	}
}

// monthList reads "of March, June and September".
func (r *reader) monthList(i int) ([]time.Month, int) {
	if !r.is(i, "of", "in") {
		return nil, 0
	}
	var out []time.Month
	for at := i + 1; ; at = r.skip(r.skip(i, ","), "and", "&") {
		m := months[r.text(at)]
		if m == 0 || len(out) > 0 && at == i {
			slices.Sort(out)
			return out, i
		}
		out, i = append(out, m), r.dot(at+1)
	}
}

// ofMonth reads a day of a month: 1st, first Monday, 2nd and 4th Tuesday, last day.
func (r *reader) ofMonth(i int) (*every, int) {
	n, next := r.nth(i)
	if next == 0 || n > 31 || n < -31 {
		return nil, 0
	}
	e := every{freq: rrule.MONTHLY, interval: 1}
	other, behind := r.nth(r.skip(r.skip(next, "and", "&"), "the"))
	if !r.is(next, "and", "&") {
		other, behind = 0, 0
	}
	if w, end := r.weekday(max(next, behind), true); end > 0 {
		day := []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[*w]
		for _, n := range []int{n, other} {
			switch {
			case n > 5 || n < -5:
				return nil, 0
			case n != 0:
				e.nth = append(e.nth, day.Nth(n))
			}
		}
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
	for at := next; ; at = next {
		switch {
		case r.is(at, "until", "till", "til", "through") || r.anyOf(at, "up to") > 0:
			from := r.skip(at, "up") + 1
			last, end := r.day(from)
			if c, behind := r.face(from, true, false); e.short() && behind > end {
				e.before, next = &c, behind
				continue
			}
			if end == 0 {
				return e, next
			}
			e.until, next = last, end
		case r.is(at, "from"):
			b, end := r.bound(at)
			switch {
			case end == 0 || b.until == nil && !r.is(end-1, "on", "onwards", "onward", "forward"):
				return e, next
			case b.until != nil && e.onRange(b.begin, b.until):
				next = end
			default:
				e.begin, e.until, next = b.begin, either(b.until, e.until), end
			}
		case r.is(at, "for"):
			l, end := r.lasting(at + 1)
			if end == 0 || !e.lasts.isEmpty() {
				return e, next
			}
			e.lasts, next = l, end
		case r.is(r.skip(at, ","), "recurring", "repeating"):
			next = r.skip(at, ",") + 1
		default:
			if kept, end := r.except(e, at); end > 0 {
				e, next = kept, end
				continue
			}
			if days, end := r.weekdayRange(at); end > 0 && e.freq == rrule.DAILY && e.interval == 1 { // daily, Monday to Friday
				e.freq, e.weekdays, next = rrule.WEEKLY, days.weekdays, end
				continue
			}
			n, end := r.cardinal(r.skip(at, ","))
			if end == 0 || !r.is(end, "times") || r.is(end+1, "a", "per") {
				return e, next
			}
			e.lasts, next = lasting{count: n}, end+1
		}
	}
}

// except reads the days on which what comes daily or on days of the week doesn't: except
// weekends, but not on Sundays.
func (r *reader) except(e *every, i int) (*every, int) {
	at := r.anyOf(r.skip(i, ","), "except for", "except on", "except", "but not on", "but not at", "but not", "but", "apart from", "other than", "excluding")
	if at == 0 || e.interval != 1 || e.freq != rrule.DAILY && (e.freq != rrule.WEEKLY || len(e.weekdays) == 0) {
		return e, 0
	}
	not, end := r.plurals(r.skip(at, "on", "the"))
	if end == 0 {
		not, end = r.weekdayList(r.skip(at, "on", "the"))
	}
	kept := slices.DeleteFunc(slices.Clone(allDays), func(d time.Weekday) bool {
		return slices.Contains(not, d) || e.freq == rrule.WEEKLY && !slices.Contains(e.weekdays, d)
	})
	if end == 0 || len(kept) == 0 {
		return e, 0
	}
	out := *e
	out.freq, out.weekdays = rrule.WEEKLY, kept
	return &out, end
}

// everyThing reads what follows "every".
func (r *reader) everyThing(i int) (*every, int) {
	interval := 1
	i = r.skip(i, "single")
	n, next := r.ordinal(i)
	if e, end := r.ofMonth(i); end > 0 {
		if of := r.anyOf(end, "of the month", "of a month", "of every month", "in the month", "each month"); of > 0 {
			return e, of
		}
		if all, of := r.monthList(end); len(all) > 0 {
			e.freq, e.months = rrule.YEARLY, all
			return e, of
		}
		if len(e.nth) > 1 || len(e.nth) == 1 && (e.nth[0].N() == 1 || e.nth[0].N() < 0) {
			return e, end // no count of weeks can be meant: every last Friday
		}
	}
	switch {
	case r.is(i, "other", "second") && r.repeats(i+1):
		interval, i = 2, i+1
	case next > 0 && n > 0 && r.repeats(next):
		interval, i = n, next
	case next > 0 && n >= 1 && n <= 31 && r.tokens[i].isNumber() && months[r.text(next)] == 0 && !r.is(next, "of"):
		return &every{freq: rrule.MONTHLY, interval: 1, monthdays: []int{n}}, next
	case r.anyOf(i, "few", "a few") > 0:
		return nil, 0 // how many is open
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
	switch {
	case r.is(i, "biweekly"):
		interval, i = 2, i+1
	case r.is(i, "quarter", "qtr"):
		return r.everyQuarter(i + 1)
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
	case r.is(i, "weekday", "workday", "schoolday"):
		return &every{freq: rrule.WEEKLY, interval: interval, weekdays: workdays}, i + 1
	case r.anyOf(i, "working day", "week day", "business day", "work day", "school day") > 0:
		return &every{freq: rrule.WEEKLY, interval: interval, weekdays: workdays}, i + 2
	case r.weekendWord(i) > 0:
		return &every{freq: rrule.WEEKLY, interval: interval, weekdays: weekend}, r.weekendWord(i)
	}
	return r.everyDate(i, interval)
}

// everyDate reads a date or a feast of each year.
func (r *reader) everyDate(i, interval int) (*every, int) {
	if d, next := r.calendarDate(i, true); next > 0 {
		return yearly(d.named.date, interval, next)
	}
	if d, next := r.holiday(i, true); next > 0 && d.of != nil {
		if p, ok := d.of(r.now.Year()); ok && sameDate(d, r.now.Year()) {
			_, month, day := p.from.split()
			return &every{freq: rrule.YEARLY, interval: interval, months: []time.Month{month}, monthdays: []int{day}}, next
		}
	}
	return nil, 0
}

// everyQuarter reads what follows "every quarter": one of a year, or of an hour.
func (r *reader) everyQuarter(i int) (*every, int) {
	switch {
	case r.is(i, "hour"):
		return &every{freq: rrule.MINUTELY, interval: 15}, i + 1
	case r.is(i, "of", "past", "to"):
		return nil, 0
	}
	return r.which(every{freq: rrule.MONTHLY, interval: 3, quarter: true}, i)
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
	return &every{freq: rrule.YEARLY, interval: interval, months: []time.Month{time.Month(d.month)}, monthdays: []int{d.day}}, next
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
	case rrule.HOURLY:
		if minute, next := r.markOf(i, false); next > 0 {
			e.mark = &minute
			return &e, next
		}
	case rrule.WEEKLY:
		for _, read := range []func(int) ([]time.Weekday, int){r.plurals, r.weekdayList} {
			if days, next := read(at); next > 0 {
				e.weekdays = days
				return &e, next
			}
		}
	case rrule.MONTHLY:
		if day, next := r.ofMonth(r.skip(at, "the")); next > 0 {
			e.monthdays, e.nth = day.monthdays, day.nth
			return &e, next
		}
	case rrule.YEARLY:
		if d, next := r.calendarDate(at, true); next > 0 {
			if out, end := yearly(d.named.date, e.interval, next); end > 0 {
				return out, end
			}
		}
		if day, next := r.ofMonth(r.skip(at, "the")); next > 0 && r.is(next, "of", "in") && months[r.text(next+1)] != 0 {
			day.freq, day.interval, day.months = rrule.YEARLY, e.interval, []time.Month{months[r.text(next+1)]}
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
	for _, m := range e.months {
		out.Bymonth = append(out.Bymonth, int(m))
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
	out.Count = e.lasts.count
	return out
}
