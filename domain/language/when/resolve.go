package when

import (
	"slices"
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
)

// moments are a time as it was understood.
type moments struct {
	at         time.Time // for a reminder
	from, to   time.Time // what was said; to is zero for a point
	grain      Grain
	recurrence *domain.Recurrence
}

// resolve is the moment of an expression.
func (r *reader) resolve(x expr, used []expr) (moments, error) {
	if x.zone != nil {
		q := *r
		q.now = r.now.In(x.zone)
		x.zone = nil
		return q.resolve(x, used)
	}
	if x.before == nil {
		return r.resolved(x, used)
	}
	// What it is before has to lie so far ahead; what it is after may have passed, unless that
	// is a weekday, of which the next is meant.
	base := *r
	if moved := x.before.after(r.now); moved.After(r.now) || x.days != nil && x.days.named.weekday == nil {
		base.now = moved
	}
	m, err := base.resolved(x, used)
	if err != nil {
		return m, err
	}
	if x.before.exact() && x.hours == nil {
		return m, r.about(used, CodeAmbiguous, "time.before_what")
	}
	back := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return x.before.negative().after(t)
	}
	m.at, m.from, m.to = back(m.at), back(m.from), back(m.to)
	if x.hours == nil && x.part == nil && !x.before.exact() && m.at.Hour() != dayStarts {
		m.at = clockTime{hour: dayStarts}.on(m.at.Year(), m.at.Month(), m.at.Day(), m.at.Location())
	}
	if !m.at.After(r.now) {
		return m, r.hasPassed(used, m.at, time.Time{})
	}
	return m, nil
}

func (r *reader) resolved(x expr, used []expr) (moments, error) {
	if x.contradicts() {
		return moments{}, r.ambiguous(used)
	}
	if x.hours != nil && x.hours.endsBefore() {
		return moments{}, endsBefore()
	}
	switch {
	case x.moment != nil:
		m := moments{at: *x.moment, from: *x.moment, grain: Second}
		if !m.at.After(r.now) {
			return m, r.hasPassed(used, m.at, time.Time{})
		}
		return m, nil
	case x.every != nil:
		return r.again(x, used)
	case x.span != nil:
		return r.inSpan(x, used)
	case x.days != nil:
		return r.onDays(x, used)
	}
	return r.soon(x, used)
}

// contradicts reports a time of day that isn't in the part of the day that is said with it.
func (x expr) contradicts() bool {
	if x.hours == nil || x.part == nil {
		return false
	}
	hour := x.readings(false)[0].hour
	const slack = 2
	from, to := x.part.from-slack, x.part.to+slack
	return hour < from || hour > to && (!x.part.night || hour > 24+6)
}

func (r *reader) inSpan(x expr, used []expr) (moments, error) {
	s := *x.span
	if s.tooFar() {
		return moments{}, r.tooFar(used)
	}
	at := s.after(r.now)
	timed := x.hours != nil || x.part != nil
	m := moments{at: at, from: at, grain: Second}
	switch {
	case timed && s.exact():
		return moments{}, r.ambiguous(used)
	case timed:
		c := x.readings(false)[0]
		m.at = c.on(at.Year(), at.Month(), at.Day(), at.Location())
		m.from, m.grain = m.at, Minute
	case s.grain == Day:
		m.grain = Hour
	case s.grain > Day:
		m.grain = max(Day, min(s.grain-1, Month))
		m.from = clockTime{}.on(at.Year(), at.Month(), at.Day(), at.Location())
	}
	if x.open == Before {
		m.from, m.to = r.now, m.at
	}
	if !m.at.After(r.now) {
		if s == (span{grain: s.grain}) {
			return m, noTime(r.quoted(used))
		}
		return m, r.hasPassed(used, m.at, time.Time{})
	}
	return m, nil
}

