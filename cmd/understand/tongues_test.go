package main

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the conversations in testdata anew")

// Conversations in other languages than English, one after the other, each in a house of its
// own: what is said behind a mark, and below it what is answered. A sentence of a skill's that
// is answered in English here has other words now than the tables of domain/language/tongues.
func TestConversationsInTongues(t *testing.T) {
	const name = "testdata/tongues.txt"
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	var h *house
	for line := range strings.Lines(string(raw)) {
		said, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		switch {
		case strings.HasPrefix(line, "#"):
			if h, err = newHouse(); err != nil {
				t.Fatal(err)
			}
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(line)
		case ok:
			a, err := h.say(t.Context(), said)
			if err != nil {
				t.Fatalf("%s: %v", said, err)
			}
			out.WriteString("> " + said + "\n" + a.text + "\n")
		}
	}
	if *rewrite {
		if err := os.WriteFile(name, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, want := strings.Split(out.String(), "\n"), strings.Split(string(raw), "\n")
	said := ""
	for i := range got {
		if strings.HasPrefix(got[i], "> ") {
			said = got[i]
		}
		if i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d, %s\n got  %s\n want %s", i+1, said, got[i], strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""))
		}
	}
}
