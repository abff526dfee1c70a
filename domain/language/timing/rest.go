package timing

import (
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// Pause is the period in which a plan is to rest, for leaving out its times then.
type Pause struct {
	During string
	Short  bool // it is shorter than a day, and none
}

// Lasts reports whether words say how long a plan is to rest: to skip for a week is as much as pausing.
func Lasts(during string, now domain.Millis, zone *time.Location) bool {
	length, ok := cutAny(strings.TrimSpace(during), "for ")
	_, lasts := when.Later(length, now, zone)
	return ok && lasts
}

// Rest reads it.
func Rest(during string, now domain.Millis, zone *time.Location) Pause {
	during = strings.TrimSpace(during)
	until := func(at domain.Millis) Pause {
		if day := at.Time().In(zone); at.Sub(now) >= 24*time.Hour {
			return Pause{During: day.Format("until 2 January 2006")}
		}
		return Pause{Short: true}
	}
	if length, ok := cutAny(during, "for the next ", "the next ", "for "); ok || strings.ContainsAny(length, " ") {
		if to, ok := when.Later(length, now, zone); ok {
			return until(to)
		}
	}
	if day, ok := cutAny(during, "until ", "till "); ok {
		if at, err := when.Parse(day, now, zone); err == nil && at.Recurrence == nil && at.Rest(day) == "" {
			if today := Midnight(now, zone); strings.EqualFold(day, today.Weekday().String()) {
				at.At = domain.MillisOf(today.AddDate(0, 0, 7)) // on a Monday until the next
			}
			return until(domain.MillisOf(Midnight(at.At, zone).AddDate(0, 0, 1)) - 1)
		}
	}
	length, _ := cutAny(during, "for ")
	return Pause{During: length}
}

// cutAny is a text without the first of some beginnings that it has.
func cutAny(text string, beginnings ...string) (string, bool) {
	for _, b := range beginnings {
		if len(text) > len(b) && strings.EqualFold(text[:len(b)], b) {
			return text[len(b):], true
		}
	}
	return text, false
}
