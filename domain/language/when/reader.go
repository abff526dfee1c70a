package when

import (
	"slices"
	"strings"
	"time"
)

// reader goes over the tokens of a sentence. Its methods read something at a token and
// return the token behind it; 0 when it isn't there.
type reader struct {
	tokens []token
	now    time.Time // in the zone of the person
	past   bool      // a time that has passed is wanted
	ended  bool      // what comes back may have an end on each day
	apart  bool      // what only a recurrence joins is read apart
	wrong  error     // something that is a time, and can't be
	given  given     // what is known besides
}

// text is a token, "" before the first and behind the last.
func (r *reader) text(i int) string {
	if 0 <= i && i < len(r.tokens) {
		return r.tokens[i].text
	}
	return ""
}

func (r *reader) is(i int, texts ...string) bool {
	return r.text(i) != "" && slices.Contains(texts, r.text(i))
}

func (r *reader) joined(i int) bool { return 0 <= i && i < len(r.tokens) && r.tokens[i].joined }

// skip is the token behind one of these, or the same one.
func (r *reader) skip(i int, texts ...string) int {
	if r.is(i, texts...) {
		return i + 1
	}
	return i
}

// seq is the token behind words that stand at i; 0 when they don't.
func (r *reader) seq(i int, words string) int {
	if first := r.text(i); first == "" || !strings.HasPrefix(words, first) {
		return 0 // as nearly always
	}
	for word := range strings.FieldsSeq(words) {
		if r.text(i) != word {
			return 0
		}
		i++
	}
	return i
}

// anyOf is the token behind the first of these phrases that stands at i.
func (r *reader) anyOf(i int, phrases ...string) int {
	for _, phrase := range phrases {
		if next := r.seq(i, phrase); next > 0 {
			return next
		}
	}
	return 0
}

// said is the sentence's own words, for errors.
func (r *reader) said(from, to int) string {
	var out strings.Builder
	for i := from; i < min(to, len(r.tokens)); i++ {
		if i > from && !r.tokens[i].joined {
			out.WriteByte(' ')
		}
		out.WriteString(r.text(i))
	}
	return out.String()
}

// date is a day by its number: days since 1970 began.
type date int

func dateOf(year int, month time.Month, day int) date { return date(dayNumber(year, month, day)) }

func dateAt(t time.Time) date { return dateOf(t.Year(), t.Month(), t.Day()) }

func (d date) split() (int, time.Month, int) {
	return time.Unix(int64(d)*int64(day24/time.Second), 0).UTC().Date()
}

func (d date) weekday() time.Weekday { return time.Weekday(((int(d)+4)%7 + 7) % 7) }

// on is a time of the day, in a zone.
func (d date) on(c clockTime, zone *time.Location) time.Time {
	year, month, day := d.split()
	return c.on(year, month, day, zone)
}

// monthsOn is the same day so many months later, or the last of a month that is too short.
func (d date) monthsOn(months int) date {
	year, month, day := d.split()
	year, month = monthAfter(year, month, months)
	return dateOf(year, month, min(day, lengthOf(year, month)))
}

func (r *reader) today() date { return dateAt(r.now) }

// Grain is how exact a time is.
type Grain int

// The grains, from the finest.
const (
	Second Grain = iota
	Minute
	Hour
	Day
	Week
	Month
	Quarter
	Year
)

// period is whole days, from its first to before its end.
type period struct {
	from, to date
	grain    Grain
}

func (p period) has(d date) bool { return p.from <= d && d < p.to }

func dayPeriod(d date) period { return period{d, d + 1, Day} }

// periodOf is the period of a grain in which a day lies. A week begins on Monday.
func periodOf(d date, g Grain) period {
	year, month, _ := d.split()
	first := d
	switch g {
	case Week:
		first = date(weekOf(int(d)))
	case Month:
		first = dateOf(year, month, 1)
	case Quarter:
		first = dateOf(year, (month-1)/3*3+1, 1)
	case Year:
		first = dateOf(year, 1, 1)
	}
	return period{first, later(first, g, 1), g}
}

// later is a day so many units of a grain later.
func later(d date, g Grain, n int) date {
	switch g {
	case Week:
		return d + date(7*n)
	case Month:
		return d.monthsOn(n)
	case Quarter:
		return d.monthsOn(3 * n)
	case Year:
		return d.monthsOn(12 * n)
	}
	return d + date(n)
}
