package main

import (
	"context"
	"path/filepath"

	"chalie/adapters/api"
	"chalie/adapters/blobfiles"
	"chalie/adapters/voices"
	"chalie/commands/voice"
	"chalie/domain"
)

// audioFolder is where recordings are kept. They aren't copied to a cluster, so that what is
// forgotten here is nowhere.
func audioFolder(data string) string { return filepath.Join(data, "audio") }

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
	return voice.New(voice.Config{
		Env: a.env(), Recordings: kept, Knowledge: known,
		Speakers: []voice.Speaker{voices.Flite{}, voices.Espeak{}},
		Hearers:  []voice.Hearer{&voices.PocketSphinx{}},
		Decoder:  voices.FFmpeg{},
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
