package timing_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/timing"
	"chalie/domain/language/when"
)

// An hour without its half of the day is the one nearer to the time before, and not far into the night.
func TestKept(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	moment := func(text string) domain.Millis {
		at, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return domain.MillisOf(at)
	}
	now := moment("2027-03-01 08:30")
	for _, c := range []struct{ was, said, now string }{
		{"2027-03-06 04:00", "3:30", "2027-03-06 03:30"},
		{"2027-03-06 04:00", "five", "2027-03-06 05:00"},
		{"2027-03-06 04:00", "sunday at 5", "2027-03-07 05:00"},
		{"2027-03-06 18:00", "7", "2027-03-06 19:00"},
		{"2027-03-06 18:00", "7 am", "2027-03-06 07:00"},
		{"2027-03-06 18:00", "at 15:00", "2027-03-06 15:00"},
		{"2027-03-03 09:00", "4", "2027-03-03 16:00"},
		{"2027-03-03 09:00", "8", "2027-03-03 08:00"},
		{"2027-03-05 15:00", "9", "2027-03-05 09:00"},
		{"2027-03-05 20:00", "9", "2027-03-05 21:00"},
		{"2027-03-01 15:00", "8", "2027-03-01 20:00"}, // eight in the morning has passed
		{"2027-03-31 17:00", "april 15", "2027-04-15 17:00"},
		{"2027-03-31 17:00", "friday at noon", "2027-03-05 12:00"},
		{"2027-03-05 23:00", "12:30", "2027-03-06 00:30"},
		{"2027-03-05 23:00", "noon", "2027-03-05 12:00"},
		{"2027-03-02 00:15", "11:45", "2027-03-01 23:45"},
		{"2027-03-05 23:00", "13:30", "2027-03-05 13:30"},
	} {
		at, err := timing.Kept(moment(c.was), when.Look(c.said, now, zone), now, zone).Parse()
		if err != nil || at.At != moment(c.now) {
			t.Errorf("%s to %s is %s (%v), want %s", c.was, c.said, at.At.Time().In(zone), err, c.now)
		}
	}
}
