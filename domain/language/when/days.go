package when

import (
	"strings"
	"time"
)

// days are the days that words name: the same in each cycle (a week, month or year), or
// once and for all.
type days struct {
	cycle Grain                      // in which they come back
	of    func(n int) (period, bool) // those of a cycle, by its number; nil for once
	once  period                     // when of is nil
	each  bool                       // a time of day is meant on each of them: the next three days
	late  bool                       // their end is what is meant: the end of the month
	mid   date                       // so many days behind their first: the middle of the month
	from  clockTime                  // an interval begins at this time of its first day
	named named
}

// named is what a day was named by, for joining it with what else names one.
type named struct {
	weekday *time.Weekday
	date    dateWords
	holiday bool
}

// dateWords is a date of which the year, and also the month, may be left open.
type dateWords struct{ year, month, day int }

func once(p period) *days { return &days{once: p} }

// number is the number of the cycle in which a day lies.
func (x *days) number(d date) int {
	year, month, _ := d.split()
	switch x.cycle {
	case Week:
		return (int(d) - 4) / 7
	case Month:
		return year*12 + int(month) - 1
	}
	return year
}

// patience bounds how many cycles are looked through for a day that comes rarely.
const patience = 120

// ahead are the periods from the first that isn't over before a day.
func (x *days) ahead(d date, yield func(period) bool) {
	if x.of == nil {
		if x.once.to > d {
			yield(x.once)
		}
		return
	}
	for n, end := x.number(d)-1, x.number(d)+patience; n < end; n++ {
		if p, ok := x.of(n); ok && p.to > d && !yield(p) {
			return
		}
	}
}

// behind are the periods back from the last that has begun at a day.
func (x *days) behind(d date, yield func(period) bool) {
	if x.of == nil {
		if x.once.from <= d {
			yield(x.once)
		}
		return
	}
	for n, end := x.number(d)+1, x.number(d)-patience; n > end; n-- {
		if p, ok := x.of(n); ok && p.from <= d && !yield(p) {
			return
		}
	}
}

// near is the period that is meant when nothing else is said.
func (x *days) near(d date, past bool) (period, bool) {
	var found period
	ok := false
	take := func(p period) bool { found, ok = p, true; return false }
	if past {
		x.behind(d, take)
		return found, ok
	}
	x.ahead(d, take)
	if !ok && x.of == nil {
		return x.once, true
	}
	return found, ok
}

// within are the days in a longer period: Wednesday of next week.
func (x *days) within(p period) (period, bool) {
	var found period
	ok := false
	x.ahead(p.from, func(one period) bool {
		found, ok = one, one.from >= p.from && one.to <= p.to
		return !ok && one.from < p.to
	})
	return found, ok
}

// isRange reports whether they are several, each of which was named or lies between.
func (x *days) isRange() bool {
	p, ok := x.near(0, false)
	return ok && p.grain == Day && p.to-p.from > 1
}

// grain is that of the days' periods.
func (x *days) grain() Grain {
	if x.of == nil {
		return x.once.grain
	}
	p, _ := x.near(0, false)
	return p.grain
}

// join is what two namings name together.
func (r *reader) join(a, b *days) *days {
	if a.grain() > b.grain() {
		a, b = b, a
	}
	switch {
	case a.named.weekday != nil && b.named.weekday != nil:
		return nil
	case a.grain() == Day && b.grain() == Day:
		if b.named.weekday != nil {
			a, b = b, a
		}
		if a.named.weekday == nil {
			return nil
		}
		return r.onWeekday(*a.named.weekday, b)
	case a.grain() == b.grain():
		return nil
	case b.of == nil:
		p, ok := a.within(b.once)
		if !ok {
			return nil
		}
		out := once(p)
		out.from, out.late = a.from, a.late
		return out
	case a.of == nil || a.named.date.day != 0:
		return nil
	}
	out := *a
	out.cycle, out.of = b.cycle, func(n int) (period, bool) {
		p, ok := b.of(n)
		if !ok {
			return period{}, false
		}
		return a.within(p)
	}
	return &out
}

