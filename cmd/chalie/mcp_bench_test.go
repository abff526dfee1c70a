package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/mcpserver"
	"chalie/adapters/unixsocket"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// BenchmarkMCPCall is one call of a skill, synced and recorded, in process and beside it
// through each way in of MCP, a connection as chalie mcp passes it on and HTTP, and by REST
// over the Unix socket. MCP may add 1 ms to the call in process.
func BenchmarkMCPCall(b *testing.B) {
	p := openBenched(b)
	p.serve()
	program, err := p.app.core.accounts.Admit(b.Context(), commands.OperatorCaller("bench"), "bencher", commands.ScopeMCP)
	if err != nil {
		b.Fatal(err)
	}
	issued, err := p.app.core.accounts.IssueToken(b.Context(), commands.OperatorCaller("bench"), "remote", []string{commands.ScopeMCP})
	if err != nil {
		b.Fatal(err)
	}
	who, _ := program.MCP()
	p.app.mcp, err = mcpserver.New(mcpserver.Config{ // whose calls aren't counted
		Tools: unbounded{p.app.outside.tools}, Approvals: p.app.outside.approvals, Tokens: p.app.tokens, Messages: p.app.core.messages, Programs: p.app.core.accounts,
		Log: p.app.log, Known: p.app.folds.Group, API: func() http.Handler { return p.app.core.api.TrustedHandler() }, Clock: p.app.cfg.Clock,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.app.mcp.Close)
	inProcess := func(b *testing.B) {
		out, err := unbounded{p.app.outside.tools}.Invoke(b.Context(), who, tool.Invocation{Tool: "status", Channel: domain.ChannelMCP})
		if err != nil || out.Outcome != domain.ToolCompletedType {
			b.Fatalf("%+v, %v", out, err)
		}
	}
	b.Run("rest", func(b *testing.B) {
		client := unixsocket.Client(p.app.cfg.Data)
		added(b, inProcess, func() {
			resp, err := client.Post(unixsocket.BaseURL+"/api/tools/status/invoke", "application/json", strings.NewReader(`{}`))
			if err != nil || resp.StatusCode != http.StatusOK {
				b.Fatal(resp, err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		})
	})
	call := func(b *testing.B, transport mcp.Transport) {
		client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
		session, err := client.Connect(b.Context(), transport, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer session.Close()
		added(b, inProcess, func() {
			out, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: "status"})
			if err != nil || out.IsError {
				b.Fatalf("%+v, %v", out, err)
			}
		})
	}
	b.Run("mcp stdio", func(b *testing.B) {
		near, far := net.Pipe()
		go func() { _ = p.app.mcp.ServeConn(who, func() (io.ReadWriteCloser, error) { return far, nil }) }()
		call(b, &mcp.IOTransport{Reader: near, Writer: near})
	})
	b.Run("mcp http", func(b *testing.B) {
		server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			known, _ := p.app.core.accounts.Token(issued.Text)
			if err := p.app.mcp.ServeHTTP(w, r, known); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		go func() { _ = server.Serve(listener) }()
		defer server.Close()
		call(b, &mcp.StreamableClientTransport{Endpoint: "http://" + listener.Addr().String(), DisableStandaloneSSE: true})
	})
}

// added makes one call in process and one that is measured by turns, since a sync takes as
// long as the disk is busy, and reports both medians and what the second adds.
func added(b *testing.B, inProcess func(*testing.B), measured func()) {
	b.Helper()
	var plain, through []float64
	took := func(call func()) float64 {
		began := time.Now()
		call()
		return float64(time.Since(began).Microseconds())
	}
	for n := 0; b.Loop(); n++ { // each goes first every other time: what the first leaves to do slows the second
		if n%2 == 0 {
			plain = append(plain, took(func() { inProcess(b) }))
		}
		through = append(through, took(measured))
		if n%2 == 1 {
			plain = append(plain, took(func() { inProcess(b) }))
		}
	}
	median := func(of []float64) float64 {
		slices.Sort(of)
		return of[len(of)/2]
	}
	b.ReportMetric(median(plain), "in-process-µs")
	b.ReportMetric(median(through), "through-µs")
	b.ReportMetric(median(through)-median(plain), "added-µs")
}

// unbounded are tools whose calls by programs aren't counted: each is the person's.
type unbounded struct{ *tool.Tools }

// Invoke implements mcpserver.Tools.
func (u unbounded) Invoke(ctx context.Context, c commands.Caller, in tool.Invocation) (tool.Invoked, error) {
	c.Operator = true
	return u.Tools.Invoke(ctx, c, in)
}
