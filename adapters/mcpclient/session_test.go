package mcpclient_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/mcpclient"
	"chalie/commands"
	"chalie/domain"
)

// restarting is a server at a URL that can be started anew, so that it knows no session of
// before, and that counts what its tool has done.
type restarting struct {
	*httptest.Server
	done atomic.Int32

	mu    sync.Mutex
	inner http.Handler
	forgotten
}

// forgotten is how a server answers in a session that it doesn't know; zero leaves that to the
// library.
type forgotten struct {
	status int
	body   string
}

func newRestarting(t *testing.T, how forgotten) *restarting {
	t.Helper()
	r := &restarting{forgotten: how}
	r.restart()
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		inner := r.inner
		r.mu.Unlock()
		if how.status == 0 {
			inner.ServeHTTP(w, req)
			return
		}
		answer := httptest.NewRecorder()
		if req.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if inner.ServeHTTP(answer, req); answer.Code == http.StatusNotFound {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(how.status)
			_, _ = io.WriteString(w, how.body)
			return
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(func() {
		r.CloseClientConnections() // the streams that are open have no other end
		r.Close()
	})
	return r
}

// restart makes the server forget every session.
func (r *restarting) restart() {
	s := mcp.NewServer(&mcp.Implementation{Name: "restarting", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "do", InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r.done.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
	})
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inner = inner
}

// A server that was started anew doesn't know the session, and did nothing of what it was
// asked: a new session begins, and it is asked again, once.
func TestSessionThatTheServerForgot(t *testing.T) {
	for name, how := range map[string]forgotten{
		"404":                      {},
		"404 with an error":        {http.StatusNotFound, `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`},
		"404 with the request's":   {http.StatusNotFound, `{"jsonrpc":"2.0","id":4,"error":{"code":-32001,"message":"Session not found"}}`},
		"404 of a page":            {http.StatusNotFound, `<html>Not found</html>`},
		"410":                      {http.StatusGone, ``},
		"400 that names a session": {http.StatusBadRequest, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRestarting(t, how)
			w := newWorld(t, domain.MCPServer{URL: r.URL}, nil).add()
			for n, ask := range []func() error{
				func() error { _, err := w.call(); return err },
				func() error { _, err := w.c.Health(t.Context(), w.at); return err },
				func() error { _, err := w.c.Capabilities(t.Context(), w.at); return err },
				func() error { _, err := w.call(); return err },
			} {
				r.restart()
				if err := ask(); err != nil {
					t.Errorf("question %d: %v", n, err)
				}
			}
			if n := r.done.Load(); n != 2 {
				t.Errorf("two calls were done %d times", n)
			}
		})
	}
}

// A server that knows no session for long was asked twice, and did nothing.
func TestServerThatForgetsEverySession(t *testing.T) {
	var calls atomic.Int32
	r := newRestarting(t, forgotten{})
	inner := r.Config.Handler
	r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		if strings.Contains(string(body), `"tools/call"`) {
			calls.Add(1)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		req.Body = io.NopCloser(strings.NewReader(string(body)))
		inner.ServeHTTP(w, req)
	})
	w := newWorld(t, domain.MCPServer{URL: r.URL}, nil).add()
	w.fails(commands.CodePeerUnreachable, "doesn't know the session", "did nothing")
	if calls.Load() != 2 {
		t.Errorf("it was asked %d times", calls.Load())
	}
}

// What a connection did before it failed decides whether something may have been done.
func TestServerThatIsGone(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		r := newRestarting(t, forgotten{})
		w := newWorld(t, domain.MCPServer{URL: r.URL}, nil).add()
		r.CloseClientConnections()
		r.Close()
		for range 2 {
			_, err := w.call()
			saysSo(t, err, commands.CodePeerUnreachable)
			if !domain.IsRetriable(err) {
				t.Errorf("%v isn't retriable", err)
			}
		}
	})
	for name, end := range map[string]func(net.Conn){
		"silently": func(net.Conn) {},
		"in the headers": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/js")
		},
		"in the answer": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"jsonrpc\":\"2.0\",")
		},
		"in the stream": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"jsonrpc\"")
		},
		"behind a stream": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\n: hello\n\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRestarting(t, forgotten{})
			inner := r.Config.Handler
			var broken atomic.Bool
			r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				body, _ := io.ReadAll(req.Body)
				req.Body = io.NopCloser(strings.NewReader(string(body)))
				if strings.Contains(string(body), `"tools/call"`) && broken.CompareAndSwap(false, true) {
					conn, _, err := http.NewResponseController(w).Hijack()
					if err == nil {
						end(conn)
						_ = conn.Close()
					}
					return
				}
				inner.ServeHTTP(w, req)
			})
			w := newWorld(t, domain.MCPServer{URL: r.URL}, nil).add()
			w.fails(commands.CodePeerUnknown, "the connection", "before it answered")
			if _, err := w.call(); err != nil { // the session is no worse for it
				t.Errorf("and then: %v", err)
			}
		})
	}
}

