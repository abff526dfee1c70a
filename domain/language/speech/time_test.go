package speech_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/domain"
	"chalie/domain/language/speech"
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

// Every language says when something is, and how it comes back.
func TestTimesInTongues(t *testing.T) {
	zone := zoned(t, "Europe/Malta")
	now := domain.MillisOf(time.Date(2026, 11, 21, 10, 0, 0, 0, zone))
	v := speech.Voice{Now: now, Zone: zone}
	for _, c := range []struct {
		value                            speech.Value
		style                            string
		english, german, french, spanish string
	}{
		{speech.Time{At: now.Add(26 * time.Hour)}, "full", "tomorrow, Sunday 22 November at 12:00", "morgen, Sonntag, 22. November um 12:00 Uhr", "demain, dimanche 22 novembre à 12:00", "mañana, domingo 22 de noviembre a las 12:00"},
		{speech.Time{At: now, Zone: "Asia/Tokyo"}, "stated", "18:00 on Saturday 21 November 2026", "18:00 Uhr am Samstag, 21. November 2026", "18:00 le samedi 21 novembre 2026", "18:00 del sábado 21 de noviembre de 2026"},
		{speech.Time{At: now.Add(-3 * time.Hour)}, "since", "3 h ago", "vor 3 h", "il y a 3 h", "hace 3 h"},
		{speech.Time{At: now.Add(-72 * time.Hour)}, "since", "3 d ago", "vor 3 d", "il y a 3 j", "hace 3 d"},
		{speech.Length(51 * time.Hour), "short", "2 d 3 h", "2 d 3 h", "2 j 3 h", "2 d 3 h"},
		{speech.Length(time.Second), "short", "under 1 min", "weniger als 1 min", "moins de 1 min", "menos de 1 min"},
		{again(t, "every Monday and Thursday at 18:00"), "", "every Monday and Thursday at 18:00", "jeden Montag und Donnerstag um 18:00 Uhr", "tous les lundis et jeudis à 18:00", "todos los lunes y jueves a las 18:00"},
		{again(t, "on the last day of every month at 9"), "", "every month on the last day at 09:00", "jeden Monat am letzten Tag um 09:00 Uhr", "chaque mois le dernier jour à 09:00", "cada mes el último día a las 09:00"},
	} {
		for i, want := range []string{c.english, c.german, c.french, c.spanish} {
			same(t, speech.All()[i].Language, speech.All()[i].Value(c.value, v, c.style), want)
		}
	}
}

// again is how something comes back, as people say it.
func again(t *testing.T, said string) speech.Again {
	t.Helper()
	at, err := when.Parse(said, 0, time.UTC)
	if err != nil || at.Recurrence == nil {
		t.Fatalf("%q is no recurrence: %v", said, err)
	}
	return speech.Again{Rule: at.Recurrence.Rule}
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
