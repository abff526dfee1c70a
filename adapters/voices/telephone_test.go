package voices

import (
	"testing"

	"chalie/commands/voice"
	"chalie/domain"
)

// TestTelephone holds sound of a telephone, and what was made of it, to be asked again: too
// little of it is heard rightly. The same words in full are taken as heard.
func TestTelephone(t *testing.T) {
	flite, sphinx := Flite{}, &PocketSphinx{}
	needs(t, flite.Engine(), sphinx.Engine())
	for _, said := range spokenCommands[1:3] {
		sound, err := flite.Speak(t.Context(), voice.Utterance{Text: said, Language: "en", Voice: voice.Timbres()[2], Speed: domain.One})
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			sound  voice.Sound
			repeat bool
		}{
			"in full":                    {sound, false},
			"with 11,025 samples":        {sound.At(11_025), false},
			"of a telephone":             {sound.At(8_000), true},
			"of a telephone, in 16 kHz":  {sound.At(8_000).At(16_000), true},
			"of a telephone, in 44 kHz":  {sound.At(8_000).At(44_100), true},
			"in full, of 48,000 samples": {sound.At(48_000), false},
		} {
			heard, err := sphinx.Hear(t.Context(), c.sound, knownAtTheTest)
			if err != nil || (heard.Confidence < voice.DefaultConfident) != c.repeat {
				t.Errorf("%s %q is heard as %q, %s sure, %v", name, said, heard.Text, heard.Confidence, err)
			}
		}
	}
}