// onWeekday are those days that fall on a weekday. One that has just passed is meant
// rather than one that comes in years.
func (r *reader) onWeekday(w time.Weekday, b *days) *days {
	fits := func(p period) bool { return p.from.weekday() == w }
	if b.of == nil {
		if fits(b.once) {
			return b
		}
		return nil
	}
	var found *period
	if b.cycle == Month && w == time.Friday && b.named.date.day == 13 {
		b.ahead(r.today(), func(p period) bool {
			if fits(p) {
				found = &p
			}
			return found == nil
		})
		if found == nil {
			return nil
		}
		return once(*found)
	}
	const recent = 60
	b.behind(r.today(), func(p period) bool {
		if r.today()-p.from < recent && fits(p) {
			found = &p
		}
		return false
	})
	b.ahead(r.today(), func(p period) bool {
		if fits(p) && (found == nil || p.from-r.today() < recent) {
			found = &p
		}
		return false // the next one or none: who says another weekday is mistaken
	})
	if found == nil {
		return nil
	}
	return once(*found)
}

var weekdays = daysBy(func(day time.Weekday) []string { return []string{strings.ToLower(day.String())} })

// shortWeekdays are read only where a day is expected, since they are words, too.
var shortWeekdays = daysBy(func(day time.Weekday) []string {
	return [][]string{{"sun"}, {"mon"}, {"tue", "tues"}, {"wed", "weds"}, {"thu", "thur", "thurs"}, {"fri"}, {"sat"}}[day]
})

func daysBy(names func(time.Weekday) []string) map[string]*time.Weekday {
	out := map[string]*time.Weekday{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		for _, name := range names(day) {
			out[name] = &day
		}
	}
	return out
}

var months = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// weekday reads a day of the week; a short name only where one is expected.
func (r *reader) weekday(i int, expected bool) (*time.Weekday, int) {
	if d := weekdays[r.text(i)]; d != nil {
		return d, i + 1
	}
	if d := shortWeekdays[r.text(i)]; d != nil && (expected || r.tokens[i].upper && !r.is(i, "sun", "sat")) {
		return d, r.dot(i + 1)
	}
	return nil, 0
}

func onWeekdays(w time.Weekday) *days {
	return &days{cycle: Week, named: named{weekday: &w}, of: func(n int) (period, bool) {
		return dayPeriod(date(7*n + 4 + (int(w)+6)%7)), true
	}}
}

// day reads whatever names days: the longest reading counts.
func (r *reader) day(i int) (*days, int) {
	at := max(r.seq(i, "as of"), r.skip(i, "on", "by", "until", "before", "in", "during", "at", "for", "around", "of", "through", "over"))
	introduced := at > i
	at = r.skip(at, "around", "about")
	var found *days
	end := 0
	for _, read := range []func(int, bool) (*days, int){
		r.nearby, r.relative, r.namedWeekday, r.stamp, r.calendarDate, r.numericDate, r.countedDay, r.partOfPeriod, r.monthOrYear,
		r.holiday, r.weekOf, r.countedFromNow, r.dateRange,
	} {
		if d, next := read(at, introduced); next > end {
			found, end = d, next
		}
	}
	if found != nil && r.is(i, "at", "of", "over") && found.of == nil && found.grain() == Day && found.named == (named{}) && !r.is(at, "the") {
		return nil, 0 // at today
	}
	return found, end
}

// nearby reads today, tomorrow and the like.
func (r *reader) nearby(i int, _ bool) (*days, int) {
	i = r.skip(i, "the", "from")
	offset, next := 0, i+1
	switch {
	case r.is(i, "today"):
	case r.is(i, "tomorrow", "tmrw", "tmr", "tomorrow's", "tomorrows"):
		offset = 1
	case r.is(i, "yesterday"):
		offset = -1
	case r.seq(i, "day after tomorrow") > 0:
		offset, next = 2, i+3
	case r.seq(i, "day before yesterday") > 0:
		offset, next = -2, i+3
	case r.past && r.seq(i, "last night") > 0:
		return once(dayPeriod(r.today() - 1)), i + 1
	default:
		return nil, 0
	}
	return once(dayPeriod(r.today() + date(offset))), next
}

