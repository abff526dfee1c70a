package voices

import (
	"context"
	"fmt"
	"path/filepath"

	"chalie/commands/voice"
	"chalie/domain"
)

// Flite speaks English.
type Flite struct{ Program }

var _ voice.Speaker = Flite{}

var fliteProgram = known{"flite", "flite"}

// Engine implements voice.Speaker.
func (f Flite) Engine() voice.Engine {
	_, missing := f.find(fliteProgram)
	return voice.Engine{Name: fliteProgram.name, Missing: missing}
}

// Speaks implements voice.Speaker.
func (f Flite) Speaks(language, text string) (knows, all bool) {
	_, all = inASCII(text)
	return language == "en", all
}

// Speak implements voice.Speaker. Flite goes back in what it wrote, so it writes to a file.
func (f Flite) Speak(ctx context.Context, u voice.Utterance) (sound voice.Sound, err error) {
	path, missing := f.find(fliteProgram)
	if missing != "" {
		return voice.Sound{}, notThere(missing)
	}
	text, _ := inASCII(u.Text)
	t := task{known: fliteProgram, path: path, dir: f.Dir, env: f.Env, input: spokenText(text), args: func(dir string) []string {
		stretch := float64(domain.One) / float64(u.Speed)
		return []string{"-voice", fliteVoice(u.Voice), "--setf", fmt.Sprintf("duration_stretch=%.3f", stretch), "-f", "/dev/stdin", "-o", filepath.Join(dir, "out.wav")}
	}}
	_, err = t.run(ctx, func(dir string) error {
		content, err := readBounded(filepath.Join(dir, "out.wav"))
		if err == nil {
			sound, err = voice.ReadStreamed(content)
		}
		return err
	})
	return sound, err
}

// fliteVoice is the voice of Flite with a timbre. It has one woman's.
func fliteVoice(v voice.Voice) string {
	switch {
	case v.Female:
		return "slt"
	case v.Second:
		return "kal16"
	}
	return "rms"
}

func notThere(missing string) error {
	return &domain.Error{Op: "run", Category: domain.Dependency, Code: voice.CodeNoEngine, Message: missing}
}
