package when

import "time"

// grains are units of whole days.
var grains = map[string]Grain{
	"day": Day, "week": Week, "wk": Week, "month": Month, "mth": Month, "quarter": Quarter, "qtr": Quarter, "year": Year, "yr": Year,
	"days": Day, "weeks": Week, "months": Month, "quarters": Quarter, "years": Year, "yrs": Year, "wks": Week,
}

// weekendStarts is the hour of Friday at which a weekend begins.
const weekendStarts = 18

// isWeekend reads weekend, week-end, wkend.
func (r *reader) weekendWord(i int) int {
	return r.anyOf(i, "weekend", "week - end", "week end", "wkend", "weekends")
}

// weekend is the one of the week in which a day lies: from Friday evening on.
func weekendOf(d date) *days {
	monday := periodOf(d, Week).from
	out := once(period{monday + 4, monday + 7, Day})
	out.from = clockTime{hour: weekendStarts}
	return out
}

func weekends() *days {
	return &days{cycle: Week, from: clockTime{hour: weekendStarts}, of: func(n int) (period, bool) {
		return period{date(7*n + 4 + 4), date(7*n + 4 + 7), Day}, true
	}}
}

// relative reads "next Friday", "this week", "last month", "the coming weekend", "next 3
// days", "the rest of the week", "all week".
func (r *reader) relative(i int, introduced bool) (*days, int) {
	at := r.skip(i, "the")
	if n := r.anyOf(at, "rest of the week", "rest of this week"); n > 0 {
		return once(period{r.today(), periodOf(r.today(), Week).to, Day}), n
	}
	if n := r.anyOf(at, "all week", "all this week"); n > 0 {
		return once(periodOf(r.today(), Week)), n
	}
	if n := r.anyOf(at, "all day today", "all day"); n > 0 && r.is(n-1, "today") {
		return once(dayPeriod(r.today())), n
	}
	if n := r.weekendWord(at); n > 0 && at > i {
		if end := r.seq(n, "after next"); end > 0 {
			return weekendOf(r.today() + 14), end
		}
		return weekendOf(r.today()), n
	}
	step, next := r.direction(at)
	if next == 0 {
		return nil, 0
	}
	if hundredths, end := r.quantity(next); end > 0 && step != 0 && hundredths%100 == 0 && !r.is(next, "a", "an") {
		n := hundredths / 100
		if g, ok := grains[r.text(end)]; ok {
			out := r.manyOf(g, n, step)
			out.each = step > 0 && g <= Week && !r.is(end-1, "few")
			return out, end + 1
		}
		return nil, 0
	}
	return r.stepped(next, step)
}

// direction reads next (1), this (0) or last (-1).
func (r *reader) direction(i int) (int, int) {
	switch {
	case r.anyOf(i, "this past", "this last") > 0:
		return -1, i + 2
	case r.anyOf(i, "this coming", "this upcoming", "this next") > 0:
		return 2, i + 2
	case r.is(i, "next", "following"):
		return 1, r.skip(i+1, "coming")
	case r.is(i, "coming", "upcoming"):
		return 2, i + 1
	case r.is(i, "this", "current"):
		return 0, i + 1
	case r.is(i, "last", "past", "previous"):
		return -1, i + 1
	}
	return 0, 0
}

