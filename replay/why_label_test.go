package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// What is an event today can be explained, in clear, sealed and erased. Those in the
// golden file have the words that stand there; what was added since has some.
func TestEveryTypeIsExplained(t *testing.T) {
	path := filepath.Join("testdata", "why", "labels.golden")
	text, err := os.ReadFile(path)
	if err != nil && !*rewrite {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, label, _ := strings.Cut(strings.TrimSpace(line), " | ")
		want[name] = label
	}
	var all strings.Builder
	for _, d := range domain.Events().Definitions() {
		p := newPast(t)
		label := func(payload domain.Payload) string {
			id := p.ids.NewID()
			rec := p.put(domain.Entry{Topic: d.Topic, Envelope: domain.Envelope{
				ID: id, Trace: domain.TraceID{ID: id}, Timestamp: 1, Kind: d.Kind, Source: "test", Principal: domain.PrincipalOperator,
				Type: d.Type, Version: d.Version, Payload: payload,
			}})
			why := p.explained(rec.Envelope.ID.String())
			if len(why.Sentences) == 0 || strings.Contains(strings.Join(why.Sentences, " "), "%!") {
				t.Errorf("%s is told as %q", d.Type, why.Sentences)
			}
			return why.Nodes[0].Label
		}
		got := label(domaintest.AnyPayload(d))
		if was, known := want[string(d.Type)]; got == "" || known && was != got && !*rewrite {
			t.Errorf("%s is %q, want %q", d.Type, got, was)
		}
		all.WriteString(string(d.Type) + " | " + got + "\n")
		if got := label(domain.Payload{Encoding: domain.EncodingErased}); got != "(erased)" {
			t.Errorf("an erased %s is %q", d.Type, got)
		}
		if got := label(domain.Payload{Encoding: domain.EncodingSealed, KeyID: "k", Bytes: []byte{1, 2}}); got != "(sealed)" {
			t.Errorf("a sealed %s is %q", d.Type, got)
		}
		// What a foreign writer stored under the name.
		if got := label(domain.JSONPayload([]byte(`[1,"x",null]`))); got == "" {
			t.Errorf("a %s of another shape is %q", d.Type, got)
		}
	}
	if *rewrite {
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
