package httpapi

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
)

// FuzzApprovedKeys approves what is there and nothing else.
func FuzzApprovedKeys(f *testing.F) {
	f.Add([]byte(`{"a":true,"b":false,"c":null,"d":{},"a":false}`))
	f.Add([]byte(`{"\u0061":1,"":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var in api.Approval
		err := readJSON(slices.Concat([]byte(`{"approved_scopes":{"signals":`), body, []byte(`}}`)), &in)
		keys := approved(in).Signals
		var want map[string]any
		if !utf8.Valid(body) || json.Unmarshal(body, &want) != nil || domain.Nesting(body) > domain.MaxNesting {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", body, err)
		}
		for key, value := range want {
			if slices.Contains(keys, key) != (value != nil && value != false) {
				t.Errorf("%q: %q is %v, and the keys are %q", body, key, value, keys)
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(keys)))) != len(keys) || len(keys) > len(want) {
			t.Errorf("%q gives %q", body, keys)
		}
	})
}

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

// FuzzDecoders holds all decoders to answering with a value or a validation
// error.
func FuzzDecoders(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := parse(body)
		if err == nil {
			_, err = v.Signals()
		}
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
