package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/traces"
)

type page struct {
	Records []domain.Record
	Next    domain.Position
}

func (p page) positions() []domain.Position {
	out := []domain.Position{}
	for _, rec := range p.Records {
		out = append(out, rec.Position)
	}
	return out
}

func TestLog(t *testing.T) {
	b := newBench(t, settings{})
	b.token("station", "[]")                      // 1
	b.socket("POST", "/api/signals", rain)        // 2
	b.clock.Advance(time.Hour)                    //
	b.socket("POST", "/api/signals", rain)        // 3
	b.token("other", "[]")                        // 4
	b.socket("DELETE", "/api/tokens/station", "") // 5
	b.clock.Advance(time.Hour)                    //
	b.socket("POST", "/api/signals", rain)        // 6
	third := b.records(domain.TopicSignals)[1].Envelope.Trace
	at := b.clock.Now().Add(-time.Hour)
	for _, c := range []struct {
		query string
		want  []domain.Position
		next  domain.Position
	}{
		{"", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"from=0", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"from=4", []domain.Position{4, 5, 6}, 7},
		{"from=7", nil, 7},
		{"from=70", nil, 70},
		{"limit=2", []domain.Position{1, 2}, 3},
		{"limit=2&from=3", []domain.Position{3, 4}, 5},
		{"topic=signals", []domain.Position{2, 3, 6}, 7},
		{"topic=signals&limit=1&from=3", []domain.Position{3}, 4},
		{"topic=nothing", nil, 7},
		{"topic=$all&limit=1", []domain.Position{1}, 2},
		{"type=token.issued", []domain.Position{1, 4}, 7},
		{"type=token.issued&limit=1", []domain.Position{1}, 2},
		{"type=token.issued&limit=1&from=2", []domain.Position{4}, 5},
		{"type=token.issued&topic=signals", nil, 7},
		{"type=no.such", nil, 7},
		{"trace=" + third.String(), []domain.Position{3}, 7},
		{"trace=" + third.UUID(), []domain.Position{3}, 7},
		{"trace=" + third.String() + "&topic=accounts", nil, 7},
		{"trace=" + third.String() + "&type=signal.received", []domain.Position{3}, 7},
		{"since=1h", []domain.Position{3, 4, 5, 6}, 7},
		{"since=-1h", []domain.Position{3, 4, 5, 6}, 7},
		{"since=59m", []domain.Position{6}, 7},
		{"since=1d", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"since=" + url.QueryEscape(at.Format(time.RFC3339)), []domain.Position{3, 4, 5, 6}, 7},
		{fmt.Sprintf("since=%d", at.UnixMilli()), []domain.Position{3, 4, 5, 6}, 7},
		{"since=1h&from=5", []domain.Position{5, 6}, 7},
		{"since=%2B1h", nil, 7},
	} {
		t.Run(c.query, func(t *testing.T) {
			var got page
			answer := b.socket("GET", "/api/log?"+c.query, "")
			answer.t = t
			answer.wants(200).read(&got)
			if !slices.Equal(got.positions(), c.want) || got.Next != c.next {
				t.Errorf("positions %v, next %d; want %v, %d", got.positions(), got.Next, c.want, c.next)
			}
			if len(c.want) == 0 && !strings.Contains(answer.body, `"records":[]`) {
				t.Errorf("the answer is %s", answer.body)
			}
		})
	}
}

func TestBadQueries(t *testing.T) {
	b := newBench(t, settings{})
	for path, says := range map[string]string{
		"/api/log?from=x":                      "from is \\\"x\\\"",
		"/api/log?from=-1":                     "from",
		"/api/log?limit=0":                     "limit",
		"/api/log?limit=1001":                  "from 1 to 1000",
		"/api/log?limit=1e2":                   "limit",
		"/api/log?trace=zz":                    "trace",
		"/api/log?since=yesterday":             "since",
		"/api/log?since=12":                    "since",
		"/api/log?wait=31s":                    "30s",
		"/api/log?wait=soon":                   "wait",
		"/api/log?wait=-1s":                    "wait",
		"/api/log?from=%zz":                    "query",
		"/api/world?at=tomorrow":               "at is",
		"/api/world?at=%2B":                    "at",
		"/api/traces?limit=0":                  "limit",
		"/api/traces?before=x":                 "before",
		"/api/traces/x":                        "id is",
		"/api/traces/0?limit=5000":             "id is",
		"/api/log?from=9999999999999999999999": "from",
	} {
		b.socket("GET", path, "").wants(400, says)
	}
}

