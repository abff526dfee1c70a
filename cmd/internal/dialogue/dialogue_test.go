package dialogue

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
)

// What a turn came to follows from what was asked, told and changed.
func TestVerdict(t *testing.T) {
	d := Dialogue{Tools: []Tool{{Name: "look"}, {Name: "open"}}}
	d.Tools[0].Annotations.ReadOnlyHint = true
	for name, c := range map[string]struct {
		came Happened
		want Verdict
	}{
		"a plan was set":            {Happened{Changes: []string{"reminder.set"}, Text: "Is that right?"}, Wrong},
		"a tool was called":         {Happened{Called: []Call{{Tool: "open"}}}, Wrong},
		"it looked and asked":       {Happened{Called: []Call{{Tool: "look"}}, Did: true, Text: "Which?"}, Asked},
		"it offers":                 {Happened{Answered: true, Offers: []string{"Yes"}}, Asked},
		"it waits for approval":     {Happened{Answered: true, Waits: true}, Asked},
		"it told something else":    {Happened{Answered: true, Did: true, Text: "Nothing is planned."}, Wrong},
		"it chatted":                {Happened{Answered: true, Text: "You're welcome."}, Wrong},
		"it isn't sure":             {Happened{Answered: true, Unsure: true, Text: "I'm not sure."}, Left},
		"nothing came of it at all": {Happened{}, Left},
	} {
		if got := d.Verdict(Turn{Say: "a"}, c.came); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := d.Verdict(Turn{Message: &News{}}, Happened{Answered: true}); got != Left {
		t.Errorf("a message that was passed on is %s", got)
	}
}

// A rhythm is compared with a rule by when it comes.
func TestRhythm(t *testing.T) {
	thursday := time.Date(2026, time.March, 12, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rhythm, rule string
		is           bool
	}{
		{"daily", "FREQ=DAILY", true},
		{"daily", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", true},
		{"daily", "FREQ=WEEKLY;BYDAY=MO,TU", false},
		{"2-daily", "FREQ=DAILY;INTERVAL=2", true},
		{"hourly", "FREQ=MINUTELY;INTERVAL=60", true},
		{"2-hourly", "FREQ=HOURLY;INTERVAL=2", true},
		{"hourly", "FREQ=HOURLY;INTERVAL=2", false},
		{"30-minutely", "FREQ=MINUTELY;INTERVAL=30", true},
		{"weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", true},
		{"weekdays", "FREQ=DAILY;BYDAY=FR,MO,TU,WE,TH", true},
		{"weekdays", "FREQ=DAILY", false},
		{"weekends", "FREQ=WEEKLY;BYDAY=SA,SU", true},
		{"weekly", "FREQ=WEEKLY;BYDAY=TU", true},
		{"weekly", "FREQ=DAILY;INTERVAL=7", true},
		{"weekly:tue", "FREQ=WEEKLY;BYDAY=TU", true},
		{"weekly:tue,thu", "FREQ=WEEKLY;BYDAY=TH,TU", true},
		{"weekly:tue", "FREQ=WEEKLY;BYDAY=TU,TH", false},
		{"weekly:thursday", "FREQ=WEEKLY", true},
		{"2-weekly:thu", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", true},
		{"2-weekly:thu", "FREQ=WEEKLY;BYDAY=TH", false},
		{"monthly:5", "FREQ=MONTHLY;BYMONTHDAY=5", true},
		{"monthly:12", "FREQ=MONTHLY", true},
		{"monthly:-1", "FREQ=MONTHLY;BYMONTHDAY=-1", true},
		{"monthly:last", "FREQ=MONTHLY;BYMONTHDAY=-1", true},
		{"monthly:1-mon", "FREQ=MONTHLY;BYDAY=+1MO", true},
		{"monthly:last-fri", "FREQ=MONTHLY;BYDAY=-1FR", true},
		{"monthly:last-fri", "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1", true},
		{"monthly:2-fri", "FREQ=MONTHLY;BYDAY=-1FR", false},
		{"3-monthly", "FREQ=MONTHLY;INTERVAL=3", true},
		{"yearly", "FREQ=MONTHLY;INTERVAL=12", true},
		{"yearly:05-03", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3", true},
		{"yearly:03-12", "FREQ=YEARLY", true},
		{"yearly:03-13", "FREQ=YEARLY", false},
	} {
		rule, err := rrule.StrToROption(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		want, err := rhythmOf(c.rhythm)
		if err != nil {
			t.Fatal(err)
		}
		if got := want.is(*rule, thursday); got != c.is {
			t.Errorf("%s is %s: %t", c.rhythm, c.rule, got)
		}
	}
}

// An end is a moment, a day, none, or beside a rhythm the last day.
func TestEnds(t *testing.T) {
	noon := time.Date(2026, time.March, 12, 12, 0, 0, 0, time.UTC)
	weekly, err := rrule.StrToROption("FREQ=WEEKLY;UNTIL=20260430T235959Z")
	if err != nil {
		t.Fatal(err)
	}
	said := func(text string) detail { return detail{true, text} }
	for name, c := range map[string]struct {
		want WantedPlan
		plan Plan
		is   bool
	}{
		"none is asked for":     {WantedPlan{}, Plan{Until: noon}, true},
		"none":                  {WantedPlan{Until: said("")}, Plan{}, true},
		"one too many":          {WantedPlan{Until: said("")}, Plan{Until: noon}, false},
		"a moment":              {WantedPlan{Until: said("2026-03-12T12:00:00")}, Plan{Until: noon}, true},
		"another":               {WantedPlan{Until: said("2026-03-12T12:30:00")}, Plan{Until: noon}, false},
		"a day":                 {WantedPlan{Until: said("2026-03-12")}, Plan{Until: noon}, true},
		"the end of a day":      {WantedPlan{Until: said("2026-03-11")}, Plan{Until: noon.Add(-12 * time.Hour)}, true},
		"the last day":          {WantedPlan{Recurs: said("weekly"), Until: said("2026-04-30")}, Plan{Rule: weekly}, true},
		"another last day":      {WantedPlan{Recurs: said("weekly"), Until: said("2026-05-01")}, Plan{Rule: weekly}, false},
		"no last day":           {WantedPlan{Recurs: said("weekly"), Until: said("")}, Plan{Rule: weekly}, false},
		"the end of each":       {WantedPlan{Recurs: said("weekly"), Until: said("2026-03-12T12:00:00")}, Plan{Rule: weekly, Until: noon}, true},
		"nobody says how often": {WantedPlan{Until: said("2026-03-12")}, Plan{Rule: weekly, Until: noon}, true},
	} {
		if got := c.want.ends(c.plan); got != c.is {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What is wrong with a file is said with its line.
func TestReadDialogues(t *testing.T) {
	line := func(turn string) string {
		return `{"id":"a","now":"2026-03-12T22:40:00","zone":"UTC","kind":"k","turns":[` + turn + `]}`
	}
	for text, want := range map[string]string{
		"":                                       "no dialogue",
		"{":                                      "line 1",
		"\n" + line(``):                          "line 2: it has no id, or no turns",
		line(`{"say":"a","press":"b"}`):          "a, turn 1: it needs one of",
		line(`{"say":"a","check":{"ask":true}}`): `unknown field "ask"`,
		line(`{"say":"a","check":{"plans":[{"kind":"task","has":["b"],"due":"2026-03-12"}]}}`):  `unknown field "due"`,
		line(`{"say":"a","check":{"plans":[{"kind":"task","has":["b"],"at":"noon"}]}}`):         "no local time",
		line(`{"say":"a","check":{"plans":[{"kind":"task","has":["b"],"recurs":"seldom"}]}}`):   "no rhythm",
		line(`{"say":"a","check":{"plans":[{"kind":"task","has":["b"],"recurs":"x-weekly"}]}}`): "no rhythm",
		`{"id":"a","now":"noon","zone":"UTC","turns":[{"say":"a"}]}`:                            "no local time",
		`{"id":"a","now":"2026-03-12T22:40:00","zone":"Nowhere","turns":[{"say":"a"}]}`:         "unknown time zone",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Two dialogues have no id in common, in whatever file they are.
func TestReadFiles(t *testing.T) {
	var names []string
	for _, name := range []string{"one", "two"} {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, []byte(`{"id":"a","now":"2026-03-12","zone":"UTC","turns":[{"say":"a"}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if all, err := ReadFiles(names[0]); err != nil || len(all) != 1 || all[0].ID != "a" {
		t.Errorf("one file: %+v, %v", all, err)
	}
	if _, err := ReadFiles(names...); err == nil || !strings.Contains(err.Error(), "both have a dialogue a") {
		t.Errorf("two files: %v", err)
	}
}
