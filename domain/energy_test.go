package domain

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

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