func TestLogSpansTopicsByType(t *testing.T) {
	b := newBench(t, settings{})
	for range 250 {
		b.socket("POST", "/api/signals", rain).wants(202)
	}
	b.token("station", "[]")
	var got page
	b.socket("GET", "/api/log?type=token.issued&topic=$all&limit=10", "").wants(200).read(&got)
	if !slices.Equal(got.positions(), []domain.Position{251}) || got.Next != 252 {
		t.Errorf("positions %v, next %d", got.positions(), got.Next)
	}
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{})
		poll := func(query string) (<-chan page, <-chan time.Duration) {
			pages, took := make(chan page, 1), make(chan time.Duration, 1)
			began := time.Now()
			go func() {
				var got page
				b.socket("GET", "/api/log?"+query, "").wants(200).read(&got)
				took <- time.Since(began)
				pages <- got
			}()
			return pages, took
		}
		pages, took := poll("wait=20s")
		synctest.Wait()
		time.Sleep(3 * time.Second)
		b.socket("POST", "/api/signals", rain).wants(202)
		if got := <-pages; len(got.Records) != 1 || got.Next != 2 || <-took != 3*time.Second {
			t.Errorf("the poll gave %+v", got)
		}
		pages, took = poll("from=2&wait=20")
		if got := <-pages; len(got.Records) != 0 || got.Next != 2 || <-took != 20*time.Second {
			t.Errorf("the poll for nothing gave %+v", got)
		}
		// What is filtered out doesn't end the wait, and isn't looked at again.
		pages, took = poll("from=2&wait=20s&topic=accounts")
		synctest.Wait()
		b.socket("POST", "/api/signals", rain).wants(202)
		time.Sleep(5 * time.Second)
		b.token("station", "[]")
		if got := <-pages; !slices.Equal(got.positions(), []domain.Position{3}) || <-took != 5*time.Second {
			t.Errorf("the filtered poll gave %+v", got)
		}
	})
}

func TestFollowEndsWithTheLog(t *testing.T) {
	b := newBench(t, settings{})
	done := make(chan told, 1)
	go func() { done <- b.socket("GET", "/api/log?wait=30s", "") }()
	b.must(b.log.Close())
	answer := <-done
	answer.wants(503)
}

func TestFollowEndsWithTheCaller(t *testing.T) {
	b := newBench(t, settings{})
	ctx, cancel := context.WithCancel(t.Context())
	w := httptest.NewRecorder()
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.api.TrustedHandler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/log?wait=30s", nil))
	}()
	cancel()
	<-done
}

func TestTraces(t *testing.T) {
	b := newBench(t, settings{})
	for range 5 {
		b.socket("POST", "/api/signals", rain).wants(202)
	}
	b.socket("POST", "/api/signals", rain, header("Idempotency-Key", "k")).wants(202)
	type line struct {
		TraceID   string `json:"trace_id"`
		Envelopes int
		First     domain.Position
		Last      domain.Position
		Outcome   traces.Outcome
		Root      struct {
			Type     string
			ParentID *string `json:"parent_id"`
		}
	}
	type list struct {
		Traces []line
		Next   domain.Position
	}
	var all, first, rest list
	b.socket("GET", "/api/traces", "").wants(200).read(&all)
	if len(all.Traces) != 6 || all.Next != 0 || all.Traces[0].Envelopes != 2 || all.Traces[0].First != 6 || all.Traces[0].Last != 7 ||
		all.Traces[0].Root.Type != "signal.received" || all.Traces[0].Root.ParentID != nil || all.Traces[0].Outcome != traces.Done {
		t.Fatalf("the traces are %+v", all)
	}
	b.socket("GET", "/api/traces?limit=4", "").wants(200).read(&first)
	b.socket("GET", fmt.Sprintf("/api/traces?limit=4&before=%d", first.Next), "").wants(200).read(&rest)
	if !slices.Equal(append(first.Traces, rest.Traces...), all.Traces) || rest.Next != 0 {
		t.Errorf("in pages: %+v and %+v", first, rest)
	}
	id, err := domain.ParseID(all.Traces[0].TraceID)
	b.must(err)
	for _, spelling := range []string{id.String(), id.UUID(), strings.ReplaceAll(id.UUID(), "-", ""), strings.ToLower(id.String())} {
		var one struct {
			Trace   line
			Records []domain.Record
			Next    domain.Position
		}
		b.socket("GET", "/api/traces/"+spelling, "").wants(200).read(&one)
		if one.Trace != all.Traces[0] || len(one.Records) != 2 || one.Records[1].Envelope.Type != "request.answered" || one.Next != 0 {
			t.Errorf("%s: %+v", spelling, one)
		}
	}
	var half struct {
		Records []domain.Record
		Next    domain.Position
	}
	b.socket("GET", "/api/traces/"+id.String()+"?limit=1", "").wants(200).read(&half)
	if len(half.Records) != 1 || half.Next != 7 {
		t.Errorf("half of it is %+v", half)
	}
	b.socket("GET", "/api/traces/"+b.ids.NewID().UUID(), "").wants(404, "/api/traces")
}