// namedWeekday reads "Friday", "Friday week", "Wednesday after next".
func (r *reader) namedWeekday(i int, introduced bool) (*days, int) {
	expected := introduced || shortWeekdays[r.text(i)] != nil && (r.strict(i+1) || r.dateStarts(i+1)) || i == 0 && (len(r.tokens) == 1 || r.at12(1) || r.is(1, "to")) || r.is(i-1, ",") || r.behindMe(i)
	w, next := r.weekday(r.skip(i, "the"), expected)
	if next == 0 {
		return nil, 0
	}
	if end := r.seq(next, "after next"); end > 0 {
		return r.afterNext(*w, end)
	}
	if weeks := map[string]int{"week": 1, "fortnight": 2}[r.text(next)]; weeks > 0 { // Friday week
		p, _ := onWeekdays(*w).near(r.today()+1, false)
		return once(dayPeriod(p.from + date(7*weeks))), next + 1
	}
	return onWeekdays(*w), next
}

// dateStarts reports whether a day of a month begins at a token: 25 March, March 25.
func (r *reader) dateStarts(i int) bool {
	_, next := r.dayNumber(i)
	return next > 0 && months[r.text(next)] != 0 || months[r.text(i)] != 0 && i+1 < len(r.tokens) && r.tokens[i+1].isNumber()
}

// afterNext is the Monday after next, where the next one is that of the next week to anyone;
// else people mean both of two.
func (r *reader) afterNext(w time.Weekday, next int) (*days, int) {
	coming, _ := onWeekdays(w).near(r.today()+1, false)
	if coming.from < periodOf(r.today(), Week).to {
		return nil, 0
	}
	return once(dayPeriod(coming.from + 7)), next
}

// behindMe reports whether a word stands where a time is said: remind me sun to ….
func (r *reader) behindMe(i int) bool {
	return r.is(i-1, "me", "on", "every", "each", "next", "this", "last")
}

// at12 reports whether a clock, a date or a mark begins at a token.
func (r *reader) at12(i int) bool {
	return r.is(i, ".", ",", "at") || i < len(r.tokens) && r.tokens[i].isNumber() || months[r.text(i)] != 0
}

// stamp reads a date as computers write it; moment reads one with its time of day.
func (r *reader) stamp(i int, _ bool) (*days, int) {
	if d, next := r.dashed(i); next > 0 {
		return d, next
	}
	year, at := r.digits(i, 4)
	if at == 0 || len(r.text(i)) != 4 || !r.is(at, "-") || !r.is(at+2, "-") || !r.joined(at) || !r.joined(at+1) || !r.joined(at+2) || !r.joined(at+3) {
		return nil, 0
	}
	month, ok := r.plain(at + 1)
	day, fine := r.plain(at + 3)
	if !ok || !fine || len(r.text(at+1)) > 2 || len(r.text(at+3)) > 2 {
		return nil, 0
	}
	if r.joined(at+4) && r.tokens[at+4].isWord() && !r.is(at+4, "t") {
		return nil, 0
	}
	d, next := r.real(dateWords{year, month, day}, i, at+4)
	if next == 0 {
		return nil, 0
	}
	return onDate(d), next
}

// dashed reads 31-Oct-27, 31/Oct/2027.
func (r *reader) dashed(i int) (*days, int) {
	day, at := r.digits(i, 2)
	if at == 0 || !r.is(at, "-", "/") || !r.joined(at) || !r.joined(at+1) || months[r.text(at+1)] == 0 || !r.is(at+2, r.text(at)) || !r.joined(at+3) {
		return nil, 0
	}
	year, ok := r.plain(at + 3)
	if !ok || len(r.text(at+3)) != 2 && len(r.text(at+3)) != 4 {
		return nil, 0
	}
	if year < 100 {
		year += 2000
	}
	return r.dated(dateWords{year, int(months[r.text(at+1)]), day}, i, at+4)
}

