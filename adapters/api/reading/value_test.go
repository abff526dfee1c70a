package reading

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

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

// FuzzParse holds the walk over JSON to what encoding/json reads.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Parse(body, "the body", 3)
		body = domain.WithoutMark(body)
		if valid := json.Valid(body) && utf8.Valid(body) && domain.Nesting(body) <= domain.MaxNesting+3; valid != (err == nil) {
			t.Fatalf("%q: valid %v, the error is %v", body, valid, err)
		}
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%q: the error is %v", body, err)
			}
			return
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
func rebuilt(t *testing.T, v Value) any {
	switch v.kind() {
	case "null":
		return nil
	case "a boolean":
		yes, err := v.boolean()
		if err != nil {
			t.Fatal(err)
		}
		return yes
	case "a number":
		n, err := v.number()
		if err != nil {
			t.Fatal(err)
		}
		return n
	case "a string":
		text, err := v.text()
		if err != nil {
			t.Fatal(err)
		}
		return text
	case "an array":
		elements, count, err := v.Elements(1 << 20)
		if err != nil || count != len(elements) {
			t.Fatalf("%d of %d elements, %v", len(elements), count, err)
		}
		out := []any{}
		for _, e := range elements {
			out = append(out, rebuilt(t, e))
		}
		return out
	}
	out := map[string]any{}
	if err := v.members(func(name string, member gjson.Result) { out[name] = rebuilt(t, Value{name, member}) }); err != nil {
		t.Fatal(err)
	}
	return out
}

// FuzzSignal holds the fields of a signal to those encoding/json finds
// under the very same names.
func FuzzSignal(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Parse(body, "the body", 3)
		if err != nil {
			return
		}
		sig, err := v.Signal()
		var fields map[string]json.RawMessage
		if json.Unmarshal(domain.WithoutMark(body), &fields) != nil || fields == nil {
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

// FuzzShape does the same for a shape of the contract.
func FuzzShape(f *testing.F) {
	seeds(f)
	f.Add([]byte(`{"text":"a","source":null,"topic":"t","metadata":{"x":"}"}}`))
	f.Add([]byte(`{"text":7,"text":"a","metadata":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Parse(body, "the body", 3)
		if err != nil {
			return
		}
		var msg api.GatewayMessage
		err = v.Into("a message", &msg)
		var fields map[string]json.RawMessage
		if json.Unmarshal(domain.WithoutMark(body), &fields) != nil || fields == nil {
			if err == nil {
				t.Fatalf("%q is no object and became %+v", body, msg)
			}
			return
		}
		var wanted api.GatewayMessage
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

// FuzzDecoders holds all decoders to answering with a value or a validation
// error.
func FuzzDecoders(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Parse(body, "the body", 3)
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%q: the error is %v", body, err)
			}
			return
		}
		if _, err := v.Signals(); err != nil && domain.CategoryOf(err) != domain.Validation {
			t.Fatalf("a batch of %q: the error is %v", body, err)
		}
		for _, shape := range []any{
			&api.Credentials{}, &api.PasswordChange{}, &api.PassRequest{}, &api.TokenRequest{}, &api.Registration{}, &api.Execution{},
			&api.Approval{}, &api.Pairing{}, &api.StreamRequest{}, &api.Invocation{}, &api.ReplayRequest{}, &api.RebuildRequest{}, &api.RebuildOne{},
		} {
			if err := v.Into("", shape); err != nil && domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%T of %q: the error is %v", shape, body, err)
			}
		}
	})
}

func readAs(text json.RawMessage, into any) bool {
	return len(text) == 0 || string(text) == "null" || json.Unmarshal(text, into) == nil
}

func isObjectOrNull(text json.RawMessage) bool {
	return len(text) == 0 || string(text) == "null" || text[0] == '{'
}

// BenchmarkSignal is what every signal costs first, whichever way it comes.
func BenchmarkSignal(b *testing.B) {
	text := []byte(`{"type":"signal","signal_type":"weather_forecast","content":"Heavy rain expected this evening","source":"weather-service","topic":"weather","activation_energy":0.4,"metadata":{"precipitation_chance":0.8,"temperature_high":18}}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := Parse(text, "the body", 1)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := v.Signal(); err != nil {
			b.Fatal(err)
		}
	}
}
