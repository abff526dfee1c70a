package when

import (
	"slices"
	"time"

	"chalie/domain"
)

// Next is the first moment of a recurrence that lies after the given one and isn't
// before its anchor. Always later than after.
func Next(r domain.Recurrence, after domain.Millis, zone *time.Location) domain.Millis {
	anchor := r.Anchor.Time().In(zone)
	if after < r.Anchor {
		return r.Anchor
	}
	moment := after.Time().In(zone)
	every := max(r.Every, 1)
	var next time.Time
	switch r.Unit {
	case domain.EveryMinute:
		next = nextAfter(anchor, moment, time.Duration(every)*time.Minute)
	case domain.EveryHour:
		next = nextAfter(anchor, moment, time.Duration(every)*time.Hour)
	case domain.EveryWeek:
		next = nextWeekday(r, every, anchor, moment)
	case domain.EveryMonth, domain.EveryYear:
		next = nextMonth(r, every, anchor, moment)
	default:
		next = nextDay(r, every, anchor, moment)
	}
	return domain.MillisOf(next)
}

// nextAfter steps from the anchor by as much time as passes.
func nextAfter(anchor, after time.Time, step time.Duration) time.Time {
	steps := int64(after.Sub(anchor) / step)
	return anchor.Add(time.Duration(steps+1) * step)
}

func (c clockTime) onDay(number int, zone *time.Location) time.Time {
	return c.on(1970, time.January, 1+number, zone)
}

func dayOf(t time.Time) int { return dayNumber(t.Year(), t.Month(), t.Day()) }

func nextDay(r domain.Recurrence, every int, anchor, after time.Time) time.Time {
	clock, first := clockTime{hour: r.Hour, minute: r.Minute}, dayOf(anchor)
	// One step too early at the least: the clocks may have moved it.
	for n := first + max(0, (dayOf(after)-first)/every-1)*every; ; n += every {
		if t := clock.onDay(n, anchor.Location()); t.After(after) {
			return t
		}
	}
}

// weekOf is the number of the day on which the week of a day begins, a Monday.
func weekOf(day int) int {
	const monday = 4 // 1970 began on a Thursday
	return day - ((day-monday)%7+7)%7
}

func nextWeekday(r domain.Recurrence, every int, anchor, after time.Time) time.Time {
	clock, first := clockTime{hour: r.Hour, minute: r.Minute}, weekOf(dayOf(anchor))
	days := r.Weekdays
	if len(days) == 0 {
		days = []time.Weekday{anchor.Weekday()}
	}
	for week := first + max(0, (dayOf(after)-first)/(7*every)-1)*7*every; ; week += 7 * every {
		for offset := range 7 {
			if !slices.Contains(days, time.Weekday((int(time.Monday)+offset)%7)) {
				continue
			}
			if t := clock.onDay(week+offset, anchor.Location()); t.After(after) {
				return t
			}
		}
	}
}

func nextMonth(r domain.Recurrence, every int, anchor, after time.Time) time.Time {
	clock := clockTime{hour: r.Hour, minute: r.Minute}
	start, day := anchor.Month(), r.Day
	if r.Unit == domain.EveryYear {
		every *= 12
		if r.Month != 0 {
			start = r.Month
		}
	}
	if day == 0 {
		day = anchor.Day()
	}
	passed := (after.Year()-anchor.Year())*12 + int(after.Month()-start)
	for n := max(0, passed/every-1) * every; ; n += every {
		year, month := monthAfter(anchor.Year(), start, n)
		if t := clock.on(year, month, min(day, lengthOf(year, month)), anchor.Location()); t.After(after) {
			return t
		}
	}
}
