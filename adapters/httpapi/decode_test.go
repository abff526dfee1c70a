package httpapi

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
)

// FuzzContext takes surroundings from anything, and only such as are in order.
func FuzzContext(f *testing.F) {
	f.Add([]byte(`{"location":{"lat":35.9,"lon":14.5,"name":"home"},"timezone":"Europe/Malta","device":{"class":"a","platform":"b"},"energy":0.5,"attention":"focused"}`))
	f.Add([]byte(`{"location":{"lat":1e999,"lon":-181},"timezone":"Local","device":[],"energy":2,"attention":"x"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := contextOfText(body)
		if err := got.Check(); err != nil {
			t.Fatalf("%q became %+v: %v", body, got, err)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var again domain.ContextUpdated
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%q became %s: %v", body, text, err)
		}
		if !json.Valid(body) && got != (domain.ContextUpdated{}) {
			t.Errorf("%q is no JSON and became %s", body, text)
		}
	})
}

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
