package when

import "time"

// clockTime is a time on the wall. Its hour may be 24 and more: of the days after.
type clockTime struct{ hour, minute, second, nano int }

// on is the moment at which the wall shows a time on a day. One that the clocks
// skip is moved ahead by as much as they are; of one that comes twice the first
// counts.
func (c clockTime) on(year int, month time.Month, day int, zone *time.Location) time.Time {
	wall := time.Date(year, month, day, c.hour, c.minute, c.second, c.nano, time.UTC)
	before, after := offsetAt(wall.Add(-day24), zone), offsetAt(wall.Add(day24), zone)
	first, second := wall.Add(-before).In(zone), wall.Add(-after).In(zone)
	if second.Before(first) {
		first, second = second, first
	}
	for _, t := range []time.Time{first, second} {
		if shows(t, wall) {
			return t
		}
	}
	// With the offset from before the gap it lies behind it.
	return wall.Add(-before).In(zone)
}

const day24 = 24 * time.Hour

func offsetAt(t time.Time, zone *time.Location) time.Duration {
	_, seconds := t.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}

// shows reports whether the wall shows the same at t as in wall, which is in UTC.
func shows(t, wall time.Time) bool {
	_, seconds := t.Zone()
	return t.Add(time.Duration(seconds) * time.Second).Equal(wall)
}

// wallOf is the time on the wall at t.
func wallOf(t time.Time) clockTime {
	return clockTime{t.Hour(), t.Minute(), t.Second(), t.Nanosecond()}
}

// daysLater is the wall's time on another day.
func daysLater(t time.Time, days int) time.Time {
	return wallOf(t).on(t.Year(), t.Month(), t.Day()+days, t.Location())
}

// monthsLater is the wall's time as many months later, on the last day of a month
// that is too short.
func monthsLater(t time.Time, months int) time.Time {
	year, month := monthAfter(t.Year(), t.Month(), months)
	return wallOf(t).on(year, month, min(t.Day(), lengthOf(year, month)), t.Location())
}

func monthAfter(year int, month time.Month, months int) (int, time.Month) {
	first := time.Date(year, month+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	return first.Year(), first.Month()
}

// lengthOf is the number of days in a month.
func lengthOf(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// dayNumber counts days since a fixed one, whatever the zone.
func dayNumber(year int, month time.Month, day int) int {
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / int64(day24/time.Second))
}
