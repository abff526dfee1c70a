package timing

import (
	"regexp"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// Midnight is when the day of a moment began.
func Midnight(at domain.Millis, zone *time.Location) time.Time {
	t := at.Time().In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
}

// DayBefore is the last moment before the day of another.
func DayBefore(at domain.Millis, zone *time.Location) domain.Millis {
	return domain.MillisOf(Midnight(at, zone)) - 1
}

// later is a time that is said by how much later or earlier it is.
var later = regexp.MustCompile(`(?i)^(?:by )?(.+?) (later|earlier|forward|back)$`)

// Shifted is a moment moved by as much as words say: an hour later, by 30 minutes earlier.
func Shifted(said string, from domain.Millis, zone *time.Location) (domain.Millis, bool) {
	parts := later.FindStringSubmatch(strings.TrimSpace(said))
	if parts == nil {
		return 0, false
	}
	to, ok := when.Later(parts[1], from, zone)
	if strings.EqualFold(parts[2], "earlier") || strings.EqualFold(parts[2], "forward") {
		to = when.Earlier(parts[1], from, zone)
	}
	return to, ok
}

// To is the time to which a plan is moved, as it is said: one that is snoozed comes again in ten minutes where nothing is.
func To(said string, snoozes bool, now domain.Millis, zone *time.Location) *when.Text {
	if snoozes && blank(said) {
		said = "in 10 minutes"
	}
	return when.Look(said, now, zone)
}

// Kept is a time as it is said with what that leaves open taken from the one before: its day, its
// time of day, and which half of the day it is in.
func Kept(was domain.Millis, said *when.Text, now domain.Millis, zone *time.Location) *when.Text {
	if to, ok := Shifted(said.String(), was, zone); ok {
		return when.Known(to, now, zone)
	}
	switch day, clock := said.Parts(); {
	case clock && !day:
		base := DayBefore(was, zone)
		half := HalfOf(was, said.From(base), now, zone)
		at, err := half.Parse()
		at.At = SameNight(was, at.At, now, zone)
		if err != nil || at.Rest(said.String()) != "" || at.Recurrence != nil || at.At < now {
			return said
		}
		return when.Known(at.At, now, zone)
	case clock:
		return HalfOf(was, said, now, zone)
	case day:
		at, err := said.Parse()
		if err == nil && at.Recurrence != nil {
			return Untimed(said, func(t *when.Text) *when.Text { return t.AtClockOf(was) })
		}
		if err != nil || at.Grain < when.Day {
			return said
		}
		timed := said.AtClockOf(was)
		if kept, err := timed.Parse(); err == nil && Midnight(kept.At, zone).Equal(Midnight(at.At, zone)) {
			return timed
		}
	}
	return said
}

// HalfOf is a time as it is said in the half of the day that is nearer to the time before, where it
// leaves that open. Nothing goes far into the evening or the night.
func HalfOf(was domain.Millis, said *when.Text, now domain.Millis, zone *time.Location) *when.Text {
	usual, err := said.Occasion()
	if err != nil || usual.Recurrence != nil {
		return said
	}
	const day, far = 24 * time.Hour, 3 * time.Hour
	then := was.Time().In(zone)
	distance := func(at domain.Millis) time.Duration {
		local := at.Time().In(zone)
		apart := (time.Duration(local.Hour()-then.Hour())*time.Hour + time.Duration(local.Minute()-then.Minute())*time.Minute).Abs()
		apart = min(apart, day-apart) // around midnight
		if (local.Hour() < 6 || local.Hour() >= 20) && apart > far {
			return day
		}
		return apart
	}
	for _, half := range []when.Half{when.Morning, when.Evening} {
		other := said.InHalf(half)
		at, err := other.Occasion()
		apart := at.At.Sub(usual.At).Abs()
		if err != nil || len(at.Unread(said.String())) > 0 || apart != day/2 || SameNight(was, at.At, now, zone) < now {
			continue
		}
		if distance(at.At) < distance(usual.At) || usual.At < now {
			return other
		}
	}
	return said
}

// SameNight is a moment on the day of another, or on the day beside it where both are in one night:
// half past midnight, for what was at eleven in the evening, comes after it.
func SameNight(was, at, now domain.Millis, zone *time.Location) domain.Millis {
	const evening, small = 20, 5
	then, local := was.Time().In(zone), at.Time().In(zone)
	if then.Format(time.DateOnly) != local.Format(time.DateOnly) {
		return at
	}
	switch {
	case then.Hour() >= evening && local.Hour() < small:
		return domain.MillisOf(local.AddDate(0, 0, 1))
	case then.Hour() < small && local.Hour() >= evening && domain.MillisOf(local.AddDate(0, 0, -1)) > now:
		return domain.MillisOf(local.AddDate(0, 0, -1))
	}
	return at
}

// Beginnings of a time that is a day of the week, or of the month.
var (
	weekday  = regexp.MustCompile(`(?i)^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)
	monthday = regexp.MustCompile(`(?i)^(?:on )?the \d{1,2}(?:st|nd|rd|th)\b`)
)

// toldDate is a period that is a date, as plans are told.
var toldDate = regexp.MustCompile(`\d (?:January|February|March|April|May|June|July|August|September|October|November|December)\b`)

// IsDate reports whether a period is a date, as plans are told.
func IsDate(during string) bool { return toldDate.MatchString(during) }

// OnDay is a time as it is said, on the day that is meant. The Wednesday that choir next Monday is moved
// to is in the week of that Monday, where it was named by its period; and the 6th that something in
// April is moved to is in April.
func OnDay(was domain.Millis, named bool, said *when.Text, now domain.Millis, zone *time.Location) *when.Text {
	to := said.String()
	begins, day := Midnight(was, zone), weekday.FindString(to)
	today := strings.ToLower(now.Time().In(zone).Weekday().String())
	if lower := strings.ToLower(day); day != "" && strings.Contains(lower, today) && !strings.Contains(lower, "this") {
		const week = 7 // on a Monday, to Monday is to the next one: today is called so
		return said.OnDay(domain.MillisOf(Midnight(now, zone).AddDate(0, 0, week)))
	}
	if day != "" && !named {
		return said
	} else if day != "" {
		begins = begins.AddDate(0, 0, -(int(begins.Weekday())+6)%7)
	} else if day = monthday.FindString(to); day != "" {
		begins = begins.AddDate(0, 0, 1-begins.Day())
	}
	base := domain.MillisOf(begins) - 1
	if day == "" || base < now {
		return said
	}
	if at, err := when.Parse(day, base, zone); err == nil && at.Recurrence == nil {
		return said.OnDay(at.At)
	}
	return said
}
