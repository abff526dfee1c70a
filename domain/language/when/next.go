package when

import (
	"slices"
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
)

// Next is the first moment of a recurrence that lies after the given one and isn't
// before its start. It is 0 when none comes any more, or the rule can't be read.
func Next(r domain.Recurrence, after domain.Millis, zone *time.Location) domain.Millis {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil {
		return 0
	}
	for {
		next := r.Start
		if after >= r.Start {
			next = nextOf(*rule, r.Start.Time().In(zone), after.Time().In(zone))
		}
		if next == 0 || !slices.Contains(r.Except, next) {
			return next
		}
		after = next
	}
}

func nextOf(rule rrule.ROption, start, after time.Time) domain.Millis {
	const longest = 1_000_000 // steps of it don't overflow
	every := min(max(rule.Interval, 1), longest)
	switch rule.Freq {
	case rrule.SECONDLY:
		return 0 // which nobody sets, and no log may keep the program busy with
	case rrule.MINUTELY:
		return passing(rule, start, after, time.Duration(every)*time.Minute)
	case rrule.HOURLY:
		return passing(rule, start, after, time.Duration(every)*time.Hour)
	}
	rule.Interval = every // the library counts no further than it can
	// The library counts on the wall: what that is in the zone is found for each moment.
	rule.Wkst = rrule.MO
	wall := floating(after).Add(-2 * day24) // the clocks move by less
	rule.Dtstart = shifted(rule, floating(start), wall)
	all, err := rrule.NewRRule(rule)
	if err != nil {
		return 0
	}
	for next := all.Iterator(); ; {
		t, ok := next()
		if !ok {
			return 0
		}
		if t.Before(wall) {
			continue
		}
		if at := wallOf(t).on(t.Year(), t.Month(), t.Day(), start.Location()); at.After(after) && !at.Before(start) {
			return domain.MillisOf(at)
		}
	}
}

// shifted is a later day to count from, where it makes no difference: a reminder of years
// ago isn't counted through.
func shifted(rule rrule.ROption, start, wall time.Time) time.Time {
	named := rule.Freq == rrule.DAILY || rule.Freq == rrule.WEEKLY && len(rule.Byweekday) > 0 || rule.Freq == rrule.MONTHLY && len(rule.Bymonthday)+len(rule.Byweekday) > 0
	const margin = 70 * day24
	if rule.Interval > 1 || rule.Count > 0 || !named || wall.Sub(start) < 2*margin {
		return start
	}
	return start.Add(wall.Sub(start).Truncate(day24) - margin)
}

// passing is the next moment by as much time as passes, or 0 when the rule has ended.
func passing(rule rrule.ROption, start, after time.Time, step time.Duration) domain.Millis {
	steps := int64(after.Sub(start)/step) + 1
	at := start.Add(time.Duration(steps) * step)
	if !rule.Until.IsZero() && floating(at).After(rule.Until) || rule.Count > 0 && steps >= int64(rule.Count) {
		return 0
	}
	return domain.MillisOf(at)
}

// floating is what the wall shows, as if it were UTC.
func floating(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// weekOf is the number of the day on which the week of a day begins, a Monday.
func weekOf(day int) int {
	const monday = 4 // 1970 began on a Thursday
	return day - ((day-monday)%7+7)%7
}
