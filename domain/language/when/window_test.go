package when_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// newYork stands in New York on a Monday morning.
func newYork(t testing.TB) (zone *time.Location, now domain.Millis, at func(string) domain.Millis) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	at = func(text string) domain.Millis {
		if text == "" {
			return 0
		}
		m, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return domain.MillisOf(m)
	}
	return zone, at("2027-03-01 08:30"), at
}

func TestNarrow(t *testing.T) {
	zone, now, at := newYork(t)
	for _, c := range []struct {
		text, rest string
		start, end string // of a plan
		want       when.Fit
	}{
		{"tomorrow", "", "2027-03-02 11:00", "2027-03-02 11:30", when.Within},
		{"tomorrow", "", "2027-03-01 23:00", "2027-03-02 00:00", when.Outside},
		{"tomorrow", "", "2027-03-01 23:00", "2027-03-02 00:30", when.Within},
		{"today", "", "2027-03-01 04:00", "", when.Within},
		{"Friday evening", "", "2027-03-05 19:00", "", when.Within},
		{"on Friday evening", "", "2027-03-05 15:00", "2027-03-05 15:30", when.Outside},
		{"tonight", "", "2027-03-02 02:00", "", when.Within},
		{"8am", "", "2027-03-02 08:00", "", when.Exactly},
		{"8am", "", "2027-03-02 20:00", "", when.Outside},
		{"at 8", "", "2027-03-02 20:00", "", when.Exactly},
		{"my 3 pm alarm", "my alarm", "2027-03-01 15:00", "", when.Exactly},
		{"3 pm", "", "2027-03-05 15:10", "", when.Within},
		{"3:15 pm", "", "2027-03-05 15:10", "", when.Outside},
		{"3:15 pm", "", "2027-03-05 15:00", "2027-03-05 15:30", when.Within},
		{"tomorrow at 11", "", "2027-03-02 11:00", "2027-03-02 11:30", when.Exactly},
		{"tomorrow at 11", "", "2027-03-03 11:00", "2027-03-03 11:30", when.Outside},
		{"at 2pm", "", "2027-03-02 14:00", "", when.Exactly},
		{"in the morning", "", "2027-03-03 09:00", "2027-03-03 10:00", when.Within},
		{"in the morning", "", "2027-03-02 14:00", "", when.Outside},
		{"this week", "", "2027-03-06 18:00", "2027-03-06 23:00", when.Within},
		{"this week", "", "2027-03-08 18:00", "", when.Outside},
		{"next week", "", "2027-03-08 18:00", "", when.Within},
		{"in March", "", "2027-03-23 12:30", "2027-03-23 13:30", when.Within},
		{"on 23 March", "", "2027-03-23 12:30", "2027-03-23 13:30", when.Within},
		{"from 3 to 5pm", "", "2027-03-01 16:00", "2027-03-01 17:00", when.Within},
		{"after 5pm", "", "2027-03-01 19:00", "2027-03-01 22:00", when.Within},
		{"after 5pm", "", "2027-03-01 16:00", "2027-03-01 17:00", when.Outside},
		{"tomorrow before noon", "", "2027-03-02 11:00", "2027-03-02 11:30", when.Within},
		{"the meeting on Wednesday", "the meeting", "2027-03-03 09:00", "2027-03-03 10:00", when.Within},
	} {
		w, rest, err := when.Narrow(c.text, now, zone)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := w.Fits(at(c.start), at(c.end), zone); got != c.want || rest != c.rest {
			t.Errorf("%q with %s to %s: %d and rest %q, want %d and %q (%v to %v)", c.text, c.start, c.end, got, rest, c.want, c.rest,
				w.From.Time().In(zone), w.To.Time().In(zone))
		}
	}
	for text, code := range map[string]domain.Code{"": when.CodeNoTime, "Joe": when.CodeNoTime, "every Monday": when.CodeAmbiguous, "on 31 February": when.CodeNoSuch} {
		if _, rest, err := when.Narrow(text, now, zone); domain.CodeOf(err) != code || rest != text {
			t.Errorf("%q: %v, rest %q", text, err, rest)
		}
	}
}

