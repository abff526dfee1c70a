package speech_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/domain"
	"chalie/domain/language/speech"
	tongue "chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

func zoned(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func same(t interface{ Errorf(string, ...any) }, what, got, want string) {
	if got != want {
		t.Errorf("%s: the catalogue says\n%s\nand it should be\n%s", what, got, want)
	}
}

// again are ways in which things come back, as people say them.
var again = []string{
	"every minute", "every 5 minutes", "every hour", "every 3 hours", "every day at 9", "every 2 days at 7:30", "every day at 8 and 20:00", "every weekday at 7",
	"every Monday at 18:00", "every Monday and Thursday at 18:00", "every Monday, Wednesday and Sunday at 6", "every other week on Friday at 9", "every 3 weeks on Tuesday and Friday at 10",
	"on the 1st of every month at 9", "on the 22nd of every month", "on the 1st and 15th of every month at 9", "on the last day of every month at 9", "on the first Monday of every month at 9",
	"on the last Friday of every month at 17:00", "every 2 months on the 3rd at 9", "every year on 15 March", "every year on 29 February at 8", "every day at 9 until 20 December",
	"every day at 9 for 3 days", "every week", "every month", "every year", "on the 31st of every month at 10", "on the second Tuesday of every month at 12", "every weekend at 10",
}

// Every language says when something is, and how it comes back, in the words in which sentences are told that
// aren't values yet.
func TestTimesInTongues(t *testing.T) {
	zone := zoned(t, "Europe/Malta")
	now := domain.MillisOf(time.Date(2026, 11, 21, 10, 0, 0, 0, zone))
	v := speech.Voice{Now: now, Zone: zone}
	tongues := map[string]*tongue.Tongue{"de": tongue.German, "fr": tongue.French, "es": tongue.Spanish}
	says := func(value speech.Value, style string, class tongue.Class) {
		t.Helper()
		english := speech.English().Value(value, v, style)
		for _, c := range speech.All()[1:] {
			same(t, c.Language+" "+english, c.Value(value, v, style), tongues[c.Language].Tell(english, class))
		}
	}
	for _, said := range again {
		at, err := when.Parse(said, now, zone)
		if err != nil || at.Recurrence == nil {
			t.Fatalf("%q is no recurrence: %v", said, err)
		}
		value := speech.Again{Rule: at.Recurrence.Rule}
		says(value, "", "again")
	}
	for _, ahead := range []time.Duration{time.Minute + time.Millisecond*30_500, 5 * time.Hour, 26 * time.Hour, -20 * time.Hour, 80 * time.Hour, 24 * 60 * time.Hour} {
		at := now.Add(ahead)
		for _, style := range []string{"", "full"} {
			says(speech.Time{At: at}, style, "when")
			for _, span := range []speech.Span{{From: at, To: at.Add(time.Hour)}, {From: at, To: at.Add(70 * time.Hour)}, {From: at}} {
				says(span, style, "span")
			}
		}
	}
}

// From when to when something lasts is said briefly, and in full with the date also of today and tomorrow.
func TestSpans(t *testing.T) {
	zone := zoned(t, "America/New_York")
	at := func(text string) domain.Millis {
		moment, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return domain.MillisOf(moment)
	}
	v := speech.Voice{Now: at("2027-03-01 08:30"), Zone: zone}
	for _, c := range []struct {
		start, end  string
		all         bool
		brief, full string
	}{
		{"2027-03-01 16:00", "2027-03-01 17:00", false, "today 16:00 to 17:00", "today, Monday 1 March, 16:00 to 17:00"},
		{"2027-03-05 15:00", "2027-03-05 15:30", false, "on Friday 5 March 15:00 to 15:30", "on Friday 5 March, 15:00 to 15:30"},
		{"2027-03-02 22:00", "2027-03-03 02:00", false, "tomorrow 22:00 to Wednesday 3 March 02:00", "tomorrow, Tuesday 2 March, 22:00 to Wednesday 3 March 02:00"},
		{"2027-03-02 22:00", "2027-03-03 00:00", false, "tomorrow 22:00 to 00:00", "tomorrow, Tuesday 2 March, 22:00 to 00:00"},
		{"2027-03-15 00:00", "2027-03-16 00:00", true, "on Monday 15 March, all day", "on Monday 15 March, all day"},
		{"2027-03-03 00:00", "2027-03-06 00:00", true, "on Wednesday 3 March to Friday 5 March, all day", "on Wednesday 3 March to Friday 5 March, all day"},
	} {
		span := speech.Span{From: at(c.start), To: at(c.end), AllDay: c.all}
		same(t, "brief", speech.English().Value(span, v, ""), c.brief)
		same(t, "full", speech.English().Value(span, v, "full"), c.full)
	}
}
