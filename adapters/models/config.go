package models

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"chalie/adapters/models/anthropic"
	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/openai"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// Config is which models are asked, in which order, and how patiently. Only
// Choices is required.
type Config struct {
	Choices []Choice

	Attempts    int           // for one answer; default 4
	Attempt     time.Duration // for one attempt; default 90 s
	Whole       time.Duration // for one answer, pauses included; default 4 min, below the time of an episode
	FirstPause  time.Duration // before the second attempt, doubled for each further one; default 500 ms
	LongestWait time.Duration // of a pause that the provider doesn't ask for; default 20 s

	// Wait pauses between attempts, and ends early with ctx; default: a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// MaxCorrections is how often an answer that can't be used is handed back.
const MaxCorrections = 2

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&c.Attempt, 90 * time.Second}, {&c.Whole, 4 * time.Minute}, {&c.FirstPause, 500 * time.Millisecond}, {&c.LongestWait, 20 * time.Second},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if c.Attempts == 0 {
		c.Attempts = 4
	}
	if c.Wait == nil {
		c.Wait = wait
	}
	return c
}

// Validate returns a validation error about what can't be asked.
func (c Config) Validate() error {
	const op = "configure models"
	seen := map[string]bool{}
	for _, choice := range c.Choices {
		switch {
		case seen[choice.Name()]:
			return domain.Invalid(op, "model", choice.Name()+" is chosen twice: name each model once")
		case choice.NeedsKey() && choice.Key.IsZero():
			return domain.Invalid(op, "model", fmt.Sprintf("%s has no key: set %s, or write the key into the file of models", choice.Name(), keyVariable(choice.Provider)))
		case choice.Traits.MaxOutput < 1 || choice.Traits.Context < 0:
			return domain.Invalid(op, "model", choice.Name()+" needs a context of 0 or more tokens and an answer of 1 or more")
		}
		if err := choice.Style.check(op, choice.Name(), choice.Provider); err != nil {
			return err
		}
		seen[choice.Name()] = true
	}
	if c.Attempts < 0 || c.Attempt < 0 || c.Whole < 0 || c.FirstPause < 0 || c.LongestWait < 0 {
		return domain.Invalid(op, "", "attempts and times can't be negative")
	}
	return nil
}

// New makes the models of a configuration, in its order. Nothing is sent. They
// are *Model; Close lets go of their connections.
func New(cfg Config) ([]reasoning.Model, error) {
	out := make([]reasoning.Model, 0, len(cfg.Choices))
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	for _, choice := range cfg.Choices {
		out = append(out, newModel(choice, cfg))
	}
	return out, nil
}

// NewVerifier makes a verifier of one model. The person waits for its verdict
// with the answer in hand, so its patience is short: 2 attempts of 30 s, 1 min in
// all, unless the configuration says otherwise.
func NewVerifier(choice Choice, cfg Config) (*Verifier, error) {
	cfg.Choices = []Choice{choice}
	if cfg.Attempts == 0 {
		cfg.Attempts = 2
	}
	if cfg.Attempt == 0 {
		cfg.Attempt = 30 * time.Second
	}
	if cfg.Whole == 0 {
		cfg.Whole = time.Minute
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Verifier{newModel(choice, cfg.withDefaults())}, nil
}

// newClient is what speaks the choice's API, by a name for its errors. OpenAI's own models call tools only
// by Responses; others speak Chat.
func newClient(c Choice, name string) dialogue.Client {
	switch {
	case c.Provider == Anthropic:
		return anthropic.New(anthropic.Config{Name: name, Model: c.Model, BaseURL: c.BaseURL, Key: c.Key.Expose()})
	case c.Provider == OpenAI && (c.BaseURL == "" || c.Responses):
		return openai.NewResponses(openai.Config{Name: name, Model: c.Model, BaseURL: c.BaseURL, Key: c.Key.Expose()})
	}
	return openai.NewChat(openai.Config{Name: name, Model: c.Model, BaseURL: c.BaseURL, Key: c.Key.Expose()})
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pause is how long to wait before attempt n + 1: doubled each time, and half of
// it by chance, so that many who were turned away don't come back together.
func (c Config) pause(n int) time.Duration {
	d := c.FirstPause
	for range n - 1 {
		d = min(2*d, c.LongestWait)
	}
	if d < 2 {
		return d
	}
	return d/2 + rand.N(d/2)
}
