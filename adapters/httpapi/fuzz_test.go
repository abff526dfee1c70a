package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chalie/adapters/httpapi"
)

// FuzzHandlers sends anything to any route, as a stranger and as the operator.
// Every answer is an orderly one, and what a stranger sends leaves nothing.
func FuzzHandlers(f *testing.F) {
	for _, route := range []string{
		"GET /health", "POST /health", "GET /ready", "GET /auth/status", "POST /auth/register", "POST /auth/login", "POST /auth/logout",
		"GET /setup", "POST /setup", "POST /api/signals", "POST /api/signals/batch", "GET /api/world", "GET /api/log", "GET /api/traces",
		"GET /api/traces/0", "GET /api/tokens", "POST /api/tokens", "DELETE /api/tokens/x", "GET /api/verify", "GET /api/projections", "GET /x",
		"POST /api/messages", "GET /ws", "GET /conversation/recent", "POST /chat/image", "GET /chat/image/0", "GET /chat/image/0/status",
		"GET /chat/vision-capable", "GET /voice/health", "GET /system/observability/tasks", "GET /scheduler", "GET /api/apps",
	} {
		method, path, _ := strings.Cut(route, " ")
		f.Add(method, path, "", "", "", rain)
		f.Add(method, path, "limit=1&from=2&at=+6h&since=1d&topic=$all&type=x&before=3&key="+setupKey, "application/x-www-form-urlencoded", "k", "key="+setupKey+"&username=a&password=12345678")
		f.Add(method, path, "from=%zz", "application/json", strings.Repeat("k", 300), `{"username":"ada","password":"12345678"}`)
	}
	b := newBench(f, settings{perMinute: 5, change: func(_ *bench, cfg *httpapi.Config) { cfg.MaxWait = time.Millisecond }})
	for mediaType, picture := range pictures(f) {
		body, contentType := form(f, part{"image", "a", mediaType, picture})
		f.Add("POST", "/chat/image", "", contentType, "", body)
		f.Add("POST", "/chat/image", "", mediaType, "", picture)
		f.Add("GET", "/chat/image/"+b.uploaded(picture), "", "", "", "")
	}
	f.Add("POST", "/api/messages", "", "application/json", "k", moved)
	f.Add("GET", "/conversation/recent", "limit=100&offset=1", "", "", "")
	f.Fuzz(func(t *testing.T, method, path, query, contentType, key, body string) {
		if !strings.HasPrefix(path, "/") || len(body) > 1<<16 {
			return
		}
		send := func(h http.Handler) (*httptest.ResponseRecorder, bool) {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://example.com/", strings.NewReader(body))
			if err != nil {
				return nil, false
			}
			r.URL = &url.URL{Path: path, RawQuery: query}
			r.RemoteAddr = "192.0.2.1:1234"
			r.Header.Set("Content-Type", contentType)
			r.Header.Set("Idempotency-Key", key)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w, true
		}
		tail := b.log.Tail()
		w, ok := send(b.api.Handler())
		if !ok {
			return
		}
		orderly(t, w)
		if made := b.log.Tail() - tail; made > 2 || made > 0 && !strings.Contains(body, setupKey) && path != "/auth/login" {
			t.Errorf("a stranger's %s %s left %d records", method, path, made)
		}
		w, _ = send(b.api.TrustedHandler())
		orderly(t, w)
	})
}

// orderly is JSON, a page or an image, and no failure of ours.
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