// stepped reads what stands behind next, this, coming (2) or last.
func (r *reader) stepped(i, step int) (*days, int) {
	today := r.today()
	if n := r.weekendWord(i); n > 0 {
		week := today
		switch {
		case step == 1:
			week += 7
		case step < 0:
			week -= 7
		case step == 2 && today.weekday() == time.Sunday:
			week += 7
		}
		return weekendOf(week), n
	}
	if w, n := r.weekday(i, true); n > 0 {
		return r.weekdayFrom(*w, step), n
	}
	if g, ok := grains[r.text(i)]; ok && i < len(r.tokens) && !r.is(i, "days", "weeks", "months", "years") {
		if r.is(i, "day") && step == 0 {
			return once(dayPeriod(today)), i + 1
		}
		p := periodOf(today, g)
		n := min(step, 1)
		return once(period{later(p.from, g, n), later(p.from, g, n+1), g}), i + 1
	}
	var found *days
	next := 0
	if m := months[r.text(i)]; m != 0 {
		found, next = inMonth(m), i+1
	} else {
		for name, start := range map[string][2]int{"spring": {3, 20}, "summer": {6, 21}, "autumn": {9, 23}, "fall": {9, 23}, "winter": {12, 21}} {
			if r.is(i, name) {
				found, next = season(start[0], start[1]), i+1
			}
		}
	}
	if next == 0 {
		if found, next = r.holiday(i, true); next == 0 {
			return nil, 0
		}
	}
	if step < 0 {
		var p period
		ok := false
		found.behind(today, func(one period) bool { p, ok = one, one.to <= today; return !ok })
		if !ok {
			return nil, 0
		}
		return once(p), next
	}
	p, ok := found.near(today, false)
	if step == 1 && ok && p.has(today) { // next March, in March
		p, ok = found.near(p.to, false)
	}
	if !ok {
		return nil, 0
	}
	return once(p), next
}

// weekdayFrom is this, next or last Friday: next is of the next week, last before today.
func (r *reader) weekdayFrom(w time.Weekday, step int) *days {
	today, all := r.today(), onWeekdays(w)
	switch step {
	case 1:
		week := periodOf(today, Week)
		p, _ := all.within(period{week.from + 7, week.to + 7, Week})
		return &days{once: p, named: all.named}
	case -1:
		p, _ := all.near(today-1, true)
		return once(p)
	}
	return all
}

// manyOf are the next or last so many units: whole ones, without the present one.
func (r *reader) manyOf(g Grain, n, step int) *days {
	here := periodOf(r.today(), g)
	if step < 0 {
		return once(period{later(here.from, g, -n), here.from, g})
	}
	return once(period{here.to, later(here.to, g, n), g})
}

// nth reads first, 3rd, last, fifth last, second to last; the last are negative.
func (r *reader) nth(i int) (int, int) {
	if r.is(i, "last", "final") {
		return -1, i + 1
	}
	n, next := r.ordinal(i)
	if next == 0 || n == 0 {
		return 0, 0
	}
	if end := r.anyOf(next, "last", "to last", "to the last"); end > 0 {
		return -n, end
	}
	return n, next
}

// countedDay reads "the last Friday of March", "third day of October", "first week of
// October 2014", "first Monday of the month", "third Tuesday after Christmas".
func (r *reader) countedDay(i int, introduced bool) (*days, int) {
	n, at := r.nth(r.skip(i, "the"))
	if _, next := r.weekday(r.skip(i, "the"), true); next > 0 && r.is(next, "after", "before") && !r.is(next+1, "next") {
		n, at = 1, r.skip(i, "the") // the Monday after Easter
	}
	if at == 0 {
		return nil, 0
	}
	unit, next := r.counted(at)
	if next == 0 {
		return nil, 0
	}
	if r.is(next, "after", "before", "following") {
		return r.countedAfter(n, unit, next)
	}
	if !r.is(next, "of", "in") {
		return nil, 0
	}
	whole, end := r.wholePeriod(next + 1)
	if end == 0 {
		return nil, 0
	}
	pick := func(p period) (period, bool) { return unit.nthIn(p, n) }
	if whole.of == nil {
		p, ok := pick(whole.once)
		if !ok {
			return nil, 0
		}
		out := once(p)
		out.from = unit.from
		return out, end
	}
	return &days{cycle: whole.cycle, from: unit.from, of: func(n int) (period, bool) {
		p, ok := whole.of(n)
		if !ok {
			return period{}, false
		}
		return pick(p)
	}}, end
}