// soon is a time of day without a day.
func (r *reader) soon(x expr, used []expr) (moments, error) {
	x.small = x.hours != nil && r.now.Hour() >= min(x.hours.from.hour, 5)
	var last time.Time
	for days := range 2 {
		if days == 0 && x.hours == nil && x.part != nil && x.part.coming && r.now.Hour() >= max(x.part.from, 5) {
			continue // it has begun
		}
		for _, c := range x.readings(true) {
			if last = r.todayPlus(days, c); last.After(r.now) {
				return r.during(x, dateAt(r.now)+date(days), last), nil
			}
		}
		if x.part != nil && x.part.today {
			if at, ok := r.rest(x); ok {
				return r.during(x, r.today(), at), nil
			}
			break
		}
	}
	return moments{}, r.hasPassed(used, last, daysLater(last, 1))
}

// rest is the next full hour of a part of this day that has begun: this morning, at 10.
func (r *reader) rest(x expr) (time.Time, bool) {
	if x.hours != nil || r.now.Hour() < x.part.from || r.now.Hour()+1 >= x.part.to || x.part.hour >= r.now.Hour() || !x.part.night && x.part.from == 0 {
		return time.Time{}, false
	}
	return r.todayPlus(0, clockTime{hour: r.now.Hour() + 1}), true
}

// during is what an expression says on a day.
func (r *reader) during(x expr, d date, at time.Time) moments {
	zone := r.now.Location()
	m := moments{at: at, from: at, grain: Minute}
	switch {
	case x.hours != nil:
		m.grain = x.hours.from.grain
		if x.hours.to != nil {
			to, half := *x.hours.to, 12
			if !to.loose {
				half = 24 // it says which
			}
			m.to = d.on(to.time(), zone)
			for n := 0; !m.to.After(m.from) && n < 2; n++ {
				to.hour += half
				m.to = d.on(to.time(), zone)
			}
		}
	case x.part != nil:
		m.from, m.to, m.grain = d.on(clockTime{hour: x.part.from}, zone), d.on(clockTime{hour: x.part.to}, zone), Hour
	}
	return m
}

func (r *reader) todayPlus(days int, c clockTime) time.Time {
	return c.on(r.now.Year(), r.now.Month(), r.now.Day()+days, r.now.Location())
}

// onDays is the first moment on the days that lies ahead.
func (r *reader) onDays(x expr, used []expr) (moments, error) {
	var m moments
	var passed time.Time
	found := false
	x.days.ahead(r.today(), func(p period) bool {
		m, found = r.inPeriod(x, p)
		if !found && passed.IsZero() {
			passed = m.at
		}
		return !found
	})
	if found {
		if m = r.besides(x, m); x.side == -1 && m.grain >= Day && !m.at.Before(m.from) {
			return m, r.about(used, CodeAmbiguous, "time.open")
		}
		return r.ends(x, m, used)
	}
	p, ok := x.days.near(r.today(), false)
	if !ok {
		return moments{}, r.about(used, CodeNoSuch, "time.no_such_day")
	}
	if passed.IsZero() {
		m, _ = r.inPeriod(x, p)
		passed = m.at
	}
	if p.from == r.today() && p.grain == Day && x.hours == nil && x.part == nil {
		return moments{}, r.about(used, CodeNoTime, "time.at_what")
	}
	return moments{}, r.hasPassed(used, passed, r.likeNext(x, passed))
}

// besides is the day before or after the days, where one of those is meant.
func (r *reader) besides(x expr, m moments) moments {
	if x.hours != nil || x.part != nil || m.grain < Day {
		return m
	}
	at := func(d date) time.Time { return d.on(clockTime{hour: dayStarts}, m.at.Location()) }
	switch {
	case x.side == -1 && at(dateAt(m.from)-1).After(r.now):
		m.at = at(dateAt(m.from) - 1)
	case x.side == 1 && !m.to.IsZero():
		m.at = at(dateAt(m.to))
	case x.side == 1:
		m.at = at(dateAt(m.from) + 1)
	}
	return m
}

