package mcpserver_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// A session over HTTP ends at once, whatever it has under way: a question is taken back, and a call
// that has left is let go, and its outcome recorded.
func TestASessionEndsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		tool string
		then func(*shop) bool // what becomes of the call, once it is released
	}{
		"a form is open":      {"pay", func(s *shop) bool { return s.recorded(domain.ApprovalRefusedType) == 1 && s.Peer.Times() == 0 }},
		"a call is under way": {"greet", func(s *shop) bool { return s.recorded(domain.ToolCompletedType) == 1 && s.Peer.Times() == 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			s := openShop(t, time.Hour)
			s.set(domain.FormsOfAll)
			busy, over := make(chan struct{}, 1), make(chan struct{})
			s.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
				busy <- struct{}{}
				<-over
				return commands.Result{}, nil
			}
			at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := s.server.ServeHTTP(w, r, who); err != nil {
					t.Error(err)
				}
			}))
			t.Cleanup(func() { at.CloseClientConnections(); at.Close() })
			client := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					if c.tool == "greet" {
						return accepts(""), nil
					}
					busy <- struct{}{}
					<-over // its person went away
					return &mcp.ElicitResult{Action: "cancel"}, nil
				},
			})
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at.URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: map[string]any{}})
				ended <- err
			}()
			<-busy
			r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, at.URL, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Mcp-Session-Id", session.ID())
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusNoContent || len(s.server.Sessions(who.Principal)) != 0 {
				t.Errorf("it is answered with %d, and there are %d sessions", answer.StatusCode, len(s.server.Sessions(who.Principal)))
			}
			if err := <-ended; err == nil {
				t.Error("the call of a session that has ended was answered well")
			}
			close(over)
			domaintest.Until(t, "the call has come to its end", func() bool { return c.then(s) })
			_ = session.Close()
		})
	}
}

// A program may ask and end its output at once: it is answered all the same.
func TestAnEndRightBehindTheRequests(t *testing.T) {
	s := openShop(t, time.Hour)
	s.set(domain.FormsOfAll)
	inner, outer := net.Pipe()
	conn := &piped{Reader: strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"editor","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":"x","method":"ping"}
`), WriteCloser: inner}
	go func() { _ = s.server.ServeConn(who, func() (io.ReadWriteCloser, error) { return conn, nil }) }()
	all, err := io.ReadAll(outer)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":1,`, `"id":2,`, `"id":"x"`} {
		if !strings.Contains(string(all), id) {
			t.Errorf("nothing answers %s: %s", id, all)
		}
	}
}

// piped is a connection that ends right behind what it brings.
type piped struct {
	io.Reader
	io.WriteCloser
}