// counted reads what can be counted in a month or year: day, week, weekend, Friday.
func (r *reader) counted(i int) (*days, int) {
	if n := r.weekendWord(i); n > 0 {
		return weekends(), n
	}
	if w, next := r.weekday(i, true); next > 0 {
		return onWeekdays(*w), next
	}
	switch {
	case r.is(i, "day"):
		return everyDay(), i + 1
	case r.is(i, "week"):
		return everyWeek(), i + 1
	case r.is(i, "workday", "weekday"):
		return nil, 0
	}
	return nil, 0
}

// everyDay has no cycle: nthIn counts days by themselves.
func everyDay() *days { return &days{} }

func everyWeek() *days {
	return &days{cycle: Week, of: func(n int) (period, bool) { return period{date(7*n + 4), date(7*n + 11), Week}, true }}
}

// nthIn is the nth of these that lies whole in a period, from its end for a negative one.
func (x *days) nthIn(p period, n int) (period, bool) {
	if x.of == nil { // days
		d := p.from + date(n) - 1
		if n < 0 {
			d = p.to + date(n)
		}
		return dayPeriod(d), p.has(d)
	}
	var all []period
	x.ahead(p.from, func(one period) bool {
		if one.from >= p.from && one.to <= p.to {
			all = append(all, one)
		}
		return one.to <= p.to
	})
	if n < 0 {
		n += len(all) + 1
	}
	if n < 1 || n > len(all) {
		return period{}, false
	}
	return all[n-1], true
}

// wholePeriod reads a month, a year or a quarter: "the month", "next month", "March 2027".
func (r *reader) wholePeriod(i int) (*days, int) {
	if g, ok := grains[r.text(i+1)]; ok && r.is(i, "the") || ok && r.is(i, "this") {
		return r.running(g), i + 2
	}
	if g, ok := grains[r.text(i)]; ok && r.is(i, "month", "year") {
		return r.running(g), i + 1
	}
	if d, next := r.relative(i, true); next > 0 && d.grain() > Day {
		return d, next
	}
	d, next := r.monthOrYear(i, true)
	if next > 0 && d.grain() > Day {
		return d, next
	}
	return nil, 0
}

// running are the periods of a grain, from the present one on.
func (r *reader) running(g Grain) *days {
	x := &days{cycle: g}
	switch g {
	case Week:
		return everyWeek()
	case Month:
		x.of = func(n int) (period, bool) { return periodOf(dateOf(n/12, time.Month(n%12+1), 1), Month), true }
	default:
		x.cycle = Year
		x.of = func(n int) (period, bool) { return periodOf(dateOf(n, 1, 1), Year), true }
	}
	return x
}

// countedAfter reads what a count is from: the third Tuesday after Christmas.
func (r *reader) countedAfter(n int, unit *days, i int) (*days, int) {
	base, next := r.day(i + 1)
	if d, end := r.holiday(i+1, true); end > next {
		base, next = d, end
	}
	if next == 0 || unit.of == nil || n < 1 {
		return nil, 0
	}
	// The year may stand behind it.
	if more, end := r.day(next); end > 0 {
		if both := r.join(base, more); both != nil {
			base, next = both, end
		}
	}
	p, ok := base.near(r.today(), r.past)
	if !ok {
		return nil, 0
	}
	at, found := p.to, period{}
	if r.is(i, "before") {
		at = p.from - 1
		for range n {
			if found, ok = unit.near(at, true); !ok {
				return nil, 0
			}
			at = found.from - 1
		}
		return once(found), next
	}
	for range n {
		if found, ok = unit.near(at, false); !ok {
			return nil, 0
		}
		at = found.to
	}
	return once(found), next
}

