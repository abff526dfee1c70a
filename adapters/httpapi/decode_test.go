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
