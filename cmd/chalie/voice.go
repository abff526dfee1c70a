package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"chalie/adapters/api"
	"chalie/adapters/blobfiles"
	"chalie/adapters/models"
	"chalie/adapters/voices"
	"chalie/commands/voice"
	"chalie/domain"
)

// audioFolder is where recordings are kept. They aren't copied to a cluster, so that what is
// forgotten here is nowhere.
func audioFolder(data string) string { return filepath.Join(data, "audio") }

// The variables that choose who speaks and hears, as the flags take it.
const (
	ttsVariable = "CHALIE_TTS"
	sttVariable = "CHALIE_STT"
)

// workFolder is where engines work. What a killed process left there is removed at the start:
// it may be somebody's voice.
func workFolder(data string) (string, error) {
	dir := filepath.Join(data, "voice")
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", noDataDir(dir, err)
	}
	return filepath.Abs(dir)
}

// speechChosen are the models that speak and hear before the programs of this machine do; nil
// for none.
type speechChosen struct{ Speaks, Hears *models.Choice }

// speechFlags are the flags that choose them.
type speechFlags struct{ tts, stt string }

func (f *speechFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.tts, "tts", "", "a model that speaks, such as openai:gpt-4o-mini-tts or openai:kokoro@http://127.0.0.1:8880; default: what "+ttsVariable+" says, else Flite and espeak-ng of this machine")
	flags.StringVar(&f.stt, "stt", "", "a model that hears, such as openai:whisper-1 or openai:whisper@http://127.0.0.1:8000; default: what "+sttVariable+" says, else PocketSphinx of this machine")
}

// read is what the flags and the environment choose, with the keys that models have.
func (f *speechFlags) read(c *cli) (out speechChosen, err error) {
	settings := models.Settings{File: filepath.Join(c.data, models.FileName)}
	for _, one := range []struct {
		said string
		into **models.Choice
	}{{cmp.Or(f.tts, os.Getenv(ttsVariable)), &out.Speaks}, {cmp.Or(f.stt, os.Getenv(sttVariable)), &out.Hears}} {
		if one.said == "" {
			continue
		}
		choice, err := settings.One(one.said)
		if err != nil {
			return out, err
		}
		*one.into = &choice
	}
	return out, nil
}

// engines are those that speak and hear, in the order they are asked, and what lets go of them.
func (s speechChosen) engines(at voices.Program) (speakers []voice.Speaker, hearers []voice.Hearer, closing []func(), err error) {
	if s.Speaks != nil {
		model, err := models.NewSpeech(*s.Speaks)
		if err != nil {
			return nil, nil, nil, err
		}
		speakers, closing = append(speakers, model), append(closing, model.Close)
	}
	if s.Hears != nil {
		model, err := models.NewSpeech(*s.Hears)
		if err != nil {
			return nil, nil, nil, err
		}
		hearers, closing = append(hearers, model), append(closing, model.Close)
	}
	return append(speakers, voices.Flite{Program: at}, voices.Espeak{Program: at}), append(hearers, &voices.PocketSphinx{Program: at}), closing, nil
}

// newVoices has the programs of this machine speak and hear, behind the services that were
// chosen.
func newVoices(a *App) (*voice.Voices, error) {
	kept, err := blobfiles.Open(blobfiles.Config{Dir: audioFolder(a.cfg.Data), What: "recording"})
	if err != nil {
		return nil, err
	}
	skills, err := a.wiring().Skills()
	if err != nil {
		return nil, err
	}
	var own []domain.Tool
	for _, s := range skills {
		own = append(own, s.Tool())
	}
	known, err := voice.NewKnown(voice.KnownConfig{Reader: a.log, Plans: a.folds.Plans, Memory: a.folds.Memory, Registry: a.folds.Registry, Own: own})
	if err != nil {
		return nil, err
	}
	dir, err := workFolder(a.cfg.Data)
	if err != nil {
		return nil, err
	}
	at := voices.Program{Dir: dir}
	speakers, hearers, closing, err := a.cfg.Speech.engines(at)
	if err != nil {
		return nil, err
	}
	a.thinkers.close = append(a.thinkers.close, closing...)
	return voice.New(voice.Config{
		Env: a.env(), Recordings: kept, Knowledge: known, Speakers: speakers, Hearers: hearers, Decoder: voices.FFmpeg{Program: at},
	})
}

// voicePrefix begins the names of engines among the services of /health.
const voicePrefix = "voice."

// engineHealth tells of each engine whether it is there, and otherwise how it comes.
func engineHealth(v *voice.Voices, services map[string]api.Service) {
	speakers, hearers, decoders := v.Engines()
	for _, group := range []struct {
		engines []voice.Engine
		does    string
	}{{speakers, "speaks"}, {hearers, "hears"}, {decoders, "reads WebM"}} {
		for _, e := range group.engines {
			s := api.Service{Ready: e.Missing == "", Detail: e.Missing}
			if s.Ready {
				s.Detail = group.does
			} else {
				s.Detail += "; without it nothing else is missing but that it " + group.does
			}
			services[voicePrefix+e.Name] = s
		}
	}
}

// endVoices ends what an earlier process was hearing or speaking. Where the disk refuses that,
// the next start does it.
func (a *App) endVoices(ctx context.Context) {
	if err := a.voices.Recover(ctx); err != nil {
		a.cfg.Logger.Warn("what was being heard or spoken at the last stop could not be ended", "err", err)
	}
}