// A status that is no success ends the call, and nothing else of the session.
func TestServerThatRefusesOverHTTP(t *testing.T) {
	for _, row := range []struct {
		status      int
		media, body string
		code        domain.Code
		words       string
	}{
		{400, "text/plain", "what?", commands.CodePeerStatus, `HTTP 400 (Bad Request), saying "what?"`},
		{401, "text/plain", "", commands.CodePeerStatus, "HTTP 401 (Unauthorized): it wants to know who asks"},
		{413, "text/html", "<p>too much</p>", commands.CodePeerStatus, "HTTP 413"},
		{500, "application/json", `{"error":"boom"}`, commands.CodePeerStatus, `saying "boom"`},
		{503, "", "", commands.CodePeerStatus, "HTTP 503 (Service Unavailable)"},
		{400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such city"}}`, commands.CodePeerStatus, `the error -32602, saying "no such city"`},
		{302, "text/html", "elsewhere", commands.CodePeerStatus, "HTTP 302"},
		{200, "text/html", "<p>hello</p>", commands.CodePeerBadJSON, `no message of the protocol: "<p>hello</p>"`},
		{200, "application/json", "", commands.CodePeerBadJSON, "no message of the protocol"},
		{202, "", "", commands.CodePeerBadJSON, "no message of the protocol"},
		{200, "application/json", `"` + strings.Repeat("x", 5<<20) + `"`, commands.CodePeerTooLarge, "more than 4194304 bytes"},
		{200, "text/event-stream", "data: " + strings.Repeat("x", 5<<20), commands.CodePeerTooLarge, "more than 4194304 bytes"},
		{200, "text/event-stream", strings.Repeat(": still\n", 30_000), commands.CodePeerUnknown, "messages a second"},
	} {
		t.Run(fmt.Sprint(row.status, " ", row.media, " ", len(row.body)), func(t *testing.T) {
			r := newRestarting(t, forgotten{})
			inner := r.Config.Handler
			var refused atomic.Bool
			r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				body, _ := io.ReadAll(req.Body)
				req.Body = io.NopCloser(strings.NewReader(string(body)))
				if !strings.Contains(string(body), `"tools/call"`) || !refused.CompareAndSwap(false, true) {
					inner.ServeHTTP(w, req)
					return
				}
				w.Header().Set("Content-Type", row.media)
				w.WriteHeader(row.status)
				_, _ = io.WriteString(w, row.body)
			})
			w := newWorld(t, domain.MCPServer{URL: r.URL}, nil).add()
			w.fails(row.code, row.words)
			if _, err := w.call(); err != nil {
				t.Errorf("and then: %v", err)
			}
		})
	}
}

// An address of the older transport says what it is.
func TestServerOfTheOlderTransport(t *testing.T) {
	older := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: endpoint\ndata: /messages?session=1\n\n")
	}))
	defer older.Close()
	w := newWorld(t, domain.MCPServer{URL: older.URL + "/sse"}, nil)
	saysSo(t, w.c.Admit(t.Context(), w.at.Server, "older", w.how), commands.CodePeerUnreachable, "the older transport", "streamable HTTP")
	nothing := httptest.NewServer(http.NotFoundHandler())
	defer nothing.Close()
	w = newWorld(t, domain.MCPServer{URL: nothing.URL}, nil)
	saysSo(t, w.c.Admit(t.Context(), w.at.Server, "nothing", w.how), commands.CodePeerUnreachable, "HTTP 404 (Not Found)")
}

// A tool that is gone, or can't be used any more, isn't told to be accepted.
func TestToolThatIsGone(t *testing.T) {
	r := newRestarting(t, forgotten{})
	w := newWorld(t, domain.MCPServer{URL: r.URL}, func(c *mcpclient.Config) { c.Logger = slog.New(slog.DiscardHandler) }).add()
	_, err := w.c.Execute(t.Context(), w.at, commands.Call{Capability: "gone", Params: json.RawMessage(`{}`), Key: "k"})
	saysSo(t, err, commands.CodePeerForbidden, "doesn't offer gone any more")
}

// A server, or a proxy before it, that keeps back the headers of what a session doesn't need holds
// up neither its start nor its calls.
func TestAStartWaitsForNothingOptional(t *testing.T) {
	for name, keeps := range map[string]func(method, body string) bool{
		"the stream of its own": func(method, _ string) bool { return method == http.MethodGet },
		"that it is told":       func(_, body string) bool { return strings.Contains(body, "notifications/") },
		"all that isn't a request": func(method, body string) bool {
			return method != http.MethodPost || strings.Contains(body, "notifications/")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
			s.AddTool(&mcp.Tool{Name: "do", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
			})
			inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
			over := make(chan struct{})
			at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return
				}
				if keeps(r.Method, string(body)) {
					select {
					case <-over:
					case <-r.Context().Done():
					}
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				inner.ServeHTTP(w, r)
			}))
			t.Cleanup(func() { close(over); at.CloseClientConnections(); at.Close() })
			w := newWorld(t, domain.MCPServer{URL: at.URL}, func(c *mcpclient.Config) { c.AskWithin = 200 * time.Millisecond }).add()
			if _, err := w.call(); err != nil {
				t.Error(err)
			}
		})
	}
}
