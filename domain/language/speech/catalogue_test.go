package speech_test

import (
	"testing"

	"chalie/domain"
	"chalie/domain/language/speech"
)

// Every language has every message with the same arguments, the forms of every kind, and all that times
// are written with: Read holds it to that.
func TestCatalogues(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range speech.All() {
		if c.Language == "" || len(c.Version) < 12 || seen[c.Language] || seen[c.Version] {
			t.Errorf("a catalogue is of the language %q and version %q: each has its own", c.Language, c.Version)
		}
		seen[c.Language], seen[c.Version] = true, true
	}
}

// maxMessages bounds how much there is to say.
const maxMessages = 350

func TestMessagesAreFew(t *testing.T) {
	if n := len(speech.Declared()); n > maxMessages {
		t.Errorf("there are %d messages, and should be no more than %d: an optional part is said in [...], and a kind is an argument", n, maxMessages)
	}
}

// Every kind of plan has words.
func TestPlansHaveWords(t *testing.T) {
	for _, kind := range domain.PlanKinds() {
		for _, c := range speech.All() {
			if c.Language != "en" && c.Value(speech.Kind(kind.Kind), speech.Voice{}, "other") == string(kind.Kind)+"s" {
				t.Errorf("%s has no words for a %s: add them to its forms of things", c.Language, kind.Kind)
			}
		}
	}
}
