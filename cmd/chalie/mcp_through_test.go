package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// reckoningServer is an MCP server that computes until it is told to stop: TOOL ADDRESS. What
// becomes of a call it says at the address.
const reckoningServer = "chalie-reckoning"

func mainReckoning() {
	if err := reckoning(os.Args[1], os.Args[2]).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		panic(err)
	}
}

// reckoning is a server with one tool.
func reckoning(name, address string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: name, Description: "Computes", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		says(address, "begun")
		<-ctx.Done()
		says(address, "stopped")
		return nil, ctx.Err()
	})
	return s
}

// says tells a word at an address.
func says(address, word string) {
	if conn, err := net.Dial("tcp", address); err == nil {
		_, _ = io.WriteString(conn, word)
		_ = conn.Close()
	}
}

// TestMCPCancelledThrough cancels, on each way in, a call that an MCP server behind Chalie
// computes, on each way out: the server is told.
func TestMCPCancelledThrough(t *testing.T) {
	t.Parallel()
	heard, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = heard.Close() })
	v := speaking(t)
	hears := func(want string) {
		t.Helper()
		if err := heard.(*net.TCPListener).SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		conn, err := heard.Accept()
		if err != nil {
			t.Fatalf("it never says %q: %v", want, err)
		}
		defer func() { _ = conn.Close() }()
		if word, err := io.ReadAll(conn); err != nil || string(word) != want {
			t.Fatalf("it says %q, want %q: %v", word, want, err)
		}
	}
	program, err := exec.LookPath(reckoningServer)
	if err != nil {
		t.Fatal(err)
	}
	far := reckoning("weigh", heard.Addr().String())
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return far }, nil))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	v.chalie("tool", "add", "mcp", "--name", "web", "--url", web.URL)
	v.addsMCP("lines", []string{program, "measure", heard.Addr().String()})
	for _, name := range []string{"weigh", "measure"} {
		v.chalie("tool", "trust", name, "--side-effects=false", "--requires-approval=false")
	}
	s := v.speak("editor")
	token := "Authorization: Bearer " + v.mcpToken("page", "mcp")
	_, _, head := v.send("POST", mcpBegins, token)
	session := "Mcp-Session-Id: " + head.Get("Mcp-Session-Id")
	v.send("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, token, session)
	for _, name := range []string{"weigh", "measure"} {
		call := fmt.Sprintf(`{"name":%q,"arguments":{}}`, name)
		id := s.sends("tools/call", call)
		hears("begun")
		s.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		hears("stopped")

		answered := make(chan string, 1)
		go func() {
			_, text, _ := v.send("POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":%s}`, name, call), token, session)
			answered <- text
		}()
		hears("begun")
		v.send("POST", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q}}`, name), token, session)
		hears("stopped")
		<-answered
	}
	v.stop()
}
