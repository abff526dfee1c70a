package when_test

import (
	"os"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language/when"
)

// TestReadings holds what is said in many ways to what it means: the moment of a reminder and
// how it comes back, or a question. A line that begins with @ says when and where the next are
// said, and each is carried by sentences that have it in the middle, first and last. What
// stands on both sides of "…" is said together and apart, and behind = is the whole sentence.
func TestReadings(t *testing.T) {
	text, err := os.ReadFile("testdata/readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var now domain.Millis
	var where string
	for line := range strings.Lines(string(text)) {
		phrase, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if moment, ok := strings.CutPrefix(phrase, "@ "); ok {
			now, where = at(t, moment, zone(t, want)), want
			continue
		}
		for _, sentence := range carried(phrase) {
			if got := reading(t, sentence, now, where); got != want {
				t.Errorf("%q is read as %q, want %q", sentence, got, want)
			}
		}
	}
}

// carried are the sentences that carry a phrase, or the two parts of one.
func carried(phrase string) []string {
	if sentence, ok := strings.CutPrefix(phrase, "= "); ok {
		return []string{sentence}
	}
	first, second, apart := strings.Cut(phrase, " … ")
	whole := strings.TrimSpace(first + " " + second)
	out := []string{"remind me " + whole + " to water the plants", whole + " remind me to water the plants", "remind me to water the plants " + whole}
	if apart {
		out = append(out, "remind me "+first+" to water the plants "+second, first+" remind me to water the plants "+second)
	}
	return out
}

// reading is how a sentence is read: a moment, with how it comes back, or asks.
func reading(t *testing.T, sentence string, now domain.Millis, name string) string {
	t.Helper()
	z := zone(t, name)
	got, err := when.Parse(sentence, now, z)
	if err != nil || len(got.Unread(sentence)) > 0 || got.Loose(sentence) != "" {
		return "asks"
	}
	said := got.At.Time().In(z).Format(layout)
	if got.Recurrence != nil {
		said += ", " + when.SayAgain(*got.Recurrence)
	}
	return said
}

// The order of a day and a month is that of the person's country, where it could be both.
func TestOrderOfDates(t *testing.T) {
	for _, c := range []struct{ phrase, zone, want string }{
		{"3/4", "Europe/Malta", "2027-04-03 09:00"}, {"3/4", "America/New_York", "2027-03-04 09:00"}, {"3/4", "UTC", "asks"},
		{"12/15", "Europe/Malta", "2026-12-15 09:00"}, {"15/12", "America/New_York", "2026-12-15 09:00"}, {"15.12.", "America/New_York", "2026-12-15 09:00"},
		{"4/4", "UTC", "2027-04-04 09:00"}, {"on 7.12", "Europe/Malta", "2026-12-07 09:00"}, {"on 7.12", "America/New_York", "asks"}, {"on 7.12", "UTC", "asks"},
		{"on 24.12", "America/New_York", "2026-12-24 09:00"}, {"at 7.12", "Europe/Malta", "2026-11-26 19:12"},
	} {
		z := zone(t, c.zone)
		if got := reading(t, "remind me "+c.phrase+" to water the plants", at(t, "2026-11-26 10:00", z), c.zone); got != c.want {
			t.Errorf("%s in %s is %q, want %q", c.phrase, c.zone, got, c.want)
		}
	}
}

// What happens then tells which half of the day is meant, and words that belong to what is
// to be said are kept.
func TestWhatItIsFor(t *testing.T) {
	z := zone(t, "Europe/Malta")
	now := at(t, "2026-11-26 10:00", z)
	for _, c := range []struct{ text, want, rest string }{
		{"dinner with Anna on Friday at 8", "2026-11-27 20:00", "dinner with Anna"},
		{"wake me up at 6:30", "2026-11-27 06:30", "wake me up"},
		{"call Anna on Saturday at 8", "2026-11-28 08:00", "call Anna"},
		{"2 hours before my flight on Friday at 10:40", "2026-11-27 08:40", "my flight"},
		{"pack the day before my trip to New York on Thursday", "2026-12-02 09:00", "pack the day before my trip to New York"},
		{`at 5 "do 20 minutes of yoga at 6"`, "2026-11-26 17:00", `"do 20 minutes of yoga at 6"`},
		{"at 5 to do 20 minutes of yoga", "asks", ""},
		{"tomorrow at 5pm to take the 9 o'clock train", "asks", ""},
		{"2 hours before my flight on Friday", "asks", ""},
		{"Vesak at 5 to light the lamp", "asks", ""},
		{"look after the cat tomorrow", "2026-11-27 09:00", "look after the cat"},
		{"just after 8 tomorrow to feed Rex", "2026-11-27 08:00", "to feed Rex"},
		{"please at 9 tomorrow to pay", "2026-11-27 09:00", "to pay"},
		{"at 7pm to ring May", "2026-11-26 19:00", "to ring May"},
		{"at 4 to book May for the party", "2026-11-26 16:00", "to book May for the party"},
		{"at 6pm to take the first train", "2026-11-26 18:00", "to take the first train"},
		{"at 6pm to take the 5th exit", "2026-11-26 18:00", "to take the 5th exit"},
		{"at 6pm to get dec paint", "2026-11-26 18:00", "to get dec paint"},
		{"to buy 1/2 kg flour at 5", "2026-11-26 17:00", "to buy 1/2 kg flour"},
		{"at 6pm to plan the weekend", "asks", ""},
		{"at 7pm to call April", "asks", ""},
		{"at 6pm to ask about tomorrow", "asks", ""},
		{"at 9pm to pack for Monday", "asks", ""},
		{"at 5pm to tell Anna that I will be late tomorrow", "asks", ""},
		{"tomorrow at ８ to eat", "asks", ""},
		{"tomorrow afternoon at 11", "asks", ""},
		{"tomorrow morning at 7pm", "asks", ""},
		{"since Monday to pay", "asks", ""},
		{"every second to blink", "asks", ""},
		{"on the morning of the 4th to fast", "2026-12-04 09:00", "to fast"},
	} {
		got := reading(t, c.text, now, z.String())
		if got != c.want {
			t.Errorf("%q is read as %q, want %q", c.text, got, c.want)
		}
		if parsed, err := when.Parse(c.text, now, z); c.rest != "" && (err != nil || parsed.Rest(c.text) != c.rest) {
			t.Errorf("%q leaves %q, %v, want %q", c.text, parsed.Rest(c.text), err, c.rest)
		}
	}
}

// A period is asked about from its beginning to its end.
func TestDuring(t *testing.T) {
	z := zone(t, "Europe/Malta")
	now := at(t, "2026-11-26 10:00", z)
	for text, want := range map[string]string{
		"today": "2026-11-26 00:00 2026-11-27 00:00", "tomorrow": "2026-11-27 00:00 2026-11-28 00:00", "Friday evening": "2026-11-27 18:00 2026-11-28 00:00",
		"this week": "2026-11-23 00:00 2026-11-30 00:00", "next week": "2026-11-30 00:00 2026-12-07 00:00", "in December": "2026-12-01 00:00 2027-01-01 00:00",
		"tonight": "2026-11-26 18:00 2026-11-27 00:00", "this morning": "2026-11-26 00:00 2026-11-26 12:00", "on 5 December": "2026-12-05 00:00 2026-12-06 00:00",
		"the next 3 days": "2026-11-27 00:00 2026-11-30 00:00", "for the next 3 days": "2026-11-27 00:00 2026-11-30 00:00", "tomorrow at 8": "2026-11-27 08:00 2026-11-27 09:00", "in 2 hours": "2026-11-26 10:00 2026-11-26 12:00",
		"the weekend": "2026-11-27 18:00 2026-11-30 00:00", "every day": "ambiguous_time", "soon": "no_time", "": "no_time",
	} {
		from, to, err := when.During(text, now, z)
		got := from.Time().In(z).Format(layout) + " " + to.Time().In(z).Format(layout)
		if err != nil {
			got = string(domain.CodeOf(err))
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
