package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay"
)

// episodeOf is a trace of three records, each caused by the one before.
func episodeOf(t *testing.T, text string) string {
	t.Helper()
	first := domain.ID{15: 1}
	var records []domain.Record
	parent := domain.ID{}
	for i := range 3 {
		lin := domain.Begin(domain.TraceID{ID: first}, domain.PrincipalOperator)
		lin.Parent = parent
		id := domain.ID{15: byte(i + 1)}
		entry, err := domain.New(lin, id, 1000, "api", domain.SteerReceived{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, domain.Record{Position: domain.Position(i + 7), Topic: entry.Topic, RecordedAt: domain.Millis(1000 + 500*i), Envelope: entry.Envelope})
		parent = id
	}
	out, err := json.Marshal(map[string]any{
		"trace":   map[string]any{"trace_id": first, "root": map[string]any{"type": "message.received", "source": "api"}, "envelopes": 4, "started_at": 1000, "updated_at": 2000, "outcome": "done"},
		"records": records, "next": 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTrace(t *testing.T) {
	id := domain.ID{15: 1}.String()
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/traces/" + id + "?limit=200": episodeOf(t, hostile)}})
	w := get(t, site, "/traces/"+id)
	for _, want := range []string{"<h1>message received</h1>", `class="depth-1"`, `class="depth-2"`, `data-left="500"`, "+500 ms", `\u003cimg src=x`, "?from=10", "of 4"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is missing in\n%s", want, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "<img src=x") {
		t.Error("a payload became HTML")
	}
	if w := get(t, site, "/traces/nothing"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown trace: %d", w.Code)
	}
}

func TestTraces(t *testing.T) {
	const line = `{"trace_id":"01KB2V7WYQC3V8P0J6R4T5N9XE","root":{"type":"spine.signal_emitted","source":"idle"},"envelopes":5,"errors":2,"started_at":1,"updated_at":61001,"outcome":"done"}`
	api := &fakeAPI{session: true, answers: map[string]string{
		"/api/traces?limit=50":           `{"traces":[` + line + `],"next":44}`,
		"/api/traces?before=44&limit=50": `{"traces":[],"next":0}`,
	}}
	site := newSite(t, api)
	w := get(t, site, "/traces")
	for _, want := range []string{"spine signal emitted", "2 errors", "1m1s", `href="/traces?before=44"`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is missing in\n%s", want, w.Body)
		}
	}
	if w := get(t, site, "/traces?before=44"); !strings.Contains(w.Body.String(), "Nothing happened yet") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

func TestReasons(t *testing.T) {
	id := domain.ID{15: 9}
	why, err := json.Marshal(replay.Explanation{
		Target: replay.Focus{ID: id, Trace: domain.TraceID{ID: id}}, Sentences: []string{"Because of " + hostile},
		Nodes: []replay.Node{{ID: id, Type: "signal.received", Label: hostile, Position: 3, Numbers: replay.Numbers{"salience": .82, "age_ms": 1500}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	silence, err := json.Marshal(replay.Silence{Sentences: []string{"It bears on nothing."}, Surfaced: id,
		Considered: []replay.Considered{{Trace: domain.TraceID{ID: id}, Words: hostile, Numbers: replay.Numbers{"threshold": .15}}}})
	if err != nil {
		t.Fatal(err)
	}
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/why/x": string(why), "/api/why/x?direction=forward": string(why), "/api/why-not/x": string(silence)}})
	for path, wants := range map[string][]string{
		"/why/x":                   {"<h1>Why</h1>", "Because of &lt;/script&gt;", "salience 0.82", "age 1.5 s", `src="/api/why/x?format=svg"`, `href="/why/x?direction=forward"`, `href="/traces/` + id.String()},
		"/why/x?direction=forward": {"<h1>What came of it</h1>", `src="/api/why/x?direction=forward&amp;format=svg"`, `href="/why/x"`},
		"/why-not/x":               {"It bears on nothing.", "threshold 0.15", `href="/why/` + id.String(), "&lt;/script&gt;"},
	} {
		w := get(t, site, path)
		for _, want := range wants {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", path, want, w.Body)
			}
		}
		if strings.Contains(w.Body.String(), "<img src=x") {
			t.Errorf("%s: a text became HTML", path)
		}
	}
}
