package when_test

import (
	"testing"

	"chalie/domain"
	"chalie/domain/language/when"
)

// In Malta the clocks go from 02:00 to 03:00 on 29 March 2026 and from 03:00 back to
// 02:00 on 25 October.
func TestClocksChange(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct{ now, text, want string }{
		{"2026-03-28 12:00", "tomorrow at 02:30", "2026-03-29T03:30:00+02:00"},
		{"2026-03-28 12:00", "tomorrow at 08:00", "2026-03-29T08:00:00+02:00"},
		{"2026-03-28 12:00", "in 24 hours", "2026-03-29T13:00:00+02:00"},
		{"2026-03-28 12:00", "in a day", "2026-03-29T12:00:00+02:00"},
		{"2026-10-24 12:00", "tomorrow at 02:30", "2026-10-25T02:30:00+02:00"},
		{"2026-10-24 12:00", "in 24 hours", "2026-10-25T11:00:00+01:00"},
	} {
		got, err := when.Parse(c.text, at(t, c.now, z), z)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if said := got.At.Time().In(z).Format("2006-01-02T15:04:05Z07:00"); said != c.want {
			t.Errorf("%q at %s is %s, want %s", c.text, c.now, said, c.want)
		}
	}
}

// A recurrence keeps the time on the wall over the change, and each comes once.
func TestRecurrenceOverAChange(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct {
		now, text string
		want      []string
	}{
		{"2026-03-27 12:00", "every day at 07:00", []string{"2026-03-28 07:00", "2026-03-29 07:00", "2026-03-30 07:00"}},
		{"2026-03-27 12:00", "every day at 02:30", []string{"2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 02:30"}},
		{"2026-10-23 12:00", "every day at 02:30", []string{"2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30"}},
		{"2026-10-25 00:30", "every hour", []string{"2026-10-25 01:30", "2026-10-25 02:30", "2026-10-25 02:30", "2026-10-25 03:30"}},
		{"2026-03-22 12:00", "every Sunday at 02:00", []string{"2026-03-29 03:00", "2026-04-05 02:00"}},
	} {
		got, err := when.Parse(c.text, at(t, c.now, z), z)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		moment := got.At
		for i, want := range c.want {
			if i > 0 {
				before := moment
				if moment = when.Next(*got.Recurrence, moment, z); moment <= before {
					t.Fatalf("%q doesn't go on after %s", c.text, want)
				}
			}
			if said := moment.Time().In(z).Format(layout); said != want {
				t.Errorf("%q, %d: %s, want %s", c.text, i+1, said, want)
			}
		}
	}
}

// Samoa had no 30 December 2011: what is due then is due a day later, once.
func TestADayThatIsSkipped(t *testing.T) {
	z := zone(t, "Pacific/Apia")
	r := domain.Recurrence{Rule: "FREQ=DAILY;BYHOUR=7;BYMINUTE=0", Start: at(t, "2011-12-29 07:00", z)}
	next := when.Next(r, r.Start, z)
	after := when.Next(r, next, z)
	if a, b := next.Time().In(z).Format(layout), after.Time().In(z).Format(layout); a != "2011-12-31 07:00" || b != "2012-01-01 07:00" {
		t.Errorf("after 29 December come %s and %s", a, b)
	}
}
