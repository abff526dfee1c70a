package builtinmodel_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/tongue"
	"chalie/domain/when"
)

// monday is the moment of every sentence in another language: Monday 1 March 2027, 08:30 in
// New York.
func monday(t testing.TB) (domain.Millis, *time.Location) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return domain.MillisOf(time.Date(2027, time.March, 1, 8, 30, 0, 0, zone)), zone
}

// becomes is what comes of a sentence, in a line: its calls with their times as moments or
// rules; ask; none; or say and the answer.
func becomes(t testing.TB, sentence string) string {
	t.Helper()
	now, zone := monday(t)
	p := asks(sentence)
	p.AsOf, p.Zone, p.Tools = now, zone, append(skillsOffered(t), house...)
	r := reply(t, p)
	if len(r.ToolCalls) == 0 {
		text := domain.PlainText(r.Blocks)
		for _, known := range tongue.All() {
			if text == known.Says(tongue.Unsure) {
				return "none"
			}
			for _, says := range []tongue.Says{tongue.Hello, tongue.Morning, tongue.Afternoon, tongue.Evening, tongue.Night, tongue.Bye, tongue.Welcome, tongue.AllRight, tongue.Yes, tongue.No, tongue.Help, tongue.Clock} {
				if front, _, _ := strings.Cut(known.Says(says), "%s"); front != "" && strings.HasPrefix(text, front) {
					return "say " + text
				}
			}
		}
		if r.Blocks[0]["type"] == "alert" || strings.HasPrefix(text, "I ") {
			return "none " + text
		}
		return "ask"
	}
	var out []string
	for _, c := range r.ToolCalls {
		var params map[string]any
		if err := json.Unmarshal(c.Params, &params); err != nil {
			t.Fatal(err)
		}
		fields := []string{}
		for _, name := range slices.Sorted(maps.Keys(params)) {
			value := fmt.Sprint(params[name])
			switch name {
			case "when", "deadline":
				at, err := when.Parse(value, now, zone)
				if err != nil || len(at.Unread(value)) > 0 || at.Rest(value) != "" {
					return "ask"
				}
				value = at.At.Time().In(zone).Format("2006-01-02T15:04")
				if at.Recurrence != nil {
					value = when.SayAgain(*at.Recurrence)
				}
			case "during":
				from, _, err := when.During(value, now, zone)
				if err != nil {
					return "ask"
				}
				value = from.Time().In(zone).Format("2006-01-02T15:04")
			}
			fields = append(fields, name+"="+value)
		}
		out = append(out, strings.TrimSpace(c.Tool+" "+strings.Join(fields, "; ")))
	}
	return strings.Join(out, " & ")
}

// fitsWanted reports whether what was heard is one of the alternatives, each of which may
// leave out the end of a time.
func fitsWanted(got, want string) bool {
	for one := range strings.SplitSeq(want, " || ") {
		if got == one || strings.HasPrefix(one, "say ") && strings.HasPrefix(got, "say") && strings.Contains(got, strings.TrimPrefix(one, "say ")) {
			return true
		}
		tool, fields, _ := strings.Cut(one, " ")
		done, rest, _ := strings.Cut(got, " ")
		wanted, heard := strings.Split(fields, "; "), strings.Split(rest, "; ")
		slices.Sort(wanted)
		if len(wanted) != len(heard) || tool != done {
			continue
		}
		all := true
		for i, field := range wanted {
			_, value, timed := strings.Cut(field, "=")
			timed = timed && (strings.Contains(field, "when=") || strings.Contains(field, "during=") || strings.Contains(field, "deadline="))
			switch {
			case timed && strings.HasPrefix(value, "T"): // a time of day on any day
				all = all && strings.HasSuffix(heard[i], value)
			case timed:
				all = all && strings.HasPrefix(heard[i], field)
			default:
				all = all && heard[i] == field
			}
		}
		if all {
			return true
		}
	}
	return false
}

// Sentences as people type them. What isn't right is printed; wrong is what does something
// that wasn't asked for.
func TestTongues(t *testing.T) {
	const least, most = 80, 2 // percent that have to be right, and may be wrong
	for _, name := range []string{"de", "es", "fr"} {
		raw, err := os.ReadFile("testdata/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		all, right, wrong := 0, 0, 0
		for line := range strings.Lines(string(raw)) {
			sentence, want, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue
			}
			all++
			got := becomes(t, sentence)
			done := !strings.HasPrefix(got, "ask") && !strings.HasPrefix(got, "none") && !strings.HasPrefix(got, "say")
			switch {
			case fitsWanted(got, want):
				right++
			case done:
				wrong++
				t.Logf("wrong %s\n  got  %s\n  want %s", sentence, got, want)
			default:
				t.Logf("not right %s\n  got  %s\n  want %s", sentence, got, want)
			}
		}
		t.Logf("%s: %d of %d right, %d wrong", name, right, all, wrong)
		if 100*right < least*all || 100*wrong > most*all {
			t.Errorf("%s: %d of %d are right and %d wrong: at least %d %% have to be right, and at most %d %% wrong", name, right, all, wrong, least, most)
		}
	}
}

// No English sentence of the tests is taken for one in another language.
func TestEnglishStaysEnglish(t *testing.T) {
	var all []string
	for _, c := range sentences() {
		all = append(all, c.said)
	}
	raw, err := os.ReadFile("../../domain/when/testdata/readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		said, _, _ := strings.Cut(line, "\t")
		all = append(all, said)
	}
	for _, said := range all {
		if l, ok := tongue.Of(said); ok {
			t.Errorf("%q is taken for %s", said, l.Name)
		}
		if tongue.Elsewhere(said) {
			t.Errorf("%q is taken for a language that isn't read", said)
		}
	}
}
