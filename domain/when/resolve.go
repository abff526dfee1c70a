package when

import (
	"time"

	"chalie/domain"
)

// resolve is the moment of a piece, and how it comes back.
func (p *parser) resolve(x piece, used []piece) (time.Time, *domain.Recurrence, error) {
	switch {
	case x.every != nil:
		return p.again(x, used)
	case x.span != nil:
		return p.ahead(x, used)
	case x.day != nil:
		at, err := p.onDay(x, used)
		return at, nil, err
	}
	at, err := p.soon(x, used)
	return at, nil, err
}

func (p *parser) ahead(x piece, used []piece) (time.Time, *domain.Recurrence, error) {
	if x.span.tooFar() {
		return time.Time{}, nil, p.tooFar(used)
	}
	at := x.span.after(p.now)
	if x.clock != nil || x.part != nil {
		if x.span.exact() {
			return time.Time{}, nil, p.ambiguous(used)
		}
		at = x.readings(false)[0].on(at.Year(), at.Month(), at.Day(), at.Location())
	}
	return at, nil, nil
}

// soon is a time of day without a day.
func (p *parser) soon(x piece, used []piece) (time.Time, error) {
	var last time.Time
	for days := range 2 {
		for _, c := range x.readings(true) {
			if last = p.todayPlus(days, c); last.After(p.now) {
				return last, nil
			}
		}
		if x.part != nil && x.part.today {
			break
		}
	}
	return last, p.hasPassed(used, last, daysLater(last, 1))
}

func (p *parser) todayPlus(days int, c clockTime) time.Time {
	return c.on(p.now.Year(), p.now.Month(), p.now.Day()+days, p.now.Location())
}

func (p *parser) onDay(x piece, used []piece) (time.Time, error) {
	d := x.day
	switch {
	case !d.at.IsZero():
		return d.at, nil
	case d.offset != nil:
		return p.offsetDay(x, used)
	case d.weekday != nil:
		return p.onWeekday(x), nil
	case d.months > 0:
		t := monthsLater(p.now, d.months)
		return x.readings(false)[0].on(t.Year(), t.Month(), t.Day(), t.Location()), nil
	}
	return p.onDate(x, used)
}

// offsetDay is a time today, tomorrow or on another day that is near.
func (p *parser) offsetDay(x piece, used []piece) (time.Time, error) {
	offset := *x.day.offset
	var at time.Time
	for _, c := range x.readings(offset == 0) {
		if at = p.todayPlus(offset, c); at.After(p.now) {
			return at, nil
		}
	}
	if x.clock == nil && x.part == nil && offset == 0 {
		return at, p.atWhatTime(used)
	}
	next := at
	for !next.After(p.now) {
		next = daysLater(next, 1)
	}
	return at, p.hasPassed(used, at, next)
}

func (p *parser) onWeekday(x piece) time.Time {
	c := x.readings(false)[0]
	days := (int(*x.day.weekday) - int(p.now.Weekday()) + 7) % 7
	if x.day.strict && days == 0 {
		days = 7
	}
	if at := p.todayPlus(days, c); at.After(p.now) {
		return at
	}
	return p.todayPlus(days+7, c)
}

// onDate is a date; where the year or month is left open, the next that comes.
func (p *parser) onDate(x piece, used []piece) (time.Time, error) {
	c, d := x.readings(false)[0], x.day.date
	zone := p.now.Location()
	step, month := 12, time.Month(d.month)
	if d.month == 0 {
		step, month = 1, p.now.Month()
	}
	if d.year != 0 {
		at := c.on(d.year, month, d.day, zone)
		if at.After(p.now) {
			return at, nil
		}
		return at, p.hasPassed(used, at, p.nextDate(c, d, step, month))
	}
	return p.nextDate(c, d, step, month), nil
}

// nextDate goes on until there is such a day: a 29 February may take eight years.
func (p *parser) nextDate(c clockTime, d dateWords, step int, month time.Month) time.Time {
	for n := 0; ; n += step {
		year, month := monthAfter(p.now.Year(), month, n)
		if d.day > lengthOf(year, month) {
			continue
		}
		if at := c.on(year, month, d.day, p.now.Location()); at.After(p.now) {
			return at
		}
	}
}

// again is a recurrence and its first moment.
func (p *parser) again(x piece, used []piece) (time.Time, *domain.Recurrence, error) {
	e := x.every
	if x.part == nil {
		x.part = e.part
	}
	if e.short() && (x.clock != nil || x.part != nil || x.day != nil) || e.interval > 1000 {
		return time.Time{}, nil, p.ambiguous(used)
	}
	r := domain.Recurrence{Every: e.interval, Unit: e.unit, Weekdays: e.weekdays, Month: time.Month(e.date.month), Day: e.date.day}
	if r.Weekdays == nil {
		r.Weekdays = []time.Weekday{}
	}
	clock := x.readings(false)[0]
	timed := x.clock != nil || x.part != nil || len(e.weekdays) > 0 || e.date.day > 0 || e.unit == domain.EveryDay && e.interval == 1
	if !timed {
		clock = clockTime{hour: p.now.Hour(), minute: p.now.Minute()}
	}
	if clock.hour >= 24 { // every day at midnight is at the beginning of one
		clock.hour -= 24
	}
	if !e.short() {
		r.Hour, r.Minute = clock.hour, clock.minute
	}
	first, err := p.first(x, used, r, timed)
	if err != nil {
		return time.Time{}, nil, err
	}
	// A month or week without a day named counts from the first one.
	switch {
	case r.Unit == domain.EveryWeek && len(r.Weekdays) == 0:
		r.Weekdays = []time.Weekday{first.Weekday()}
	case r.Unit == domain.EveryMonth && r.Day == 0:
		r.Day = first.Day()
	case r.Unit == domain.EveryYear && r.Day == 0:
		r.Month, r.Day = first.Month(), first.Day()
	}
	r.Anchor = domain.MillisOf(first)
	return first, &r, nil
}

// first is the moment that a recurrence is counted from: the next that fits, from
// the day on which it is said to begin.
func (p *parser) first(x piece, used []piece, r domain.Recurrence, timed bool) (time.Time, error) {
	from := p.now
	switch {
	case x.day != nil:
		begin := x
		begin.every = nil
		at, err := p.onDay(begin, used)
		if err != nil {
			return at, err
		}
		// What begins on a day may come on that day.
		from = at.Add(-time.Millisecond)
		if !timed {
			return at, nil
		}
	case !timed:
		// "Every 2 weeks" begins when the first two have passed.
		n := r.Every
		step := map[domain.RecurrenceUnit]span{
			domain.EveryMinute: {passes: time.Duration(n) * time.Minute}, domain.EveryHour: {passes: time.Duration(n) * time.Hour},
			domain.EveryDay: {days: n}, domain.EveryWeek: {days: 7 * n}, domain.EveryMonth: {months: n}, domain.EveryYear: {months: 12 * n},
		}[r.Unit]
		return step.after(p.now).Truncate(time.Minute).In(p.now.Location()), nil
	}
	r.Anchor, r.Every = domain.MillisOf(from.Add(-48*time.Hour)), 1
	return Next(r, domain.MillisOf(from), p.now.Location()).Time().In(p.now.Location()), nil
}
