package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"chalie/domain"
)

const heardID = "01KB2V7WYQC3V8P0J6R4T5N9XE"

// logOf is an answer of the API's log with one signal that says something.
func logOf(t *testing.T, content string, next int) string {
	t.Helper()
	return fmt.Sprintf(`{"records":[%s],"next":%d,"tail":7,"held":5}`, recordOf(t, content), next)
}

func recordOf(t *testing.T, content string) string {
	t.Helper()
	id, err := domain.ParseID(heardID)
	if err != nil {
		t.Fatal(err)
	}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, 1_800_000_000_000, "station", domain.SignalReceived{SignalType: "weather", Content: content})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(domain.Record{Position: 5, Topic: entry.Topic, RecordedAt: 1_800_000_000_000, Envelope: entry.Envelope})
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "}") + `,"gist":` + string(told) + "}"
}

func TestLog(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: map[string]string{"/api/log": logOf(t, hostile, 5), "/api/log/" + heardID: recordOf(t, hostile)}}
	site := newSite(t, api)
	w := get(t, site, "/system/log?topic=signals")
	for _, want := range []string{"signal received", `id="p-5"`, "It holds <span id=\"holds\" class=\"number\" data-tail=\"7\">5</span> records", `href="/system/log?before=5&amp;topic=signals" rel="next"`, "part=tail"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is missing in\n%s", want, w.Body)
		}
	}
	asked := api.asked[len(api.asked)-1].URL.Query()
	for name, want := range map[string]string{"order": "newest", "topic": "signals", "limit": "50", "look": "10000", "gist": "true"} {
		if asked.Get(name) != want {
			t.Errorf("%s was asked as %q", name, asked.Get(name))
		}
	}
	whole := get(t, site, "/system/log/"+heardID).Body.String()
	part := get(t, site, "/system/log/"+heardID+"?part=envelope").Body.String()
	for _, body := range []string{w.Body.String(), whole, part} {
		if strings.Contains(body, "<img src=x") || !strings.Contains(body, "&lt;img src=x") {
			t.Errorf("what was said is not shown as text:\n%s", body)
		}
	}
	if strings.Contains(part, "<html") || !strings.Contains(part, "<dt>Signal type</dt>") {
		t.Errorf("the part is\n%s", part)
	}
}

// The times of the form are the person's; what can't be understood is told beside it.
func TestLogAsksInThePersonsZone(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: map[string]string{"/api/log": logOf(t, "rain", 0), "/api/log/pos:1234": recordOf(t, "rain")}}
	site := newSite(t, api)
	fromBerlin(t, site, "/system/log?since=2026-03-17T18:30&trace="+heardID)
	if since := api.asked[len(api.asked)-1].URL.Query().Get("since"); since != "2026-03-17T18:30:00+01:00" {
		t.Errorf("since is asked as %q", since)
	}
	for _, c := range []struct{ to, asks, place string }{
		{"1,234", "/api/log/pos:1234", "/system/log?around=5"},
		{"2026-03-17 18:30", "/api/log?limit=1&since=2026-03-17T18%3A30%3A00%2B01%3A00", "/system/log?around=5"},
		{"90m", "/api/log?limit=1&since=90m", "/system/log?around=5"},
		{"soon", "", ""},
	} {
		before := len(api.asked)
		w := fromBerlin(t, site, "/system/log?to="+url.QueryEscape(c.to))
		if c.place == "" {
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "no position, no id and no time") {
				t.Errorf("%s: %d %s", c.to, w.Code, w.Body)
			}
			continue
		}
		if asked := api.asked[before].URL.RequestURI(); asked != c.asks || w.Header().Get("Location") != c.place {
			t.Errorf("%s: asked %s, led to %q", c.to, asked, w.Header().Get("Location"))
		}
	}
}

func fromBerlin(t *testing.T, site http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Cookie", "chalie_zone=Europe%2FBerlin")
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

func TestLogRefused(t *testing.T) {
	api := &fakeAPI{account: true, session: true, refusals: map[string]int{"/api/log": http.StatusBadRequest}}
	if w := get(t, newSite(t, api), "/system/log?trace=x"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "it can&#39;t be had: try later") || !strings.Contains(w.Body.String(), `value="x"`) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// Only what an export can be narrowed to can be saved.
func TestLogSaves(t *testing.T) {
	site := newSite(t, &fakeAPI{account: true, session: true, answers: map[string]string{"/api/log": logOf(t, "rain", 0)}})
	for query, can := range map[string]bool{"": true, "?since=1h": true, "?trace=" + heardID: true, "?topic=signals": false, "?source=x": false, "?since=1h&trace=" + heardID: false} {
		if has := strings.Contains(get(t, site, "/system/log"+query).Body.String(), "/api/export?"); has != can {
			t.Errorf("%q: %t", query, has)
		}
	}
}

// Who tells whom stands in the picture, and how each is in the list.
func TestSpine(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: map[string]string{
		"/api/log": `{"records":[],"next":0,"tail":1}`,
		"/api/spine": `{"services":[
			{"name":"plans","layer":"capability","emits":["task_state_changed"],"consumes":[],"trigger":"signal","cycle_ms":30000,"ttl_ms":60000,"fail_mode":"nobody thinks about it","state":"dead","why":"has ended: <b>it broke</b>"},
			{"name":"background","layer":"cognitive","emits":[],"consumes":["task_state_changed"],"trigger":"signal","cycle_ms":30000,"ttl_ms":60000,"fail_mode":"x","state":"alive","heartbeat":1800000000000},
			{"name":"telemetry","layer":"embodiment","emits":[],"consumes":[],"trigger":"timer","cycle_ms":86400000,"ttl_ms":60000,"fail_mode":"x","state":"off"}],
			"consumers":[{"name":"background","depth":50,"waiting":3,"running":null,"taken":1234}],"recorded":{"task_state_changed":12},"lost":0,"signals":[]}`,
	}}
	body := get(t, newSite(t, api), "/system/spine?part=spine").Body.String()
	for _, want := range []string{
		"Plans is dead.", "has ended: &lt;b&gt;it broke&lt;/b&gt;", "nobody thinks about it", `class="spine-way dead"`, "task state changed ×12",
		`class="spine-box dead"`, "off, every day", "3 things wait", "There is room for 50", "1,234 taken up", "No service has died",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
	if strings.Contains(body, "<html") || strings.Contains(body, "Every service that runs is alive") {
		t.Errorf("the part is\n%s", body)
	}
}
