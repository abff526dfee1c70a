package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// pipes is a network in memory, so that a bubble's time governs its deadlines.
type pipes struct {
	conns chan net.Conn
	shut  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.shut:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.shut); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// served runs a server over pipes and returns a way to call it.
func served(t *testing.T, b *bench) (call func() net.Conn) {
	t.Helper()
	network := &pipes{conns: make(chan net.Conn), shut: make(chan struct{})}
	server := httpapi.NewServer(context.Background(), b.api.TrustedHandler(), b.cfg.Logger)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(network) }()
	t.Cleanup(func() {
		b.must(server.Close())
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return func() net.Conn {
		here, there := net.Pipe()
		network.conns <- there
		t.Cleanup(func() { _ = here.Close() })
		return here
	}
}

func TestLongRequestsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
			cfg.Verify = func(ctx context.Context, _ func(done, total domain.Position)) (httpapi.Verification, error) {
				select {
				case <-time.After(10 * time.Minute):
					return httpapi.Verification{Records: 7}, nil
				case <-ctx.Done():
					return httpapi.Verification{}, ctx.Err()
				}
			}
		}})
		conn := served(t, b)()
		_, err := io.WriteString(conn, "GET /api/verify HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		b.must(err)
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.Contains(string(answer), `"records":7`) {
			t.Errorf("the answer is %s, %v", answer, err)
		}
	})
}

func TestSlowSenders(t *testing.T) {
	for _, c := range []struct {
		name, sent string
		within     time.Duration
		says       string
	}{
		{"a header that never ends", "POST /api/signals HTTP/1.1\r\nHost:", 10 * time.Second, ""},
		{"a body that never ends", "POST /api/signals HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 30 * time.Second, "ended early"},
		{"a body in chunks that never ends", "POST /api/signals HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 30 * time.Second, "ended early"},
		{"a body nobody reads", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 30 * time.Second, "/nowhere"},
		{"an image that never ends", "POST /chat/image HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 100\r\n\r\n\x89PNG", 3 * time.Minute, "ended early"},
		{"nothing after an answer", "GET /ready HTTP/1.1\r\nHost: x\r\n\r\n", 2 * time.Minute, "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, settings{})
				conn := served(t, b)()
				began := time.Now()
				_, err := io.WriteString(conn, c.sent)
				b.must(err)
				answer, err := io.ReadAll(bufio.NewReader(conn))
				if took := time.Since(began); err != nil || took > c.within {
					t.Errorf("hung up on after %v, %v; want at most %v", took, err, c.within)
				}
				if !strings.Contains(string(answer), c.says) {
					t.Errorf("the answer is %s", answer)
				}
				b.holds(domain.TopicAll, 0)
			})
		})
	}
}

// TestSlowImage comes over a telephone: longer than other bodies may take.
func TestSlowImage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{})
		conn := served(t, b)()
		picture := pictures(t)["image/png"]
		send := func(text string) {
			_, err := io.WriteString(conn, text)
			b.must(err)
		}
		send(fmt.Sprintf("POST /chat/image HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n", len(picture)))
		for i := range len(picture) {
			domaintest.Pass(2 * time.Minute / time.Duration(len(picture)))
			send(picture[i : i+1])
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 201") {
			t.Errorf("the answer is %s, %v", answer, err)
		}
	})
}

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
		{"GET", "/voice/health", `{"status":"ok"}`},
		{"GET", "/conversation/recent?limit=12&offset=0", `{"thread_id":null,"exchanges":[],"total":0,"has_more":false}`},
		{"GET", "/system/observability/tasks", `{"persistent_tasks":[]}`},
		{"GET", "/scheduler?status=pending", `{"items":[],"total":0,"limit":100,"offset":0}`},
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
		cfg.Images, cfg.Voices, cfg.Interfaces, cfg.Tools, cfg.Streams, cfg.Surroundings, cfg.Presence, cfg.Peer = nil, nil, nil, nil, nil, nil, nil, nil
	}})
	id := b.ids.NewID().UUID()
	b.socket("GET", "/voice/health", "").wants(200, `{"status":"unavailable"}`)
	for _, route := range []string{
		"POST /api/voice/stt", "POST /api/voice/tts", "POST /voice/transcribe", "POST /voice/synthesize", "GET /api/voice/stt/" + id + "/audio", "DELETE /api/voice/stt/" + id + "/audio",
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
