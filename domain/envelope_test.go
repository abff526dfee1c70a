package domain

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func goodEnvelope() Envelope {
	return Envelope{ID: ID{1}, Trace: TraceID{ID{2}}, Parent: ID{3}, Timestamp: 4, Kind: KindEvent, Source: "http", Principal: "operator",
		Type: "signal.received", Version: 1, Keys: []Key{"k"}, Subjects: []Subject{"s"}, Payload: JSONPayload([]byte(`{}`)),
		Errors: []Fault{{Code: "c", Message: "m"}}}
}

func TestEnvelopeCheck(t *testing.T) {
	if err := goodEnvelope().Check(); err != nil {
		t.Fatalf("a good envelope: %v", err)
	}
	long, bad := strings.Repeat("x", 1000), "\xff"
	for _, c := range []struct {
		name   string
		change func(*Envelope)
		field  string // "" when it is fine
	}{
		{"no id", func(e *Envelope) { e.ID = ID{} }, "envelope_id"},
		{"no trace", func(e *Envelope) { e.Trace = TraceID{} }, "trace_id"},
		{"no parent", func(e *Envelope) { e.Parent = ID{} }, ""},
		{"its own parent", func(e *Envelope) { e.Parent = e.ID }, "parent_id"},
		{"a negative time", func(e *Envelope) { e.Timestamp = -1 }, ""},
		{"no kind", func(e *Envelope) { e.Kind = "" }, "kind"},
		{"a kind of its own", func(e *Envelope) { e.Kind = "rumour" }, "kind"},
		{"every kind: command", func(e *Envelope) { e.Kind = KindCommand }, ""},
		{"every kind: result", func(e *Envelope) { e.Kind = KindResult }, ""},
		{"every kind: stream", func(e *Envelope) { e.Kind = KindStream }, ""},
		{"no version", func(e *Envelope) { e.Version = 0 }, "version"},
		{"no source", func(e *Envelope) { e.Source = "" }, "source"},
		{"a long source", func(e *Envelope) { e.Source = Source(long) }, "source"},
		{"the longest source", func(e *Envelope) { e.Source = Source(long[:MaxNameBytes]) }, ""},
		{"a source in no UTF-8", func(e *Envelope) { e.Source = Source(bad) }, "source"},
		{"no principal", func(e *Envelope) { e.Principal = "" }, "principal"},
		{"a long principal", func(e *Envelope) { e.Principal = Principal(long) }, "principal"},
		{"no type", func(e *Envelope) { e.Type = "" }, "type"},
		{"a long type", func(e *Envelope) { e.Type = EventType(long) }, "type"},
		{"no payload", func(e *Envelope) { e.Payload = Payload{} }, "payload"},
		{"a payload that is no JSON", func(e *Envelope) { e.Payload = JSONPayload([]byte("{")) }, "payload"},
		{"two payloads", func(e *Envelope) { e.Payload = JSONPayload([]byte("{}{}")) }, "payload"},
		{"a payload in no UTF-8", func(e *Envelope) { e.Payload = JSONPayload([]byte("\"\xff\"")) }, "payload"},
		{"a great payload", func(e *Envelope) {
			e.Payload = JSONPayload([]byte(`"` + strings.Repeat("x", MaxPayloadBytes-1) + `"`))
		}, "payload"},
		{"the greatest payload", func(e *Envelope) {
			e.Payload = JSONPayload([]byte(`"` + strings.Repeat("x", MaxPayloadBytes-2) + `"`))
		}, ""},
		{"opaque bytes", func(e *Envelope) { e.Payload = Payload{Encoding: EncodingOpaque, Bytes: []byte("{\xff")} }, ""},
		{"a sealed payload", func(e *Envelope) {
			e.Payload = Payload{Encoding: EncodingSealed, KeyID: "k", Nonce: []byte{1}, Bytes: []byte{2}}
		}, ""},
		{"an erased payload", func(e *Envelope) { e.Payload = Payload{Encoding: EncodingErased} }, ""},
		{"an unknown encoding", func(e *Envelope) { e.Payload.Encoding = 4 }, "payload"},
		{"a long key id", func(e *Envelope) { e.Payload.KeyID = long }, "payload"},
		{"a long nonce", func(e *Envelope) { e.Payload.Nonce = []byte(long) }, "payload"},
		{"no keys", func(e *Envelope) { e.Keys, e.Subjects = nil, nil }, ""},
		{"an empty key", func(e *Envelope) { e.Keys = []Key{""} }, "keys"},
		{"a long key", func(e *Envelope) { e.Keys = []Key{"k", Key(long)} }, "keys"},
		{"a key in no UTF-8", func(e *Envelope) { e.Keys = []Key{Key(bad)} }, "keys"},
		{"the most keys", func(e *Envelope) { e.Keys = slicesOf[Key](MaxKeys) }, ""},
		{"too many keys", func(e *Envelope) { e.Keys = slicesOf[Key](MaxKeys + 1) }, "keys"},
		{"an empty subject", func(e *Envelope) { e.Subjects = []Subject{""} }, "subjects"},
		{"a long subject", func(e *Envelope) { e.Subjects = []Subject{Subject(long)} }, "subjects"},
		{"too many subjects", func(e *Envelope) { e.Subjects = slicesOf[Subject](MaxKeys + 1) }, "keys"},
		{"great errors", func(e *Envelope) { e.Errors = []Fault{{Message: strings.Repeat("x", MaxPayloadBytes)}} }, "errors"},
		{"errors that are no JSON", func(e *Envelope) { e.Errors = []Fault{{Metadata: map[string]any{"f": func() {}}}} }, "errors"},
	} {
		e := goodEnvelope()
		c.change(&e)
		err := e.Check()
		invalid, isOurs := errors.AsType[*Error](err)
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field != "" && (!isOurs || invalid.Category != Validation || invalid.Field != c.field):
			t.Errorf("%s: %v, want a validation error about %s", c.name, err, c.field)
		}
	}
}

