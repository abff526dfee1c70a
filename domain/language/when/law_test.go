package when_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/language/when"
)

var zones = []string{"UTC", "Europe/Malta", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata", "America/Sao_Paulo"}

func drawZone(t *rapid.T) *time.Location {
	z, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func drawNow(t *rapid.T) domain.Millis {
	return domain.Millis(rapid.Int64Range(946684800000, 4102444800000).Draw(t, "now")) // 2000 to 2100
}

var days = []string{"", "today ", "tomorrow ", "on Friday ", "next Monday ", "on 3 March ", "on the 31st ", "2030-12-01 ", "on 29 February ",
	"every day ", "every Monday and Thursday ", "every 2 weeks ", "on the 1st of every month ", "every 3 days ", "every year on 29 February ", "in 3 days ", "in two months ",
	"until June every day ", "from tomorrow on every 2 days ", "for the next ten days ", "Monday to Friday ", "Sunday evenings ", "on the 2nd and 4th Tuesday ", "every hour ", "on the half hour every hour ",
	"the third Friday of March and June ", "next Wednesday the tenth ", "in two weeks on Tuesday "}

var clocks = []string{"", "at 8", "at 02:30", "at 17:30", "8pm", "at noon", "at midnight", "in the evening", "tonight", "at 12", "half past 3"}

// What Parse understands always lies ahead, and comes back later each time; what it
// doesn't is an error with words. What is said to end does so after the second time at the
// earliest.
func TestTimesLieAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, now := drawZone(t), drawNow(t)
		text := rapid.SampledFrom(days).Draw(t, "day") + rapid.SampledFrom(clocks).Draw(t, "clock")
		if rapid.Bool().Draw(t, "a span") {
			text = fmt.Sprintf("in %d %s", rapid.IntRange(1, 400).Draw(t, "n"), rapid.SampledFrom([]string{"minutes", "hours", "days", "weeks", "months"}).Draw(t, "unit"))
		}
		got, err := when.Parse(text, now, z)
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation || len(err.Error()) < 20 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if got.At <= now {
			t.Fatalf("%q at %s is %s", text, now.Time().In(z), got.At.Time().In(z))
		}
		if got.Recurrence == nil {
			return
		}
		moment := got.At
		for range 20 {
			next := when.Next(*got.Recurrence, moment, z)
			if ends := strings.Contains(got.Recurrence.Rule, "UNTIL") || strings.Contains(got.Recurrence.Rule, "COUNT"); next == 0 && ends && moment > got.At {
				return
			}
			if next <= moment {
				t.Fatalf("%q: after %s comes %s", text, moment.Time().In(z), next.Time().In(z))
			}
			// Whatever lies between leads to the same one.
			between := moment + domain.Millis(rapid.Int64Range(0, int64(next-moment)-1).Draw(t, "between"))
			if again := when.Next(*got.Recurrence, between, z); again != next {
				t.Fatalf("%q: after %s comes %s, and after %s %s", text, moment.Time().In(z), next.Time().In(z), between.Time().In(z), again.Time().In(z))
			}
			moment = next
		}
	})
}

// FuzzParse takes any sentence: it never panics, what it finds lies ahead, and the
// spans are parts of the sentence.
func FuzzParse(f *testing.F) {
	for _, d := range days {
		for _, c := range clocks {
			f.Add("call Anna "+d+c+" about it", int64(1763719200000))
		}
	}
	for _, said := range []string{"the day before my trip on Thursday", "every 1st and 15th until Christmas at 8 and 20", "from July 13-15", "3:30-6pm (BST)", "mid March", "in 3/4h", "15.12. at 9", "half past", "quarter to", "the week of", "next 3", "every -", "minus -5"} {
		f.Add(said, int64(1763719200000))
	}
	f.Add("İn 2 hours, at 8.\xff", int64(0))
	f.Add("0Am 0 today 8pm", int64(1763719200045)) // a time of day is its first word
	z, err := time.LoadLocation("Europe/Malta")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, at int64) {
		now := domain.Millis(at % 4102444800000)
		got, err := when.Parse(text, now, z)
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatal(err)
			}
			_ = when.Time{}.Unread(text)
			return
		}
		from := 0
		for _, s := range got.Spans {
			if s.Start < from || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%q: span %+v", text, s)
			}
			from = s.End
		}
		if got.At <= now || len(got.Spans) == 0 {
			t.Fatalf("%q at %s: %+v", text, now.Time(), got)
		}
		_, _, _ = got.Rest(text), got.Unread(text), got.Loose(text)
		if r := got.Recurrence; r != nil && when.Next(*r, got.At, z) <= got.At {
			t.Fatalf("%q doesn't go on", text)
		}
	})
}
