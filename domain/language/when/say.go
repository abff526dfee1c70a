package when

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
)

// Say is a moment in words, as it looks from another: "today at 20:00", "tomorrow
// at 08:00", "on Monday 23 November at 12:00". What is less than two minutes ahead is
// said with its seconds.
func Say(at, now domain.Millis, zone *time.Location) string {
	t, from := at.Time().In(zone), now.Time().In(zone)
	clock := " at " + t.Format("15:04")
	if ahead := at.Sub(now); ahead > 0 && ahead < soonEnough && t.Second() != 0 {
		clock = " at " + t.Format("15:04:05")
	}
	switch dayOf(t) - dayOf(from) {
	case -1:
		return "yesterday" + clock
	case 0:
		return "today" + clock
	case 1:
		return "tomorrow" + clock
	}
	if t.Year() == from.Year() {
		return "on " + t.Format("Monday 2 January") + clock
	}
	return "on " + t.Format("Monday 2 January 2006") + clock
}

// SayFully is that with the date also of today and tomorrow: "tomorrow, Friday 27 November at
// 09:00".
func SayFully(at, now domain.Millis, zone *time.Location) string {
	said := Say(at, now, zone)
	day, clock, _ := strings.Cut(said, " at ")
	if day != "today" && day != "tomorrow" {
		return said
	}
	return day + ", " + at.Time().In(zone).Format("Monday 2 January") + " at " + clock
}

// soonEnough is the nearness of moments that are told with seconds.
const soonEnough = 2 * time.Minute

// SayAgain is a recurrence in words: "every Monday and Thursday at 18:00".
func SayAgain(r domain.Recurrence) string {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil {
		return "again"
	}
	unit := map[rrule.Frequency]string{rrule.MINUTELY: "minute", rrule.HOURLY: "hour", rrule.WEEKLY: "week", rrule.MONTHLY: "month", rrule.YEARLY: "year"}[rule.Freq]
	unit = cmp.Or(unit, "day")
	each := "every " + unit
	if rule.Interval > 1 {
		each = fmt.Sprintf("every %d %ss", rule.Interval, unit)
	}
	switch rule.Freq {
	case rrule.WEEKLY:
		days := make([]string, len(rule.Byweekday))
		for i, d := range rule.Byweekday {
			days[i] = weekdayOf(d).String()
		}
		switch {
		case len(days) == 0:
		case isWorkWeek(rule.Byweekday) && rule.Interval <= 1:
			each = "every weekday"
		case rule.Interval > 1:
			each += " on " + listed(days)
		default:
			each = "every " + listed(days)
		}
	case rrule.MONTHLY:
		each += sayDays(*rule)
	case rrule.YEARLY:
		each += sayDate(*rule)
	}
	return each + sayClock(*rule) + sayEnd(*rule)
}

// isWorkWeek reports whether days are Monday to Friday.
func isWorkWeek(days []rrule.Weekday) bool {
	n := 0
	for _, d := range days {
		if day := weekdayOf(d); day == time.Saturday || day == time.Sunday {
			return false
		}
		n++
	}
	return n == 5
}

// weekdayOf is a day as the standard library counts them.
func weekdayOf(d rrule.Weekday) time.Weekday { return time.Weekday((d.Day() + 1) % 7) }

// sayDays are the days of a month: on the 31st, on the first Monday.
func sayDays(rule rrule.ROption) string {
	days := make([]string, 0, len(rule.Byweekday)+len(rule.Bymonthday))
	for _, d := range rule.Byweekday {
		days = append(days, sayNth(d.N())+" "+weekdayOf(d).String())
	}
	switch {
	case len(rule.Bysetpos) > 0 && len(rule.Bymonthday) > 0: // the last of them that there is
		days = append(days, th(slices.Max(rule.Bymonthday)))
	default:
		for _, d := range rule.Bymonthday {
			switch {
			case d == -1:
				days = append(days, "last day")
			case d < 0:
				days = append(days, sayNth(d)+" day")
			default:
				days = append(days, th(d))
			}
		}
	}
	if len(days) == 0 {
		return ""
	}
	return " on the " + listed(days)
}

// sayDate is the date of a year.
func sayDate(rule rrule.ROption) string {
	if len(rule.Bymonth) > 1 || len(rule.Bymonth) == 1 && len(rule.Byweekday) > 0 {
		names := make([]string, len(rule.Bymonth))
		for i, m := range rule.Bymonth {
			names[i] = time.Month(m).String()
		}
		return sayDays(rule) + " of " + listed(names)
	}
	if len(rule.Bymonth) != 1 || len(rule.Bymonthday) == 0 {
		return ""
	}
	return fmt.Sprintf(" on %d %s", slices.Max(rule.Bymonthday), time.Month(rule.Bymonth[0]))
}

func sayNth(n int) string {
	if n == -1 {
		return "last"
	}
	if n < 0 {
		return th(-n) + " last"
	}
	if n < 6 {
		return []string{"", "first", "second", "third", "fourth", "fifth"}[n]
	}
	return th(n)
}

// sayClock are the times of day.
func sayClock(rule rrule.ROption) string {
	if len(rule.Byhour) == 0 {
		return ""
	}
	minute := 0
	if len(rule.Byminute) > 0 {
		minute = rule.Byminute[0]
	}
	hours := make([]string, len(rule.Byhour))
	for i, h := range rule.Byhour {
		hours[i] = fmt.Sprintf("%02d:%02d", h, minute)
	}
	return " at " + listed(hours)
}

// sayEnd is until when it goes on.
func sayEnd(rule rrule.ROption) string {
	switch {
	case rule.Until.Second() == 0 && !rule.Until.IsZero(): // a time rather than the end of a day
		return ", until " + rule.Until.Format("2 January 2006 at 15:04")
	case !rule.Until.IsZero():
		return ", until " + rule.Until.Format("2 January 2006")
	case rule.Count > 0:
		return fmt.Sprintf(", %d times", rule.Count)
	}
	return ""
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// th is a number as a day of a month: 1st, 2nd, 23rd.
func th(n int) string {
	ending := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(n) + ending
}
