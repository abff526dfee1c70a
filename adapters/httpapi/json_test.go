package httpapi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
)

// seeds are bodies worth starting from.
func seeds(f *testing.F) {
	for _, s := range []string{
		``, ` `, `null`, `{}`, `[]`, `[{}]`, `{"signal_type":"a","content":"b"}`, `[1,"x",null,true,{"content":7}]`,
		`{"signal_type":"a","content":"b","source":null,"topic":"t","activation_energy":1e-3,"metadata":{"x":[{"y":"}]"}]}}`,
		`{"a":1,"a":2,"":{"":[]}}`, `{"signal\u005ftype":"\ud83d\ude00\\\"","content":"\ud800"}`, `{"activation_energy":1e999}`,
		`{"metadata":[[[[]]]]}`, "\xff", `"\`, `{"username":"ada","password":"x","setup_key":""}`, `{"name":"n","signals":["a","\u0000"]}`,
		"\ufeff{}", `-0`, `{"a" : 1 , "b":[ ] }`,
	} {
		f.Add([]byte(s))
	}
}

// FuzzParseJSON holds the walk over JSON to what encoding/json reads.
func FuzzParseJSON(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := parseJSON(body)
		if valid := json.Valid(body) && utf8.Valid(body); valid != (err == nil) {
			t.Fatalf("%q: valid %v, the error is %v", body, valid, err)
		}
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%q: the error is %v", body, err)
			}
			return
		}
		if !bytes.Equal(v.raw, bytes.TrimSpace(body)) {
			t.Fatalf("%q became %q", body, v.raw)
		}
		var want any
		if err := json.Unmarshal(body, &want); err != nil {
			return // a number out of range
		}
		if got := rebuilt(t, v); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: walked to %#v, want %#v", body, got, want)
		}
	})
}

// rebuilt is what the walk finds, in the shapes of encoding/json.
func rebuilt(t *testing.T, v value) any {
	switch v.kind {
	case isNull:
		return nil
	case isBoolean:
		return v.raw[0] == 't'
	case isNumber:
		n, err := v.number("n", 0)
		if err != nil {
			t.Fatal(err)
		}
		return n
	case isString:
		return v.unquote()
	case isArray:
		elements, count, err := v.elements("a", 1<<20)
		if err != nil || count != len(elements) {
			t.Fatalf("%d of %d elements, %v", len(elements), count, err)
		}
		out := []any{}
		for _, e := range elements {
			out = append(out, rebuilt(t, e))
		}
		return out
	}
	m, err := v.members("o")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		out[name] = rebuilt(t, v)
	}
	return out
}

// FuzzDecodeSignal holds the fields of a signal to those encoding/json finds
// under the very same names.
func FuzzDecodeSignal(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := parseJSON(body)
		if err != nil {
			return
		}
		sig, err := decodeSignal(v, value.text)
		var fields map[string]json.RawMessage
		if json.Unmarshal(body, &fields) != nil || fields == nil {
			if err == nil {
				t.Fatalf("%q is no object and became %+v", body, sig)
			}
			return
		}
		wanted := domain.SignalReceived{ActivationEnergy: domain.DefaultActivationEnergy}
		fits := readAs(fields["signal_type"], &wanted.SignalType) && readAs(fields["content"], &wanted.Content) &&
			readAs(fields["source"], &wanted.Source) && readAs(fields["topic"], &wanted.Topic) &&
			readAs(fields["activation_energy"], &wanted.ActivationEnergy) && isObjectOrNull(fields["metadata"])
		if fits != (err == nil) {
			t.Fatalf("%q: fits is %v, the error is %v", body, fits, err)
		}
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%q: the error is %v", body, err)
			}
			return
		}
		if m := fields["metadata"]; len(m) > 0 && m[0] == '{' {
			wanted.Metadata = m
		}
		if !reflect.DeepEqual(sig, wanted) {
			t.Fatalf("%q became %+v, want %+v", body, sig, wanted)
		}
	})
}

// FuzzDecodeMessage does the same for a message's.
func FuzzDecodeMessage(f *testing.F) {
	seeds(f)
	f.Add([]byte(`{"text":"a","source":null,"topic":"t","metadata":{"x":"}"}}`))
	f.Add([]byte(`{"text":7,"text":"a","metadata":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := parseJSON(body)
		if err != nil {
			return
		}
		msg, err := decodeMessage(v)
		var fields map[string]json.RawMessage
		if json.Unmarshal(body, &fields) != nil || fields == nil {
			if err == nil {
				t.Fatalf("%q is no object and became %+v", body, msg)
			}
			return
		}
		var wanted domain.MessageReceived
		fits := readAs(fields["text"], &wanted.Text) && readAs(fields["source"], &wanted.Source) &&
			readAs(fields["topic"], &wanted.Topic) && isObjectOrNull(fields["metadata"])
		if fits != (err == nil) || err != nil && domain.CategoryOf(err) != domain.Validation {
			t.Fatalf("%q: fits is %v, the error is %v", body, fits, err)
		}
		if m := fields["metadata"]; len(m) > 0 && m[0] == '{' {
			wanted.Metadata = m
		}
		if err == nil && !reflect.DeepEqual(msg, wanted) {
			t.Fatalf("%q became %+v, want %+v", body, msg, wanted)
		}
	})
}

func readAs(text json.RawMessage, into any) bool {
	return len(text) == 0 || string(text) == "null" || json.Unmarshal(text, into) == nil
}

func isObjectOrNull(text json.RawMessage) bool {
	return len(text) == 0 || string(text) == "null" || text[0] == '{'
}

// FuzzDecoders holds all decoders to answering with a value or a validation
// error.
func FuzzDecoders(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		_, err := decodeBatch(body)
		if err != nil && domain.CategoryOf(err) != domain.Validation {
			t.Fatalf("a batch of %q: the error is %v", body, err)
		}
		for _, shape := range []any{
			&api.Credentials{}, &api.PasswordChange{}, &api.PassRequest{}, &api.TokenRequest{}, &api.Registration{}, &api.Execution{},
			&api.Approval{}, &api.Pairing{}, &api.StreamRequest{}, &api.Invocation{}, &api.ReplayRequest{}, &api.RebuildRequest{}, &api.RebuildOne{},
		} {
			if err := readJSON(body, shape); err != nil && domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%T of %q: the error is %v", shape, body, err)
			}
		}
	})
}
