package when

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
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

// soonEnough is the nearness of moments that are told with seconds.
const soonEnough = 2 * time.Minute

// SayAgain is a recurrence in words: "every Monday and Thursday at 18:00".
func SayAgain(r domain.Recurrence) string {
	clock := fmt.Sprintf(" at %02d:%02d", r.Hour, r.Minute)
	each := "every " + string(r.Unit)
	if r.Every > 1 {
		each = fmt.Sprintf("every %d %ss", r.Every, r.Unit)
	}
	switch r.Unit {
	case domain.EveryMinute, domain.EveryHour:
		return each
	case domain.EveryWeek:
		days := make([]string, len(r.Weekdays))
		for i, d := range r.Weekdays {
			days[i] = d.String()
		}
		switch {
		case len(days) == 0:
		case r.Every > 1:
			each += " on " + listed(days)
		default:
			each = "every " + listed(days)
		}
	case domain.EveryMonth:
		each += " on the " + th(r.Day)
	case domain.EveryYear:
		each += fmt.Sprintf(" on %d %s", r.Day, r.Month)
	}
	return each + clock
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
