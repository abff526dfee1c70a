package streams

import (
	"encoding/json"
	"errors"
	"testing"

	"chalie/domain"
)

// FuzzDecode holds what is read to what encoding/json reads.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"type":"signal","signal_type":"a","content":"b"}`, `{"type":"signal","content":"\ud800\u0041\"","metadata":{"a":[1,2]}}`,
		`{"type":"other"}`, `{"type":null}`, `{"type":"signal","type":"other"}`, `[]`, `{}`, `"`, "\xff", `{"type":"signal","activation_energy":1e999}`,
		` { "type" : "signal" , "topic" : "x" } `, `{"type":"signal","signal_type":"a","content":"b","activation_energy":-0}`,
		`{"\u0074ype":"signal","signal_type":"a","content":"b"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := string(text)
		sig, err := decodeMessage(text)
		if string(text) != before {
			t.Fatal("the text was changed")
		}
		if err != nil {
			if !errors.Is(err, errIgnored) && domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		var plain map[string]json.RawMessage
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatalf("%q was taken, and is no JSON object: %v", text, err)
		}
		for name, got := range map[string]string{"type": "signal", "signal_type": sig.SignalType, "content": sig.Content, "source": sig.Source} {
			var want string
			if raw, ok := plain[name]; ok {
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatalf("%q: %s is %s: %v", text, name, raw, err)
				}
			}
			if got != want {
				t.Errorf("%q: %s is %q, want %q", text, name, got, want)
			}
		}
	})
}
