package when_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

const layout = "2006-01-02 15:04"

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func at(t testing.TB, text string, z *time.Location) domain.Millis {
	t.Helper()
	m, err := time.ParseInLocation(layout, text, z)
	if err != nil {
		t.Fatal(err)
	}
	return domain.MillisOf(m)
}

// now is a Saturday morning.
const now = "2026-11-21 10:00"

func TestOnce(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct{ text, want, rest string }{
		{"alarm for 7 15 pm", "2026-11-21 19:15", "alarm for"},
		{"10 30 pm tea", "2026-11-21 22:30", "tea"},
		{"swim 6 05 am tomorrow", "2026-11-22 06:05", "swim"},
		{"clean room 12 10 pm", "2026-11-21 22:00", "clean room 12"},
		{"read at 11:15 tonight", "2026-11-21 23:15", "read"},
		{"tomorrow night at 10:45 to look up", "2026-11-22 22:45", "to look up"},
		{"write at 10:30 in the morning tomorrow", "2026-11-22 10:30", "write"},
		{"dinner reservation at Luigi's in 2 hours", "2026-11-21 12:00", "dinner reservation at Luigi's"},
		{"in 2 hours: dinner at Luigi's", "2026-11-21 12:00", "dinner at Luigi's"},
		{"dinner in 2 hours ?A", "2026-11-21 12:00", "dinner ?A"},
		{"dinner in 2 hours , maybe ?", "2026-11-21 12:00", "dinner, maybe?"},
		{"in half an hour", "2026-11-21 10:30", ""},
		{"in an hour and a half", "2026-11-21 11:30", ""},
		{"in 1.5 hours", "2026-11-21 11:30", ""},
		{"in 1 hour and 20 minutes", "2026-11-21 11:20", ""},
		{"in 1h30m", "2026-11-21 11:30", ""},
		{"in a quarter of an hour", "2026-11-21 10:15", ""},
		{"in 90 minutes take the bread out", "2026-11-21 11:30", "take the bread out"},
		{"two hours from now", "2026-11-21 12:00", ""},
		{"2 hours", "2026-11-21 12:00", ""},
		{"in a couple of hours", "2026-11-21 12:00", ""},
		{"in an hour's time", "2026-11-21 11:00", ""},
		{"in three days", "2026-11-24 10:00", ""},
		{"in 3 days at 7", "2026-11-24 07:00", ""},
		{"in two weeks", "2026-12-05 10:00", ""},
		{"in a month", "2026-12-21 10:00", ""},
		{"in a year", "2027-11-21 10:00", ""},
		{"in a day and a half", "2026-11-22 22:00", ""},
		{"tomorrow at 8", "2026-11-22 08:00", ""},
		{"tomorrow at 3", "2026-11-22 15:00", ""},
		{"tomorrow at 03:00", "2026-11-22 03:00", ""},
		{"tomorrow", "2026-11-22 09:00", ""},
		{"tomorrow evening call Anna", "2026-11-22 19:00", "call Anna"},
		{"tomorrow evening at 7", "2026-11-22 19:00", ""},
		{"at 7 tomorrow morning", "2026-11-22 07:00", ""},
		{"call Anna tomorrow at 8 about the boat", "2026-11-22 08:00", "call Anna about the boat"},
		{"tomorrow remind me to call Anna at 8", "2026-11-22 08:00", "remind me to call Anna"},
		{"the day after tomorrow at noon", "2026-11-23 12:00", ""},
		{"at 17:30", "2026-11-21 17:30", ""},
		{"17:30", "2026-11-21 17:30", ""},
		{"at 09:00", "2026-11-22 09:00", ""},
		{"8pm", "2026-11-21 20:00", ""},
		{"8 p.m.", "2026-11-21 20:00", ""},
		{"8:15pm", "2026-11-21 20:15", ""},
		{"at 8.15 pm", "2026-11-21 20:15", ""},
		{"12am", "2026-11-22 00:00", ""},
		{"12pm", "2026-11-21 12:00", ""},
		{"at 8", "2026-11-21 20:00", ""},
		{"at 11", "2026-11-21 11:00", ""},
		{"at 8 o'clock", "2026-11-21 20:00", ""},
		{"at 8 o clock in the morning", "2026-11-22 08:00", ""},
		{"for 5pm: pick up kids", "2026-11-21 17:00", "for: pick up kids"},
		{"meet Ada at 7 and 2 friends", "2026-11-21 19:00", "meet Ada and 2 friends"},
		{"half past 8", "2026-11-21 20:30", ""},
		{"at a quarter to nine", "2026-11-21 20:45", ""},
		{"at ten to 8", "2026-11-21 19:50", ""},
		{"ten past 11", "2026-11-21 11:10", ""},
		{"at noon", "2026-11-21 12:00", ""},
		{"at midnight", "2026-11-22 00:00", ""},
		{"tonight", "2026-11-21 20:00", ""},
		{"tonight at 8", "2026-11-21 20:00", ""},
		{"at 8 tonight", "2026-11-21 20:00", ""},
		{"tonight at 1", "2026-11-22 01:00", ""},
		{"this evening", "2026-11-21 19:00", ""},
		{"in the afternoon", "2026-11-21 15:00", ""},
		{"in the morning", "2026-11-22 09:00", ""},
		{"at 8 in the evening", "2026-11-21 20:00", ""},
		{"today at 8", "2026-11-21 20:00", ""},
		{"on Friday", "2026-11-27 09:00", ""},
		{"on Saturday", "2026-11-28 09:00", ""},
		{"on Saturday at 11", "2026-11-21 11:00", ""},
		{"next Saturday at 11", "2026-11-28 11:00", ""},
		{"next Monday at noon", "2026-11-23 12:00", ""},
		{"Friday at 5", "2026-11-27 17:00", ""},
		{"fri", "2026-11-27 09:00", ""},
		{"on Fri at 17:00", "2026-11-27 17:00", ""},
		{"Friday evening", "2026-11-27 19:00", ""},
		{"this weekend", "2026-11-22 09:00", ""},
		{"next week", "2026-11-23 09:00", ""},
		{"next month", "2026-12-01 09:00", ""},
		{"on 3 March", "2027-03-03 09:00", ""},
		{"on 3 March 2028 at 14:00", "2028-03-03 14:00", ""},
		{"on the 3rd of March at 14:00", "2027-03-03 14:00", ""},
		{"March 3rd, 2028", "2028-03-03 09:00", ""},
		{"December 24 at 6pm", "2026-12-24 18:00", ""},
		{"on Friday, 27 November at 10:00", "2026-11-27 10:00", ""},
		{"on 29 February", "2028-02-29 09:00", ""},
		{"on the 15th", "2026-12-15 09:00", ""},
		{"on the 30th at 10:00", "2026-11-30 10:00", ""},
		{"2026-12-01 09:00", "2026-12-01 09:00", ""},
		{"on 2026-12-01 at 09:00", "2026-12-01 09:00", ""},
		{"2026-12-01", "2026-12-01 09:00", ""},
		{"2026-12-01T09:00", "2026-12-01 09:00", ""},
		{"2026-12-01T09:00:00Z", "2026-12-01 10:00", ""},
		{"2026-12-01T09:00:00+02:00", "2026-12-01 08:00", ""},
		{"by Friday finish the tax return", "2026-11-27 09:00", "finish the tax return"},
		{"meet at 8 tomorrow about the 2pm slot", "2026-11-22 08:00", "meet about the 2pm slot"},
		{"in 2 hours the meeting on Friday", "2026-11-21 12:00", "the meeting on Friday"},
		{"read pages 5 to 10 at 17:00", "2026-11-21 17:00", "read pages 5 to 10"},
		{"we may march 50 miles tomorrow", "2026-11-22 09:00", "we may march 50 miles"},
	} {
		got, err := when.Parse(c.text, at(t, now, z), z)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if said := got.At.Time().In(z).Format(layout); said != c.want || got.Recurrence != nil {
			t.Errorf("%q is %s (%+v), want %s", c.text, said, got.Recurrence, c.want)
		}
		if rest := got.Rest(c.text); rest != c.rest {
			t.Errorf("%q leaves %q, want %q", c.text, rest, c.rest)
		}
	}
}

