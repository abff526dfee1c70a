package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"chalie/adapters/otlp/otlptest"
	"chalie/domain"
)

// spanTree writes a trace's spans below one another, by when they begin.
func spanTree(spans []*tracepb.Span, below []byte, indent string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range spans {
		if bytes.Equal(s.ParentSpanId, below) && !seen[string(s.SpanId)] {
			seen[string(s.SpanId)] = true
			b.WriteString(indent + s.Name + "\n" + spanTree(spans, s.SpanId, indent+"  "))
		}
	}
	return b.String()
}

// spansOf waits until a trace's root is there, and returns the trace's spans.
func spansOf(t *testing.T, c *otlptest.Collector, trace domain.ID) (out []*tracepb.Span) {
	t.Helper()
	mine := func(s *tracepb.Span) bool { return bytes.Equal(s.TraceId, trace[:]) }
	all := c.Await(t, func(spans []*tracepb.Span, _ int) bool {
		return slices.ContainsFunc(spans, func(s *tracepb.Span) bool { return mine(s) && len(s.ParentSpanId) == 0 })
	})
	for _, s := range all {
		if mine(s) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b *tracepb.Span) int { return int(int64(a.StartTimeUnixNano) - int64(b.StartTimeUnixNano)) })
	return out
}

// A conversation with a tool that waits for a yes, exported by the program itself:
// while the collector is away, over a kill, and without a word of what was said.
func TestTelemetryOfAConversation(t *testing.T) {
	t.Parallel()
	collector, model := otlptest.HTTP(t), startMind(t, counting)
	data := filepath.Join(t.TempDir(), "data")
	flags := append(model.flags(), "--otlp", collector.URL)
	v := startVictim(t, data, flags...)
	v.ready()
	v.pair(startProgram(t, "abacus"))
	v.chalie("tool", "trust", "count", "--requires-approval")
	devices := v.listening(register(t, v.setup), 1)
	converse := func() domain.ID {
		asked := asks(t, devices, "count to 7")
		v.wants(http.StatusOK, http.MethodPost, "socket:/api/approvals/"+asked.Token, `{"decision":"grant"}`)
		devices[0].hears("message")
		devices[0].hears("done")
		return asked.TraceID
	}
	first := converse()
	told := spansOf(t, collector, first)
	const tree = `invoke_agent chalie
  chat scripted
  execute_tool count
    await_approval
  chat scripted
`
	if got := spanTree(told, nil, ""); got != tree {
		t.Errorf("the conversation is\n%s\nwant\n%s", got, tree)
	}

	for _, s := range told {
		got := otlptest.Texts(s.Attributes)
		want := map[string]string{}
		switch s.Name {
		case "execute_tool count":
			want = map[string]string{"chalie.policy.verdict": "approval_required", "gen_ai.tool.name": "count", "gen_ai.tool.type": "extension"}
		case "chat scripted":
			want = map[string]string{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "scripted"}
		case "await_approval":
			want = map[string]string{"chalie.approval": "approval.granted"}
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("%s: %s is %q, want %q", s.Name, key, got[key], value)
			}
		}
	}

	// Away, nothing is lost; and nobody waits for it.
	collector.Refuse(http.StatusServiceUnavailable)
	second := converse()
	collector.Await(t, func([]*tracepb.Span, int) bool {
		return strings.Contains(v.wants(http.StatusOK, http.MethodGet, "/health", ""), "takes nothing")
	})
	if health := v.wants(http.StatusOK, http.MethodGet, "/ready", ""); health == "" {
		t.Error("not ready")
	}
	v.kill()
	v.end()
	collector.Refuse(0)
	v = startVictim(t, data, flags...)
	v.ready()
	again := spansOf(t, collector, second)
	if got := spanTree(again, nil, ""); got != tree {
		t.Errorf("after the kill the conversation is\n%s\nwant\n%s", got, tree)
	}
	v.stop()
	known := map[string]*tracepb.Span{}
	for _, s := range collector.Spans() {
		if before := known[string(s.SpanId)]; before != nil && !proto.Equal(before, s) {
			t.Errorf("a span was sent differently:\n%v\n%v", before, s)
		}
		known[string(s.SpanId)] = s
	}
	for _, word := range []string{"count to 7", "Counting came to", `{"to":7}`} {
		if strings.Contains(collector.Raw(t), word) {
			t.Errorf("%q was exported", word)
		}
	}
}
