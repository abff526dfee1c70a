package when_test

import (
	"fmt"
	"testing"

	"chalie/domain"
	"chalie/domain/language/when"
)

func TestWeekdays(t *testing.T) {
	for _, c := range []struct{ said, days string }{
		{"on Wednesdays", "[Wednesday]"}, {"Friday", "[Friday]"}, {"Saturdays and Sundays", "[Saturday Sunday]"}, {"at weekends", "[Saturday Sunday]"},
		{"the weekend", "[Saturday Sunday]"}, {"weekdays", "[Monday Tuesday Wednesday Thursday Friday]"}, {"this Friday", "[]"}, {"next Monday", "[]"},
		{"Friday the 3rd", "[]"}, {"tomorrow", "[]"}, {"Friday at 3", "[]"},
	} {
		if got := fmt.Sprint(when.Weekdays(c.said)); got != c.days {
			t.Errorf("%q are the days %s, want %s", c.said, got, c.days)
		}
	}
}

// TestOnDays leaves the Wednesdays out of what comes back.
func TestOnDays(t *testing.T) {
	z := zone(t, "Europe/Malta")
	now := at(t, "2026-11-21 10:00", z) // a Saturday
	for _, c := range []struct{ said, again, first string }{
		{"every Monday, Wednesday and Friday at 7", "every Monday and Friday at 07:00", "2026-11-23 07:00"},
		{"every weekday at 8", "every Monday, Tuesday, Thursday and Friday at 08:00", "2026-11-23 08:00"},
		{"every day at 11", "every Monday, Tuesday, Thursday, Friday, Saturday and Sunday at 11:00", "2026-11-21 11:00"},
		{"every 2 weeks on Wednesday and Friday at 9", "every 2 weeks on Friday at 09:00", "2026-11-27 09:00"},
		{"every day at 11 until 20 December", "every Monday, Tuesday, Thursday, Friday, Saturday and Sunday at 11:00, until 20 December 2026", "2026-11-21 11:00"},
		{"every Wednesday at 9", "", ""},
		{"every month on the 3rd", "", ""},
		{"every 3 days at 9", "", ""},
		{"every hour", "", ""},
	} {
		read, err := when.Parse(c.said, now, z)
		if err != nil {
			t.Fatal(err)
		}
		days, _ := when.DaysOf(*read.Recurrence)
		kept := days[:0:0]
		for _, d := range days {
			if d.String() != "Wednesday" {
				kept = append(kept, d)
			}
		}
		got, ok := when.OnDays(*read.Recurrence, kept, now, z)
		if !ok {
			got = domain.Recurrence{}
		}
		if again := when.SayAgain(got); ok != (c.again != "") || ok && (again != c.again || got.Start.Time().In(z).Format(layout) != c.first) {
			t.Errorf("%q without Wednesdays is %q from %s, want %q from %s", c.said, again, got.Start.Time().In(z).Format(layout), c.again, c.first)
		}
	}
}
