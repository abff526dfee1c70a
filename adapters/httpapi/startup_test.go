package httpapi_test

import (
	"strings"
	"testing"

	"chalie/adapters/httpapi"
)

// TestStartOfAChat asks everything that a chat asks when it starts.
func TestStartOfAChat(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Models, cfg.Vision = []string{"builtin"}, true
	}})
	session := b.settled()
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/auth/status", `{"has_master_account":true,"has_providers":true,"has_session":true}`},
		{"GET", "/ready", `{"ready":true}`},
		{"GET", "/health", `{"status":"ok","version":"1.2.3","ready":true,"services":{},"resources":{},"attention":null}`},
		{"POST", "/health", `{"status":"ok","version":"1.2.3","ready":true,"services":{},"resources":{},"attention":null}`},
		{"GET", "/chat/vision-capable", `{"available":true}`},
		{"GET", "/voice/health", `{"status":"unavailable"}`},
		{"GET", "/conversation/recent?limit=12&offset=0", `{"thread_id":null,"exchanges":[],"total":0,"has_more":false}`},
		{"GET", "/system/observability/tasks", `{"persistent_tasks":[]}`},
		{"GET", "/scheduler?status=pending", `{"items":[]}`},
		{"GET", "/api/apps", `[]`},
	} {
		body := map[string]string{"POST": `{"timezone":"Europe/Malta"}`}[c.method]
		if a := b.call(c.method, c.path, body, cookie(session)).wants(200); strings.TrimSpace(a.body) != c.want {
			t.Errorf("%s %s answers %s, want %s", c.method, c.path, a.body, c.want)
		}
		if a := b.call("DELETE", c.path, "", cookie(session)).wants(405); a.header.Get("Allow") == "" {
			t.Errorf("DELETE %s doesn't say what is allowed", c.path)
		}
	}
	blind := newBench(t, settings{})
	blind.socket("GET", "/chat/vision-capable", "").wants(200, `{"available":false}`)
	blind.socket("GET", "/auth/status", "").wants(200, `"has_providers":false`)
}

// TestImagesWhereNothingRuns asks a process that only reads a log.
func TestImagesWhereNothingRuns(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Images = nil }})
	id := b.ids.NewID().UUID()
	for _, route := range []string{"POST /chat/image", "GET /chat/image/" + id, "GET /chat/image/" + id + "/status"} {
		method, path, _ := strings.Cut(route, " ")
		b.socket(method, path, "").wants(503, `"code":"not_running"`, "chalie serve")
		b.call(method, path, "").wants(401)
	}
}