// inPeriod is what an expression says in a period, and whether it lies ahead.
func (r *reader) inPeriod(x expr, p period) (moments, bool) {
	zone := r.now.Location()
	from, to := p.from.on(x.days.from, zone), p.to.on(clockTime{}, zone)
	if p.grain > Day || p.to-p.from > 1 {
		return r.inLong(x, p, from, to)
	}
	timed := x.hours != nil || x.part != nil
	var m moments
	for _, c := range x.readings(p.from == r.today()) {
		at := p.from.on(c, zone)
		m = r.during(x, p.from, at)
		if !timed {
			m.from, m.grain = from, Day
		}
		if at.After(r.now) {
			return m, true
		}
	}
	return m, false
}

// inLong is a day in a period of several: its first that lies ahead, or its last where the
// end is meant. A weekend's is Saturday.
func (r *reader) inLong(x expr, p period, from, to time.Time) (moments, bool) {
	zone := r.now.Location()
	c := x.readings(false)[0]
	first, last := p.from, p.to-1
	if x.days.from != (clockTime{}) {
		first++
	}
	if x.days.late {
		first = last
	}
	first = min(first+x.days.mid, last)
	m := moments{from: from, to: to, grain: p.grain}
	for d := first; d <= last; d++ {
		if m.at = d.on(c, zone); m.at.After(r.now) {
			if x.hours != nil && p.grain == Day {
				m.from, m.grain = m.at, x.hours.from.grain
			}
			return m, true
		}
		if d-first > 400 {
			break
		}
	}
	return m, false
}

// ends adds the end of a range.
func (r *reader) ends(x expr, m moments, used []expr) (moments, error) {
	if x.until == nil {
		return m, nil
	}
	q := *r
	q.now = m.at
	if x.until.days == nil {
		x.until.days = once(dayPeriod(dateAt(m.at)))
	}
	end, err := q.resolve(*x.until, used)
	if err != nil {
		return m, err
	}
	m.to = end.from
	if end.grain >= Day {
		m.to = daysLater(end.from, 1)
	}
	return m, nil
}

// likeNext is when what has passed comes again, for asking whether that is meant.
func (r *reader) likeNext(x expr, at time.Time) time.Time {
	if x.days.named.date.year != 0 && !x.days.named.holiday {
		for year := r.now.Year(); year < r.now.Year()+9; year++ {
			if at.Day() > lengthOf(year, at.Month()) {
				continue
			}
			if next := wallOf(at).on(year, at.Month(), at.Day(), at.Location()); next.After(r.now) {
				return next
			}
		}
	}
	if x.days.of == nil && x.days.once.grain == Day && x.days.named.date == (dateWords{}) {
		for !at.After(r.now) && r.now.Sub(at) < 10*day24 {
			at = daysLater(at, 1)
		}
		if at.After(r.now) {
			return at
		}
	}
	return time.Time{}
}

