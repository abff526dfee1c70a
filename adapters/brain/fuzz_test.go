package brain

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

// FuzzBodies reads any body as a request, and what it has as capabilities. What can't be read
// is an error in words, and tools that are made of it can be registered.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		`{"prompt":"hello","source":"cli","timestamp":"2026-11-27T09:00:00+00:00","envelope_id":"a","parent_id":"b","trace_id":"c","kind":"command"}`,
		`{"id":"notes","kind":"op","summary":"s","parameters":[{"name":"q","type":"string","required":true}],"returns":{"type":"object"},"autonomy":1,"side_effects":["x"]}`,
		`{"id":"w","kind":"skill","required_capabilities":["a/b"],"returns":{"$ref":"#"}}`, `{"timestamp":1700000000000,"kind":"event"}`, `{"a":[[[[]]]]}`, `[]`, `nul`, "{\"a\":\"\xff\"}", `{"kind":null} {}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var x request
		if err := x.read(body); err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("the error has no words")
			}
			return
		}
		if hash := bodyHash(body); hash != x.asked.BodyHash {
			t.Fatalf("the hash is %s, and then %s", x.asked.BodyHash, hash)
		}
		var c capability
		if x.parameters(&c) != nil {
			return
		}
		tools, err := toolsOf([]capability{c})
		if err != nil {
			return
		}
		if err := domain.CheckTools(tools); err != nil {
			t.Fatalf("%s makes a tool that can't be registered: %v", body, err)
		}
		if _, err := json.Marshal(tools); err != nil {
			t.Fatalf("%s makes a tool that can't be written: %v", body, err)
		}
	})
}