// countedFromNow reads "3 Fridays from now", "two weekends from now".
func (r *reader) countedFromNow(i int, introduced bool) (*days, int) {
	n, at := r.cardinal(i)
	if at == 0 || n == 0 || n > patience {
		return nil, 0
	}
	name := r.text(at)
	if len(name) < 4 || name[len(name)-1] != 's' {
		return nil, 0
	}
	w := weekdays[name[:len(name)-1]]
	end := r.anyOf(at+1, "from now", "from today", "hence", "ahead")
	if w == nil || end == 0 {
		return nil, 0
	}
	found, from := period{}, r.today()+1
	for range n {
		found, _ = onWeekdays(*w).near(from, false)
		from = found.to
	}
	return once(found), end
}

// weekOf reads "the week of October 6th". A Sunday begins the week that is named by it.
func (r *reader) weekOf(i int, introduced bool) (*days, int) {
	at := r.anyOf(i, "the week of", "week of", "the week beginning", "week beginning", "the week commencing", "week commencing", "the week starting")
	if at == 0 {
		return nil, 0
	}
	d, next := r.calendarDate(r.skip(at, "on"), true)
	if next == 0 {
		return nil, 0
	}
	return &days{cycle: d.cycle, once: weekNamed(d.once), of: func() func(int) (period, bool) {
		if d.of == nil {
			return nil
		}
		return func(n int) (period, bool) {
			p, ok := d.of(n)
			return weekNamed(p), ok
		}
	}()}, next
}

func weekNamed(p period) period {
	if p.from.weekday() == time.Sunday {
		return periodOf(p.from+1, Week)
	}
	return periodOf(p.from, Week)
}

// thirds are how much of a period its beginning, middle and end are.
var thirds = map[Grain][3]int{Week: {2, 3, 3}, Month: {10, 10, 8}, Quarter: {30, 30, 30}, Year: {120, 125, 61}}

// partOfPeriod reads "the end of the month", "mid March", "early next week".
func (r *reader) partOfPeriod(i int, introduced bool) (*days, int) {
	at := r.skip(i, "the", "very")
	var which, next int
	switch {
	case r.anyOf(at, "beginning of", "start of") > 0:
		next = at + 2
	case r.anyOf(at, "middle of") > 0:
		which, next = 1, at+2
	case r.anyOf(at, "end of", "ends of", "close of") > 0:
		which, next = 2, at+2
	case r.is(at, "early") && !introduced:
		next = r.skip(at+1, "in")
	case r.is(at, "early"):
		next = r.skip(at+1, "in")
	case r.is(at, "mid"):
		which, next = 1, r.skip(at+1, "-")
	case r.is(at, "late"):
		which, next = 2, r.skip(at+1, "in")
	case r.is(at, "eom"):
		return r.thirdOf(r.running(Month), 2), at + 1
	case r.is(at, "eoy"):
		return r.thirdOf(r.running(Year), 2), at + 1
	default:
		return nil, 0
	}
	next = r.skip(next, "around")
	if r.is(r.skip(next, "the", "this"), "day") {
		return nil, 0 // a part of the day
	}
	whole, end := r.wholePeriod(next)
	if end == 0 {
		next = r.skip(next, "the")
		if whole, end = r.wholePeriod(next); end == 0 {
			return nil, 0
		}
	}
	return r.thirdOf(whole, which), end
}

func (r *reader) thirdOf(whole *days, which int) *days {
	cut := func(p period) period {
		size := thirds[p.grain]
		switch which {
		case 0:
			return period{p.from, p.from + date(size[0]), Day}
		case 1:
			from := p.from + date(size[0])
			return period{from, from + date(size[1]), Day}
		}
		from := p.to - date(size[2])
		return period{from, p.to, Day}
	}
	out := &days{cycle: whole.cycle, once: cut(whole.once), late: which == 2}
	if which == 1 {
		out.mid = map[Grain]date{Month: 4, Quarter: 15, Year: 61}[whole.grain()]
	}
	if whole.of != nil {
		of := whole.of
		out.of = func(n int) (period, bool) {
			p, ok := of(n)
			if !ok {
				return p, ok
			}
			return cut(p), true
		}
	}
	return out
}