func TestAgain(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct{ text, want, said string }{
		{"weekday at 7", "2026-11-23 07:00, 2026-11-24 07:00", "every weekday at 07:00"},
		{"weekend at 10am", "2026-11-22 10:00, 2026-11-28 10:00", "every Saturday and Sunday at 10:00"},
		{"recurring at 10 pm", "2026-11-21 22:00, 2026-11-22 22:00", "every day at 22:00"},
		{"alarm weekday at 6", "2026-11-23 06:00, 2026-11-24 06:00", "every weekday at 06:00"},
		{"weekly tomorrow at 3 pm", "2026-11-22 15:00, 2026-11-29 15:00", "every Sunday at 15:00"},
		{"weekly at 9", "2026-11-22 09:00, 2026-11-29 09:00", "every Sunday at 09:00"},
		{"monthly on the 5th at 2 pm", "2026-12-05 14:00, 2027-01-05 14:00", "every month on the 5th at 14:00"},
		{"every day at 7", "2026-11-22 07:00, 2026-11-23 07:00", "every day at 07:00"},
		{"water the plants daily at 19:00", "2026-11-21 19:00, 2026-11-22 19:00", "every day at 19:00"},
		{"every day", "2026-11-22 09:00, 2026-11-23 09:00", "every day at 09:00"},
		{"every morning", "2026-11-22 09:00, 2026-11-23 09:00", "every day at 09:00"},
		{"every evening at 8", "2026-11-21 20:00, 2026-11-22 20:00", "every day at 20:00"},
		{"every day at noon", "2026-11-21 12:00, 2026-11-22 12:00", "every day at 12:00"},
		{"every day at midnight", "2026-11-22 00:00, 2026-11-23 00:00", "every day at 00:00"},
		{"every Monday and Thursday at 18:00", "2026-11-23 18:00, 2026-11-26 18:00, 2026-11-30 18:00", "every Monday and Thursday at 18:00"},
		{"every Mon, Wed and Fri at 9", "2026-11-23 09:00, 2026-11-25 09:00, 2026-11-27 09:00, 2026-11-30 09:00", "every Monday, Wednesday and Friday at 09:00"},
		{"on Mondays at 9:30", "2026-11-23 09:30, 2026-11-30 09:30", "every Monday at 09:30"},
		{"every weekday at 8", "2026-11-23 08:00, 2026-11-24 08:00", "every weekday at 08:00"},
		{"every weekend", "2026-11-22 09:00, 2026-11-28 09:00, 2026-11-29 09:00", "every Saturday and Sunday at 09:00"},
		{"every 2 weeks", "2026-12-05 09:00, 2026-12-19 09:00", "every 2 weeks on Saturday at 09:00"},
		{"every other week on Monday at 9", "2026-11-23 09:00, 2026-12-07 09:00", "every 2 weeks on Monday at 09:00"},
		{"every second Monday at 9", "2026-11-23 09:00, 2026-12-07 09:00", "every 2 weeks on Monday at 09:00"},
		{"weekly on Tuesday at 10:00", "2026-11-24 10:00, 2026-12-01 10:00", "every Tuesday at 10:00"},
		{"every 3 days at 7", "2026-11-22 07:00, 2026-11-25 07:00", "every 3 days at 07:00"},
		{"on the 1st of every month", "2026-12-01 09:00, 2027-01-01 09:00", "every month on the 1st at 09:00"},
		{"pay the rent on the 31st of every month at 8", "2026-11-30 08:00, 2026-12-31 08:00, 2027-01-31 08:00, 2027-02-28 08:00", "every month on the 31st at 08:00"},
		{"every month on the 15th at 10:00", "2026-12-15 10:00, 2027-01-15 10:00", "every month on the 15th at 10:00"},
		{"every 15th at 10:00", "2026-12-15 10:00, 2027-01-15 10:00", "every month on the 15th at 10:00"},
		{"monthly", "2026-12-21 09:00, 2027-01-21 09:00", "every month on the 21st at 09:00"},
		{"every last Friday at 5", "2026-11-27 17:00, 2026-12-25 17:00", "every month on the last Friday at 17:00"},
		{"three times, every hour", "2026-11-21 11:00, 2026-11-21 12:00", "every hour, 3 times"},
		{"every year on 3 March", "2027-03-03 09:00, 2028-03-03 09:00", "every year on 3 March at 09:00"},
		{"every 29 February", "2027-02-28 09:00, 2028-02-29 09:00", "every year on 29 February at 09:00"},
		{"every 30 minutes", "2026-11-21 10:30, 2026-11-21 11:00", "every 30 minutes"},
		{"every hour", "2026-11-21 11:00, 2026-11-21 12:00", "every hour"},
		{"every day at 7 starting on 1 December", "2026-12-01 07:00, 2026-12-02 07:00", "every day at 07:00"},
		{"every day at 7 and 19", "2026-11-21 19:00, 2026-11-22 07:00, 2026-11-22 19:00", "every day at 07:00 and 19:00"},
		{"every day at 8am and 8pm", "2026-11-21 20:00, 2026-11-22 08:00, 2026-11-22 20:00", "every day at 08:00 and 20:00"},
		{"on the first Monday of every month at 9", "2026-12-07 09:00, 2027-01-04 09:00, 2027-02-01 09:00", "every month on the first Monday at 09:00"},
		{"every last Friday of the month at 15:00", "2026-11-27 15:00, 2026-12-25 15:00", "every month on the last Friday at 15:00"},
		{"every month on the second Tuesday", "2026-12-08 09:00, 2027-01-12 09:00", "every month on the second Tuesday at 09:00"},
		{"on the last day of every month", "2026-11-30 09:00, 2026-12-31 09:00", "every month on the last day at 09:00"},
		{"every day except weekends at 9", "2026-11-23 09:00, 2026-11-24 09:00", "every weekday at 09:00"},
		{"every weekday except Wednesday", "2026-11-23 09:00, 2026-11-24 09:00, 2026-11-26 09:00", "every Monday, Tuesday, Thursday and Friday at 09:00"},
		{"every day at 7 until Christmas", "2026-11-22 07:00, 2026-11-23 07:00", "every day at 07:00, until 25 December 2026"},
		{"every day until 24 November", "2026-11-22 09:00, 2026-11-23 09:00, 2026-11-24 09:00, 1970-01-01 01:00", "every day at 09:00, until 24 November 2026"},
		{"every Monday at 8 for 3 weeks", "2026-11-23 08:00, 2026-11-30 08:00, 2026-12-07 08:00, 1970-01-01 01:00", "every Monday at 08:00, until 13 December 2026"},
		{"every hour 3 times", "2026-11-21 11:00, 2026-11-21 12:00", "every hour, 3 times"},
		{"every Christmas Eve at noon", "2026-12-24 12:00, 2027-12-24 12:00", "every year on 24 December at 12:00"},
		{"every Tuesday evening", "2026-11-24 19:00, 2026-12-01 19:00", "every Tuesday at 19:00"},
		{"every 1st and 15th of the month", "2026-12-01 09:00, 2026-12-15 09:00", "every month on the 1st and 15th at 09:00"},
		{"every Monday call Anna at 18:00", "2026-11-23 18:00, 2026-11-30 18:00", "every Monday at 18:00"},
	} {
		got, err := when.Parse(c.text, at(t, now, z), z)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got.Recurrence == nil {
			t.Errorf("%q doesn't come back", c.text)
			continue
		}
		moment := got.At
		said := []string{moment.Time().In(z).Format(layout)}
		for range strings.Count(c.want, ",") {
			moment = when.Next(*got.Recurrence, moment, z)
			said = append(said, moment.Time().In(z).Format(layout))
		}
		if all := strings.Join(said, ", "); all != c.want {
			t.Errorf("%q is %s, want %s", c.text, all, c.want)
		}
		if words := when.SayAgain(*got.Recurrence); words != c.said {
			t.Errorf("%q is said as %q, want %q", c.text, words, c.said)
		}
	}
}

