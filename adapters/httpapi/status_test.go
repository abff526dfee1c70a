package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/projections"
)

func TestHealth(t *testing.T) {
	state := httpapi.Health{Reason: "folding the log"}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Health = func(context.Context) httpapi.Health { return state }
	}})
	b.call("GET", "/health", "").wants(200, `"status":"ok"`, `"version":"1.2.3"`, `"ready":false`, `"services":{}`, `"resources":{}`)
	b.call("GET", "/ready", "").refusesReady(t, "folding the log")
	state = httpapi.Health{Ready: true, Services: map[string]api.Service{"log": {Ready: true, Detail: "durable"}}, Resources: map[string]api.Resource{
		"tail": {Service: api.Service{Ready: true, Detail: "seven"}, Position: 7},
	}}
	want := `"services":{"log":{"ready":true,"detail":"durable"}},"resources":{"tail":{"ready":true,"detail":"seven","position":7}}`
	b.call("GET", "/health", "").wants(200, want, `"ready":true`)
	b.call("POST", "/health", `{"timezone":"UTC"}`).wants(200, want)
	b.call("GET", "/ready", "").wants(200, `{"ready":true}`)
}

// behind are projections that have not caught up in time.
type behind struct{}

func (behind) WaitFor(context.Context, domain.Position) error { return context.DeadlineExceeded }

// TestStrangerWhileFolding comes before the accounts are known: who shows a
// token or a cookie may be let in soon, and who shows none never is.
func TestStrangerWhileFolding(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Applied = behind{} }})
	for _, shown := range []with{bearer("good"), cookie("good")} {
		b.call("GET", "/api/world", "", shown).wants(503, "still reading its log", `"code":"starting"`)
	}
	b.call("GET", "/api/world", "").wants(401)
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
	var out []struct {
		Name, State, Error string
		Version            int
		Position           domain.Position
	}
	b.socket("GET", "/api/projections", "").wants(200).read(&out)
	if len(out) != 10 || out[0].Name != "accounts" || out[2].Position != 1 || out[0].State != "live" {
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
	report = httpapi.Verification{Records: 9, Problems: []api.Problem{{Position: 4, Error: "damaged"}}}
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
