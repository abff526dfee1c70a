package domain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// dialRead is a schema in its third version: the first had text for a value,
// the second no unit.
type dialRead struct {
	Value int    `json:"value"`
	Unit  string `json:"unit"`
	Note  string `json:"note,omitempty"`
}

var errOdd = errors.New("odd text")

func thirdVersion() (*Catalogue, TypeVersion) {
	c := &Catalogue{current: map[EventType]Definition{}, lifts: map[TypeVersion]Upcaster{}, payload: map[reflect.Type]EventType{}}
	define[dialRead](c, "dial.read", 3, TopicSignals, KindEvent)
	first, second := TypeVersion{"dial.read", 1}, TypeVersion{"dial.read", 2}
	c.lifts[first] = Upcaster{"dial.read", 1, func(payload []byte) ([]byte, error) {
		var old struct {
			Value string `json:"value"`
		}
		if err := json.Unmarshal(payload, &old); err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(old.Value)
		if err != nil {
			return nil, errOdd
		}
		return fmt.Appendf(nil, `{"value":%d}`, n), nil
	}}
	c.lifts[second] = Upcaster{"dial.read", 2, func(payload []byte) ([]byte, error) {
		return append(payload[:len(payload)-1:len(payload)-1], `,"unit":"bar"}`...), nil
	}}
	return c, first
}

func TestUpcastersLiftInSteps(t *testing.T) {
	c, first := thirdVersion()
	for _, r := range []struct {
		version uint16
		payload string
		want    string
	}{
		{1, `{"value":"7"}`, `{"value":7,"unit":"bar"}`},
		{2, `{"value":7}`, `{"value":7,"unit":"bar"}`},
		{3, `{"value":7,"unit":"psi"}`, `{"value":7,"unit":"psi"}`},
	} {
		got, err := c.lift(Envelope{Type: "dial.read", Version: r.version}, []byte(r.payload))
		if string(got) != r.want || err != nil {
			t.Errorf("v%d lifts to %s, %v, want %s", r.version, got, err, r.want)
		}
		if !c.Decodes(TypeVersion{"dial.read", r.version}) {
			t.Errorf("v%d is not decoded", r.version)
		}
	}
	_, err := c.lift(Envelope{Type: "dial.read", Version: 1}, []byte(`{"value":"seven"}`))
	if CodeOf(err) != CodeUndecodable || !errors.Is(err, errOdd) || !strings.Contains(err.Error(), "upcaster from version 1 failed") {
		t.Errorf("an upcaster that fails: %v", err)
	}
	delete(c.lifts, first)
	for _, version := range []uint16{0, 1, 4} {
		if _, err := c.lift(Envelope{Type: "dial.read", Version: version}, nil); CodeOf(err) != CodeUndecodable {
			t.Errorf("v%d without an upcaster: %v", version, err)
		}
		if c.Decodes(TypeVersion{"dial.read", version}) {
			t.Errorf("v%d is said to be decoded", version)
		}
	}
}

// However far a version has to go, the result is that of going step by step, and a
// payload of any value gives one.
func TestUpcastersAreTotal(t *testing.T) {
	c, _ := thirdVersion()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int32().Draw(t, "value")
		e := Envelope{Type: "dial.read", Version: 1}
		whole, err := c.lift(e, fmt.Appendf(nil, `{"value":"%d"}`, n))
		if err != nil {
			t.Fatal(err)
		}
		e.Version = 2
		rest, err := c.lift(e, fmt.Appendf(nil, `{"value":%d}`, n))
		if err != nil || !bytes.Equal(rest, whole) {
			t.Fatalf("from version 1 it is %s, from version 2 %s, %v", whole, rest, err)
		}
	})
}

// Who reads members without Decode gets what Decode reads.
func TestLift(t *testing.T) {
	now := Envelope{Type: "system.stopped", Version: 1, Payload: JSONPayload([]byte(`{"reason":"x"}`))}
	foreign := Envelope{Type: "no.such", Version: 9, Payload: now.Payload}
	erased := Envelope{Type: "system.stopped", Version: 9, Payload: Payload{Encoding: EncodingErased}}
	for _, e := range []Envelope{now, foreign, erased} {
		if got, err := Lift(e); err != nil || !got.Equal(e) {
			t.Errorf("%s v%d became %+v, %v", e.Type, e.Version, got, err)
		}
	}
	later := now
	later.Version = 2
	if _, err := Lift(later); CodeOf(err) != CodeUndecodable || !strings.Contains(err.Error(), "this build writes version 1") {
		t.Errorf("a later version: %v", err)
	}
}

// energyOf reads signals of version 1 without decoding them. That is right only as
// long as no upcaster changes what they say.
func TestNothingLiftsWhatIsScanned(t *testing.T) {
	if d, _ := Events().Lookup("signal.received"); d.Version != 1 {
		t.Errorf("signal.received is at version %d: energyOf may not scan version 1 any more, unless the upcaster leaves the energy as it is", d.Version)
	}
}

// A signal of the spine as it was stored first has its energy in parts per million.
func TestEnergyIsLifted(t *testing.T) {
	for stored, want := range map[string]float64{"500000": 0.5, "1000000": 1, "0": 0, "123456": 0.123456} {
		e := Envelope{Type: "spine.signal_emitted", Version: 1, Payload: JSONPayload([]byte(
			`{"signal_type":"idle_discovery","source":"idle","content":"quiet","concept_id":null,"activation_energy":` + stored + `}`))}
		got, err := Decode[SpineSignalEmitted](e)
		if err != nil || got.ActivationEnergy != want || got.SignalType != IdleDiscovery || *got.Content != "quiet" {
			t.Errorf("%s is lifted to %+v, %v", stored, got, err)
		}
	}
}
