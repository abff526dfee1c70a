package when

import (
	"strconv"
	"strings"
	"time"
)

var units = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
	"twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}

var tens = map[string]int{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

// digits reads a number of at most so many digits that isn't a part of a longer word.
func (r *reader) digits(i, most int) (int, int) {
	text := r.text(i)
	if text == "" || !isDigit(rune(text[0])) || len(text) > most {
		return 0, 0
	}
	if r.joined(i) && !r.opens(i-1) {
		return 0, 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, 0
	}
	return n, i + 1
}

// opens reports whether a number may be joined to a token: a mark that doesn't make it
// part of something else, or the name of a month.
func (r *reader) opens(i int) bool {
	text := r.text(i)
	switch text {
	case ".", "/", ":", "#", "$", "€", "£", "_", "+", "\\", "%":
		return false
	case "-", "–", "—":
		return true
	}
	return !r.tokens[i].isWord() || months[text] != 0 || unitNames[text] != (span{}) && r.tokens[i].joined || text == "h"
}

// cardinal reads 7, seven, twenty five, twenty-five.
func (r *reader) cardinal(i int) (int, int) {
	if n, next := r.digits(i, 4); next > 0 {
		return n, next
	}
	if n := units[r.text(i)]; n > 0 {
		return n, i + 1
	}
	n := tens[r.text(i)]
	if n == 0 {
		return 0, 0
	}
	at := i + 1
	if r.is(at, "-") && r.joined(at) {
		at++
	}
	if one := units[r.text(at)]; one > 0 && one < 10 {
		return n + one, at + 1
	}
	return n, i + 1
}

// ordinal reads 1st, 21st, first, twenty-first.
func (r *reader) ordinal(i int) (int, int) {
	if n, next := r.digits(i, 2); next > 0 {
		if r.joined(next) && r.is(next, "st", "nd", "rd", "th") {
			return n, next + 1
		}
		return 0, 0
	}
	if n := ordinals[r.text(i)]; n > 0 {
		return n, i + 1
	}
	n := tens[r.text(i)]
	at := i + 1
	if r.is(at, "-") && r.joined(at) {
		at++
	}
	if one := ordinals[r.text(at)]; n > 0 && one > 0 && one < 10 {
		return n + one, at + 1
	}
	return 0, 0
}

// span is how long: what passes, and what the calendar counts.
type span struct {
	passes       time.Duration
	days, months int
	grain        Grain // of the finest unit
}

// exact reports whether it counts time as it passes, so that a time of day can't be added.
func (s span) exact() bool { return s.passes != 0 }

func (s span) negative() span {
	return span{-s.passes, -s.days, -s.months, s.grain}
}

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

// unitNames are units; each is so much of a second, a day or a month.
var unitNames = func() map[string]span {
	out := map[string]span{}
	for names, unit := range map[string]span{
		"second seconds sec secs s":   {passes: time.Second, grain: Second},
		"minute minutes min mins m '": {passes: time.Minute, grain: Minute},
		"hour hours hr hrs h":         {passes: time.Hour, grain: Hour},
		"day days d":                  {days: 1, grain: Day},
		"week weeks wk wks w":         {days: 7, grain: Week},
		"fortnight fortnights":        {days: 14, grain: Day},
		"month months mth mths":       {months: 1, grain: Month},
		"quarter quarters qtr qtrs":   {months: 3, grain: Quarter},
		"year years yr yrs":           {months: 12, grain: Year},
		"decade decades":              {months: 120, grain: Year},
		"hour's hours' hour’s":        {passes: time.Hour, grain: Hour},
		"day's days' day’s":           {days: 1, grain: Day},
		"week's weeks' week’s":        {days: 7, grain: Week},
		"month's months' month’s":     {months: 1, grain: Month},
		"year's years' year’s":        {months: 12, grain: Year},
		"minute's minutes' minute’s":  {passes: time.Minute, grain: Minute},
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = unit
		}
	}
	return out
}()

// unit reads the name of a unit, with an apostrophe behind it where there is one.
func (r *reader) unit(i int) (span, int) {
	u, ok := unitNames[r.text(i)]
	if !ok {
		return span{}, 0
	}
	if len(r.text(i)) > 2 && r.is(i+1, "'", "’") && r.joined(i+1) {
		return u, i + 2
	}
	return u, i + 1
}

// halfOf is a half in hundredths.
const halfOf = 50

// times is so many hundredths of a unit. A part of a day or week passes as hours do.
func (s span) times(hundredths int) span {
	out := span{
		passes: s.passes * time.Duration(hundredths) / 100,
		days:   s.days * (hundredths / 100), months: s.months * hundredths / 100, grain: s.grain,
	}
	if s.days > 0 {
		out.passes += time.Duration(s.days) * day24 * time.Duration(hundredths%100) / 100
	}
	return out
}