func TestWorldAt(t *testing.T) {
	b := newBench(t, settings{})
	for i := range 7 {
		body := fmt.Sprintf(`{"signal_type":"a","content":"signal %d","topic":"t","activation_energy":0.%d}`, i, i)
		b.socket("POST", "/api/signals", body).wants(202)
	}
	type item struct {
		Label, Gate string
		Salience    json.Number
		AgeSeconds  int `json:"age_seconds"`
		Topic       *string
		SignalType  string      `json:"signal_type"`
		Energy      json.Number `json:"activation_energy"`
	}
	type view struct {
		AsOf     domain.Millis `json:"as_of"`
		Position domain.Position
		Items    []item
		LeftOut  []item `json:"left_out"`
	}
	labels := func(items []item) (out []string) {
		for _, i := range items {
			out = append(out, i.Label+" "+i.Salience.String()+i.Gate)
		}
		return out
	}
	now := b.clock.Now()
	for _, c := range []struct {
		at            string
		asOf          time.Time
		items, gone   []string
		ageOfTheFirst int
	}{
		{"", now, []string{"signal 6 1", "signal 5 1", "signal 4 0.8", "signal 3 0.6", "signal 2 0.4"}, []string{"signal 1 0.2not_in_five", "signal 0 0below_threshold"}, 0},
		{"%2B6h", now.Add(6 * time.Hour), []string{"signal 6 0.6", "signal 5 0.5", "signal 4 0.4", "signal 3 0.3", "signal 2 0.2"}, []string{"signal 1 0.1below_threshold", "signal 0 0below_threshold"}, 21600},
		{"+6h", now.Add(6 * time.Hour), []string{"signal 6 0.6", "signal 5 0.5", "signal 4 0.4", "signal 3 0.3", "signal 2 0.2"}, []string{"signal 1 0.1below_threshold", "signal 0 0below_threshold"}, 21600},
		{"6h", now.Add(6 * time.Hour), []string{"signal 6 0.6", "signal 5 0.5", "signal 4 0.4", "signal 3 0.3", "signal 2 0.2"}, []string{"signal 1 0.1below_threshold", "signal 0 0below_threshold"}, 21600},
		{now.Add(12 * time.Hour).Format(time.RFC3339), now.Add(12 * time.Hour), []string{"signal 6 0.3", "signal 5 0.25", "signal 4 0.2", "signal 3 0.15"},
			[]string{"signal 2 0.1below_threshold", "signal 1 0.05below_threshold", "signal 0 0below_threshold"}, 43200},
		{fmt.Sprint(now.Add(time.Hour).UnixMilli()), now.Add(time.Hour), []string{"signal 6 1", "signal 5 0.890899", "signal 4 0.712719", "signal 3 0.534539", "signal 2 0.356359"},
			[]string{"signal 1 0.17818not_in_five", "signal 0 0below_threshold"}, 3600},
	} {
		t.Run(c.at, func(t *testing.T) {
			var got view
			b.socket("GET", "/api/world?at="+c.at, "").wants(200).read(&got)
			if got.AsOf != domain.MillisOf(c.asOf) || got.Position != 7 {
				t.Errorf("as of %v, position %d", got.AsOf, got.Position)
			}
			if !slices.Equal(labels(got.Items), c.items) || !slices.Equal(labels(got.LeftOut), c.gone) {
				t.Errorf("items %q, left out %q\nwant  %q, left out %q", labels(got.Items), labels(got.LeftOut), c.items, c.gone)
			}
			if first := got.Items[0]; first.AgeSeconds != c.ageOfTheFirst || first.SignalType != "a" || first.Topic == nil || *first.Topic != "t" || first.Energy != "0.6" {
				t.Errorf("the first is %+v", first)
			}
		})
	}
}

// fixedWorld is a world whose items a test chooses.
type fixedWorld struct{ items []domain.Item }

func (w fixedWorld) At(now domain.Millis) (domain.Assembly, domain.Position) {
	return domain.Assembly{AsOf: now, Items: w.items}, 1
}