// calendarDate reads "3 March", "3rd of March 2027", "March 3", "the 15th".
func (r *reader) calendarDate(i int, introduced bool) (*days, int) {
	from := i
	i = r.skip(i, "the")
	if n, next := r.dayNumber(i); next > 0 {
		at := r.skip(next, "of", "day of")
		if n := r.seq(next, "day of"); n > 0 {
			at = n
		}
		if m := months[r.text(at)]; m != 0 {
			d, next := r.withYear(dateWords{month: int(m), day: n}, r.dot(at+1))
			return r.dated(d, from, next)
		}
	}
	_, behindDay := r.weekday(i-1, true) // Saturday 27th
	if n, next := r.ordinal(i); next > 0 && (introduced || from < i || behindDay > 0 || r.anyOf(next, "of the month", "of this month") > 0) && n >= 1 && n <= 31 && !r.countedNoun(next) {
		end := r.anyOf(next, "of the month", "of this month")
		if from < i || r.tokens[i].isNumber() || end > 0 {
			return onDate(dateWords{day: n}), max(next, end)
		}
	}
	m := months[r.text(i)]
	if m == 0 || from < i && r.is(i, "may") {
		return nil, 0
	}
	at := r.dot(i + 1)
	at = r.skip(at, "the")
	n, next := r.dayNumber(at)
	if next == 0 {
		n, next = r.spokenDay(at)
	}
	if n > 31 && n < 100 && (introduced || r.leads(from) || r.tokens[i].upper || r.is(next, "at") || next == len(r.tokens)) && !r.isUnit(next) && !r.countsSomething(next) {
		return r.dated(dateWords{month: int(m), day: n}, from, next) // which no calendar has
	}
	if next == 0 || n > 31 || r.is(next, ":", "h") && r.joined(next) || r.isMeridiem(next) { // we may march 50 miles
		return nil, 0
	}
	if _, unit := r.unit(next); unit > 0 && !r.joined(next-1) && r.tokens[at].isNumber() {
		return nil, 0
	}
	d, end := r.withYear(dateWords{month: int(m), day: n}, next)
	return r.dated(d, from, end)
}

// countedNoun reports whether what follows an ordinal is what it counts.
func (r *reader) countedNoun(i int) bool {
	if _, next := r.weekday(i, true); next > 0 {
		return true
	}
	_, unit := r.unit(i)
	return unit > 0 || r.is(i, "time", "last", "weekend", "to", "one", "half", "floor", "thing") && !r.is(i, "to") || months[r.text(i)] != 0
}

func (r *reader) dated(d dateWords, from, to int) (*days, int) {
	d, to = r.real(d, from, to)
	if to == 0 {
		return nil, 0
	}
	return onDate(d), to
}

// onDate are the days of a date; the month, and the year, may be left open.
func onDate(d dateWords) *days {
	if d.year != 0 {
		out := once(dayPeriod(dateOf(d.year, time.Month(d.month), d.day)))
		out.named.date = d
		return out
	}
	out := &days{cycle: Year, named: named{date: d}}
	out.of = func(year int) (period, bool) {
		if d.day > lengthOf(year, time.Month(d.month)) {
			return period{}, false
		}
		return dayPeriod(dateOf(year, time.Month(d.month), d.day)), true
	}
	if d.month == 0 {
		out.cycle = Month
		out.of = func(n int) (period, bool) {
			year, month := n/12, time.Month(n%12+1)
			if d.day > lengthOf(year, month) {
				return period{}, false
			}
			return dayPeriod(dateOf(year, month, d.day)), true
		}
	}
	return out
}

