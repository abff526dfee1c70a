package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chalie/cmd/internal/dialogue"
)

// failing is where it stands how many turns of which dialogues aren't right yet.
var failing = filepath.Join("testdata", "dialogues", "failing.txt")

var fewer = flag.Bool("fewer", false, "lower the numbers of failing.txt to what fails now; none rises")

// underRace is set where the race detector is on, and everything takes ten times as long.
var underRace bool

// TestDialogues plays the project's own. None may have more turns that aren't right than
// failing.txt says, and none fewer: the list only gets shorter. With -short, and with the race
// detector, every eighth is played. All together run 80 % at least of what reads turns, which CI holds.
func TestDialogues(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "dialogues", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := dialogue.ReadFiles(files...)
	if err != nil {
		t.Fatal(err)
	}
	known := readFailing(t)
	if (testing.Short() || underRace) && !*fewer {
		all = everyEighth(all)
	} else {
		for id := range known {
			if !holdsID(all, id) {
				t.Errorf("%s names %s, and there is no such dialogue", failing, id)
			}
		}
	}
	came, err := playAll(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, p := range came {
		now := p.notRight()
		if now > known[p.ID] {
			var out strings.Builder
			p.print(false, &out)
			t.Errorf("%d turns of %s aren't right, and %d weren't before:\n%s", now, p.ID, known[p.ID], out.String())
		} else if now < known[p.ID] && !*fewer {
			t.Errorf("%d turns of %s aren't right, and %d weren't before: lower it in %s (-args -fewer)", now, p.ID, known[p.ID], failing)
		}
		if still := min(now, known[p.ID]); still > 0 {
			fmt.Fprintf(&lines, "%s %d\n", p.ID, still)
		}
	}
	if *fewer {
		if err := os.WriteFile(failing, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readFailing reads the list: a dialogue a line, and how many of its turns aren't right.
func readFailing(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(failing)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var id string
		var turns int
		if _, err := fmt.Sscanf(line, "%s %d\n", &id, &turns); err != nil || turns < 1 {
			t.Fatalf("%s: %q isn't an id and a number", failing, line)
		}
		known[id] = turns
	}
	return known
}

func everyEighth(all []dialogue.Dialogue) (some []dialogue.Dialogue) {
	for n, d := range all {
		if n%8 == 0 {
			some = append(some, d)
		}
	}
	return some
}

func holdsID(all []dialogue.Dialogue, id string) bool {
	for _, d := range all {
		if d.ID == id {
			return true
		}
	}
	return false
}

// notRight is how many turns miss something.
func (p played) notRight() (n int) {
	for _, t := range p.turns {
		if len(t.missing) > 0 {
			n++
		}
	}
	return n
}
