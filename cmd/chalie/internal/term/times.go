package term

import (
	"time"

	"chalie/domain"
)

// TimeLayout leaves the year out where room is scarce, and the seconds where it
// is scarcer.
func (c *Console) TimeLayout() string {
	switch {
	case c.Width < narrowest:
		return "01-02 15:04"
	case c.Width < narrow:
		return "01-02 15:04:05"
	}
	return time.DateTime
}

// Moment writes a time as the clocks in the person's zone show it then. In an hour
// that they show twice it says which of the two.
func (c *Console) Moment(m domain.Millis) string {
	t := m.Time().In(c.Zone)
	if isTwice(t) {
		return c.ZonedTime(t)
	}
	return t.Format(c.TimeLayout())
}

// ZonedMoment writes a time with the name of the zone that it had then: CEST in
// October, CET in November.
func (c *Console) ZonedMoment(m domain.Millis) string { return c.ZonedTime(m.Time().In(c.Zone)) }

// ZonedTime is ZonedMoment of a time.
func (c *Console) ZonedTime(t time.Time) string { return t.Format(c.TimeLayout() + " MST") }

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

// Zoned is the title of a column of times, with the names that their zone has in a
// year: CET/CEST. Which of them a row has is told by its date.
func (c *Console) Zoned(title string) string {
	year := time.Now().Year()
	winter, _ := time.Date(year, time.January, 1, 12, 0, 0, 0, c.Zone).Zone()
	summer, _ := time.Date(year, time.July, 1, 12, 0, 0, 0, c.Zone).Zone()
	if winter != summer {
		return title + " " + winter + "/" + summer
	}
	return title + " " + winter
}
