package speech_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/domain"
	"chalie/domain/language/speech"
	tongue "chalie/domain/language/tongues"
	"chalie/domain/language/when"

	"pgregory.net/rapid"
)

func zoned(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// The English words for times are those that skills have always said.
func TestEnglishTimes(t *testing.T) {
	zone := zoned(t, "Europe/Malta")
	en := speech.English()
	rapid.Check(t, func(t *rapid.T) {
		now := domain.Millis(rapid.Int64Range(1_700_000_000_000, 1_800_000_000_000).Draw(t, "now"))
		ahead := rapid.OneOf(rapid.Int64Range(-5*86_400_000, 5*86_400_000), rapid.Int64Range(0, 200_000), rapid.Int64Range(-400*86_400_000, 400*86_400_000)).Draw(t, "ahead")
		at := now + domain.Millis(ahead)
		end := at + domain.Millis(rapid.OneOf(rapid.Int64Range(0, 5*3_600_000), rapid.Int64Range(0, 9*86_400_000)).Draw(t, "length"))
		v := speech.Voice{Now: now, Zone: zone}
		same(t, "short", en.Value(speech.Time{At: at}, v, ""), when.Say(at, now, zone))
		same(t, "full", en.Value(speech.Time{At: at}, v, "full"), when.SayFully(at, now, zone))
		for _, allDay := range []bool{false, true} {
			from, to := at, end
			if allDay {
				midnight := func(m domain.Millis, days int) domain.Millis {
					y, mo, d := m.Time().In(zone).Date()
					return domain.MillisOf(time.Date(y, mo, d+days, 0, 0, 0, 0, zone))
				}
				from, to = midnight(at, 0), midnight(end, 1)
			}
			same(t, "span", en.Value(speech.Span{From: from, To: to, AllDay: allDay}, v, ""), when.SaySpan(from, to, allDay, now, zone))
			same(t, "full span", en.Value(speech.Span{From: from, To: to, AllDay: allDay}, v, "full"), when.SaySpanFully(from, to, allDay, now, zone))
		}
	})
}

func same(t interface{ Errorf(string, ...any) }, what, got, want string) {
	if got != want {
		t.Errorf("%s: the catalogue says\n%s\nand it was\n%s", what, got, want)
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
		same(t, said, speech.English().Value(value, v, ""), when.SayAgain(*at.Recurrence))
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
