package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// nested is an object that nests so deep.
func nested(deep int) string {
	return strings.Repeat(`{"a":`, deep-1) + "{}" + strings.Repeat("}", deep-1)
}

// Every route that takes a body refuses one that nests too deep, whatever it reads of it
// and whoever sends it, and says what the bound is.
func TestEveryRouteBoundsNesting(t *testing.T) {
	// These read no body, or no JSON, or nothing of it that they don't understand.
	elsewhere := []string{
		"POST /auth/logout", "POST /api/messages/{id}/cancel", "POST /chat/image", "POST /api/voice/stt", "POST /voice/transcribe", "POST /api/interfaces/pairing-key",
		"POST /api/interfaces/{id}/refresh", "POST /api/apps/{id}/refresh", "POST /health",
		"POST /api/projections/rebuild", "POST /api/projections/{name}/rebuild", "POST /api/projections/{name}/rollback", // need a program
		"POST /api/policy/check", // says what is wrong in an answer of its own
	}
	b := newBench(t, settings{})
	id := b.registered(`{"context":{},"signals":{"weather_forecast":true},"messages":{"health":true}}`)
	for _, route := range routes() {
		method, pattern, _ := strings.Cut(route, " ")
		path := strings.NewReplacer("{id}", id, "{name}", "weather").Replace(pattern)
		if method == http.MethodGet || method == http.MethodDelete || slices.Contains(elsewhere, route) {
			continue
		}
		for _, deep := range []int{domain.MaxNesting + 4, 1_000} {
			a := b.socket(method, path, `{"deep":`+nested(deep)+`}`)
			if a.status != http.StatusBadRequest || !strings.Contains(a.body, `"code":"too_nested"`) || !strings.Contains(a.body, "100") {
				t.Errorf("%s %s with a body that nests %d deep is answered %d %.200s", method, pattern, deep, a.status, a.body)
				break
			}
		}
	}
}

// The values that are free nest up to the bound, and no deeper: over each way in alike.
func TestNestingAtTheBound(t *testing.T) {
	b := newBench(t, settings{})
	id := b.registered(`{"context":{},"signals":{"weather_forecast":true},"messages":{"health":true}}`)
	for name, c := range map[string]struct{ path, body string }{
		"a signal":               {"/api/signals", `{"signal_type":"x","content":"c","metadata":%}`},
		"a batch":                {"/api/signals/batch", `[{"signal_type":"x","content":"c","metadata":%}]`},
		"a message":              {"/api/messages", `{"text":"hello","metadata":%}`},
		"an interface's signal":  {"/gw/" + id + "/signals", `{"signal_type":"weather_forecast","content":"c","metadata":%}`},
		"an interface's message": {"/gw/" + id + "/messages", `{"text":"hello","topic":"health","metadata":%}`},
	} {
		for deep, status := range map[int][]int{domain.MaxNesting: {200, 201, 202}, domain.MaxNesting + 1: {400}, 9_998: {400}} {
			a := b.socket("POST", c.path, strings.Replace(c.body, "%", nested(deep), 1))
			if name == "a batch" && deep > domain.MaxNesting && a.status == 200 && strings.Contains(a.body, `"accepted":0`) && strings.Contains(a.body, "more than 100") {
				continue // it says of each signal what is wrong
			}
			if !slices.Contains(status, a.status) || status[0] == 400 && !strings.Contains(a.body, `"code":"too_nested"`) {
				t.Errorf("%s with what nests %d deep is answered %d %.200s", name, deep, a.status, a.body)
			}
		}
	}
	for _, rec := range b.records(domain.TopicSignals) {
		if text, err := json.Marshal(rec); err != nil || strings.Contains(string(text), "json_text") {
			t.Errorf("what is taken in is shown as %.200s, %v", text, err)
		}
	}
}

// A record that nests deeper than anything is taken in was taken in before: it is shown
// as text, and takes nothing else of an answer with it.
func TestADeepRecordIsShownAsText(t *testing.T) {
	b := newBench(t, settings{})
	var ids []string
	for _, deep := range []int{50, 9_998, 9_999, 10_000, 20_000} {
		env, err := domain.New(domain.Begin(domain.TraceID{ID: b.ids.NewID()}, domain.PrincipalOperator), b.ids.NewID(), domain.MillisOf(b.clock.Now()),
			"socket", domain.SignalReceived{SignalType: "x", Content: "c", Metadata: json.RawMessage("{}")})
		b.must(err)
		env.Envelope.Payload.Bytes = []byte(strings.Replace(string(env.Envelope.Payload.Bytes), `"metadata":{}`, `"metadata":`+nested(deep-1), 1))
		b.append(env.Topic, env.Envelope)
		ids = append(ids, env.Envelope.ID.UUID())
	}
	all := b.socket("GET", "/api/log?limit=100", "").wants(200)
	if n := strings.Count(all.body, `"encoding":"json_text"`); n != 4 {
		t.Errorf("%d records are shown as text, want 4", n)
	}
	for _, id := range ids {
		for _, path := range []string{"/api/log/" + id, "/api/traces/" + id, "/api/traces/" + id + "/steps", "/api/why/" + id} {
			if a := b.socket("GET", path, ""); a.status != 200 || !json.Valid([]byte(a.body)) {
				t.Errorf("%s is answered %d %.200s", path, a.status, a.body)
			}
		}
	}
}