// dayNumber reads the number of a day in a month.
func (r *reader) dayNumber(i int) (int, int) {
	if n, next := r.ordinal(i); next > 0 {
		return n, next
	}
	n, next := r.digits(i, 2)
	if next == 0 && len(r.text(i)) <= 2 && r.joined(i) && i > 0 && months[r.text(i-1)] != 0 {
		if n, ok := r.plain(i); ok {
			return n, i + 1
		}
	}
	return n, next
}

// spokenDay reads the number of a day as it is said behind its month: March seven.
func (r *reader) spokenDay(i int) (int, int) {
	n, next := r.cardinal(i)
	if next == 0 || n < 1 || n > 31 || r.tokens[i].isNumber() || r.isUnit(next) || r.isMeridiem(next) {
		return 0, 0
	}
	if _, year := r.spokenYear(next); year == 0 && (r.is(next, "hundred", "thousand", "o'clock") || r.countsSomething(next)) {
		return 0, 0
	}
	return n, next
}

// spokenYear reads a year in words: two thousand and twenty seven, twenty thirty.
func (r *reader) spokenYear(i int) (int, int) {
	if next := r.seq(i, "two thousand"); next > 0 {
		n, end := r.cardinal(r.skip(next, "and"))
		if end == 0 || r.tokens[end-1].isNumber() || n > 99 {
			return 2000, next
		}
		return 2000 + n, end
	}
	if !r.is(i, "twenty") {
		return 0, 0
	}
	n, next := r.cardinal(i + 1)
	if next == 0 || r.tokens[i+1].isNumber() || n < 10 || n > 99 {
		return 0, 0
	}
	return 2000 + n, next
}

// withYear reads a year behind a date: 2027, '27, and 27 where nothing else can be meant.
func (r *reader) withYear(d dateWords, i int) (dateWords, int) {
	at := r.skip(i, ",", "of", "in")
	at = r.skip(at, "'", "’")
	n, next := r.digits(at, 4)
	if year, end := r.spokenYear(at); end > 0 && d.day > 0 {
		d.year = year
		return d, end
	}
	switch {
	case next > 0 && len(r.text(at)) == 4 && n >= 1900 && n < 2200 && !r.isMeridiem(next):
		d.year = n
		return d, next
	case next > 0 && len(r.text(at)) == 2 && at == i && d.day > 0 && (next == len(r.tokens) || r.is(next, "to", ",") && !r.startsDay(next+1) && !r.strict(next+1) || r.is(next, "remind", "please", "at") && r.isNear(2000+n)):
		d.year = 2000 + n
		return d, next
	}
	return d, i
}

// isNear reports whether a year of which only the end is said can be meant.
func (r *reader) isNear(year int) bool {
	const near = 10
	return r.now.Year() <= year && year < r.now.Year()+near
}

// monthFirst reports whether people in this zone write the month before the day.
func monthFirst(zone *time.Location) (first, known bool) {
	country := countryOf(zone.String())
	return country == "US", country != ""
}

