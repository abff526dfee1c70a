package main

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"chalie/domain"
	"chalie/replay/narrate"
)

// oneLine makes a text from anywhere fit for one line of a terminal.
func oneLine(s string) string { return narrate.OneLine(s) }

// who is the accountable identity, and through whom it spoke.
func who(e domain.Envelope) string {
	principal, source := oneLine(string(e.Principal)), oneLine(string(e.Source))
	if principal == source {
		return principal
	}
	return principal + " via " + source
}

// spelt is a stored name in words.
func spelt(name string) string { return narrate.Spelt(name) }

// columnsOf is how many columns a terminal gives a text.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOfRune(r)
	}
	return n
}

func columnsOfRune(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut shortens a text to a number of columns, and says that it did.
func cut(s string, columns int) string {
	if columnsOf(s) <= columns {
		return s
	}
	used := 0
	for i, r := range s {
		if used+columnsOfRune(r) > columns-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		used += columnsOfRune(r)
	}
	return s
}

// timeLayout leaves the year out where room is scarce, and the seconds where it
// is scarcer.
func (c *console) timeLayout() string {
	switch {
	case c.width < narrowest:
		return "01-02 15:04"
	case c.width < narrow:
		return "01-02 15:04:05"
	}
	return time.DateTime
}

// moment writes a time as the clocks in the person's zone show it then. In an hour
// that they show twice it says which of the two.
func (c *console) moment(m domain.Millis) string {
	t := m.Time().In(c.zone)
	if isTwice(t) {
		return c.zonedTime(t)
	}
	return t.Format(c.timeLayout())
}

// zonedMoment writes a time with the name of the zone that it had then: CEST in
// October, CET in November.
func (c *console) zonedMoment(m domain.Millis) string { return c.zonedTime(m.Time().In(c.zone)) }

func (c *console) zonedTime(t time.Time) string { return t.Format(c.timeLayout() + " MST") }

// isTwice tells whether the clocks of its zone show a time twice, because they were
// put back.
func isTwice(t time.Time) bool {
	_, now := t.Zone()
	for _, other := range []time.Time{t.Add(-3 * time.Hour), t.Add(3 * time.Hour)} {
		_, then := other.Zone()
		away := t.Add(time.Duration(now-then) * time.Second)
		if away.Format(time.DateTime) == t.Format(time.DateTime) && !away.Equal(t) {
			return true
		}
	}
	return false
}

// zoned is the title of a column of times, with the names that their zone has in a
// year: CET/CEST. Which of them a row has is told by its date.
func (c *console) zoned(title string) string {
	year := time.Now().Year()
	winter, _ := time.Date(year, time.January, 1, 12, 0, 0, 0, c.zone).Zone()
	summer, _ := time.Date(year, time.July, 1, 12, 0, 0, 0, c.zone).Zone()
	if winter != summer {
		return title + " " + winter + "/" + summer
	}
	return title + " " + winter
}

// fitting is the longer of two words where there is room for it.
func (c *console) fitting(long, short string) string {
	if c.width < narrow {
		return short
	}
	return long
}

// span writes how long something took or is ago, in its largest units.
func span(d time.Duration) string { return narrate.Span(d) }

// ago writes an age.
func ago(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return span(d) + " ago"
}

// counted writes a number with its noun.
func counted[N int | uint64 | domain.Position](n N, one, many string) string {
	return narrate.Counted(n, one, many)
}

// grouped writes a number with its thousands apart.
func grouped(n uint64) string { return narrate.Grouped(n) }
