package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"chalie/adapters/aistalk"
	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/language/tongues"
)

// bridgeFile has the last event that the bridge took.
const bridgeFile = "bridge"

// Bridge is another program that is told what happens; none without a URL.
type Bridge struct{ URL, Key string }

// bridgeFromEnv is what AISTALK_ENABLED, AISTALK_URL and AISTALK_API_KEY say.
func bridgeFromEnv() (Bridge, error) {
	text := os.Getenv("AISTALK_ENABLED")
	if text == "" {
		return Bridge{}, nil
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		return Bridge{}, domain.Invalid("configure chalie", "AISTALK_ENABLED", "AISTALK_ENABLED must be true or false")
	}
	if !on {
		return Bridge{}, nil
	}
	to := Bridge{URL: os.Getenv("AISTALK_URL"), Key: os.Getenv("AISTALK_API_KEY")}
	if to.URL == "" {
		return Bridge{}, domain.Invalid("configure chalie", "AISTALK_URL", "AISTALK_ENABLED is true, and AISTALK_URL is missing: give the address of the bridge, such as http://127.0.0.1:9000")
	}
	return to, nil
}

// newBridge makes the bridge; nil where there is none.
func newBridge(a *App, models []string) (*aistalk.Bridge, error) {
	if a.cfg.Bridge.URL == "" {
		return nil, nil
	}
	return aistalk.NewBridge(aistalk.BridgeConfig{
		URL: a.cfg.Bridge.URL, Key: a.cfg.Bridge.Key, Events: a.folds.console, Reader: a.log, Tail: a.log, Clock: a.cfg.Clock, Models: models,
		File: filepath.Join(a.cfg.Data, bridgeFile), Speak: a.speakFor, Logger: a.cfg.Logger,
	})
}

// speakFor speaks a text for the bridge, in parts that can be spoken at once.
func (a *App) speakFor(ctx context.Context, of domain.ConversationName, text string, send func(wav []byte) error) error {
	who := commands.OperatorCaller("bridge")
	for part := range speakable(tongues.Aloud(text)) {
		var sound voice.Sound
		err := a.voices.Speak(ctx, who, voice.Text{Session: of.Session, Project: of.Project, Text: part}, func(p voice.Part) error {
			sound.Rate, sound.PCM = p.Rate, append(sound.PCM, p.PCM...)
			return nil
		})
		if domain.CategoryOf(err) == domain.Validation {
			continue // there is nothing to pronounce in this part
		}
		if err != nil {
			return err
		}
		if err := send(sound.WAV()); err != nil {
			return err
		}
	}
	return nil
}

// speakable cuts a text at its sentences and words into parts that can be spoken at once.
func speakable(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for rest := strings.TrimSpace(text); rest != ""; {
			part := rest
			if utf8.RuneCountInString(rest) > domain.MaxSpokenRunes {
				part = string([]rune(rest)[:domain.MaxSpokenRunes])
				cut := max(strings.LastIndex(part, ". "), strings.LastIndex(part, "\n"))
				if cut < 0 {
					cut = strings.LastIndex(part, " ")
				}
				if cut >= 0 {
					part = part[:cut+1]
				}
			}
			rest = strings.TrimSpace(rest[len(part):])
			if !yield(strings.TrimSpace(part)) {
				return
			}
		}
	}
}

// bridgeHealth is what /health says of the bridge.
func bridgeHealth(s aistalk.BridgeStatus) api.Service {
	detail := counted(s.Delivered, "thing", "things") + " delivered"
	if s.Passed > 0 {
		detail += ", " + counted(s.Passed, "thing", "things") + " passed over"
	}
	if s.Err != nil {
		detail += ": " + words(s.Err)
	}
	return api.Service{Ready: s.Err == nil, Detail: detail}
}
