package when

import (
	"fmt"
	"time"
)

// day is a day as it was said: exactly one of its kinds.
type day struct {
	offset  *int          // from today
	weekday *time.Weekday // the next one; strict when not today
	strict  bool
	months  int       // from this month, on the same day
	date    dateWords // 3 March, the 15th
	at      time.Time // with its time of day
}

// dateWords is a date of which the year, and also the month, may be left open.
type dateWords struct{ year, month, day int }

var weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

var shortWeekdays = map[string]time.Weekday{
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "tues": time.Tuesday, "wed": time.Wednesday,
	"thu": time.Thursday, "thur": time.Thursday, "thurs": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

var months = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// weekday reads a day of the week; a short name only where one is expected.
func (p *parser) weekday(i int, expected bool) (time.Weekday, bool) {
	if d, ok := weekdays[p.text(i)]; ok {
		return d, true
	}
	d, ok := shortWeekdays[p.text(i)]
	return d, ok && expected
}

// day reads "tomorrow", "on Friday", "next Monday", "3 March 2027", "on the 15th",
// "2026-12-01".
func (p *parser) day(i int) (*day, int) {
	introduced := p.is(i, "on", "by", "until", "before")
	if introduced {
		i++
	}
	if d, next := p.nearby(i); next > 0 {
		return d, next
	}
	if p.past && p.is(i, "last") {
		return p.lastOf(i + 1)
	}
	if p.past && p.is(i, "now") {
		return &day{at: p.now}, i + 1
	}
	next, this := p.is(i, "next") && !p.past, p.is(i, "this", "coming")
	if next || this {
		if d, ok := p.weekday(i+1, true); ok {
			return &day{weekday: &d, strict: next}, i + 2
		}
		if n := p.coming(i+1, next); n != nil {
			return n, i + 2
		}
		return nil, 0
	}
	if d, ok := p.weekday(i, introduced); ok {
		if date, end := p.date(i + 1); end > 0 { // Friday 3 March
			return &day{date: date}, end
		}
		return &day{weekday: &d}, i + 1
	}
	if at, ok := p.stamp(i); ok {
		return &day{at: at}, i + 1
	}
	if date, end := p.date(i); end > 0 {
		return &day{date: date}, end
	}
	if introduced && p.is(i, "the") {
		if n, ok := ordinal(p.text(i + 1)); ok && n >= 1 && n <= 31 {
			return &day{date: dateWords{day: n}}, i + 2
		}
	}
	return nil, 0
}

// nearby reads today, tomorrow and the like.
func (p *parser) nearby(i int) (*day, int) {
	if p.is(i, "the") {
		i++
	}
	offset, next := 0, i+1
	switch {
	case p.is(i, "today"):
	case p.is(i, "tomorrow", "tmrw"):
		offset = 1
	case p.is(i, "yesterday"):
		offset = -1
	case p.phrase(i, "day", "after", "tomorrow") > 0:
		offset, next = 2, i+3
	case p.phrase(i, "day", "before", "yesterday") > 0:
		offset, next = -2, i+3
	default:
		return nil, 0
	}
	return &day{offset: &offset}, next
}

// coming reads the week, month, year or weekend of "next week".
func (p *parser) coming(i int, next bool) *day {
	week, saturday := 7, time.Saturday
	switch {
	case p.is(i, "weekend"):
		return &day{weekday: &saturday, strict: next}
	case p.is(i, "week") && next:
		return &day{offset: &week}
	case p.is(i, "month") && next:
		return &day{months: 1}
	case p.is(i, "year") && next:
		return &day{months: 12}
	}
	return nil
}

// stamp reads a date and time as computers write them.
func (p *parser) stamp(i int) (time.Time, bool) {
	text := p.text(i)
	if len(text) < len("2006-01-02t15:04") {
		return time.Time{}, false
	}
	for _, layout := range []string{"2006-01-02t15:04", "2006-01-02t15:04:05"} {
		if wall, err := time.Parse(layout, text); err == nil {
			return wallOf(wall).on(wall.Year(), wall.Month(), wall.Day(), p.now.Location()), true
		}
	}
	for _, layout := range []string{"2006-01-02t15:04z07:00", "2006-01-02t15:04:05z07:00"} {
		if at, err := time.Parse(zoned(layout), zoned(text)); err == nil {
			return at.In(p.now.Location()), true
		}
	}
	return time.Time{}, false
}

// zoned writes the letters of a time as time.Parse knows them.
func zoned(text string) string {
	out := []byte(text)
	for i, c := range out {
		if c == 't' || c == 'z' {
			out[i] = c - 'a' + 'A'
		}
	}
	return string(out)
}

// date reads "3 March", "3rd of March 2027", "March 3", "2026-12-01".
func (p *parser) date(i int) (dateWords, int) {
	if d, ok := isoDate(p.text(i)); ok {
		return p.real(d, i, i+1)
	}
	from := i
	if p.is(i, "the") {
		i++
	}
	if n, ok := dayNumberWord(p.text(i)); ok {
		at := i + 1
		if p.is(at, "of") {
			at++
		}
		if m, ok := months[p.text(at)]; ok {
			d, next := p.withYear(dateWords{month: int(m), day: n}, at+1)
			return p.real(d, from, next)
		}
		return dateWords{}, 0
	}
	m, ok := months[p.text(i)]
	if !ok {
		return dateWords{}, 0
	}
	at := i + 1
	if p.is(at, "the") {
		at++
	}
	n, ok := dayNumberWord(p.text(at))
	if !ok || n > 31 { // we may march 50 miles
		return dateWords{}, 0
	}
	d, next := p.withYear(dateWords{month: int(m), day: n}, at+1)
	return p.real(d, from, next)
}

func dayNumberWord(text string) (int, bool) {
	if n, ok := ordinal(text); ok {
		return n, n <= 99
	}
	n, ok := number(text)
	return n, ok && len(text) <= 2
}

func isoDate(text string) (dateWords, bool) {
	if len(text) != len("2006-01-02") || text[4] != '-' || text[7] != '-' {
		return dateWords{}, false
	}
	year, ok1 := number(text[:4])
	month, ok2 := number(text[5:7])
	d, ok3 := number(text[8:])
	return dateWords{year, month, d}, ok1 && ok2 && ok3
}

// withYear reads a year behind a date.
func (p *parser) withYear(d dateWords, i int) (dateWords, int) {
	if n, ok := number(p.text(i)); ok && len(p.text(i)) == 4 && n >= 1900 {
		d.year = n
		return d, i + 1
	}
	return d, i
}

// real refuses dates that no calendar has.
func (p *parser) real(d dateWords, from, to int) (dateWords, int) {
	year := d.year
	if year == 0 {
		year = 2024 // any leap year
	}
	if d.month < 1 || d.month > 12 || d.day < 1 || d.day > lengthOf(year, time.Month(d.month)) {
		p.refuse(fmt.Sprintf("there is no day %q in the calendar", p.said(from, to)))
		return d, 0
	}
	return d, to
}