func TestOccasions(t *testing.T) {
	zone, now, at := newYork(t)
	for _, c := range []struct{ text, start, end, again string }{
		{"Monday evening 6 to 8", "2027-03-01 18:00", "2027-03-01 20:00", ""},
		{"Monday evening at 10 to 8", "2027-03-01 19:50", "", ""},
		{"on Friday from 3 to 4pm", "2027-03-05 15:00", "2027-03-05 16:00", ""},
		{"tomorrow at 11", "2027-03-02 11:00", "", ""},
		{"every Monday from 9 to 10am", "2027-03-01 09:00", "2027-03-01 10:00", "every Monday at 09:00"},
		{"every Thursday at 10", "2027-03-04 10:00", "", "every Thursday at 10:00"},
	} {
		got, err := when.ParseOccasion(c.text, now, zone)
		if err != nil || got.At != at(c.start) || got.To != at(c.end) {
			t.Errorf("%q: %v to %v, %v", c.text, got.At.Time().In(zone), got.To.Time().In(zone), err)
			continue
		}
		if again := got.Recurrence; again == nil != (c.again == "") || again != nil && when.SayAgain(*again) != c.again {
			t.Errorf("%q comes back %v", c.text, again)
		}
	}
	for _, c := range []struct{ text, start, end, again string }{
		{"on 15 March", "2027-03-15 00:00", "2027-03-16 00:00", ""},
		{"from 3 March to 5 March", "2027-03-03 00:00", "2027-03-06 00:00", ""},
		{"every year on 15 March", "2027-03-15 00:00", "2027-03-16 00:00", "every year on 15 March at 00:00"},
	} {
		got, err := when.ParseOccasion(c.text, now, zone)
		if err != nil {
			t.Fatal(err)
		}
		start, end, again := got.WholeDays(zone)
		if start != at(c.start) || end != at(c.end) || again != nil && when.SayAgain(*again) != c.again {
			t.Errorf("%q: all of %v to %v, %v", c.text, start.Time().In(zone), end.Time().In(zone), again)
		}
	}
	nine := -domain.Millis(9 * time.Hour / time.Millisecond)
	half := domain.Millis(30 * time.Minute / time.Millisecond)
	for _, c := range []struct {
		name             string
		a                domain.Appointment
		start, end, tell string
	}{
		{"of an hour", domain.Appointment{Start: at("2027-03-01 16:00"), End: at("2027-03-01 17:00"), Before: &half}, "2027-03-08 16:00", "2027-03-08 17:00", "2027-03-08 15:30"},
		{"not told", domain.Appointment{Start: at("2027-03-01 16:00"), End: at("2027-03-01 17:00")}, "2027-03-08 16:00", "2027-03-08 17:00", ""},
		{"a day on which the clocks change", domain.Appointment{Start: at("2027-03-01 00:00"), End: at("2027-03-02 00:00"), AllDay: true, Before: &nine}, "2027-03-14 00:00", "2027-03-15 00:00", "2027-03-14 09:00"},
	} {
		if end, tell := when.Occurs(c.a, at(c.start), zone); end != at(c.end) || tell != at(c.tell) {
			t.Errorf("%s ends %v and is told %v", c.name, end.Time().In(zone), tell.Time().In(zone))
		}
	}
	for text, want := range map[string]string{"2 hours": "2027-03-01 10:30", "for an hour and a half": "2027-03-01 10:00", "30 minutes before": "2027-03-01 09:00", "a day": "2027-03-02 08:30", "4pm": "", "": ""} {
		if got, ok := when.Later(text, now, zone); ok != (want != "") || ok && got != at(want) {
			t.Errorf("%q is until %v, %v", text, got.Time().In(zone), ok)
		}
	}
}
