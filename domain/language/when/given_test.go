package when_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// What is known of a time goes before what is usual, and behind what is said.
func TestKnownOfATime(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Malta")
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
	now := moment("2026-11-21 10:00") // a Saturday
	say := func(text string) *when.Text { return when.Look(text, now, zone) }
	twice := domain.Recurrence{Rule: "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30"}
	clocks := func(text string) *when.Text {
		out, ok := say(text).AtClocksOf(twice)
		if !ok {
			t.Errorf("%s has no times of day", twice.Rule)
		}
		return out
	}
	for name, c := range map[string]struct {
		text     *when.Text
		at, rule string
	}{
		"a moment":                       {when.Known(moment("2026-12-03 17:25")+7000, now, zone), "2026-12-03 17:25", ""},
		"a half":                         {say("on Monday at 8").InHalf(when.Evening), "2026-11-23 20:00", ""},
		"a half beside one that is said": {say("on Monday at 8 am").InHalf(when.Evening), "2026-11-23 08:00", ""},
		"a half beside 24 hours":         {say("on Monday at 15:00").InHalf(when.Morning), "2026-11-23 15:00", ""},
		"twelve in the morning":          {say("on Monday at 12").InHalf(when.Morning), "2026-11-23 00:00", ""},
		"the half that is known first":   {say("at 8").InHalf(when.Evening).InHalf(when.Morning), "2026-11-21 20:00", ""},
		"a time of day":                  {say("on Friday").AtClockOf(moment("2026-11-21 17:45")), "2026-11-27 17:45", ""},
		"one beside one that is said":    {say("on Friday at 9").AtClockOf(moment("2026-11-21 17:45")), "2026-11-27 09:00", ""},
		"several":                        {clocks("every day"), "2026-11-21 20:30", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30"},
		"a day":                          {say("on Friday at 9").OnDay(moment("2026-12-04 00:00")), "2026-12-04 09:00", ""},
		"another present":                {say("on Friday at 9").From(moment("2026-12-01 00:00")), "2026-12-04 09:00", ""},
		"other words":                    {say("on Friday at 9").InHalf(when.Evening).Saying("at 7"), "2026-11-21 19:00", ""},
	} {
		got, err := c.text.Parse()
		if err != nil || got.At != moment(c.at) {
			t.Errorf("%s: %q is %s (%v), want %s", name, c.text, got.At.Time().In(zone), err, c.at)
		}
		if got.Recurrence != nil && got.Recurrence.Rule != c.rule {
			t.Errorf("%s: %q comes back %s, want %s", name, c.text, got.Recurrence.Rule, c.rule)
		}
	}
	if _, err := when.Known(now-1, now, zone).Parse(); domain.CodeOf(err) != when.CodePassed {
		t.Errorf("a moment that has passed: %v", err)
	}
	if day, clock := clocks("every day").Parts(); !day || !clock {
		t.Errorf("a day with times of day that are known has a day: %t, and a time of day: %t", day, clock)
	}
}

// What comes back is moved to another day, and comes back on that.
func TestSeriesOn(t *testing.T) {
	zone := time.UTC
	now := domain.MillisOf(time.Date(2026, 11, 21, 10, 0, 0, 0, zone)) // a Saturday
	at := domain.MillisOf(time.Date(2026, 12, 31, 19, 30, 0, 0, zone)) // a Thursday
	for rule, want := range map[string]string{
		"FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0":                         "FREQ=WEEKLY;BYDAY=TH;BYHOUR=19;BYMINUTE=30",
		"FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0;UNTIL=20270401T235959Z":  "FREQ=WEEKLY;UNTIL=20270401T235959Z;BYDAY=TH;BYHOUR=19;BYMINUTE=30",
		"FREQ=MONTHLY;BYMONTHDAY=3;BYHOUR=8;BYMINUTE=0":                    "FREQ=MONTHLY;BYSETPOS=-1;BYMONTHDAY=28,29,30,31;BYHOUR=19;BYMINUTE=30",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=3;BYHOUR=8;BYMINUTE=0":           "FREQ=YEARLY;BYSETPOS=-1;BYMONTH=12;BYMONTHDAY=28,29,30,31;BYHOUR=19;BYMINUTE=30",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=8;BYMINUTE=0":              "",
		"FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=8;BYMINUTE=0":                      "",
		"FREQ=MONTHLY;BYDAY=+1MO;BYHOUR=8;BYMINUTE=0":                      "",
		"FREQ=DAILY;BYHOUR=8;BYMINUTE=0":                                   "",
		"FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0;UNTIL=20261122T235959Z":  "",
		"FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0;UNTIL=20270401T120000Z0": "",
	} {
		got, ok := when.SeriesOn(domain.Recurrence{Rule: rule}, at, false, now, zone)
		switch {
		case ok != (want != ""):
			t.Errorf("%s can be moved: %t", rule, ok)
		case ok && got.Rule != want:
			t.Errorf("%s comes back %s, want %s", rule, got.Rule, want)
		}
	}
	days, ok := when.SeriesOn(domain.Recurrence{Rule: "FREQ=YEARLY"}, at, true, now, zone)
	if !ok || days.Start != domain.MillisOf(time.Date(2026, 12, 31, 0, 0, 0, 0, zone)) {
		t.Errorf("a day of each year is %+v", days)
	}
}