// numericDate reads 12/15, 15/12/2026, 15.12. and 15.12.2026, the order by the country.
func (r *reader) numericDate(i int, introduced bool) (*days, int) {
	i = r.skip(i, "the")
	a, at := r.digits(i, 2)
	if at == 0 || !r.is(at, "/", ".") || !r.joined(at) || !r.joined(at+1) || at+1 >= len(r.tokens) {
		return nil, 0
	}
	mark := r.text(at)
	b, ok := r.plain(at + 1)
	if !ok || len(r.text(at+1)) > 2 {
		return nil, 0
	}
	next := at + 2
	d := dateWords{day: a, month: b}
	full := false
	if r.is(next, mark) && r.joined(next) && r.joined(next+1) {
		if year, ok := r.plain(next + 1); ok && (len(r.text(next+1)) == 4 || len(r.text(next+1)) == 2) {
			if d.year = year; year < 100 {
				d.year += 2000
			}
			next, full = next+2, true
		}
	}
	switch {
	case mark == "." && !full && r.is(next, ".") && r.joined(next):
		next++
	case mark == "." && !full && (!r.is(i-1, "on") || b > 12 || r.countsSomething(next) || r.isMeridiem(next)):
		return nil, 0 // 8.30 is a time of day
	case mark == "." && !full:
		if first, known := monthFirst(r.now.Location()); a <= 12 && (first || !known) {
			r.refuse("two_days", i, next)
			return nil, 0
		}
	case mark == "/" && !full && (r.isUnit(next) || a == 0 || b == 0):
		return nil, 0 // 3/4 hour
	case mark == "/" && !full && !introduced && !r.behindMe(i) && i > 0 && next < len(r.tokens) && !r.is(next, "at", "to", ",", "@", ":", "-", "."):
		return nil, 0 // 1/2 kg
	}
	if mark == "/" {
		first, known := monthFirst(r.now.Location())
		switch {
		case a > 12 || b > 12:
			first = b > 12
		case a != b && !known:
			r.refuse("two_days", i, next)
			return nil, 0
		}
		if first {
			d.day, d.month = b, a
		}
	}
	return r.dated(d, i, next)
}

func (r *reader) isUnit(i int) bool {
	_, next := r.unit(i)
	return next > 0
}

// real refuses dates that no calendar has.
func (r *reader) real(d dateWords, from, to int) (dateWords, int) {
	year := d.year
	if year == 0 {
		year = 2024 // any leap year
	}
	if d.month < 1 || d.month > 12 || d.day < 1 || d.day > lengthOf(year, time.Month(d.month)) {
		r.refuse("no_day", from, to)
		return d, 0
	}
	return d, to
}

// monthOrYear reads "in March", "March 2027", "2027", "Q3", "the third quarter".
func (r *reader) monthOrYear(i int, introduced bool) (*days, int) {
	if m := months[r.text(i)]; m != 0 {
		next := r.dot(i + 1)
		d, end := r.withYear(dateWords{month: int(m)}, next)
		switch {
		case d.year != 0:
			return once(periodOf(dateOf(d.year, m, 1), Month)), end
		case r.is(i, "may", "march", "mar") && !introduced && !r.behindMe(i) && (!r.tokens[i].upper || i == 0 && len(r.tokens) > 1) && len(r.tokens) > 1:
			return nil, 0
		case !introduced && r.joined(next) && next < len(r.tokens):
			return nil, 0
		}
		return inMonth(m), r.dot(next)
	}
	if d, next := r.quarter(r.skip(i, "the")); next > 0 {
		return d, next
	}
	at := r.skip(i, "the")
	at = r.skip(at, "year")
	if n, next := r.digits(at, 4); next > 0 && len(r.text(at)) == 4 && n >= 1900 && n < 2200 && (introduced || at > i) && !r.isMeridiem(next) && !r.is(i-1, "at", "for", "on", "around") {
		next = max(next, r.anyOf(next, "a . d .", "a . d", "ad"))
		return once(periodOf(dateOf(n, 1, 1), Year)), next
	}
	for name, start := range map[string][2]int{"spring": {3, 20}, "summer": {6, 21}, "autumn": {9, 23}, "fall": {9, 23}, "winter": {12, 21}} {
		if (introduced || at > i) && r.is(r.skip(i, "the"), name) {
			return season(start[0], start[1]), r.skip(i, "the") + 1
		}
	}
	return nil, 0
}

