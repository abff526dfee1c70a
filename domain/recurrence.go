package domain

import "time"

// Recurrence is the rule by which a reminder repeats. How long a minute or an hour is
// doesn't change; days and everything longer keep the time on the wall, whatever
// the clocks do. Package when reads one from words and finds its next moment.
type Recurrence struct {
	Every    int            `json:"every"` // 1 for every one, 2 for every other
	Unit     RecurrenceUnit `json:"unit"`
	Weekdays []time.Weekday `json:"weekdays"` // of a week, Monday first; 0 is Sunday
	Month    time.Month     `json:"month"`    // of a year; 0 otherwise
	Day      int            `json:"day"`      // of a month or year; the last one when the month is shorter
	Hour     int            `json:"hour"`     // on the wall, of a day and longer
	Minute   int            `json:"minute"`
	Anchor   Millis         `json:"anchor"` // the first moment, which the others are counted from
}

// RecurrenceUnit is the unit of a recurrence.
type RecurrenceUnit string

// The units.
const (
	EveryMinute RecurrenceUnit = "minute"
	EveryHour   RecurrenceUnit = "hour"
	EveryDay    RecurrenceUnit = "day"
	EveryWeek   RecurrenceUnit = "week"
	EveryMonth  RecurrenceUnit = "month"
	EveryYear   RecurrenceUnit = "year"
)
