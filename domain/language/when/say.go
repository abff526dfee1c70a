package when

import (
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"

	"github.com/teambition/rrule-go"
)

// Say is a moment in words, as it looks from another: "today at 20:00", "tomorrow
// at 08:00", "on Monday 23 November at 12:00". What is less than two minutes ahead is
// said with its seconds.
func Say(at, now domain.Millis, zone *time.Location) string {
	return inEnglish(speech.Time{At: at}, now, zone)
}

// SayAgain is a recurrence in words: "every Monday and Thursday at 18:00".
func SayAgain(r domain.Recurrence) string { return inEnglish(speech.Again{Rule: r.Rule}, 0, nil) }

// SayDays is a recurrence of whole days in words, without a time of day.
func SayDays(r domain.Recurrence) string {
	return inEnglish(speech.Again{Rule: r.Rule, AllDay: true}, 0, nil)
}

func inEnglish(v speech.Value, now domain.Millis, zone *time.Location) string {
	return speech.English().Value(v, speech.Voice{Now: now, Zone: zone}, "")
}

// weekdayOf is a day as the standard library counts them.
func weekdayOf(d rrule.Weekday) time.Weekday { return time.Weekday((d.Day() + 1) % 7) }
