package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

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
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"} {
		for _, path := range []string{"/health", "/nowhere", "/auth/setup", "/api/world"} {
			if got := b.call("GET", path, "").header.Get(name); got != want {
				t.Errorf("%s of %s is %q", name, path, got)
			}
		}
	}
}

// TestFixedBesideWildcard asks for names that stand where an id could.
func TestFixedBesideWildcard(t *testing.T) {
	b := newBench(t, settings{})
	id, _ := b.paired("Hospital", 9001, "[]")
	for _, c := range []struct {
		route  string
		status int
		allow  string
	}{
		{"POST /api/interfaces/pair", 400, ""},
		{"GET /api/interfaces/pair", 405, "OPTIONS, POST"},
		{"DELETE /api/interfaces/pair", 405, "OPTIONS, POST"},
		{"GET /api/interfaces/pairing-key", 405, "OPTIONS, POST"},
		{"PUT /api/interfaces", 405, "GET, HEAD, OPTIONS"},
		{"POST /api/interfaces", 405, "GET, HEAD, OPTIONS"},
		{"POST /api/interfaces/paired", 405, "DELETE, GET, HEAD, OPTIONS"},
		{"POST /api/interfaces/" + id, 405, "DELETE, GET, HEAD, OPTIONS"},
		{"GET /api/interfaces/" + id, 200, ""},
		{"HEAD /api/interfaces/" + id, 200, ""},
		{"OPTIONS /api/interfaces/" + id, 200, "DELETE, GET, HEAD, OPTIONS"},
		{"OPTIONS /api/interfaces/pair", 200, "OPTIONS, POST"},
		{"OPTIONS /nowhere", 404, ""},
		{"GET /api/interfaces/" + id + "/refresh", 405, "OPTIONS, POST"},
		{"POST /api/interfaces/" + id + "/refresh", 200, ""},
		{"POST /api/interfaces/" + id + "/nothing", 404, ""},
		{"POST /api/interfaces/pair/refresh", 400, ""},
		{"POST /api/interfaces/pair/nothing", 404, ""},
		{"POST /api/interfaces/pair/", 404, ""},
		{"GET /api/interfaces/", 404, ""},
	} {
		method, path, _ := strings.Cut(c.route, " ")
		answer := b.socket(method, path, "")
		if answer.status != c.status || c.allow != "" && answer.header.Get("Allow") != c.allow {
			t.Errorf("%s answers %d, Allow %q: %s", c.route, answer.status, answer.header.Get("Allow"), answer.body)
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
		"Messages": func(c *httpapi.Config) { c.Messages = nil }, "Transcript": func(c *httpapi.Config) { c.Transcript = nil },
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