// again is a recurrence and its first moment.
func (r *reader) again(x expr, used []expr) (moments, error) {
	e := x.every
	if x.part == nil {
		x.part = e.part
	}
	if err := r.unclear(x, used); err != nil {
		return moments{}, err
	}
	switch {
	case e.begin != nil:
		x.days, x.starts = e.begin, true
	case x.days != nil && e.until == nil && e.lasts.span == nil && (x.days.grain() > Day && !x.starts || x.days.isRange()):
		e.until = x.days // every Monday in December
	case x.until != nil && x.until.days != nil:
		e.until = x.until.days
	}
	clock := x.readings(false)[0]
	named := len(e.weekdays)+len(e.monthdays)+len(e.nth) > 0
	timed := x.hours != nil || x.part != nil || named || e.freq == rrule.DAILY && e.interval == 1
	if e.short() {
		clock = clockTime{hour: r.now.Hour(), minute: r.now.Minute()}
	}
	hours, ok := e.hours(x, clock)
	if !ok {
		return moments{}, r.ambiguous(used)
	}
	rule := e.rule(hours, clock.minute)
	first, err := r.first(x, used, rule, timed)
	if err != nil {
		return moments{}, err
	}
	// A month or week without a day named counts from the first one.
	switch {
	case named:
	case rule.Freq == rrule.WEEKLY:
		e.weekdays = []time.Weekday{first.Weekday()}
	case rule.Freq == rrule.MONTHLY:
		e.monthdays = []int{first.Day()}
	case rule.Freq == rrule.YEARLY:
		e.months, e.monthdays = []time.Month{first.Month()}, []int{first.Day()}
	}
	rule = e.rule(hours, clock.minute)
	if rule.Until, err = r.lastOf(x, used, first); err != nil {
		return moments{}, err
	}
	rec := domain.Recurrence{Rule: rule.RRuleString(), Start: domain.MillisOf(first), Except: []domain.Millis{}}
	if Next(rec, rec.Start, r.now.Location()) == 0 { // it doesn't come back: every year in February
		return moments{}, r.ambiguous(used)
	}
	m := r.during(expr{hours: x.hours}, dateAt(first), first)
	m.grain, m.recurrence = Minute, &rec
	return m, nil
}

// unclear asks where a recurrence leaves something open, or says two things at once.
func (r *reader) unclear(x expr, used []expr) error {
	e := x.every
	timed := x.hours != nil || x.part != nil
	leap := len(e.monthdays) == 1 && e.monthdays[0] == 29 && slices.Equal(e.months, []time.Month{time.February}) && e.interval > 1
	switch {
	case !e.isComplete(len(x.also) + 1):
		return r.about(used, CodeNoTime, "time.each")
	case e.short() && x.hours != nil && x.hours.to != nil:
		return r.about(used, CodeAmbiguous, "time.within_day")
	case x.contradicts(), e.short() && (timed || x.days != nil), x.hours != nil && x.hours.to != nil && !r.ended:
	case e.interval > 1000 || e.lasts.count > 1000 || leap:
	case e.begin != nil && x.days != nil:
	case e.freq < rrule.WEEKLY && len(e.monthdays)+len(e.nth) == 0 && x.days != nil && x.days.named.weekday != nil && !x.starts: // monthly on Friday
	case e.quarter && len(e.monthdays)+len(e.nth) == 0 && x.days == nil && e.begin == nil: // of a year, or of an hour
	// What is named besides says when it begins, unless it is what comes back: a feast whose
	// date changes, a day of the month that is to be a Friday.
	case x.days != nil && x.days.of != nil && (x.days.named.holiday || len(e.weekdays) > 0 && x.days.named.date.day > 0 && x.days.named.date.month == 0) && !x.starts:
	default:
		return nil
	}
	return r.ambiguous(used)
}

// hours are the hours at which it comes on a day, one after the other: at 9, 1 and 5. Times
// that differ in their minutes are no one rule, and of those of which only some say the half
// of the day the others are open.
func (e every) hours(x expr, at clockTime) ([]int, bool) {
	named := len(e.weekdays)+len(e.monthdays)+len(e.nth) > 0
	if named && (at.hour > 24 || at.hour == 24 && (x.part != nil || x.night)) { // in the night to the next day
		return nil, false
	}
	out := []int{at.hour % 24} // every day at midnight is at the beginning of one
	if len(x.also) == 0 {
		return out, true
	}
	said := append([]clock{x.hours.from}, x.also...)
	loose := func(c clock) bool { return c.loose }
	if slices.ContainsFunc(said, loose) && slices.ContainsFunc(said, func(c clock) bool { return c.half }) {
		return nil, false
	}
	last := out[0]
	for _, c := range x.also {
		y := expr{hours: &hours{from: c}, part: x.part}
		other := y.readings(false)[0]
		if c.loose && other.hour <= last && other.hour < 12 {
			other.hour += 12
		}
		if other.minute != at.minute || other.hour >= 24 || slices.Contains(out, other.hour) {
			return nil, false
		}
		out, last = append(out, other.hour), other.hour
	}
	slices.Sort(out)
	return out, true
}

