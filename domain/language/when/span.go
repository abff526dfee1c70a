package when

import (
	"strings"
	"time"

	"chalie/domain"
)

// SaySpan is from when to when something lasts, as it looks from a moment: "today 16:00 to
// 17:00", "on Monday 15 March, all day", "tomorrow 22:00 to Wednesday 3 March 02:00".
func SaySpan(start, end domain.Millis, allDay bool, now domain.Millis, zone *time.Location) string {
	return saySpan(start, end, allDay, zone, func(at domain.Millis) string { return sayDay(at, now, zone) })
}

// SaySpanFully is that with the date also of today and tomorrow: "today, Monday 1 March,
// 16:00 to 17:00".
func SaySpanFully(start, end domain.Millis, allDay bool, now domain.Millis, zone *time.Location) string {
	return saySpan(start, end, allDay, zone, func(at domain.Millis) string {
		day, date := sayDay(at, now, zone), at.Time().In(zone).Format("Monday 2 January")
		if strings.HasPrefix(day, "on ") {
			return day + ","
		}
		return day + ", " + date + ","
	})
}

func saySpan(start, end domain.Millis, allDay bool, zone *time.Location, day func(domain.Millis) string) string {
	from, to := start.Time().In(zone), end.Time().In(zone)
	if allDay {
		last := to.Add(-time.Nanosecond)
		if dayOf(last) <= dayOf(from) {
			return strings.TrimSuffix(day(start), ",") + ", all day"
		}
		return strings.TrimSuffix(day(start), ",") + " to " + last.Format("Monday 2 January") + ", all day"
	}
	begins := day(start) + " " + from.Format("15:04")
	switch {
	case end <= start:
		return begins
	case dayOf(to) == dayOf(from) || dayOf(to) == dayOf(from)+1 && to.Hour() == 0 && to.Minute() == 0:
		return begins + " to " + to.Format("15:04")
	}
	return begins + " to " + to.Format("Monday 2 January 15:04")
}

// SayDays is a recurrence of whole days in words, without a time of day.
func SayDays(r domain.Recurrence) string {
	return strings.Replace(SayAgain(r), " at 00:00", "", 1)
}

// sayDay is the day of a moment, without its time.
func sayDay(at, now domain.Millis, zone *time.Location) string {
	said := Say(at, now, zone)
	return said[:strings.LastIndex(said, " at ")]
}