func slicesOf[S ~string](n int) []S {
	out := make([]S, n)
	for i := range out {
		out[i] = S(strings.Repeat("k", i+1))
	}
	return out
}

// Every difference in what is stored is a difference to Equal.
func TestEnvelopeEqual(t *testing.T) {
	for name, change := range map[string]func(*Envelope){
		"id":          func(e *Envelope) { e.ID[15]++ },
		"trace":       func(e *Envelope) { e.Trace.ID[15]++ },
		"parent":      func(e *Envelope) { e.Parent = ID{} },
		"timestamp":   func(e *Envelope) { e.Timestamp++ },
		"kind":        func(e *Envelope) { e.Kind = KindStream },
		"source":      func(e *Envelope) { e.Source = "x" },
		"principal":   func(e *Envelope) { e.Principal = "x" },
		"type":        func(e *Envelope) { e.Type = "x" },
		"version":     func(e *Envelope) { e.Version++ },
		"a key":       func(e *Envelope) { e.Keys = []Key{"l"} },
		"no keys":     func(e *Envelope) { e.Keys = nil },
		"a subject":   func(e *Envelope) { e.Subjects = []Subject{"t"} },
		"encoding":    func(e *Envelope) { e.Payload.Encoding = EncodingOpaque },
		"key id":      func(e *Envelope) { e.Payload.KeyID = "x" },
		"nonce":       func(e *Envelope) { e.Payload.Nonce = []byte{1} },
		"bytes":       func(e *Envelope) { e.Payload.Bytes = []byte(`{ }`) },
		"no errors":   func(e *Envelope) { e.Errors = nil },
		"an error":    func(e *Envelope) { e.Errors = []Fault{{Code: "d", Message: "m"}} },
		"two errors":  func(e *Envelope) { e.Errors = append(e.Errors, e.Errors[0]) },
		"error's map": func(e *Envelope) { e.Errors = []Fault{{Code: "c", Message: "m", Metadata: map[string]any{"a": 1}}} },
	} {
		a, b := goodEnvelope(), goodEnvelope()
		if !a.Equal(b) {
			t.Fatal("an envelope is not equal to itself")
		}
		change(&b)
		if a.Equal(b) || b.Equal(a) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	nothing, empty := goodEnvelope(), goodEnvelope()
	nothing.Keys, empty.Keys = nil, []Key{}
	if !nothing.Equal(empty) {
		t.Error("no keys and an empty list of keys are stored the same")
	}
}

func TestPayloadJSON(t *testing.T) {
	text, err := JSONPayload([]byte(`[1]`)).JSON()
	if !bytes.Equal(text, []byte(`[1]`)) || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	for enc, code := range map[Encoding]Code{EncodingOpaque: CodeUndecodable, EncodingSealed: CodeErased, EncodingErased: CodeErased} {
		if _, err := (Payload{Encoding: enc, Bytes: []byte("{}")}).JSON(); CodeOf(err) != code {
			t.Errorf("encoding %d: %v, want %s", enc, err, code)
		}
	}
}

// What Check takes for JSON, the decoder must take too: a record that passed
// and can't be decoded would stop every fold that reads it.
func TestCheckedPayloadsAreJSON(t *testing.T) {
	agree := func(t rapid.TB, text []byte) {
		e := goodEnvelope()
		e.Payload = JSONPayload(text)

		decodes := json.Valid(text)
		if accepted := e.Check() == nil; accepted && !decodes {
			t.Errorf("Check takes %q, which does not decode", text)
		}
	}
	for _, text := range []string{"", " ", "{}", " {} ", "nul", "01", "1.", "1e", "-", "+1", ".5", "1e400", `"\x"`, `"\u12"`, "\"\t\"",
		`{"a"}`, `{"a":}`, `{,}`, `[1,]`, `[1 2]`, `{"a":1,}`, `{1:2}`, "tru", "true1", "\"", "\ufeff{}", "NaN", "{}x", "[}", `{"a":1]`} {
		agree(t, []byte(text))
	}
	rapid.Check(t, func(t *rapid.T) {
		agree(t, []byte(rapid.StringOfN(rapid.RuneFrom([]rune(`{}[]",:\ue10-+.tfn `)), 0, 30, -1).Draw(t, "text")))
	})
}
