package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
)

// secrets are the words of the story below that could name somebody.
var secrets = []string{"zelenka", "quintavalle", "marmolada", "brodsky", "kowalczyk", "pomegranate", "ostrobothnia", "wivenhoe", "škvorecký"}

// Every trace of a long story makes a bundle that replays as it does, and none of
// them names anybody.
func TestEveryTraceMakesABundle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := startVictim(t, filepath.Join(dir, "data"))
	v.ready()
	p := startProgram(t, "zelenka")
	p.on("/capabilities", saying(`[{"name":"warm","description":"Warms a room of Villa Marmolada","parameters":[{"name":"room","type":"string","required":true,"description":"which room"},{"name":"degrees","type":"integer","required":false,"description":"how warm"}]}]`))
	p.on("/execute", saying(`{"text":"The Marmolada room is warm","data":{"left":2,"room":"Marmolada","type":"Wivenhoe"},"error":null}`))
	in := v.pair(p)
	if status := v.signalled(in.Token, "Ristorante Quintavalle is closed tonight because of a burst pipe"); status != http.StatusAccepted {
		t.Fatalf("the signal was answered %d", status)
	}
	if status := v.signalled(in.Token, "Café Škvorecký is closed tomorrow"); status != http.StatusAccepted {
		t.Fatalf("the signal was answered %d", status)
	}
	for path, body := range map[string]string{
		"/api/signals":  `{"signal_type":"news","topic":"Ostrobothnia","content":"Trains to Ostrobothnia are late","metadata":{"Wivenhoe":"Ostrobothnia","type":"Wivenhoe"}}`,
		"/api/messages": `{"text":"Ostrobothnia is lovely","topic":"Wivenhoe trips","metadata":{"Wivenhoe":{"kind":"Ostrobothnia"}}}`,
	} {
		if status, text, err := v.ask(http.MethodPost, path, body, "Authorization: Bearer "+in.Token); err != nil || status != http.StatusAccepted {
			t.Fatalf("%s was answered %d %s, %v", path, status, text, err)
		}
	}
	for _, words := range []string{
		"hello", "remind me of the journey to Ostrobothnia tomorrow at 8", "what is on your mind about Ostrobothnia?", "remind me: dinner at Ristorante Quintavalle with Olga Brodsky tomorrow at 19:30", "remind me: tea at Café Škvorecký tomorrow at 17:00", "what is on your mind?",
		"remember that Olga Brodsky likes pomegranate juice", "what does Olga Brodsky like?", "add pomegranate juice to the shopping list",
		"what is on the shopping list?", "warm the room marmolada to 21 degrees", "remind me every friday to call Mr Kowalczyk at 7pm",
		"what have I planned?", "forget what Olga Brodsky likes", "who is Kowalczyk, and why does the weather in Reykjavik matter?", "why?",
	} {
		v.chalie("say", words)
	}
	v.stop()

	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(v.data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	said, err := log.Select(t.Context(), domain.Selector{Topic: domain.TopicMessages}, 1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var traces []domain.TraceID
	for _, rec := range said {
		if rec.Envelope.Type == "message.received" {
			traces = append(traces, rec.Envelope.Trace)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if len(traces) < 12 {
		t.Fatalf("there are %d traces", len(traces))
	}
	for i, trace := range traces {
		bundle := filepath.Join(dir, "bundle")
		out, err := chalieProcess(t, "export", "--repro", trace.String(), "--out", bundle, "--data", v.data).CombinedOutput()
		if err != nil {
			t.Errorf("trace %d: %v\n%s", i, err, out)
			continue
		}
		text, err := os.ReadFile(bundle)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range secrets {
			if bytes.Contains(bytes.ToLower(text), []byte(name)) {
				t.Errorf("the bundle of trace %d names %s", i, name)
			}
		}
	}
}
