package tongues

import "testing"

// Only a text in which two letters may stand for an umlaut is looked through for the words of typed.
func TestTypedWordsHaveAnUmlaut(t *testing.T) {
	for i := 0; i < len(typed); i += 2 {
		if as, want := typed[i], typed[i+1]; !hasUmlaut(as) || Fold(as) != want {
			t.Errorf("%q is folded to %q, want %q", as, Fold(as), want)
		}
	}
}