// quarter reads Q3, Q3 2027, "third quarter of 2027", 27q4.
func (r *reader) quarter(i int) (*days, int) {
	var n, next, year int
	switch {
	case r.is(i, "q") && r.joined(i+1):
		n, _ = r.plain(i + 1)
		next = i + 2
	case r.is(i+1, "q") && r.joined(i+1) && r.joined(i+2):
		year, _ = r.plain(i)
		n, _ = r.plain(i + 2)
		if next = i + 3; year < 100 {
			year += 2000
		}
	default:
		if n, next = r.ordinal(i); next == 0 || !r.is(next, "quarter", "qtr") {
			return nil, 0
		}
		next++
	}
	if n < 1 || n > 4 {
		return nil, 0
	}
	at := r.skip(next, "of", "in", ",")
	if y, end := r.digits(at, 4); year == 0 && end > 0 && len(r.text(at)) == 4 && y >= 1900 {
		year, next = y, end
	}
	first := time.Month(3*n - 2)
	if year > 0 {
		return once(periodOf(dateOf(year, first, 1), Quarter)), next
	}
	return &days{cycle: Year, of: func(y int) (period, bool) { return periodOf(dateOf(y, first, 1), Quarter), true }}, next
}

func inMonth(m time.Month) *days {
	return &days{cycle: Year, named: named{date: dateWords{month: int(m)}}, of: func(year int) (period, bool) {
		return periodOf(dateOf(year, m, 1), Month), true
	}}
}

func season(month, day int) *days {
	return &days{cycle: Year, of: func(year int) (period, bool) {
		first := dateOf(year, time.Month(month), day)
		return period{first, first.monthsOn(3), Quarter}, true
	}}
}

// dateRange reads "July 13-15", "from 13 to 15 July", "Aug 8 - Aug 12".
func (r *reader) dateRange(i int, introduced bool) (*days, int) {
	if r.is(i-1, "at", "@") {
		return nil, 0
	}
	at := r.skip(i, "from", "between")
	between := r.is(i, "between")
	at = r.skip(at, "the")
	if m := months[r.text(at)]; m != 0 {
		a, next := r.dayNumber(r.skip(r.dot(at+1), "the"))
		sign := r.rangeSign(next, between)
		if next == 0 || sign == 0 {
			return nil, 0
		}
		other := m
		if o := months[r.text(sign)]; o != 0 {
			other, sign = o, r.dot(sign+1)
		}
		b, end := r.dayNumber(r.skip(sign, "the"))
		if end == 0 || r.is(end, ":") && r.joined(end) || r.isMeridiem(end) {
			return nil, 0
		}
		return r.datesFrom(i, end, dateWords{month: int(m), day: a}, dateWords{month: int(other), day: b})
	}
	a, next := r.dayNumber(at)
	if next == 0 {
		return nil, 0
	}
	sign := r.rangeSign(next, between)
	if m := months[r.text(r.skip(next, "of"))]; m != 0 {
		sign = r.rangeSign(r.skip(next, "of")+1, between)
	}
	if sign == 0 {
		return nil, 0
	}
	b, end := r.dayNumber(r.skip(sign, "the"))
	if end == 0 {
		return nil, 0
	}
	end = r.skip(end, "of")
	m := months[r.text(end)]
	if m == 0 {
		return nil, 0
	}
	first := m
	if o := months[r.text(r.skip(next, "of"))]; o != 0 {
		first = o
	}
	return r.datesFrom(i, end+1, dateWords{month: int(first), day: a}, dateWords{month: int(m), day: b})
}

// datesFrom are the days from one date to another.
func (r *reader) datesFrom(from, to int, a, b dateWords) (*days, int) {
	b, to = r.withYear(b, to)
	a.year = b.year
	if _, ok := r.real(a, from, to); ok == 0 {
		return nil, 0
	}
	if _, ok := r.real(b, from, to); ok == 0 {
		return nil, 0
	}
	span := func(p period) (period, bool) {
		last, ok := onDate(b).near(p.from, false)
		return period{p.from, last.to, Day}, ok && last.to-p.from < 366
	}
	if a.year != 0 {
		p, ok := span(dayPeriod(dateOf(a.year, time.Month(a.month), a.day)))
		if !ok {
			return nil, 0
		}
		return once(p), to
	}
	first := onDate(a)
	return &days{cycle: Year, of: func(year int) (period, bool) {
		p, ok := first.of(year)
		if !ok {
			return period{}, false
		}
		return span(p)
	}}, to
}
