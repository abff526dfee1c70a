package domain

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestSignalCheck(t *testing.T) {
	long := strings.Repeat("x", MaxMetadataBytes+1)
	good := func() SignalReceived {
		return SignalReceived{SignalType: "weather_update", Content: "rain at five", Source: "sky", ActivationEnergy: 0.4}
	}
	for _, c := range []struct {
		name   string
		change func(*SignalReceived)
		field  string // "" when it is fine
		bad    bool
	}{
		{"as it is", func(*SignalReceived) {}, "", false},
		{"no type", func(s *SignalReceived) { s.SignalType = "" }, "signal_type", true},
		{"a blank type", func(s *SignalReceived) { s.SignalType = " \t" }, "signal_type", true},
		{"a long type", func(s *SignalReceived) { s.SignalType = long }, "signal_type", true},
		{"no content", func(s *SignalReceived) { s.Content = "" }, "content", true},
		{"blank content", func(s *SignalReceived) { s.Content = "\n \u00a0" }, "content", true},
		{"content with room around it", func(s *SignalReceived) { s.Content = " rain " }, "", false},
		{"long content", func(s *SignalReceived) { s.Content = long }, "content", true},
		{"the longest content", func(s *SignalReceived) { s.Content = long[:MaxContentBytes] }, "", false},
		{"no source", func(s *SignalReceived) { s.Source = "" }, "", false},
		{"a long source", func(s *SignalReceived) { s.Source = long }, "source", true},
		{"a topic", func(s *SignalReceived) { s.Topic = new("rain") }, "", false},
		{"a long topic", func(s *SignalReceived) { s.Topic = &long }, "topic", true},
		{"no energy at all", func(s *SignalReceived) { s.ActivationEnergy = 0 }, "", false},
		{"all energy", func(s *SignalReceived) { s.ActivationEnergy = 1 }, "", false},
		{"too much energy", func(s *SignalReceived) { s.ActivationEnergy = 1.5 }, "activation_energy", true},
		{"negative energy", func(s *SignalReceived) { s.ActivationEnergy = -0.1 }, "activation_energy", true},
		{"energy that is no number", func(s *SignalReceived) { s.ActivationEnergy = math.NaN() }, "activation_energy", true},
		{"infinite energy", func(s *SignalReceived) { s.ActivationEnergy = math.Inf(1) }, "activation_energy", true},
		{"metadata", func(s *SignalReceived) { s.Metadata = json.RawMessage(" {\"a\":1}\n") }, "", false},
		{"null metadata", func(s *SignalReceived) { s.Metadata = json.RawMessage(" null ") }, "", false},
		{"metadata in a list", func(s *SignalReceived) { s.Metadata = json.RawMessage(`[1]`) }, "metadata", true},
		{"metadata in a text", func(s *SignalReceived) { s.Metadata = json.RawMessage(`"null"`) }, "metadata", true},
		{"broken metadata", func(s *SignalReceived) { s.Metadata = json.RawMessage(`{"a":`) }, "metadata", true},
		{"blank metadata", func(s *SignalReceived) { s.Metadata = json.RawMessage(` `) }, "metadata", true},
		{"long metadata", func(s *SignalReceived) { s.Metadata = json.RawMessage(`"` + long + `"`) }, "metadata", true},
		{"content in no UTF-8", func(s *SignalReceived) { s.Content = "\xff" }, "", true},
		{"a topic in no UTF-8", func(s *SignalReceived) { s.Topic = new("\xff") }, "", true},
	} {
		s := good()
		c.change(&s)
		err := s.Check()
		invalid, isOurs := errors.AsType[*Error](err)
		switch {
		case !c.bad && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.bad && (!isOurs || invalid.Category != Validation || invalid.Field != c.field):
			t.Errorf("%s: %v, want a validation error about %q", c.name, err, c.field)
		}
	}
}