// length reads "an hour and 20 minutes", "2 days", "1h30m".
func (r *reader) length(i int) (span, int) {
	sum, next := r.amount(i)
	if next == 0 {
		return span{}, 0
	}
	if sum.grain == Hour && r.joined(next) && len(r.text(next)) == 2 && !r.isUnit(next+1) {
		if n, ok := r.plain(next); ok && n < 60 { // 2h30
			return span{sum.passes + time.Duration(n)*time.Minute, sum.days, sum.months, Minute}, next + 1
		}
	}
	for {
		at := r.skip(next, "and", ",")
		more, end := r.amount(at)
		if end == 0 || more.grain >= sum.grain {
			return sum, next
		}
		sum = span{sum.passes + more.passes, sum.days + more.days, sum.months + more.months, more.grain}
		next = end
	}
}

// amount reads "2 hours", "half an hour", "an hour and a half", "1.5 hours", "3/4h",
// "three quarters of an hour", "a couple of days".
func (r *reader) amount(i int) (span, int) {
	hundredths, next := r.quantity(i)
	if next == 0 {
		return span{}, 0
	}
	next = r.skip(next, "more", "full", "whole")
	if n := r.anyOf(next, "and a half", "and an half"); n > 0 {
		hundredths, next = hundredths+halfOf, n
	}
	u, end := r.unit(next)
	switch {
	case end == 0:
		return span{}, 0
	case u.months > 0 && hundredths%100 != 0 && (u.months*hundredths)%100 != 0:
		return span{}, 0
	case len(r.text(next)) == 1 && !r.joined(next) && !r.is(next, "h", "m", "s", "d"):
		return span{}, 0
	}
	if n := r.anyOf(end, "and a half", "and an half"); n > 0 && u.months != 1 {
		hundredths, end = hundredths+halfOf, n
	}
	return u.times(hundredths), end
}

// quantity reads a number in hundredths: 2, 1.5, 3/4, two, half a, a couple of.
func (r *reader) quantity(i int) (hundredths, next int) {
	if n := r.anyOf(i, "half an", "half a", "a half"); n > 0 {
		return halfOf, n
	}
	if r.is(i, "half") && r.is(i+1, "hour", "day") {
		return halfOf, i + 1
	}
	if n := r.anyOf(i, "a quarter of an", "quarter of an", "a quarter of a", "one quarter of an", "a quarter"); n > 0 {
		if _, end := r.unit(n); end > 0 {
			return 25, n
		}
		return 0, 0
	}
	if n := r.anyOf(i, "three - quarters of an", "three quarters of an", "3 quarters of an", "three quarter"); n > 0 {
		return 75, n
	}
	if n := r.anyOf(i, "a couple of", "a couple", "couple of", "couple", "a pair of", "pair of"); n > 0 {
		return 200, n
	}
	if n := r.anyOf(i, "a few", "few"); n > 0 {
		return 300, n
	}
	if r.is(i, "a", "an") {
		return 100, i + 1
	}
	whole, next := r.cardinal(i)
	if next == 0 {
		return 0, 0
	}
	part, end := r.fraction(next)
	switch {
	case end == 0:
		return whole * 100, next
	case r.is(next, "/"):
		if part == 0 || whole >= part || whole*100%part != 0 {
			return 0, 0
		}
		return whole * 100 / part, end
	}
	return whole*100 + part, end
}

// fraction reads what is joined behind the digits of a number: .5, .25, /4.
func (r *reader) fraction(i int) (int, int) {
	if !r.is(i, ".", ",", "/") || !r.joined(i) || !r.joined(i+1) || !r.tokens[i-1].isNumber() {
		return 0, 0
	}
	text := r.text(i + 1)
	if text == "" || !isDigit(rune(text[0])) || len(text) > 2 {
		return 0, 0
	}
	if r.text(i) != "/" {
		text = (text + "0")[:2]
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, 0
	}
	return n, i + 2
}

// minus reports whether a number at i is negative, and refuses it.
func (r *reader) minus(from, i int) bool {
	if !r.is(i, "-", "−", "minus") || r.text(i) != "minus" && !r.joined(i+1) {
		return false
	}
	s, next := r.length(i + 1)
	if next == 0 && r.is(i, "-", "−") && r.tokens[i+1].isNumber() {
		s, next = r.lengthJoined(i + 1)
	}
	if next == 0 || s == (span{}) {
		return false
	}
	r.refuse("past", from, next)
	return true
}

// lengthJoined reads a length whose number has a sign before it.
func (r *reader) lengthJoined(i int) (span, int) {
	q := *r
	q.tokens = append([]token(nil), r.tokens...)
	q.tokens[i].joined = false
	return q.length(i)
}
