package domain

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
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

func anySignal(t *rapid.T) SignalReceived {
	s := SignalReceived{
		SignalType: rapid.String().Draw(t, "type"), Content: rapid.String().Draw(t, "content"), Source: rapid.String().Draw(t, "source"),
		ActivationEnergy: rapid.Float64Range(-1, 2).Draw(t, "energy"),
	}
	if rapid.Bool().Draw(t, "has topic") {
		s.Topic = new(rapid.String().Draw(t, "topic"))
	}
	if rapid.Bool().Draw(t, "has metadata") {
		text, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "metadata"))
		if err != nil {
			t.Fatal(err)
		}
		s.Metadata = text
	}
	return s
}

// Everything New writes takes the short way, and gives what Decode gives.
func TestEnergyIsScannedInWhatNewWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anySignal(t)
		entry, err := New(Lineage{}, ID{1}, 0, "x", in)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := scanEnergy(entry.Envelope.Payload.Bytes); !ok || got != in.ActivationEnergy {
			t.Fatalf("%s: scanned %v, %v", entry.Envelope.Payload.Bytes, got, ok)
		}
	})
}

// FuzzEnergy holds the short way to Decode on every JSON text.
func FuzzEnergy(f *testing.F) {
	for _, text := range []string{
		`{"signal_type":"a","content":"b","source":"c","topic":null,"activation_energy":0.4,"metadata":null}`,
		`{"signal_type":"a\\","content":"\"","source":"","topic":"d","activation_energy":1e-1,"metadata":{"a":["}",{}]}}`,
		`{"signal_type":"a","content":"b","source":"c","topic":null,"activation_energy":0.4,"metadata":{},"content":1}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		got, ok := scanEnergy(text)
		if !ok {
			return
		}
		want, err := Decode[SignalReceived](Envelope{Type: "signal.received", Version: 1, Payload: JSONPayload(text)})
		if err != nil || got != want.ActivationEnergy {
			t.Fatalf("%s: scanned %v, decoded %v, %v", text, got, want.ActivationEnergy, err)
		}
	})
}
