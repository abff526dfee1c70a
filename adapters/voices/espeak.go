package voices

import (
	"context"
	"strconv"
	"strings"

	"chalie/commands/voice"
	"chalie/domain"
)

// Espeak speaks about a hundred languages, Ukrainian among them.
type Espeak struct{ Program }

var _ voice.Speaker = Espeak{}

var espeakProgram = known{"espeak-ng", "espeak-ng"}

// Engine implements voice.Speaker.
func (e Espeak) Engine() voice.Engine {
	_, missing := e.find(espeakProgram)
	return voice.Engine{Name: espeakProgram.name, Missing: missing}
}

// espeakVoices are its voices for the languages that are told apart.
var espeakVoices = map[string]string{
	"en": "en-us", "zh": "cmn", "pt": "pt", "da": "da", "uk": "uk", "ru": "ru", "be": "be", "sr": "sr", "bg": "bg", "de": "de", "fr": "fr-fr", "es": "es",
	"it": "it", "nl": "nl", "pl": "pl", "cs": "cs", "hu": "hu", "tr": "tr", "ro": "ro", "el": "el", "he": "he", "ar": "ar", "hi": "hi", "th": "th",
	"ka": "ka", "hy": "hy", "ja": "ja", "ko": "ko",
}

// Speaks implements voice.Speaker.
func (e Espeak) Speaks(language, _ string) (knows, all bool) {
	return espeakVoices[language] != "", true
}

// usualPace is espeak's own, in words a minute.
const usualPace = 165

// Speak implements voice.Speaker.
func (e Espeak) Speak(ctx context.Context, u voice.Utterance) (voice.Sound, error) {
	path, missing := e.find(espeakProgram)
	if missing != "" {
		return voice.Sound{}, notThere(missing)
	}
	pace := int(usualPace * u.Speed / domain.One)
	t := task{known: espeakProgram, path: path, dir: e.Dir, env: e.Env, input: spokenText(u.Text), args: func(string) []string {
		return []string{"--stdin", "--stdout", "-b", "1", "-v", espeakVoices[u.Language] + espeakTimbre(u.Voice), "-s", strconv.Itoa(pace)}
	}}
	output, err := t.run(ctx, nil)
	if err != nil {
		return voice.Sound{}, err
	}
	sound, err := voice.ReadStreamed(output)
	if err != nil {
		return voice.Sound{}, t.failed("wrote no WAV", err)
	}
	return sound, nil
}

// espeakTimbre is the variant of a voice.
func espeakTimbre(v voice.Voice) string {
	var b strings.Builder
	b.WriteString("+")
	switch {
	case v.Female && v.Second:
		b.WriteString("f4")
	case v.Female:
		b.WriteString("f2")
	case v.Second:
		b.WriteString("m7")
	default:
		b.WriteString("m3")
	}
	return b.String()
}
