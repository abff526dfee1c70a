package domain

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyRecord draws records whose envelope passes Check, with a payload in the
// form that JSON writers of this program give it.
func anyRecord(t *rapid.T) Record {
	name := rapid.StringN(1, 20, MaxNameBytes)
	e := Envelope{
		ID: anyID(t, "id"), Trace: TraceID{anyID(t, "trace")},
		Timestamp: Millis(rapid.Int64().Draw(t, "timestamp")),
		Kind:      rapid.SampledFrom([]Kind{KindCommand, KindEvent, KindResult, KindStream}).Draw(t, "kind"),
		Source:    Source(name.Draw(t, "source")), Principal: Principal(name.Draw(t, "principal")),
		Type: EventType(name.Draw(t, "type")), Version: uint16(rapid.IntRange(1, 65535).Draw(t, "version")),
	}
	if rapid.Bool().Draw(t, "has parent") {
		e.Parent = anyID(t, "parent")
	}
	for range rapid.IntRange(0, 3).Draw(t, "keys") {
		e.Keys = append(e.Keys, Key(name.Draw(t, "key")))
		e.Subjects = append(e.Subjects, Subject(name.Draw(t, "subject")))
	}
	for range rapid.IntRange(0, 2).Draw(t, "errors") {
		e.Errors = append(e.Errors, Fault{Code: Code(name.Draw(t, "code")), Message: name.Draw(t, "message"),
			Category: Validation, Retryable: rapid.Bool().Draw(t, "retryable"), Metadata: map[string]any{"n": 1, "s": name.Draw(t, "meta")}})
	}
	raw := rapid.SliceOfN(rapid.Byte(), 1, 20)
	switch enc := Encoding(rapid.IntRange(0, 3).Draw(t, "encoding")); enc {
	case EncodingJSON:
		text, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.Float64()).Draw(t, "payload"))
		if err != nil {
			t.Fatal(err)
		}
		e.Payload = JSONPayload(text)
	case EncodingErased:
		e.Payload = Payload{Encoding: enc, KeyID: name.Draw(t, "key id")}
	default:
		e.Payload = Payload{Encoding: enc, KeyID: name.Draw(t, "key id"), Nonce: raw.Draw(t, "nonce"), Bytes: raw.Draw(t, "bytes")}
	}
	return Record{Position: Position(rapid.Uint64().Draw(t, "position")), Topic: Topic(name.Draw(t, "topic")),
		RecordedAt: Millis(rapid.Int64().Draw(t, "recorded at")), Ahead: Millis(rapid.SampledFrom([]int64{0, 0, 1, 3_600_000}).Draw(t, "ahead")), Envelope: e}
}

func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyRecord(t)
		if err := in.Envelope.Check(); err != nil {
			t.Fatalf("the draw is no good: %v", err)
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out Record
		if err := json.Unmarshal(text, &out); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if out.Position != in.Position || out.Topic != in.Topic || out.RecordedAt != in.RecordedAt || out.Ahead != in.Ahead || !out.Envelope.Equal(in.Envelope) {
			t.Fatalf("%+v became %+v", in, out)
		}
		again, err := json.Marshal(out)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("written again %s is %s, %v", text, again, err)
		}
		var alone Envelope
		inner, err := json.Marshal(in.Envelope)
		if err == nil {
			err = json.Unmarshal(inner, &alone)
		}
		if err != nil || !alone.Equal(in.Envelope) {
			t.Fatalf("the envelope alone became %+v, %v", alone, err)
		}
	})
}

func TestRecordShape(t *testing.T) {
	full := goodEnvelope()
	full.Keys, full.Subjects = []Key{"signal:1"}, []Subject{"s-1"}
	full.Payload = JSONPayload([]byte(`{"content":"rain"}`))
	full.Errors = []Fault{{Code: "timeout", Message: "no answer", Category: Dependency, Retryable: true, Metadata: map[string]any{"after_ms": 5}}}
	bare := Envelope{ID: ID{1}, Trace: TraceID{ID{2}}, Timestamp: 4, Kind: KindStream, Source: "s", Principal: "p", Type: "t.t", Version: 2, Payload: JSONPayload([]byte(`null`))}
	opaque, sealed, erased := bare, bare, bare
	opaque.Payload = Payload{Encoding: EncodingOpaque, Bytes: []byte("\x00\xff")}
	sealed.Payload = Payload{Encoding: EncodingSealed, KeyID: "k-1", Nonce: []byte{1, 2}, Bytes: []byte{3}}
	erased.Payload = Payload{Encoding: EncodingErased, KeyID: "k-1"}
	var out strings.Builder
	for i, e := range []Envelope{full, bare, opaque, sealed, erased} {
		text, err := json.MarshalIndent(Record{Position: Position(i + 1), Topic: "signals", RecordedAt: 1700000000000, Envelope: e}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	text, err := json.MarshalIndent(Record{Position: 6, Topic: "signals", RecordedAt: 1700000000000, Ahead: 3_600_000, Envelope: bare}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	out.Write(append(text, '\n'))
	golden(t, "record.golden", out.String())
}

func TestRecordReads(t *testing.T) {
	const envelope = `"envelope_id":"017f22e2-79b0-7cc3-98c4-dc0c0c07398f","trace_id":"01FWHE4YDGFK1SHH6W1G60EECF"`
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"ids in other spellings, unknown fields", `{"position":1,"later":true,"envelope":{` + envelope + `,"payload":{},"later":1}}`, true},
		{"no parent", `{"envelope":{` + envelope + `,"parent_id":null,"payload":1}}`, true},
		{"a bad id", `{"envelope":{"envelope_id":"x"}}`, false},
		{"an unknown encoding", `{"envelope":{` + envelope + `,"encoding":"zip","payload":""}}`, false},
		{"an opaque payload that is no base64", `{"envelope":{` + envelope + `,"encoding":"opaque","payload":"%"}}`, false},
		{"an opaque payload that is no text", `{"envelope":{` + envelope + `,"encoding":"opaque","payload":{}}}`, false},
		{"a negative position", `{"position":-1,"envelope":{` + envelope + `}}`, false},
		{"no object", `[]`, false},
	} {
		var rec Record
		if err := json.Unmarshal([]byte(c.text), &rec); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzRecordJSON(f *testing.F) {
	text, err := json.Marshal(Record{Position: 1, Topic: "signals", RecordedAt: 5, Envelope: goodEnvelope()})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"envelope":{"encoding":"opaque","payload":"AA=="}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var rec Record
		if json.Unmarshal(text, &rec) != nil || rec.Envelope.Check() != nil {
			return
		}
		again, err := json.Marshal(rec)
		if err != nil {
			t.Fatalf("%+v can't be written: %v", rec, err)
		}
		var back Record
		if err := json.Unmarshal(again, &back); err != nil {
			t.Fatalf("%s can't be read again: %v", again, err)
		}
	})
}
