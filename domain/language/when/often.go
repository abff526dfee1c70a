package when

import "github.com/teambition/rrule-go"

// often reads how often something comes in a unit: once a week, twice a day, three times per
// month; or how often at all: three times, every hour.
func (r *reader) often(i int) (*every, int) {
	n, next := 1, i+1
	switch {
	case r.is(i, "once"):
	case r.is(i, "twice"):
		n = 2
	case r.is(i, "thrice"):
		n = 3
	default:
		if n, next = r.cardinal(i); next == 0 || !r.is(next, "times") {
			return nil, 0
		}
		next++
	}
	e, known := adverbs[r.text(next)]
	unit, named := frequencies[r.text(next+1)]
	if at := r.skip(next, ","); n > 1 && r.is(at, "every", "each") && (at > next || !named) {
		counted, end := r.everyThing(at + 1)
		if end == 0 {
			return nil, 0
		}
		counted.lasts = lasting{count: n}
		return counted, end
	}
	switch {
	case known:
		next++
	case named && r.is(next, "a", "an", "per", "every", "each"):
		e, next = every{freq: unit, interval: 1}, next+2
	case n == 1 && r.is(next, "every", "each"):
		return r.everyThing(next + 1)
	default:
		return nil, 0
	}
	e.times = n
	return r.which(e, next)
}

// isComplete reports whether as many times or days are named as it is said to come.
func (e every) isComplete(clocks int) bool {
	switch {
	case e.times < 2:
		return true
	case e.freq == rrule.DAILY:
		return clocks == e.times
	}
	return len(e.weekdays)+len(e.monthdays)+len(e.nth) == e.times && clocks < 2
}

// onMark reads an hour of which the minute stands before it: on the half hour every hour, at
// the top of every hour.
func (r *reader) onMark(i int) (*every, int) {
	minute, next := r.markOf(i, true)
	if next == 0 {
		return nil, 0
	}
	return &every{freq: rrule.HOURLY, interval: 1, mark: &minute}, next
}

// onEdge reads the beginning and the end of what comes back: at the end of each month.
func (r *reader) onEdge(i int) (*every, int) {
	at := r.skip(r.skip(i, "on", "at", "by"), "the")
	last := r.seq(at, "end of") > 0
	if !last && r.anyOf(at, "start of", "beginning of") == 0 || !r.is(at+2, "each", "every") {
		return nil, 0
	}
	switch {
	case r.is(at+3, "month") && last:
		return &every{freq: rrule.MONTHLY, interval: 1, monthdays: []int{-1}}, at + 4
	case r.is(at+3, "month"):
		return &every{freq: rrule.MONTHLY, interval: 1, monthdays: []int{1}}, at + 4
	case r.is(at+3, "day") && last:
		part, _ := partNamed("end of day")
		return &every{freq: rrule.DAILY, interval: 1, part: part}, at + 4
	}
	return nil, 0
}

// markOf reads the minute of each hour: on the hour, on the half hour, at 15 past every hour.
func (r *reader) markOf(i int, first bool) (minute, next int) {
	at := r.skip(i, "on", "at")
	if n := r.anyOf(at, "the top of every hour", "the top of each hour"); n > 0 && first {
		return 0, n
	}
	if n := r.anyOf(at, "the half hour", "half past"); n > 0 {
		minute, next = 30, n
	} else if n := r.anyOf(at, "the hour", "the top of the hour", "the full hour"); n > 0 {
		next = n
	} else if minute, next = r.minuteOf(at); next == 0 {
		return 0, 0
	}
	if first {
		return minute, r.anyOf(next, "every hour", "each hour", "of every hour", "of each hour", "hourly")
	}
	if _, clock := r.face(next, true, false); clock > 0 || at == i || r.is(next-1, "past", "to", "after") && r.text(next-2) != "half" {
		return 0, 0
	}
	return minute, next
}

// minuteOf reads "quarter past", "ten to".
func (r *reader) minuteOf(i int) (minute, next int) {
	i = r.skip(i, "a")
	minute, next = r.cardinal(i)
	if r.is(i, "quarter") {
		minute, next = 15, i+1
	}
	next = r.skip(next, "minutes")
	switch {
	case next == 0 || minute < 1 || minute > 59:
	case r.is(next, "past", "after"):
		return minute, next + 1
	case r.is(next, "to"):
		return 60 - minute, next + 1
	}
	return 0, 0
}
