package dialogue_test

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"chalie/adapters/models/dialogue"
)

// Every name gets one that providers take, its own, and the way back.
func TestNames(t *testing.T) {
	taken := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	rapid.Check(t, func(t *rapid.T) {
		ours := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.StringMatching(`[a.b_]{0,3}(_2)?`), rapid.StringMatching(`x{60,80}[yz]`))).Draw(t, "names")
		var n dialogue.Names
		sent := map[string]string{}
		for _, name := range ours {
			to := n.Of(name)
			if !taken.MatchString(to) {
				t.Fatalf("%q is sent as %q", name, to)
			}
			if other, ok := sent[to]; ok && other != name {
				t.Fatalf("%q and %q are both sent as %q", name, other, to)
			}
			sent[to] = name
		}
		for to, name := range sent {
			if n.Back(to) != name || n.Of(name) != to {
				t.Fatalf("%q is %q, and then %q", name, to, n.Back(to))
			}
		}
		if n.Back("never sent\x00") != "never sent\x00" {
			t.Fatal("a name that was never sent is another")
		}
	})
}
