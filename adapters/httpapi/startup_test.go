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
		{"GET", "/health", `{"status":"ok","version":"1.2.3","ready":true,"services":{},"resources":{},"lost_records":0,"attention":null}`},
		{"POST", "/health", `{"status":"ok","version":"1.2.3","ready":true,"services":{},"resources":{},"lost_records":0,"attention":null}`},
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

// TestWhereNothingRuns asks a process that only reads a log.
func TestWhereNothingRuns(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Images, cfg.Interfaces, cfg.Tools, cfg.Streams, cfg.Surroundings, cfg.Presence, cfg.Peer = nil, nil, nil, nil, nil, nil, nil
	}})
	id := b.ids.NewID().UUID()
	for _, route := range []string{
		"POST /chat/image", "GET /chat/image/" + id, "GET /chat/image/" + id + "/status",
		"GET /api/apps", "GET /api/apps/" + id, "PUT /api/apps/" + id + "/scopes", "POST /api/apps/" + id + "/refresh", "DELETE /api/apps/" + id,
		"POST /api/interfaces/pairing-key", "GET /api/interfaces", "GET /api/interfaces/" + id, "POST /api/interfaces/" + id + "/refresh", "DELETE /api/interfaces/" + id,
		"GET /api/tools", "POST /api/tools/x/invoke", "GET /api/streams", "POST /api/streams", "DELETE /api/streams/" + id,
	} {
		method, path, _ := strings.Cut(route, " ")
		b.socket(method, path, "").wants(503, `"code":"not_running"`, "chalie serve")
		b.call(method, path, "").wants(401)
	}
	for _, route := range []string{
		"POST /register", "POST /gw/" + id + "/signals", "POST /gw/" + id + "/messages", "GET /gw/" + id + "/context",
		"GET /gw/" + id + "/render", "POST /gw/" + id + "/execute", "POST /api/interfaces/pair",
	} {
		method, path, _ := strings.Cut(route, " ")
		b.call(method, path, "", fromHere).wants(503, `"code":"not_running"`, "chalie serve")
	}
	// A token is no interface's, and a client has nowhere to tell.
	b.call("POST", "/api/signals", rain, bearer("x")).wants(401)
	b.socket("POST", "/health", `{"attention":"focused"}`).wants(200, `"attention":null`)
	b.socket("POST", "/api/signals", `{"signal_type":"context_update","content":"x","metadata":{"energy":1}}`).wants(202)
}

// TestWithoutPeerOrPresence has interfaces that nobody can ask and nobody watches.
func TestWithoutPeerOrPresence(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Peer, cfg.Tools, cfg.Presence, cfg.StreamStatus = nil, nil, nil, nil
	}})
	id := b.registered("")
	b.socket("GET", "/api/apps", "").wants(200, `"last_seen_at":null`)
	b.call("GET", "/gw/"+id+"/render", "", fromHere).wants(503, `"code":"not_running"`)
	b.call("POST", "/gw/"+id+"/execute", "{}", fromHere).wants(503, `"code":"not_running"`)
	b.call("GET", "/gw/"+id+"/context", "", fromHere).wants(200)
}
