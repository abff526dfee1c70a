package mcpclient_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/mcpclient"
	"chalie/commands"
	"chalie/domain"
)

// known is a registry with one server.
type known struct{ registry domain.Registry }

func (k *known) Read(f func(*domain.Registry)) { f(&k.registry) }

// added is a client of a server that was added, with its tools accepted.
func added(tb testing.TB, how domain.MCPServer) (*mcpclient.Client, commands.Endpoint) {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	book, at := &known{}, commands.Endpoint{Server: domain.ID{1}}
	c, err := mcpclient.New(mcpclient.Config{Book: book, Dir: tb.TempDir(), Logger: slog.New(slog.DiscardHandler), Guard: []string{self, asGuard}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	if err := c.Admit(tb.Context(), at.Server, "echoer", how); err != nil {
		tb.Fatal(err)
	}
	tools, err := c.Capabilities(tb.Context(), at)
	if err != nil {
		tb.Fatal(err)
	}
	book.registry.Interfaces = map[domain.ID]*domain.Interface{at.Server: {ID: at.Server, Name: "echoer", Server: &how, Tools: tools}}
	return c, at
}

// What a call costs through the protocol, beside what the tool does without it: the
// difference is to be under a millisecond.
func BenchmarkCall(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	const said = "It is ten past three"
	b.Run("without", func(b *testing.B) {
		params := json.RawMessage(`{"text":"` + said + `"}`)
		for b.Loop() {
			var in echo
			if err := json.Unmarshal(params, &in); err != nil {
				b.Fatal(err)
			}
			if _, _, err := echoed(b.Context(), nil, in); err != nil {
				b.Fatal(err)
			}
		}
	})
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return echoer() }, nil))
	b.Cleanup(server.Close)
	for _, way := range []struct {
		name string
		how  domain.MCPServer
	}{{"command", domain.MCPServer{Command: []string{self, asEchoer}}}, {"url", domain.MCPServer{URL: server.URL}}} {
		b.Run(way.name, func(b *testing.B) {
			c, at := added(b, way.how)
			call := commands.Call{Capability: "echo", Params: json.RawMessage(`{"text":"` + said + `"}`), Key: "k"}
			for b.Loop() {
				r, err := c.Execute(context.Background(), at, call)
				if err != nil || r.Text == nil || *r.Text != said {
					b.Fatalf("answered %+v, %v", r, err)
				}
			}
		})
	}
}
