package web_test

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay"
)

const traceID = "01KB2V7WYQC3V8P0J6R4T5N9XE"

// listed answers a search of traces with one line, and its fields besides.
func listed(fields, next string) string {
	return `{"traces":[{"trace_id":"` + traceID + `","envelopes":5,"started_at":1,"updated_at":61001,` + fields + `}],"next":` + next + `,"back":1000}`
}

func mentions(t *testing.T, what, body string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(body, want) {
			t.Errorf("%s: %q is missing in\n%s", what, want, body)
		}
	}
}

func TestTraces(t *testing.T) {
	const message = `"root":{"type":"message.received","source":"ws","principal":"operator"},"outcome":"done","concluded":"responded","came_in":"what's up?","came_to":"The sky.","tools":["gaze"],"cost_micros":4200,"tokens":1000,"errors":2`
	const signal = `"root":{"type":"signal.received","source":"api","principal":"01KB2V7WYQC3V8P0J6R4T5N9XF"},"outcome":"done","came_in":"rain: heavy","tools":[]`
	for _, c := range []struct {
		name, answer string
		wants        []string
	}{
		{"answered", listed(message, "0"), []string{"You said:", "what&#39;s up?", "Chalie answered:", "The sky.", ">answered<", "1m1s", "5 steps", "gaze", "0.42 ¢", "2 errors", `href="/traces/` + traceID + `"`, `value="gaze"`}},
		{"heard", listed(signal, "0"), []string{"Weather &lt;b&gt; signalled:", "rain: heavy", "keeps it in mind", "Signal from"}},
		{"going on", listed(`"root":{"type":"spine.signal_emitted","principal":"idle"},"outcome":"open","came_to":"not yet"`, "0"), []string{"Chalie noticed", "It is still going on.", ">going on<"}},
		{"failed", listed(`"root":{"type":"tool.invoked","principal":"01KB2V7WYQC3V8P0J6R4T5N9XG"},"outcome":"failed","came_to":"no answer"`, "0"), []string{"An interface that was removed used a tool", "It failed:", "no answer"}},
		{"kept back", listed(`"root":{"type":"spine.signal_emitted"},"outcome":"done","concluded":"held","came_to":"held"`, "0"), []string{"Chalie thought, and told you nothing.", ">kept to itself<"}},
		{"hostile", listed(`"root":{"type":"message.received"},"outcome":"done","concluded":"surfaced","came_in":`+quoted(t, hostile)+`,"came_to":`+quoted(t, hostile), "0"), []string{"Chalie told you:", "&lt;/script&gt;"}},
		{"more", listed(signal, "44"), []string{`href="/traces?before=44"`, "Search further back", "Searched back to"}},
		{"nothing yet", `{"traces":[],"next":0}`, []string{"Nothing happened yet"}},
	} {
		api := &fakeAPI{session: true, answers: map[string]string{"/api/traces": c.answer, "/api/apps": `[{"id":"01KB2V7WYQC3V8P0J6R4T5N9XF","name":"weather <b>"}]`, "/api/streams": `{"streams":[]}`, "/api/tokens": `{"tokens":[]}`}}
		w := get(t, newSite(t, api), "/traces")
		mentions(t, c.name, w.Body.String(), c.wants...)
		if strings.Contains(w.Body.String(), "<img src=x") {
			t.Errorf("%s: a text became HTML", c.name)
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// What the form has is asked of the API, and stays in the addresses of other pages.
func TestLookForTraces(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "limit=50&texts=true",
		"q=+two+words+&outcome=failed&root=": "limit=50&outcome=failed&texts=true&words=two+words",
		"errors=true&before=44":              "before=44&errors=true&limit=50&texts=true",
		"since=2026-03-17&until=2026-03-17":  "limit=50&since=2026-03-17T00%3A00%3A00Z&texts=true&until=2026-03-18T00%3A00%3A00Z",
		"since=2d&source=a&tool=b":           "limit=50&since=2d&source=a&texts=true&tool=b",
	} {
		api := &fakeAPI{session: true, answers: map[string]string{"/api/traces": `{"traces":[],"next":9,"back":5}`, "/api/apps": `[]`, "/api/streams": `{"streams":[]}`, "/api/tokens": `{"tokens":[]}`}}
		w := get(t, newSite(t, api), "/traces?"+in)
		if got := api.asked[0].URL.RawQuery; got != want {
			t.Errorf("%s: asked for %s, want %s", in, got, want)
		}
		values, err := url.ParseQuery(in)
		if err != nil {
			t.Fatal(err)
		}
		for name := range values {
			if text := strings.TrimSpace(values.Get(name)); text != "" && name != "before" {
				mentions(t, in, html.UnescapeString(w.Body.String()), name+"="+url.QueryEscape(text))
			}
		}
		mentions(t, in, w.Body.String(), "Nothing so far", "before=9")
	}
	site := newSite(t, &fakeAPI{session: true})
	for in, to := range map[string]string{traceID: "/traces/" + traceID, "pos:42": "/traces/pos:42", "018f3ad2-3f57-7b3f-b421-6dc9a59e94ee": "/traces/01HWXD4FTQFCZV88BDS6JSX57E"} {
		if w := get(t, site, "/traces?q="+in); w.Code != http.StatusSeeOther || w.Header().Get("Location") != to {
			t.Errorf("%s: %d to %q", in, w.Code, w.Header().Get("Location"))
		}
	}
}

// stepsAnswer is a trace of three steps, of which the second stands for five.
func stepsAnswer(t *testing.T, text string, at, next domain.Position) string {
	t.Helper()
	trace, err := domain.ParseID(traceID)
	if err != nil {
		t.Fatal(err)
	}
	var steps []any
	for i := range 3 {
		lin := domain.Begin(domain.TraceID{ID: trace}, domain.PrincipalOperator)
		if i == 0 {
			lin.Parent = domain.ID{15: 99}
		}
		entry, err := domain.New(lin, domain.ID{15: byte(i + 1)}, 1000, "api", domain.SteerReceived{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		s := replay.Step{Record: domain.Record{Position: domain.Position(10*i + 7), Topic: entry.Topic, RecordedAt: domain.Millis(1000 + 500*i), Envelope: entry.Envelope}, Depth: i, Until: 2000}
		if i == 1 {
			s.Like, s.Through = 4, 26
		}
		steps = append(steps, struct {
			replay.Step
			Gist string `json:"gist"`
		}{s, text})
	}
	out, err := json.Marshal(map[string]any{"at": at, "next": next, "steps": steps, "trace": map[string]any{
		"trace_id": trace, "root": map[string]any{"type": "signal.received", "envelope_id": trace, "principal": "operator"}, "envelopes": 1200, "first": 7,
		"started_at": 1000, "updated_at": 2000, "outcome": "done", "came_in": text}})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTrace(t *testing.T) {
	const steps = "/api/traces/" + traceID + "/steps"
	api := &fakeAPI{session: true, answers: map[string]string{
		steps: stepsAnswer(t, hostile, 0, 40), "/api/apps": `[]`, "/api/streams": `{"streams":[]}`, "/api/tokens": `{"tokens":[]}`, "/api/traces/pos:17/steps": stepsAnswer(t, "x", 17, 0),
	}}
	site := newSite(t, api)
	body := get(t, site, "/traces/"+traceID).Body.String()
	mentions(t, "the page", body, "<h1>Signal</h1>", `id="at-7"`, `class="depth-2"`, `data-left="500"`, `data-wide="500"`, "+500 ms", "&lt;img src=x", "× 5", "1,200 steps",
		`data-members="/traces/`+traceID+`?alike=17&amp;from=17&amp;through=26"`, `href="/traces/`+traceID+`?from=40"`, "what caused it", "/api/log?from=7&amp;limit=1", "/why-not/", "<dt>Text</dt>")
	if strings.Contains(body, "<img src=x") || strings.Contains(body, "<details open") || strings.Contains(body, "From its beginning") {
		t.Errorf("a payload became HTML, or a row is open\n%s", body)
	}
	opened := get(t, site, "/traces/"+traceID+"?at=27").Body.String()
	mentions(t, "what is looked at", opened, "<details open>")
	if asked := api.asked[len(api.asked)-4].URL.RawQuery; asked != "keep=27&limit=200" {
		t.Errorf("asked for %s", asked)
	}
	get(t, site, "/traces/"+traceID+"?at=50") // further on than the first page
	if asked := api.asked[len(api.asked)-4].URL.RawQuery; asked != "from=50&keep=50&limit=200" {
		t.Errorf("asked for %s", asked)
	}
	run := get(t, site, "/traces/"+traceID+"?alike=7&from=17&through=26&part=run").Body.String()
	mentions(t, "a run", run, `href="/traces/`+traceID+`?alike=7&amp;from=40&amp;through=26"`)
	if strings.Contains(run, "<html") {
		t.Errorf("the run is\n%s", run)
	}
	if w := get(t, site, "/traces/pos:17"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/traces/"+traceID+"?at=17#at-17" {
		t.Errorf("an envelope: %d to %s", w.Code, w.Header().Get("Location"))
	}
	if w := get(t, site, "/traces/nothing"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown trace: %d", w.Code)
	}
}

// What a silent cycle had considered stands below its one step, or why nobody knows.
func TestTraceOfASilentCycle(t *testing.T) {
	const steps = "/api/traces/" + traceID + "/steps"
	api := &fakeAPI{session: true, answers: map[string]string{"/api/apps": `[]`, "/api/streams": `{"streams":[]}`, "/api/tokens": `{"tokens":[]}`}}
	site := newSite(t, api)
	shows := func(considered string, wants ...string) {
		t.Helper()
		api.answers[steps] = strings.TrimSuffix(stepsAnswer(t, "x", 0, 0), "}") + `,"considered":` + considered + "}"
		mentions(t, considered, get(t, site, "/traces/"+traceID).Body.String(), append(wants, "What it had considered")...)
	}
	shows(`{"items":[{"envelope_id":"01KDWPVNG0E00R000000000001","position":4,"says":`+quoted(t, hostile)+`,"in_mind":true,"gate":"unrelated","words":"nothing planned has to do with it"}]}`,
		"<p><span dir=\"auto\">&lt;/script&gt;", "Nothing planned has to do with it.", `href="/why-not/01KDWPVNG0E00R000000000001"`)
	shows(`{"items":[{"envelope_id":"01KDWPVNG0E00R000000000001","says":"(no longer in the log)","words":"it had faded"}]}`, "It had faded.</span></p>")
	shows(`{"items":[],"lost":"the one before is gone"}`, "The one before is gone.")
	shows(`{"items":[]}`, "There was nothing to consider.")
}

// What can't be understood of the form is told in the form, which stays as it was.
func TestTracesLookCantBeUnderstood(t *testing.T) {
	site := newSite(t, mistakenSince{&fakeAPI{account: true, session: true, answers: map[string]string{"/api/apps": "[]", "/api/streams": `{"streams":[]}`, "/api/tokens": `{"tokens":[]}`}}})
	w := get(t, site, "/traces?since=yesterday&q=oven")
	if w.Code != http.StatusBadRequest {
		t.Errorf("the answer is %d", w.Code)
	}
	mentions(t, "the page", w.Body.String(), "“From”: “yesterday” is no day.", `value="oven"`, `action="/traces"`)
}

// mistakenSince refuses a since as the API does.
type mistakenSince struct{ http.Handler }

func (m mistakenSince) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/traces" && r.URL.Query().Get("since") == "yesterday" {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"since is \"yesterday\": give a time","code":"invalid","field":"since"}`)
		return
	}
	m.Handler.ServeHTTP(w, r)
}
