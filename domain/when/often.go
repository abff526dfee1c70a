package when

import "github.com/teambition/rrule-go"

// often reads how often something comes in a unit: once a week, twice a day, three times per
// month.
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
	switch {
	case known:
		next++
	case named && r.is(next, "a", "an", "per", "every", "each"):
		e, next = every{freq: unit, interval: 1}, next+2
	case n == 1 && r.is(next, "every", "each"):
		return r.everyOne(next + 1)
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

// markOf reads the minute of each hour: on the hour, on the half hour.
func (r *reader) markOf(i int, first bool) (minute, next int) {
	at := r.skip(i, "on", "at")
	switch n := r.anyOf(at, "the top of every hour", "the top of each hour"); {
	case n > 0 && first:
		return 0, n
	case r.anyOf(at, "the half hour", "half past") > 0:
		minute, next = 30, r.anyOf(at, "the half hour", "half past")
	default:
		next = r.anyOf(at, "the hour", "the top of the hour", "the full hour")
	}
	switch n := r.anyOf(next, "every hour", "each hour", "of every hour", "of each hour", "hourly"); {
	case next == 0 || at == i, first && n == 0:
		return 0, 0
	case first:
		return minute, n
	}
	if _, clock := r.face(next, true, false); clock > 0 {
		return 0, 0
	}
	return minute, next
}
