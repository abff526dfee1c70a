package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// BenchmarkToolCall is an invocation from being asked for to its recorded end: of a
// tool that a program on this machine offers, and of a skill, which needs no request
// but waits until what it reads is folded. Beside it stand what it comes down to: the
// bare request, and three appends, each synced.
func BenchmarkToolCall(b *testing.B) {
	p := openBenched(b)
	program := httptest.NewServer(saying(`{"text":"done","data":{"left":2},"error":null}`))
	b.Cleanup(program.Close)
	p.pair(program)
	invoke := func(b *testing.B, name, params string) {
		for b.Loop() {
			out, err := p.app.outside.tools.Invoke(b.Context(), commands.OperatorCaller("bench"), tool.Invocation{Tool: name, Params: []byte(params)})
			if err != nil || out.Outcome != "tool.completed" {
				b.Fatalf("%+v, %v", out, err)
			}
		}
	}
	b.Run("bare request", func(b *testing.B) {
		for b.Loop() {
			resp, err := http.Post(program.URL+"/execute", "application/json", strings.NewReader(`{"capability":"count","params":{}}`))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				b.Fatal(err)
			}
			resp.Body.Close()
		}
	})
	b.Run("three appends", func(b *testing.B) {
		for b.Loop() {
			for range 3 {
				id := p.app.cfg.IDs.NewID()
				entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "bench", domain.ToolDispatched{InvocationID: id})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := p.app.bus.Append(b.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("interface", func(b *testing.B) { invoke(b, "count", `{"to":3}`) })
	b.Run("skill", func(b *testing.B) { invoke(b, "status", `{}`) })
}

// pair makes a program known as an interface with a tool.
func (p *benched) pair(program *httptest.Server) {
	p.b.Helper()
	port := program.Listener.Addr().(*net.TCPAddr).Port
	p.record(1, func(lin domain.Lineage, id domain.ID, now domain.Millis, _ int) (domain.Entry, error) {
		return domain.New(lin, id, now, "bench", domain.InterfacePaired{
			Name: "counter", Host: "127.0.0.1", Port: port, Version: "1", TokenHash: domain.HashSecret("counter").String(),
			Tools: []domain.Tool{{Name: "count", Description: "Counts", Parameters: []domain.Parameter{{Name: "to", Type: domain.TypeInteger}}}},
		})
	})
}

// benchToolRecords is far more than tools do in a day.
const benchToolRecords = 100_000

// BenchmarkPlainYes is a yes of the person while nothing waits for approval, after a
// busy day of tools: 50 ms is the most that finding this out may take.
func BenchmarkPlainYes(b *testing.B) {
	p := openBenched(b)
	for range benchToolRecords / 1000 {
		p.record(1000, func(lin domain.Lineage, id domain.ID, now domain.Millis, _ int) (domain.Entry, error) {
			entry, err := domain.New(lin, id, now, "bench", domain.ToolDispatched{InvocationID: id})
			entry.Envelope.Keys = []domain.Key{domain.InvocationKey(id)}
			return entry, err
		})
	}
	p.record(1, func(lin domain.Lineage, id domain.ID, now domain.Millis, _ int) (domain.Entry, error) {
		return domain.New(lin, id, now, "bench", domain.MessageReceived{Text: "yes", Source: "text", ImageIDs: []domain.ID{}})
	})
	said, err := p.app.log.Select(b.Context(), domain.Selector{Topic: domain.TopicMessages}, 1, 1)
	if err != nil || len(said) != 1 {
		b.Fatalf("the message isn't there: %v", err)
	}
	b.Run(fmt.Sprintf("records=%d", benchToolRecords), func(b *testing.B) {
		for b.Loop() {
			out, err := p.app.outside.approvals.Ask(b.Context(), commands.OperatorCaller("bench"), said[0], "yes")
			if err != nil || out.Handled {
				b.Fatalf("%+v, %v", out, err)
			}
		}
	})
}
