package when

import (
	"fmt"
	"strings"
)

// clock is a time of day as it was said.
type clock struct {
	hour, minute int
	loose        bool // it doesn't say which half of the day
}

// partOfDay is a morning, an afternoon, an evening or a night.
type partOfDay struct {
	hour  int  // when nothing else is said
	late  bool // its hours are after noon
	night bool // its small hours belong to the day before
	today bool // it names this day's
}

var parts = map[string]partOfDay{
	"morning": {hour: 9}, "afternoon": {hour: 15, late: true}, "evening": {hour: 19, late: true}, "night": {hour: 20, late: true, night: true},
}

// dayStarts is the time of a day that is named without one.
const dayStarts = 9

// partOfDay reads "in the evening", "tonight", "this morning"; behind a day also
// "evening" alone.
func (p *parser) partOfDay(i int, behindDay bool) (*partOfDay, int) {
	if p.is(i, "tonight") {
		part := parts["night"]
		part.today = true
		return &part, i + 1
	}
	var at int
	var today bool
	switch {
	case p.is(i, "this"):
		at, today = i+1, true
	case p.is(i, "in") && p.is(i+1, "the"):
		at = i + 2
	case p.is(i, "at") && p.is(i+1, "night"):
		at = i + 1
	case behindDay:
		at = i
	default:
		return nil, 0
	}
	part, ok := parts[p.text(at)]
	if !ok {
		return nil, 0
	}
	part.today = today
	return &part, at + 1
}

// clock reads "at 8", "17:30", "8pm", "half past 8", "noon".
func (p *parser) clock(i int) (*clock, int) {
	from := i
	introduced := p.is(i, "at", "by", "until", "before", "around", "@")
	if introduced {
		i++
	}
	switch {
	case p.is(i, "noon", "midday"):
		return &clock{hour: 12}, i + 1
	case p.is(i, "midnight"):
		return &clock{hour: 24}, i + 1
	}
	if c, next := p.past12(i, introduced); next > 0 {
		return c, next
	}
	text := p.text(i)
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789:."))]
	half, next := p.half(strings.TrimLeft(text[len(digits):], " "), i+1)
	if next == 0 {
		return nil, 0
	}
	c, ok := clockFace(digits, introduced || half != "")
	if !ok || !introduced && half == "" && !strings.Contains(digits, ":") {
		return nil, 0
	}
	if c.hour > 24 || c.minute > 59 || c.hour == 24 && c.minute > 0 {
		if strings.Contains(digits, ":") || half != "" || next == len(p.words) {
			p.refuse(fmt.Sprintf("%q is no time of a day: the hours go from 0 to 24, and the minutes to 59", p.said(from, next)))
		}
		return nil, 0
	}
	return c.inHalf(half), next
}

// half reads am, pm or o'clock, joined to a number or behind it. 0 when something
// else is joined to it.
func (p *parser) half(joined string, next int) (half string, after int) {
	if joined != "" {
		switch strings.ReplaceAll(joined, ".", "") {
		case "am", "pm":
			return strings.ReplaceAll(joined, ".", ""), next
		}
		return "", 0
	}
	if n := p.phrase(next, "o", "clock"); n > 0 {
		return "o'clock", n
	}
	switch behind := strings.ReplaceAll(p.text(next), ".", ""); behind {
	case "am", "pm", "o'clock", "o’clock", "oclock":
		return behind, next + 1
	}
	return "", next
}

// clockFace reads the digits of a time: 8, 08, 17:30, 8.30, 1730.
func clockFace(digits string, introduced bool) (c clock, ok bool) {
	hour, minute, split := strings.Cut(digits, ":")
	if !split && introduced {
		hour, minute, split = strings.Cut(digits, ".")
	}
	if !split && len(digits) == 4 {
		hour, minute, split = digits[:2], digits[2:], true
	}
	c.hour, ok = number(hour)
	if !ok || len(hour) > 2 {
		return c, false
	}
	if split {
		if c.minute, ok = number(minute); !ok || len(minute) != 2 {
			return c, false
		}
	}
	c.loose = c.hour >= 1 && c.hour <= 12 && hour[0] != '0' && (!split || len(hour) == 1)
	return c, true
}

func (c clock) inHalf(half string) *clock {
	switch half {
	case "am":
		c.hour, c.loose = c.hour%24, false
		if c.hour == 12 {
			c.hour = 0
		}
	case "pm":
		if c.hour < 12 {
			c.hour += 12
		}
		c.loose = false
	}
	return &c
}

// past12 reads "half past 8", "quarter to 9", "ten past 8".
//
// Numbers on both sides of "to" are mostly something else, so that this one has to
// be introduced: at ten to 8.
func (p *parser) past12(i int, introduced bool) (*clock, int) {
	if p.is(i, "a") {
		i++
	}
	var minutes int
	named := true
	switch {
	case p.is(i, "half") && p.is(i+1, "past"):
		minutes = 30
	case p.is(i, "quarter"):
		minutes = 15
	default:
		hundredths, next := p.quantity(i)
		if next != i+1 || hundredths%100 != 0 || hundredths >= 60*100 {
			return nil, 0
		}
		minutes, named = hundredths/100, false
	}
	i++
	if p.is(i, "minutes") {
		i++
	}
	before := p.is(i, "to")
	if !before && !p.is(i, "past") || before && !named && !introduced {
		return nil, 0
	}
	hundredths, next := p.quantity(i + 1)
	hour := hundredths / 100
	if next == 0 || hundredths%100 != 0 || hour < 1 || hour > 24 {
		return nil, 0
	}
	c := clock{hour: hour, minute: minutes, loose: hour <= 12}
	if before {
		c.hour, c.minute = hour-1, 60-minutes
		if c.hour == 0 {
			c.hour = 12
		}
	}
	half, next := p.half("", next)
	return c.inHalf(half), next
}

// readings are the possible meanings of a piece's time of day, the likeliest first. With
// either both halves of the day are open.
func (x piece) readings(either bool) []clockTime {
	if x.clock == nil {
		hour := dayStarts
		if x.part != nil {
			hour = x.part.hour
		}
		return []clockTime{{hour: hour}}
	}
	c := clockTime{hour: x.clock.hour, minute: x.clock.minute}
	switch {
	case !x.clock.loose:
	case x.part != nil:
		c.hour = x.part.reads(c.hour)
	case either && c.hour < 12:
		return []clockTime{c, {hour: c.hour + 12, minute: c.minute}}
	case c.hour < 6:
		c.hour += 12
	}
	return []clockTime{c}
}

// reads is an hour from 1 to 12 as it is meant in this part of the day.
func (d partOfDay) reads(hour int) int {
	switch {
	case d.night && (hour < 6 || hour == 12):
		return hour%12 + 24
	case d.late && hour < 12:
		return hour + 12
	case !d.late && hour == 12:
		return 0
	}
	return hour
}