func TestErasedItem(t *testing.T) {
	var erased domain.ID
	b := newBench(t, settings{change: func(b *bench, cfg *httpapi.Config) {
		e := domaintestSignal(b)
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
		erased = e.ID
		_, err := b.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: domain.TopicSignals, Envelope: e}}})
		b.must(err)
		cfg.World = fixedWorld{[]domain.Item{{Candidate: domain.Candidate{Kind: domain.ItemSignal, EnvelopeID: erased}, Salience: 123456}}}
	}})
	b.socket("GET", "/api/world", "").wants(200, `"label":"(erased)"`, `"salience":0.123456`, erased.String(), `"left_out":[]`)
}

func domaintestSignal(b *bench) domain.Envelope {
	entry, err := domain.New(domain.Begin(b.ids.NewTrace(), "station"), b.ids.NewID(), domain.MillisOf(b.clock.Now()), "station",
		domain.SignalReceived{SignalType: "a", Content: "b"})
	b.must(err)
	return entry.Envelope
}

func TestHealth(t *testing.T) {
	state := httpapi.Health{Reason: "folding the log"}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Health = func(context.Context) httpapi.Health { return state }
	}})
	b.call("GET", "/health", "").wants(200, `"status":"ok"`, `"version":"1.2.3"`, `"ready":false`, `"services":{}`, `"resources":{}`)
	b.call("GET", "/ready", "").refusesReady(t, "folding the log")
	state = httpapi.Health{Ready: true, Services: map[string]httpapi.Service{"log": {Ready: true, Detail: "durable"}}, Resources: map[string]any{"tail": 7}}
	want := `"services":{"log":{"ready":true,"detail":"durable"}},"resources":{"tail":7}`
	b.call("GET", "/health", "").wants(200, want, `"ready":true`)
	b.call("POST", "/health", `{"timezone":"UTC"}`).wants(200, want)
	b.call("GET", "/ready", "").wants(200, `{"ready":true}`)
}

func (a told) refusesReady(t *testing.T, reason string) {
	t.Helper()
	if a.status != 503 || !strings.Contains(a.body, `"ready":false`) || !strings.Contains(a.body, reason) {
		t.Errorf("answered %d %s", a.status, a.body)
	}
}

func TestProjectionRoute(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("POST", "/api/signals", rain).wants(202)
	b.socket("GET", "/api/world", "").wants(200)
	var out struct {
		Projections []struct {
			Name, State, Error string
			Version            int
			Position           domain.Position
		}
	}
	b.socket("GET", "/api/projections", "").wants(200).read(&out)
	if len(out.Projections) != 3 || out.Projections[0].Name != "accounts" || out.Projections[2].Position != 1 || out.Projections[0].State != "live" {
		t.Errorf("the projections are %+v", out)
	}
	b = newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Projections = func(context.Context) []projections.Status {
			return []projections.Status{{Name: "world", State: projections.StateStopped, Err: errors.New("at position 7: no decoder")}}
		}
	}})
	b.socket("GET", "/api/projections", "").wants(200, "at position 7: no decoder", `"stopped"`)
}

func TestVerify(t *testing.T) {
	var report httpapi.Verification
	var fail error
	var b *bench
	b = newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Verify = func(_ context.Context, progress func(done, total domain.Position)) (httpapi.Verification, error) {
			for done := range domain.Position(10) {
				b.clock.Advance(100 * time.Millisecond)
				progress(done+1, 10)
			}
			return report, fail
		}
	}})
	lines := func(body string) (out []map[string]any) {
		scan := bufio.NewScanner(strings.NewReader(body))
		for scan.Scan() {
			var line map[string]any
			b.must(json.Unmarshal(scan.Bytes(), &line))
			out = append(out, line)
		}
		return out
	}
	report = httpapi.Verification{Records: 10}
	answer := b.socket("GET", "/api/verify", "").wants(200)
	got := lines(answer.body)
	if len(got) != 6 || got[0]["position"] != 2.0 || got[0]["tail"] != 10.0 || got[0]["rate"] != 10.0 {
		t.Errorf("the lines are %v", got)
	}
	if last := got[len(got)-1]; last["ok"] != true || last["records"] != 10.0 || len(last["problems"].([]any)) != 0 {
		t.Errorf("the last line is %v", last)
	}
	if answer.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("the content type is %q", answer.header.Get("Content-Type"))
	}
	report = httpapi.Verification{Records: 9, Problems: []httpapi.Problem{{Position: 4, Error: "damaged"}}}
	got = lines(b.socket("GET", "/api/verify", "").wants(200).body)
	if last := got[len(got)-1]; last["ok"] != false || fmt.Sprint(last["problems"]) != "[map[error:damaged position:4]]" {
		t.Errorf("the last line is %v", last)
	}
	// A walk that can't go on must not look like one that ended.
	fail = errors.New("the log is closed")
	server := httptest.NewServer(b.api.TrustedHandler())
	defer server.Close()
	resp, err := http.Get(server.URL + "/api/verify")
	b.must(err)
	defer resp.Body.Close()
	var text strings.Builder
	if _, err := bufio.NewReader(resp.Body).WriteTo(&text); err == nil || strings.Contains(text.String(), `"ok"`) {
		t.Errorf("a broken walk ended in order: %v, %s", err, text.String())
	}
}

