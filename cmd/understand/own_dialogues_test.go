package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/cmd/internal/dialogue"
)

// dontPlay is where the dialogues stand that don't play yet, one id a line. It only gets shorter.
var dontPlay = filepath.Join("testdata", "dialogues", "failing.txt")

// TestDialogues plays the project's own. Those that fail and aren't known to do so fail the test,
// and so do those that play though they are said to fail. With -short every eighth is played.
func TestDialogues(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "dialogues", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := dialogue.ReadFiles(files...)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(dontPlay)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(text))
	for _, id := range known {
		if !slices.ContainsFunc(all, func(d dialogue.Dialogue) bool { return d.ID == id }) {
			t.Errorf("%s names %s, and there is no such dialogue", dontPlay, id)
		}
	}
	const eighth = 8
	for n, d := range all {
		if testing.Short() && n%eighth > 0 {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			came, err := play(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			came.print(false, &out)
			switch expected := slices.Contains(known, d.ID); {
			case !expected && !came.holds():
				t.Error(out.String())
			case expected && came.holds():
				t.Errorf("%s plays: take it out of %s", d.ID, dontPlay)
			case expected:
				t.Log(out.String())
			}
		})
	}
}
