package domain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

func TestNesting(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "1": 0, `"{[{["`: 0, `"\\\"{["`: 0, "{}": 1, "[1]": 1, "[{},{}]": 2, `{"a":[],"b":{"c":[[]]}}`: 4,
		`{"{":"["}`: 1, "[[": 2, "]]]": 0, `"`: 0, `{"a":"\\`: 1,
	} {
		if got := domain.Nesting([]byte(text)); got != want {
			t.Errorf("%s nests %d deep, want %d", text, got, want)
		}
	}
	if err := domain.CheckNesting("read", "x", []byte(strings.Repeat("[", 100)), 0); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	err := domain.CheckNesting("read", "x", []byte(strings.Repeat("[", 101)), 0)
	if domain.CodeOf(err) != domain.CodeTooNested || domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "100") {
		t.Errorf("beyond the bound: %v", err)
	}
	if err := domain.CheckNesting("read", "", []byte(strings.Repeat("[", 102)), 2); err != nil {
		t.Errorf("at the bound in a shape of ours: %v", err)
	}
}

// A payload that can't stand inside of another value is written as a text, and reads
// back as what it was.
func TestParts(t *testing.T) {
	for text, want := range map[string]int{
		``: 1, `7`: 1, `"a,b:[{\","`: 1, `{"a":1}`: 3, `[1,2,3]`: 4, `{"a":[{},{"b":null}],"c":"d"}`: 10,
	} {
		if got := domain.Parts([]byte(text)); got != want {
			t.Errorf("%s has %d parts, want %d", text, got, want)
		}
	}
}

func TestDeepPayloadsReadBack(t *testing.T) {
	for _, deep := range []int{1, domain.MaxNesting, 2 * domain.MaxNesting, 2*domain.MaxNesting + 1, 9_997, 9_998, 9_999, 10_000, 50_000} {
		payload := []byte(strings.Repeat(`{"a":`, deep-1) + `{"b":"\u00e9 \" <"}` + strings.Repeat("}", deep-1))
		rec := domain.Record{Position: 1, Topic: domain.TopicSignals, Envelope: domain.Envelope{Kind: domain.KindEvent, Version: 1, Payload: domain.Payload{Bytes: payload}}}
		rec.Envelope.Payload.Encoding = domain.EncodingJSON
		text, err := json.Marshal([]domain.Record{rec})
		if err != nil {
			t.Fatalf("%d deep: %v", deep, err)
		}
		if got := domain.Nesting(text); got > 2*domain.MaxNesting+3 {
			t.Errorf("%d deep is written %d deep", deep, got)
		}
		var back []domain.Record
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%d deep: %v", deep, err)
		}
		// Marshalling may escape what stands as it is.
		if got := back[0].Envelope.Payload; got.Encoding != domain.EncodingJSON || deep > 2*domain.MaxNesting && !bytes.Equal(got.Bytes, payload) || len(got.Bytes) < len(payload) {
			t.Errorf("%d deep reads back as %d, %.80s", deep, got.Encoding, got.Bytes)
		}
	}
}
