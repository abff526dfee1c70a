package when

import (
	"fmt"
	"strings"
	"time"
)

// span is how long from now: what passes, and what the calendar counts.
type span struct {
	passes       time.Duration
	days, months int
}

// exact reports whether it counts time as it passes, so that a time of day can't
// be added.
func (s span) exact() bool { return s.passes != 0 }

// after is the moment that lies the span ahead of t.
func (s span) after(t time.Time) time.Time {
	if s.months != 0 {
		t = monthsLater(t, s.months)
	}
	if s.days != 0 {
		t = daysLater(t, s.days)
	}
	return t.Add(s.passes)
}

// maxYears bounds how far ahead a time may be.
const maxYears = 100

func (s span) tooFar() bool {
	return s.months > maxYears*12 || s.days > maxYears*366 || s.passes > maxYears*366*day24
}

// units by their names; each is so much of a second, a day or a month.
var units = map[string]span{
	"second": {passes: time.Second}, "seconds": {passes: time.Second}, "sec": {passes: time.Second}, "secs": {passes: time.Second}, "s": {passes: time.Second},
	"minute": {passes: time.Minute}, "minutes": {passes: time.Minute}, "min": {passes: time.Minute}, "mins": {passes: time.Minute}, "m": {passes: time.Minute},
	"hour": {passes: time.Hour}, "hours": {passes: time.Hour}, "hr": {passes: time.Hour}, "hrs": {passes: time.Hour}, "h": {passes: time.Hour},
	"day": {days: 1}, "days": {days: 1}, "d": {days: 1},
	"week": {days: 7}, "weeks": {days: 7}, "w": {days: 7}, "fortnight": {days: 14}, "fortnights": {days: 14},
	"month": {months: 1}, "months": {months: 1},
	"year": {months: 12}, "years": {months: 12},
}

// span reads "in 2 hours", "in an hour and a half", "in 1h30m", "2 hours from now".
func (p *parser) span(i int) (*span, int) {
	if p.is(i, "in") && !p.past {
		from := i + 1
		if p.is(from, "about", "around") {
			from++
		}
		minus := from
		if p.is(from, "minus") {
			from++
		}
		if s, next := p.length(from); next > 0 {
			if from > minus || p.words[from].minus {
				p.refuse(fmt.Sprintf("%q lies in the past", p.signed(i, next)))
				return nil, 0
			}
			if n := p.phrase(next, "time"); n > 0 { // in an hour's time
				next = n
			}
			return s, next
		}
		return nil, 0
	}
	s, next := p.length(i)
	if next == 0 {
		return nil, 0
	}
	if p.past {
		if n := p.phrase(next, "ago"); n > 0 {
			return s, n
		}
		return nil, 0
	}
	if n := max(p.phrase(next, "from", "now"), p.phrase(next, "from", "today")); n > 0 {
		return s, n
	}
	return nil, 0
}

// signed is the text, with the minus signs.
func (p *parser) signed(from, to int) string {
	said := make([]string, 0, to-from)
	for _, w := range p.words[from:to] {
		if w.minus {
			w.text = "-" + w.text
		}
		said = append(said, w.text)
	}
	return strings.Join(said, " ")
}

// length reads "2 hours and 30 minutes".
func (p *parser) length(i int) (*span, int) {
	var sum span
	end := 0
	for {
		at := i
		if end > 0 && p.is(at, "and") {
			at++
		}
		one, next := p.amount(at)
		if next == 0 {
			break
		}
		sum.passes, sum.days, sum.months = sum.passes+one.passes, sum.days+one.days, sum.months+one.months
		i, end = next, next
	}
	if end == 0 || sum == (span{}) {
		return nil, 0
	}
	return &sum, end
}

// amount reads "2 hours", "half an hour", "an hour and a half", "1.5 hours", "2h", "1h30m".
func (p *parser) amount(i int) (span, int) {
	if s, ok := compact(p.text(i)); ok {
		return s, i + 1
	}
	if p.is(i, "half") && p.is(i+1, "a", "an") {
		if u, ok := unitNamed(p.text(i + 2)); ok {
			return u.times(halfOf), i + 3
		}
		return span{}, 0
	}
	if n := max(p.phrase(i, "quarter", "of", "an", "hour"), p.phrase(i, "a", "quarter", "of", "an", "hour")); n > 0 {
		return span{passes: 15 * time.Minute}, n
	}
	hundredths, next := p.quantity(i)
	if next == 0 {
		return span{}, 0
	}
	if n := p.phrase(next, "and", "a", "half"); n > 0 {
		hundredths, next = hundredths+halfOf, n
	}
	u, ok := unitNamed(p.text(next))
	if !ok || u.days+u.months > 0 && hundredths%100 != 0 && u != (span{days: 1}) && u != (span{days: 7}) {
		return span{}, 0
	}
	next++
	if n := p.phrase(next, "and", "a", "half"); n > 0 && u.months == 0 {
		hundredths, next = hundredths+halfOf, n
	}
	return u.times(hundredths), next
}

// halfOf is a half in hundredths.
const halfOf = 50

// times is so many hundredths of a unit. A part of a day or week passes as hours do.
func (s span) times(hundredths int) span {
	out := span{
		passes: s.passes * time.Duration(hundredths) / 100,
		days:   s.days * (hundredths / 100), months: s.months * hundredths / 100,
	}
	if s.days > 0 {
		out.passes += time.Duration(s.days) * day24 * time.Duration(hundredths%100) / 100
	}
	return out
}

func unitNamed(text string) (span, bool) {
	u, ok := units[strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")]
	if !ok {
		u, ok = units[strings.TrimRight(text, "'’")]
	}
	return u, ok
}

// quantity reads a number in hundredths: 2, 1.5, two, a couple of.
func (p *parser) quantity(i int) (hundredths, next int) {
	if n := p.phrase(i, "a", "couple", "of"); n > 0 {
		return 200, n
	}
	if n, ok := numberWords[p.text(i)]; ok {
		return n * 100, i + 1
	}
	whole, rest, fraction := strings.Cut(p.text(i), ".")
	n, ok := number(whole)
	if !ok {
		return 0, 0
	}
	if !fraction {
		return n * 100, i + 1
	}
	part, ok := number((rest + "0")[:min(2, len(rest)+1)])
	if !ok || len(rest) > 2 || rest == "" {
		return 0, 0
	}
	return n*100 + part, i + 1
}

// compact reads 2h, 90min, 1h30m.
func compact(text string) (span, bool) {
	var sum span
	for text != "" {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, ok := number(text[:digits])
		if !ok {
			return span{}, false
		}
		rest := text[digits:]
		name := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))]
		u, ok := units[name]
		if !ok {
			return span{}, false
		}
		one := u.times(n * 100)
		sum.passes, sum.days, sum.months = sum.passes+one.passes, sum.days+one.days, sum.months+one.months
		text = rest[len(name):]
	}
	return sum, sum != span{}
}
