package relate

import (
	"strconv"
	"time"

	"chalie/domain"
)

// days are the days a text speaks of. They are relative to when it was said, so
// what they mean is worked out only where that is known.
type days struct {
	weekdays uint8   // bit 0 is Sunday
	today    bool    // today, tonight, this evening
	tomorrow bool    //
	dates    [2]date // days of the year; unused ones are zero
	said     moment  // when it was said
	due      moment  // when it is due
	until    bool    // a span ends on its last day
	open     bool    // a span without a second end, or a change from one day to another
}

type date struct{ month, day uint8 }

func (d *days) any() bool { return d.weekdays != 0 || d.today || d.tomorrow || d.dates[0].day != 0 }

// readDays finds the days in a text.
func readDays(words []rawWord) days {
	var d days
	for i, w := range words {
		if w.isName {
			continue
		}
		switch w.folded {
		case "today", "tonight":
			d.today = true
		case "tomorrow":
			d.tomorrow = true
		case "morning", "afternoon", "evening":
			if i > 0 && words[i-1].folded == "this" {
				d.today = true
			}
		case "weekend":
			d.weekdays |= 1<<time.Saturday | 1<<time.Sunday
		case "until", "till", "through":
			if !clockFollows(words, i) {
				d.open, d.until = true, true
			}
		case "from", "since", "after", "before", "between":
			d.open = d.open || !clockFollows(words, i)
		case "next", "every", "daily":
			d.open = true
		default:
			if day, ok := weekday(w.folded, w.first); ok {
				d.weekdays |= 1 << day
			}
			d.readDate(words, i)
		}
	}
	return d
}

// clockFollows tells whether a time of day stands behind the word at i.
func clockFollows(words []rawWord, i int) bool {
	if i+1 >= len(words) {
		return false
	}
	_, ok := clockAt(words, i+1)
	return ok
}

// readDate takes a date at i: 21 May, May 21st, 2026-05-21.
func (d *days) readDate(words []rawWord, i int) {
	var found date
	if w := words[i].folded; len(words[i].text) == 10 {
		if at, err := time.Parse(time.DateOnly, words[i].text); err == nil {
			found = date{uint8(at.Month()), uint8(at.Day())}
		}
	} else if m := month(w); m > 0 {
		if i > 0 {
			found = date{m, dayOfMonth(words[i-1].folded)}
		}
		if found.day == 0 && i+1 < len(words) {
			found = date{m, dayOfMonth(words[i+1].folded)}
		}
	}
	if found.day == 0 {
		return
	}
	for j := range d.dates {
		if d.dates[j].day == 0 {
			d.dates[j] = found
			return
		}
	}
}

// dayOfMonth reads 21 and 21st; 0 when it is none.
func dayOfMonth(w string) uint8 {
	n := len(w)
	if n > 2 {
		switch w[n-2:] {
		case "st", "nd", "rd", "th":
			w = w[:n-2]
		}
	}
	if day, err := strconv.ParseUint(w, 10, 8); err == nil && len(w) <= 2 && day <= 31 {
		return uint8(day)
	}
	return 0
}

func weekday(w string, how letterCase) (time.Weekday, bool) {
	switch w {
	case "sunday", "sundays":
		return time.Sunday, true
	case "monday", "mondays", "mon":
		return time.Monday, true
	case "tuesday", "tuesdays", "tue", "tues":
		return time.Tuesday, true
	case "wednesday", "wednesdays":
		return time.Wednesday, true
	case "thursday", "thursdays", "thu", "thur", "thurs":
		return time.Thursday, true
	case "friday", "fridays", "fri":
		return time.Friday, true
	case "saturday", "saturdays":
		return time.Saturday, true
	case "sun":
		return time.Sunday, how == upperFirst
	case "wed":
		return time.Wednesday, how == upperFirst
	case "sat":
		return time.Saturday, how == upperFirst
	}
	return 0, false
}

func month(w string) uint8 {
	switch w {
	case "january", "jan":
		return 1
	case "february", "feb":
		return 2
	case "march", "mar":
		return 3
	case "april", "apr":
		return 4
	case "may":
		return 5
	case "june", "jun":
		return 6
	case "july", "jul":
		return 7
	case "august", "aug":
		return 8
	case "september", "sep", "sept":
		return 9
	case "october", "oct":
		return 10
	case "november", "nov":
		return 11
	case "december", "dec":
		return 12
	}
	return 0
}

// An agreement says whether the days a signal speaks of are a commitment's.
type agreement int8

const (
	differs agreement = iota - 1
	silent
	agrees
)

// smallHours is until when a night still belongs to the day before.
const smallHours = 5

// settle works out the local days of when a text was said and is due.
func (d *days) settle(at, due domain.Millis, zone *time.Location) {
	if at != 0 {
		when := time.UnixMilli(int64(at)).In(zone)
		d.said = moment{set: true, day: dayNumber(when), weekday: uint8(when.Weekday())}
	}
	if due != 0 {
		when := time.UnixMilli(int64(due)).In(zone)
		d.due = moment{
			set: true, day: dayNumber(when), date: date{uint8(when.Month()), uint8(when.Day())},
			weekday: uint8(when.Weekday()), hour: uint8(when.Hour()),
		}
	}
}

// A moment is a local day.
type moment struct {
	set     bool
	day     int64 // since 1970
	date    date
	weekday uint8
	hour    uint8
}

// compareDays compares the days of a signal with those of a plan. A commitment without
// a due time is judged by the days its text names.
func compareDays(planned, heard *days) agreement {
	if !heard.any() || heard.open {
		return silent
	}
	if !planned.due.set {
		return compareNamed(planned, heard)
	}
	due := planned.due
	if heard.hasDate(due.date) {
		return agrees
	}
	if !heard.said.set {
		return silent
	}
	away := due.day - heard.said.day
	switch {
	case heard.today && (away == 0 || away == 1 && due.hour < smallHours), heard.tomorrow && away == 1:
		return agrees
	case heard.weekdays&(1<<due.weekday) != 0:
		if away >= 0 && away < 7 {
			return agrees
		}
		return silent
	}
	return differs
}

// before tells whether every day that the text names is before day.
func (d *days) before(day int64) bool {
	if !d.said.set || d.dates[0].day != 0 {
		return false
	}
	if d.tomorrow && d.said.day+1 >= day || d.today && d.said.day >= day {
		return false
	}
	for away := range int64(7) {
		if d.weekdays&(1<<((d.said.weekday+uint8(away))%7)) != 0 && d.said.day+away >= day {
			return false
		}
	}
	return true
}

func (d *days) hasDate(at date) bool {
	return at.day != 0 && (d.dates[0] == at || d.dates[1] == at)
}

// compareNamed compares weekdays with weekdays and dates with dates, and says
// nothing about a weekday and a date.
func compareNamed(a, b *days) agreement {
	switch {
	case a.weekdays != 0 && b.weekdays != 0:
		if a.weekdays&b.weekdays != 0 {
			return agrees
		}
		return differs
	case a.dates[0].day != 0 && b.dates[0].day != 0:
		for _, one := range a.dates {
			if one.day != 0 && (one == b.dates[0] || one == b.dates[1]) {
				return agrees
			}
		}
		return differs
	}
	return silent
}

func dayNumber(at time.Time) int64 {
	const day = 24 * 60 * 60
	_, east := at.Zone()
	s := at.Unix() + int64(east)
	if s < 0 {
		s -= day - 1
	}
	return s / day
}