func TestRefusals(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct {
		text string
		code domain.Code
		want []string
	}{
		{"", when.CodeNoTime, []string{"no time is given", "in 2 hours"}},
		{"call Anna", when.CodeNoTime, []string{`"call Anna"`, "tomorrow at 8"}},
		{"today", when.CodeNoTime, []string{"at what time"}},
		{"in many hours", when.CodeNoTime, nil},
		{"yesterday at 5", when.CodePassed, []string{"Friday 20 November 2026 at 17:00", "did you mean Saturday 21 November 2026 at 17:00"}},
		{"today at 09:00", when.CodePassed, []string{"Saturday 21 November 2026 at 09:00", "did you mean Sunday 22 November 2026 at 09:00"}},
		{"this morning", when.CodePassed, []string{"09:00", "did you mean Sunday 22 November"}},
		{"2025-12-01 09:00", when.CodePassed, []string{"Monday 1 December 2025", "did you mean Tuesday 1 December 2026"}},
		{"2025-12-01T09:00:00Z", when.CodePassed, []string{"Monday 1 December 2025 at 10:00", "tomorrow at 8"}},
		{"on 3 March 2020", when.CodePassed, []string{"3 March 2020", "3 March 2027"}},
		{"in 0 hours", when.CodeNoTime, nil},
		{"tomorrow at 25:00", when.CodeNoSuch, []string{`"at 25:00"`, "0 to 24"}},
		{"tomorrow at 25", when.CodeNoSuch, []string{`"at 25"`}},
		{"at 8:75", when.CodeNoSuch, []string{`"at 8:75"`}},
		{"on 31 February", when.CodeNoSuch, []string{`"31 february"`}},
		{"on March 32", when.CodeNoSuch, []string{`"march 32"`}},
		{"when it's 4 pm in Gotham", when.CodeNoSuch, []string{`the clock of "gotham" isn't known`}},
		{"for the next few days at noon", when.CodeNoSuch, []string{"leaves open until when"}},
		{"at ten till six", when.CodeNoSuch, []string{`"ten till six" can be a time, or from one to another`}},
		{"twice a day", when.CodeNoTime, []string{"not when each time", "every day at 8 and 20"}},
		{"twice a day at 9", when.CodeNoTime, nil},
		{"for four weeks", when.CodeNoTime, nil},
		{"every year in February", when.CodeAmbiguous, nil},
		{"2026-13-01", when.CodeNoSuch, []string{"2026-13-01"}},
		{"at 8 or at 9", when.CodeAmbiguous, []string{`"at 8" and "at 9"`, "which one"}},
		{"tomorrow or on Friday", when.CodeAmbiguous, nil},
		{"be at the airport at 5 tomorrow at 3", when.CodeAmbiguous, []string{`"at 5 tomorrow" and "at 3"`}},
		{"every day at 7 and 19:30 to take pills", when.CodeAmbiguous, []string{"two things at once"}},
		{"every day at 7 or at 19", when.CodeAmbiguous, []string{`"every day at 7" and "at 19"`, "once for each"}},
		{"tomorrow at 5pm or 6pm", when.CodeAmbiguous, nil},
		{"tomorrow from 19:30 to 18:00", when.CodeAmbiguous, []string{"ends before it begins", "from when to when"}},
		{"on Friday from 4pm to 3pm", when.CodeAmbiguous, []string{"ends before it begins"}},
		{"in -5 minutes to x", when.CodeNoSuch, []string{`"in -5 minutes" lies in the past`}},
		{"in minus 2 hours", when.CodeNoSuch, []string{"lies in the past"}},
		{"-5 minutes", when.CodeNoSuch, []string{"in -5 minutes"}},
		{"in 2 hours at 9", when.CodeAmbiguous, []string{"two things at once"}},
		{"every hour at 9", when.CodeAmbiguous, nil},
		{"every hour from 9 to 5", when.CodeAmbiguous, []string{"within hours of the day", "every hour until 17:00"}},
		{"every 20 minutes between 1 and 4 pm", when.CodeAmbiguous, []string{"within hours of the day"}},
		{"monthly on Friday at 2", when.CodeAmbiguous, nil},
		{"in 200 years", when.CodeTooFar, []string{"100 years"}},
		{"in 9999 weeks", when.CodeTooFar, nil},
	} {
		got, err := when.Parse(c.text, at(t, now, z), z)
		if domain.CodeOf(err) != c.code || domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%q is %+v, %v, want %s", c.text, got, err, c.code)
			continue
		}
		if says, ok := speech.RefusalOf(err); !ok || says.Check() != nil {
			t.Errorf("%q: %v has no message, or one that can't be said: %v", c.text, err, says.Check())
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %q doesn't say %q", c.text, err, want)
			}
		}
	}
}

// What is near is said with its seconds.
func TestSaySoon(t *testing.T) {
	z := zone(t, "Europe/Malta")
	from := at(t, now, z)
	for ahead, want := range map[time.Duration]string{
		20 * time.Second: "today at 10:00:20", time.Minute: "today at 10:01", 90 * time.Second: "today at 10:01:30", 150 * time.Second: "today at 10:02", -20 * time.Second: "today at 09:59",
	} {
		if got := when.Say(from.Add(ahead), from, z); got != want {
			t.Errorf("%s ahead is %q, want %q", ahead, got, want)
		}
	}
}

func TestSay(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for text, want := range map[string]string{
		"2026-11-20 23:59": "yesterday at 23:59", "2026-11-21 12:00": "today at 12:00", "2026-11-22 08:00": "tomorrow at 08:00",
		"2026-11-27 09:05": "on Friday 27 November at 09:05", "2027-03-03 09:00": "on Wednesday 3 March 2027 at 09:00",
	} {
		if got := when.Say(at(t, text, z), at(t, now, z), z); got != want {
			t.Errorf("%s is said as %q, want %q", text, got, want)
		}
	}
}