func TestRoutes(t *testing.T) {
	b := newBench(t, settings{})
	b.call("GET", "/nowhere", "").wants(404, "/nowhere")
	b.call("GET", "/api/signals/", "").wants(404)
	b.call("POST", "/api/signals/x", rain).wants(404)
	if a := b.call("GET", "/api/signals", "").wants(405, "GET", "Allow"); !strings.Contains(a.header.Get("Allow"), "POST") {
		t.Errorf("Allow is %q", a.header.Get("Allow"))
	}
	b.call("PUT", "/api/world", "").wants(405)
	if a := b.call("HEAD", "/health", ""); a.status != 200 {
		t.Errorf("HEAD answers %d", a.status)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY"} {
		for _, path := range []string{"/health", "/nowhere", "/setup", "/api/world"} {
			if got := b.call("GET", path, "").header.Get(name); got != want {
				t.Errorf("%s of %s is %q", name, path, got)
			}
		}
	}
}

func TestPanic(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Health = func(context.Context) httpapi.Health { panic("the secret is 42") }
	}})
	answer := b.call("GET", "/health", "").wants(500, "inside Chalie")
	if strings.Contains(answer.body, "42") || !strings.Contains(b.trail.String(), "the secret is 42") {
		t.Errorf("told %s, logged %s", answer.body, b.trail.String())
	}
}

func TestUnknownFailure(t *testing.T) {
	b := newBench(t, settings{})
	b.door.shut(errors.New("the secret is 42"))
	answer := b.socket("POST", "/api/signals", rain).wants(500)
	if strings.Contains(answer.body, "42") || !strings.Contains(b.trail.String(), "the secret is 42") {
		t.Errorf("told %s, logged %s", answer.body, b.trail.String())
	}
}

func TestConfig(t *testing.T) {
	good := newBench(t, settings{}).cfg
	for name, change := range map[string]func(*httpapi.Config){
		"Signals": func(c *httpapi.Config) { c.Signals = nil }, "Accounts": func(c *httpapi.Config) { c.Accounts = nil },
		"Log": func(c *httpapi.Config) { c.Log = nil }, "World": func(c *httpapi.Config) { c.World = nil },
		"Traces": func(c *httpapi.Config) { c.Traces = nil }, "Clock": func(c *httpapi.Config) { c.Clock = nil },
		"Applied": func(c *httpapi.Config) { c.Applied = nil }, "Health": func(c *httpapi.Config) { c.Health = nil },
		"Projections": func(c *httpapi.Config) { c.Projections = nil }, "Verify": func(c *httpapi.Config) { c.Verify = nil },
		"bounds": func(c *httpapi.Config) { c.MaxBodyBytes = -1 },
	} {
		cfg := good
		change(&cfg)
		if _, err := httpapi.New(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestServer(t *testing.T) {
	b := newBench(t, settings{})
	ctx, stop := context.WithCancel(t.Context())
	s := httpapi.NewServer(ctx, b.api.TrustedHandler(), b.cfg.Logger)
	if s.ReadHeaderTimeout == 0 || s.ReadTimeout == 0 || s.WriteTimeout == 0 || s.IdleTimeout == 0 || s.MaxHeaderBytes == 0 {
		t.Errorf("the server is unbounded: %+v", s)
	}
	server := httptest.NewUnstartedServer(nil)
	server.Config = s
	server.Start()
	defer server.Close()
	// Cancelling the context ends a poll that would last.
	done := make(chan int, 1)
	go func() {
		resp, err := http.Get(server.URL + "/api/log?wait=30s")
		if err != nil {
			done <- 0
			return
		}
		resp.Body.Close()
		done <- resp.StatusCode
	}()
	stop()
	if status := <-done; status != 0 && status != 200 && status != 503 {
		t.Errorf("the poll ended with %d", status)
	}
}