// first is the moment that a recurrence is counted from: the next that fits, from the day
// on which it is said to begin.
func (r *reader) first(x expr, used []expr, rule rrule.ROption, timed bool) (time.Time, error) {
	from := r.now
	switch {
	case x.days != nil:
		begin := x
		begin.every = nil
		m, err := r.onDays(begin, used)
		if err != nil {
			return m.at, err
		}
		// What begins on a day may come on that day.
		from = m.at.Add(-time.Millisecond)
		if len(x.also) > 0 {
			from = m.at.Truncate(time.Hour).Add(-time.Duration(m.at.Hour()) * time.Hour)
		}
		if !timed {
			return m.at, nil
		}
	case x.every.mark != nil:
		return r.nextMark(*x.every.mark), nil
	case !timed:
		// "Every 2 weeks" begins when the first two have passed.
		n := max(rule.Interval, 1)
		step := map[rrule.Frequency]span{
			rrule.MINUTELY: {passes: time.Duration(n) * time.Minute}, rrule.HOURLY: {passes: time.Duration(n) * time.Hour},
			rrule.DAILY: {days: n}, rrule.WEEKLY: {days: 7 * n}, rrule.MONTHLY: {months: n}, rrule.YEARLY: {months: 12 * n},
		}[rule.Freq]
		at := step.after(r.now).Truncate(time.Minute).In(r.now.Location())
		if x.every.short() {
			return at, nil
		}
		return x.readings(false)[0].on(at.Year(), at.Month(), at.Day(), at.Location()), nil
	}
	rule.Interval, rule.Count = 1, 0
	if e := x.every; rule.Freq < rrule.DAILY && len(e.weekdays)+len(e.monthdays)+len(e.nth) == 0 {
		rule.Freq = rrule.DAILY // weekly at 7: its day is that of the first time
	}
	rec := domain.Recurrence{Rule: rule.RRuleString(), Start: domain.MillisOf(from.Add(-2 * day24).Truncate(time.Minute))}
	next := Next(rec, domain.MillisOf(from), r.now.Location())
	if next == 0 {
		return time.Time{}, r.about(used, CodeNoSuch, "time.no_such_day")
	}
	return next.Time().In(r.now.Location()), nil
}

// nextMark is the next moment with a minute of the hour.
func (r *reader) nextMark(minute int) time.Time {
	at := r.todayPlus(0, clockTime{hour: r.now.Hour(), minute: minute})
	for !at.After(r.now) {
		at = at.Add(time.Hour)
	}
	return at
}

// lastOf is the end of the last day on which it comes, or the time on that day; zero when it
// has none.
func (r *reader) lastOf(x expr, used []expr, first time.Time) (time.Time, error) {
	var last time.Time
	switch e := x.every; {
	case e.before != nil:
		q := *r
		q.now = first.Add(-time.Millisecond)
		m, err := q.soon(expr{hours: &hours{from: *e.before}}, used)
		return floating(m.at), err
	case e.lasts.span != nil:
		last = span{days: e.lasts.span.days, months: e.lasts.span.months}.after(first).AddDate(0, 0, -1)
	case e.until != nil:
		q := *r
		q.now = first.Add(-time.Millisecond)
		m, err := q.onDays(expr{days: e.until}, used)
		if err != nil {
			return last, err
		}
		if last = m.at; !m.to.IsZero() && m.grain >= Day {
			last = m.to.Add(-time.Millisecond)
		}
	default:
		return last, nil
	}
	return time.Date(last.Year(), last.Month(), last.Day(), 23, 59, 59, 0, time.UTC), nil
}
