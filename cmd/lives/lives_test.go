package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// lived is what was thought in a small life, as it is written.
func lived(t *testing.T, name string, steps bool) (lines, sum string) {
	t.Helper()
	folder := t.TempDir()
	var out strings.Builder
	if err := run(t.Context(), []string{name}, doing{thoughts: folder, every: 1, steps: steps, log: filepath.Join(folder, "log")}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, filepath.Base(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text), out.String()
}

// The same life gives the same thoughts, and they say what was told, what wasn't, and why.
func TestSmallLife(t *testing.T) {
	const small = "testdata/small.jsonl"
	lines, sum := lived(t, small, false)
	if again, _ := lived(t, small, false); again != lines {
		t.Error("the same life gave other thoughts the second time")
	}
	if inSteps, _ := lived(t, small, true); inSteps != lines {
		t.Error("cycles recorded in steps say something else of what was told and why not")
	}
	if strings.Contains(lines, `"unknown"`) {
		t.Error("a thought is of something that isn't in the life")
	}
	told, why, cycles := []string{}, map[string]untold{}, 0
	for line := range strings.Lines(lines) {
		var both struct {
			thought
			untold
		}
		if err := json.Unmarshal([]byte(line), &both); err != nil {
			t.Fatal(err)
		}
		if both.WhyNot != "" {
			why[both.WhyNot] = both.untold
			continue
		}
		if cycles++; both.AsOf == 0 || both.Outcome == "" {
			t.Errorf("%s has no moment, or no end", both.Cycle)
		}
		if both.Shown != domain.ShownNot {
			told = append(told, both.Evidence...)
		}
	}
	// Idle for a day and a half, of which most would have found what the last cycle did.
	if cycles < 10 || cycles > 40 {
		t.Errorf("there were %d cycles", cycles)
	}
	if !slices.ContainsFunc(told, func(e string) bool { return strings.HasPrefix(e, "heard line 6 ") }) {
		t.Errorf("the train wasn't told: %q", told)
	}
	if win := why["line 5"]; win.Surfaced != "" || len(win.Considered) < 3 || win.Considered[0].Numbers["salience"] == 0 || len(win.Sentences) == 0 {
		t.Errorf("of the match it says %+v", win)
	}
	if train := why["line 6"]; train.Surfaced == "" {
		t.Errorf("of the train it says %+v", train)
	}
	for _, want := range []string{"1 action.received", "1 appointment.passed", "2 timer.due"} {
		if !hasCount(sum, want) {
			t.Errorf("the sum lacks %q:\n%s", want, sum)
		}
	}
}

// hasCount reports whether a sum has so many records of a type, "1 timer.due".
func hasCount(sum, want string) bool {
	number, kind, _ := strings.Cut(want, " ")
	for line := range strings.Lines(sum) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == number && f[2] == kind {
			return true
		}
	}
	return false
}

// What is wrong with a life is said with its line.
func TestReadLife(t *testing.T) {
	const first = `{"life":"x","zone":"UTC","from":"2026-01-01T00:00:00","to":"2026-01-02T00:00:00"}` + "\n"
	for text, want := range map[string]string{
		"":                      "empty",
		"{":                     "line 1",
		`{"zone":"Nowhere"}`:    "line 1: unknown time zone",
		first + `{"at":"noon"}`: "line 2",
		first + `{"at":`:        "line 2",
		first + `{"at":"2026-01-01T12:00:00"}` + "\n" + `{"at":"2026-01-01T11:00:00"}`: "line 3: it happens before",
	} {
		if _, err := readLife(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
