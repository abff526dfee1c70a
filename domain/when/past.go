package when

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

// CodeAhead is the code of a future time where a past one is wanted.
const CodeAhead domain.Code = "time_ahead"

// ParsePast reads a text that is nothing but a time which has passed, or the present:
// "yesterday", "2 hours ago", "last Monday at 8", "3 March". It reads the words that
// [Parse] reads, and takes them for the latest such moment. A day without a time is
// its beginning. The errors are validation, with one of the package's codes; without
// a time in the text it is CodeNoTime.
func ParsePast(text string, now domain.Millis, zone *time.Location) (domain.Millis, error) {
	p := &parser{words: wordsOf(text), now: now.Time().In(zone), past: true}
	found := p.pieces()
	switch {
	case p.wrong != nil:
		return 0, p.wrong
	case len(found) == 0:
		return 0, noPastTime(text)
	}
	x, used, err := p.choose(found)
	if err != nil {
		return 0, err
	}
	if rest := p.withoutPieces(text, used); rest != "" {
		return 0, unusable(CodeNoTime, fmt.Sprintf("%q says more than a time: %q was not understood", clip(text), clip(rest)))
	}
	at, err := p.behind(x, used)
	if err != nil {
		return 0, err
	}
	if at.After(p.now) {
		return 0, p.liesAhead(used, at)
	}
	return domain.MillisOf(at), nil
}

// withoutPieces is the text without its pieces.
func (p *parser) withoutPieces(text string, used []piece) string {
	var t Time
	for _, u := range used {
		t.Spans = append(t.Spans, Span{p.words[u.from].start, p.words[u.to-1].end})
	}
	return t.Rest(text)
}

// behind is the latest moment of a piece that isn't ahead, where there is one.
func (p *parser) behind(x piece, used []piece) (time.Time, error) {
	switch {
	case x.every != nil:
		return time.Time{}, unusable(CodeAmbiguous, fmt.Sprintf("%q is many times: say one of them", p.quoted(used)))
	case x.span != nil:
		return p.ago(x, used)
	case x.day != nil:
		return p.onPastDay(x), nil
	}
	if x.part != nil && x.part.today {
		return p.latest(x, 0, 0), nil
	}
	return p.latest(x, 0, 1), nil
}

func (p *parser) ago(x piece, used []piece) (time.Time, error) {
	if x.span.tooFar() {
		return time.Time{}, unusable(CodeTooFar, fmt.Sprintf("%q is more than %d years ago: say a later time", p.quoted(used), maxYears))
	}
	at := span{passes: -x.span.passes, days: -x.span.days, months: -x.span.months}.after(p.now)
	if x.clock != nil || x.part != nil {
		if x.span.exact() {
			return time.Time{}, p.ambiguous(used)
		}
		at = x.pastReadings(false)[0].on(at.Year(), at.Month(), at.Day(), at.Location())
	}
	return at, nil
}

func (p *parser) onPastDay(x piece) time.Time {
	d := x.day
	switch {
	case !d.at.IsZero():
		return d.at
	case d.offset != nil:
		return p.latest(x, *d.offset, 0)
	case d.weekday != nil:
		days := (int(*d.weekday) - int(p.now.Weekday()) - 7) % 7
		if d.strict && days == 0 {
			days = -7
		}
		return p.latest(x, days, 7)
	case d.months != 0:
		t := monthsLater(p.now, d.months)
		return x.pastReadings(false)[0].on(t.Year(), t.Month(), t.Day(), t.Location())
	}
	return p.onPastDate(x)
}

// latest is the latest of the piece's readings so many days from today. When each lies
// ahead, it is that of as many days before, where the day may be another one.
func (p *parser) latest(x piece, days, before int) time.Time {
	var at time.Time
	for _, days := range []int{days, days - before} {
		readings := x.pastReadings(days == 0 || before == 1)
		for i := range readings {
			if at = p.todayPlus(days, readings[len(readings)-1-i]); !at.After(p.now) {
				return at
			}
		}
	}
	return at
}

// onPastDate is a date; where the year or month is left open, the latest one.
func (p *parser) onPastDate(x piece) time.Time {
	c, d := x.pastReadings(false)[0], x.day.date
	if d.year != 0 {
		return c.on(d.year, time.Month(d.month), d.day, p.now.Location())
	}
	step, month := 12, time.Month(d.month)
	if d.month == 0 {
		step, month = 1, p.now.Month()
	}
	for n := 0; ; n -= step {
		year, month := monthAfter(p.now.Year(), month, n)
		if d.day > lengthOf(year, month) {
			continue
		}
		if at := c.on(year, month, d.day, p.now.Location()); !at.After(p.now) {
			return at
		}
	}
}

// pastReadings are those of readings, but that a day alone is meant from its beginning.
func (x piece) pastReadings(either bool) []clockTime {
	if x.clock == nil && x.part == nil {
		return []clockTime{{}}
	}
	return x.readings(either)
}

// lastOf reads the week, month, year, night or day of "last week".
func (p *parser) lastOf(i int) (*day, int) {
	week, night := -7, -1
	switch {
	case p.is(i, "week"):
		return &day{offset: &week}, i + 1
	case p.is(i, "month"):
		return &day{months: -1}, i + 1
	case p.is(i, "year"):
		return &day{months: -12}, i + 1
	case p.is(i, "night"):
		return &day{offset: &night}, i // the night is a part of that day
	}
	if d, ok := p.weekday(i, true); ok {
		return &day{weekday: &d, strict: true}, i + 1
	}
	return nil, 0
}

func noPastTime(text string) error {
	return unusable(CodeNoTime, fmt.Sprintf(`no time was found in %q: say when, such as "yesterday", "2 hours ago" or "last Monday at 8"`, clip(strings.TrimSpace(text))))
}

func (p *parser) liesAhead(used []piece, at time.Time) error {
	return unusable(CodeAhead, fmt.Sprintf(`%q was understood as %s, and that lies ahead: say a time that has passed, such as "yesterday" or "2 hours ago"`, p.quoted(used), full(at)))
}
