package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chalie/adapters/httpapi"
	"chalie/adapters/httpapi/openapi/openapitest"
	"chalie/replay/player"
)

// FuzzHandlers sends anything to any route, as a stranger and as the operator.
// Every answer is an orderly one, and what a stranger sends leaves nothing.
func FuzzHandlers(f *testing.F) {
	for _, route := range []string{
		"GET /health", "POST /health", "GET /ready", "GET /auth/status", "POST /auth/register", "POST /auth/login", "POST /auth/logout",
		"GET /auth/setup", "POST /api/signals", "POST /api/signals/batch", "GET /api/world", "GET /api/as-of", "GET /api/what-if", "GET /api/log", "GET /api/log/pos:1", "GET /api/traces",
		"GET /api/traces/0", "GET /api/traces/0/steps", "GET /api/why/last", "GET /api/why-not/last", "GET /api/why/0", "GET /api/tokens", "POST /api/tokens", "DELETE /api/tokens/x", "GET /api/verify", "POST /api/replay", "GET /api/export", "GET /api/projections", "GET /x",
		"GET /api/account", "GET /api/sessions", "DELETE /api/sessions", "DELETE /api/sessions/0",
		"POST /api/messages", "POST /api/messages/latest/cancel", "GET /ws", "GET /conversation/recent", "POST /chat/image", "GET /chat/image/0", "GET /chat/image/0/status",
		"GET /chat/vision-capable", "GET /voice/health", "GET /system/observability/tasks", "GET /scheduler", "GET /api/apps",
		"POST /register", "POST /gw/0/signals", "POST /gw/0/messages", "GET /gw/0/context", "GET /gw/0/render", "POST /gw/0/execute",
		"POST /api/interfaces/pairing-key", "POST /api/interfaces/pair", "GET /api/interfaces", "GET /api/interfaces/0",
		"POST /api/interfaces/0/refresh", "DELETE /api/interfaces/0", "GET /api/apps/0", "PUT /api/apps/0/scopes", "POST /api/apps/0/refresh", "DELETE /api/apps/0",
		"GET /api/tools", "POST /api/tools/cancel_appointment/invoke", "GET /api/streams", "POST /api/streams", "DELETE /api/streams/0",
	} {
		method, path, _ := strings.Cut(route, " ")
		f.Add(method, path, "", "", "", rain)
		f.Add(method, path, "limit=1&from=2&at=+6h&since=1d&topic=$all&type=x&before=3&order=newest&until=1h&look=2&key="+setupKey, "application/x-www-form-urlencoded", "k", "key="+setupKey+"&username=a&password=12345678")
		f.Add(method, path, "from=%zz", "application/json", strings.Repeat("k", 300), `{"username":"ada","password":"12345678"}`)
	}
	b := newBench(f, settings{perMinute: 5, change: func(_ *bench, cfg *httpapi.Config) {
		cfg.MaxWait = time.Millisecond
		cfg.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() } // guesses would wait for their turn
		cfg.Replay = func(context.Context, player.Request, func(player.Progress)) (player.Report, error) {
			return player.Report{}, nil
		}
	}})
	for mediaType, picture := range pictures(f) {
		body, contentType := form(f, part{"image", "a", mediaType, picture})
		f.Add("POST", "/chat/image", "", contentType, "", body)
		f.Add("POST", "/chat/image", "", mediaType, "", picture)
		f.Add("GET", "/chat/image/"+b.uploaded(picture), "", "", "", "")
	}
	f.Add("POST", "/api/messages", "", "application/json", "k", moved)
	f.Add("GET", "/conversation/recent", "limit=100&offset=1", "", "", "")
	seedInterfaces(f, b)
	f.Fuzz(func(t *testing.T, method, path, query, contentType, key, body string) {
		if !strings.HasPrefix(path, "/") || len(body) > 1<<16 {
			return
		}
		send := func(h http.Handler, opts ...with) (*httptest.ResponseRecorder, bool) {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://example.com/", strings.NewReader(body))
			if err != nil {
				return nil, false
			}
			r.URL = &url.URL{Path: path, RawQuery: query}
			r.RemoteAddr = "192.0.2.1:1234"
			r.Header.Set("Content-Type", contentType)
			r.Header.Set("Idempotency-Key", key)
			for _, opt := range opts {
				opt(r)
			}
			w := httptest.NewRecorder()
			openapitest.Checked(t, h).ServeHTTP(w, r)
			return w, true
		}
		tail := b.log.Tail()
		w, ok := send(b.api.API.Handler())
		if !ok {
			return
		}
		orderly(t, w)
		if made := b.log.Tail() - tail; made > 2 || made > 0 && !strings.Contains(body, setupKey) && path != "/auth/login" && path != "/api/interfaces/pair" {
			t.Errorf("a stranger's %s %s left %d records", method, path, made)
		}
		w, _ = send(b.api.API.Handler(), fromHere)
		orderly(t, w)
		w, _ = send(b.api.API.TrustedHandler())
		orderly(t, w)
	})
}

