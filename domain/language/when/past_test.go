package when_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/language/when"
)

func TestParsePast(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct{ text, want string }{
		{"now", now},
		{"today", "2026-11-21 00:00"},
		{"yesterday", "2026-11-20 00:00"},
		{"the day before yesterday", "2026-11-19 00:00"},
		{"yesterday at 17:30", "2026-11-20 17:30"},
		{"yesterday evening", "2026-11-20 19:00"},
		{"yesterday at 8", "2026-11-20 08:00"},
		{"at 5pm yesterday", "2026-11-20 17:00"},
		{"2 hours ago", "2026-11-21 08:00"},
		{"an hour and a half ago", "2026-11-21 08:30"},
		{"half an hour ago", "2026-11-21 09:30"},
		{"90min ago", "2026-11-21 08:30"},
		{"3 days ago", "2026-11-18 10:00"},
		{"3 days ago at 7", "2026-11-18 07:00"},
		{"a week ago", "2026-11-14 10:00"},
		{"a month ago", "2026-10-21 10:00"},
		{"Monday", "2026-11-16 00:00"},
		{"on Friday at noon", "2026-11-20 12:00"},
		{"last Saturday", "2026-11-14 00:00"},
		{"Saturday", "2026-11-21 00:00"},
		{"saturday at 12:00", "2026-11-14 12:00"}, // today's lies ahead
		{"last fri", "2026-11-20 00:00"},
		{"last night", "2026-11-20 20:00"},
		{"last week", "2026-11-09 00:00"},
		{"last month", "2026-10-01 00:00"},
		{"last year", "2025-01-01 00:00"},
		{"this morning", "2026-11-21 09:00"},
		{"at 8", "2026-11-21 08:00"},
		{"at 11", "2026-11-20 23:00"}, // this evening's and this morning's lie ahead
		{"8pm", "2026-11-20 20:00"},
		{"3 March", "2026-03-03 00:00"},
		{"December 24", "2025-12-24 00:00"},
		{"3 March 2025 at 17:30", "2025-03-03 17:30"},
		{"29 February", "2024-02-29 00:00"},
		{"on the 30th", "2026-10-30 00:00"},
		{"2026-11-01", "2026-11-01 00:00"},
		{"2026-11-01 18:30", "2026-11-01 18:30"},
		{"2026-11-01T18:30", "2026-11-01 18:30"},
		{"2026-11-01T18:30:00Z", "2026-11-01 19:30"},
	} {
		got, err := when.ParsePast(c.text, at(t, now, z), z)
		if err != nil || got != at(t, c.want, z) {
			t.Errorf("%q: %s, %v, want %s", c.text, got.Time().In(z).Format(layout), err, c.want)
		}
	}
}

func TestParsePastRefuses(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct {
		text  string
		code  domain.Code
		words string
	}{
		{"", when.CodeNoTime, `such as "yesterday"`},
		{"nonsense", when.CodeNoTime, `no time was found in "nonsense"`},
		{"30m", when.CodeNoTime, "no time was found"}, // a span without a direction
		{"yesterday please", when.CodeNoTime, `"please" was not understood`},
		{"next Friday", when.CodeAhead, "lies ahead"},
		{"in 2 hours", when.CodeNoTime, "no time was found"},
		{"tomorrow", when.CodeAhead, "lies ahead"},
		{"tonight", when.CodeAhead, "lies ahead"},
		{"2027-01-01", when.CodeAhead, "Friday 1 January 2027"},
		{"2026-13-01", when.CodeNoSuch, `such as "on 3 March at 17:30"`},
		{"every Monday", when.CodeAmbiguous, "is many times"},
		{"2 hours ago at 8", when.CodeAmbiguous, "two things at once"},
		{"yesterday at 8 and at 9", when.CodeAmbiguous, "several times"},
		{"200 years ago", when.CodeTooFar, "more than 100 years ago"},
	} {
		got, err := when.ParsePast(c.text, at(t, now, z), z)
		if err == nil || domain.CategoryOf(err) != domain.Validation || domain.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%q: %s, %v (%s), want %s with %q", c.text, got.Time(), err, domain.CodeOf(err), c.code, c.words)
		}
	}
}

// What is read never lies ahead, whatever is said and whenever.
func TestParsePastLaw(t *testing.T) {
	words := []string{"yesterday", "today", "last", "on", "monday", "week", "month", "night", "at", "8", "17:30", "noon", "2", "hours", "days", "ago", "3", "march", "2024", "the", "30th", "this", "morning", "evening", "now"}
	rapid.Check(t, func(t *rapid.T) {
		z := drawZone(t)
		now := drawNow(t)
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words"), " ")
		got, err := when.ParsePast(text, now, z)
		if err == nil && got > now || err != nil && domain.CategoryOf(err) != domain.Validation {
			t.Fatalf("%q at %s is %s, %v", text, now.Time().In(z), got.Time().In(z), err)
		}
	})
}