// seedInterfaces makes a paired and a registered interface, and seeds what may be
// done with them.
func seedInterfaces(f *testing.F, b *bench) {
	b.paired("Hospital", 9002, "[]")
	id := b.registered(`{"context":{"location":true},"signals":{"weather_forecast":true,"context_update":true},"messages":{"health":true}}`)
	const call = `{"capability":"x","params":{"id":"7"}}`
	for _, seed := range []struct{ method, path, body string }{
		{"POST", "/register", portal}, {"POST", "/api/interfaces/pair", pairingBody("guess")},
		{"POST", "/gw/" + id + "/signals", rain}, {"POST", "/gw/" + id + "/signals", `{"signal_type":"context_update","content":{"energy":1}}`},
		{"POST", "/gw/" + id + "/messages", `{"text":"a","topic":null,"metadata":null}`}, {"GET", "/gw/" + id + "/context", ""},
		{"GET", "/gw/" + id + "/render", ""}, {"POST", "/gw/" + id + "/execute", call},
		{"PUT", "/api/apps/" + id + "/scopes", `{"approved_scopes":{"context":{"location":true,"energy":false}}}`},
		{"GET", "/api/apps/" + id, ""}, {"GET", "/api/interfaces/" + id, ""}, {"POST", "/api/interfaces/" + id + "/refresh", ""},
		{"POST", cancel, `{"params":{"id":"7"}}`}, {"POST", "/api/streams", `{"url":"ws://127.0.0.1:9000/feed","source":"nasdaq"}`},
		{"POST", "/health", `{"location":{"lat":35.9,"lon":14.5},"timezone":"Europe/Malta","device":{"class":"x"},"energy":0.5,"attention":"focused"}`},
	} {
		f.Add(seed.method, seed.path, "", "application/json", "", seed.body)
	}
}

// orderly is JSON, an interface's page or an image, and no failure of ours.
func orderly(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	body := w.Body.Bytes()
	switch kind := w.Header().Get("Content-Type"); {
	case w.Code >= 500:
		t.Errorf("answered %d: %s", w.Code, body)
	case strings.HasPrefix(kind, "image/"):
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("an image may do things: %v", w.Header())
		}
	case !utf8.Valid(body):
		t.Errorf("the answer is not UTF-8: %q", body)
	case w.Header().Get("X-Content-Type-Options") != "nosniff":
		t.Errorf("the answer lacks its headers: %v", w.Header())
	case w.Code >= 400 && kind == "application/json":
		var refusal struct{ Error string }
		if err := json.Unmarshal(body, &refusal); err != nil || refusal.Error == "" {
			t.Errorf("the refusal is %q", body)
		}
	case kind == "application/json" && !json.Valid(body):
		t.Errorf("the answer is %q", body)
	}
}
