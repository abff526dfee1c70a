package otlp_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"chalie/adapters/otlp"
	"chalie/adapters/otlp/otlptest"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// runUntil runs a follower in the background, until the returned function has ended it.
func runUntil(t testing.TB, f *otlp.Follower) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	var stopped bool
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the follower ended with %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// opened is a house whose follower has taken note of where the log began.
func opened(t testing.TB) *house {
	h := newHouse(t)
	put(h, domain.Envelope{}, domain.SystemStopped{Reason: "before"})
	if err := h.log.SaveCheckpoint(t.Context(), "telemetry", 1); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestStoryOverHTTP(t *testing.T) { testStory(t, otlptest.HTTP(t)) }
func TestStoryOverGRPC(t *testing.T) { testStory(t, otlptest.GRPC(t)) }

func testStory(t *testing.T, c *otlptest.Collector) {
	h := opened(t)
	s := tell(h)
	f := h.follow(target(t, c.URL, false))
	spans := has(t, c, s.cycle)
	h.log.noted(t, h.tail())
	f.stop()
	if len(spans) != len(c.Spans()) || len(spans) != 12 {
		t.Errorf("%d spans, %d of them different, want 12", len(c.Spans()), len(spans))
	}
	for name, want := range map[string]struct {
		begins domain.Envelope
		named  string
		below  domain.Envelope // none: the root
		ms     int
		status string
		links  string
	}{
		"heard":    {s.heard, "signal.received", domain.Envelope{}, 0, "", ""},
		"reminded": {s.reminded, "reminder.set", domain.Envelope{}, 0, "", ""},
		"said":     {s.said, "invoke_agent chalie", domain.Envelope{}, 16000, "", "signal,reply"},
		"called":   {s.called, "chat claude-x", s.said, 1000, "", ""},
		"invoked":  {s.invoked, "execute_tool ring", s.said, 7000, "", "cause"},
		"proposed": {s.proposed, "await_approval", s.invoked, 1000, "", ""},
		"nested":   {s.nested, "execute_tool dial", s.invoked, 1000, "busy", ""},
		"again":    {s.again, "chat claude-x", s.said, 1000, "overloaded", "cause"},
		"instead":  {s.instead, "chat builtin/2", s.said, 1000, "", "cause,signal"},
		"thanked":  {s.thanked, "steer.received", s.said, 0, "", ""},
		"alone":    {s.alone, "execute_tool ring", domain.Envelope{}, 1000, "interrupted", ""},
		"cycle":    {s.cycle, "invoke_agent chalie", domain.Envelope{}, 1000, "no_model", "parent,about"},
	} {
		span := spans[spanOf(want.begins)]
		if span == nil {
			t.Errorf("%s has no span", name)
			continue
		}
		if !bytes.Equal(span.TraceId, want.begins.Trace.ID[:]) {
			t.Errorf("%s is in trace %x", name, span.TraceId)
		}
		below := ""
		if !want.below.ID.IsZero() {
			below = spanOf(want.below)
		}
		if span.Name != want.named || string(span.ParentSpanId) != below {
			t.Errorf("%s is named %q below %x, want %q below %x", name, span.Name, span.ParentSpanId, want.named, below)
		}
		if ms := int(span.EndTimeUnixNano-span.StartTimeUnixNano) / 1_000_000; ms != want.ms || span.StartTimeUnixNano != uint64(want.begins.Timestamp)*1_000_000 {
			t.Errorf("%s takes %d ms from %d, want %d from %d", name, ms, span.StartTimeUnixNano/1_000_000, want.ms, want.begins.Timestamp)
		}
		if span.GetStatus().GetMessage() != want.status || (span.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR) != (want.status != "") {
			t.Errorf("%s has status %v, want %q", name, span.Status, want.status)
		}
		var roles []string
		for _, l := range span.Links {
			roles = append(roles, otlptest.Texts(l.Attributes)["chalie.link.role"])
		}
		if got := strings.Join(roles, ","); got != want.links {
			t.Errorf("%s has links %q, want %q", name, got, want.links)
		}
	}
	checkLinks(t, s, spans)
	checkAttributes(t, s, spans)
	raw := c.Raw(t)
	for _, word := range secrets() {
		if strings.Contains(raw, word) {
			t.Errorf("%q was sent", word)
		}
	}
	if got := c.Resource(); got["service.name"] != "chalie" || got["service.version"] != "1.2.3" {
		t.Errorf("the resource is %v", got)
	}
	if st := f.Status(); st.Sent != 12 || st.Position != h.tail() || st.Err != nil || st.Refused != 0 {
		t.Errorf("status %+v", st)
	}
}

// checkLinks holds links to the spans that their envelopes belong to.
func checkLinks(t *testing.T, s story, spans map[string]*tracepb.Span) {
	t.Helper()
	to := func(from domain.Envelope, n int, want domain.Envelope) {
		t.Helper()
		l := spans[spanOf(from)].Links[n]
		if string(l.SpanId) != spanOf(want) || !bytes.Equal(l.TraceId, want.Trace.ID[:]) {
			t.Errorf("link %d of %s leads to %x, want %x", n, spans[spanOf(from)].Name, l.SpanId, spanOf(want))
		}
	}
	to(s.said, 0, s.heard)
	to(s.said, 1, s.called) // the reply is the end of that call
	to(s.invoked, 0, s.called)
	to(s.again, 0, s.invoked)
	to(s.instead, 0, s.again)
	to(s.instead, 1, s.heard)
	to(s.cycle, 0, s.reminded)
	to(s.cycle, 1, s.reminded)
}

func checkAttributes(t *testing.T, s story, spans map[string]*tracepb.Span) {
	t.Helper()
	for _, c := range []struct {
		of   domain.Envelope
		want map[string]string
	}{
		{s.said, map[string]string{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "chalie", "chalie.outcome": "responded", "chalie.shown": "message",
			"chalie.envelope.id": s.said.ID.String(), "chalie.principal": "operator"}},
		{s.called, map[string]string{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "anthropic", "gen_ai.request.model": "claude-x", "gen_ai.response.model": "claude-x",
			"gen_ai.usage.input_tokens": "int_value:120", "gen_ai.usage.output_tokens": "int_value:34", "chalie.usage.cost_micros": "int_value:560"}},
		{s.again, map[string]string{"error.type": "overloaded"}},
		{s.instead, map[string]string{"gen_ai.provider.name": "chalie", "gen_ai.request.model": "builtin/2"}},
		{s.invoked, map[string]string{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ring", "gen_ai.tool.type": "extension", "gen_ai.tool.call.id": s.invoked.ID.String(),
			"chalie.policy.verdict": "approval_required", "chalie.policy.regime": "sha256:1", "chalie.tool.side_effects": "bool_value:true"}},
		{s.nested, map[string]string{"gen_ai.tool.type": "function", "error.type": "busy"}},
		{s.proposed, map[string]string{"chalie.approval": "approval.granted"}},
		{s.alone, map[string]string{"chalie.tool.outcome_unknown": "bool_value:true"}},
	} {
		got := otlptest.Texts(spans[spanOf(c.of)].Attributes)
		for key, want := range c.want {
			if got[key] != want {
				t.Errorf("%s: %s is %q, want %q", spans[spanOf(c.of)].Name, key, got[key], want)
			}
		}
		for key := range got {
			if strings.Contains(key, "messages") || strings.Contains(key, "arguments") || strings.Contains(key, "result") || strings.Contains(key, "content") {
				t.Errorf("%s was sent unasked", key)
			}
		}
	}
	var events []string
	for _, e := range spans[spanOf(s.invoked)].Events {
		events = append(events, e.Name)
	}
	if got := strings.Join(events, " "); got != "policy.decided approval.granted tool.dispatched tool.completed" {
		t.Errorf("the events of the tool are %s", got)
	}
}

// With Content the words are sent, too.
func TestContentWhenAskedFor(t *testing.T) {
	h, c := opened(t), otlptest.HTTP(t)
	s := tell(h)
	h.follow(target(t, c.URL, true))
	spans := has(t, c, s.cycle)
	for _, want := range []struct {
		of        domain.Envelope
		key, says string
	}{
		{s.said, "gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"call the plumber"}]}]`},
		{s.called, "gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"forty-two"},{"type":"tool_call","id":"c1","name":"ring","arguments":{"who":"Tarte"}}]}]`},
		{s.invoked, "gen_ai.tool.call.arguments", `{"who":"Tarte"}`},
		{s.invoked, "gen_ai.tool.call.result", `"text":"plumber"`},
		{s.heard, "chalie.signal.content", "Heavy rain"},
	} {
		if got := otlptest.Texts(spans[spanOf(want.of)].Attributes)[want.key]; !strings.Contains(got, want.says) {
			t.Errorf("%s is %q, want %q", want.key, got, want.says)
		}
	}
}

// Killed after any record, and whether or not what was sent was noted, the next
// follower sends the same spans: some again, none differently, none not at all.
func TestKilledAnywhere(t *testing.T) {
	whole, all := opened(t), otlptest.HTTP(t)
	s := tell(whole)
	whole.follow(target(t, all.URL, false))
	want := has(t, all, s.cycle)
	for kill := domain.Position(2); kill < whole.tail(); kill++ {
		for _, noted := range []bool{true, false} {
			h, c := newHouse(t), otlptest.HTTP(t)
			whole.copyThrough(t.Context(), h, 1, kill)
			if err := h.log.SaveCheckpoint(t.Context(), "telemetry", 1); err != nil {
				t.Fatal(err)
			}
			f := h.follow(target(t, c.URL, false))
			h.log.noted(t, kill)
			f.stop()
			if !noted {
				if err := h.log.SaveCheckpoint(t.Context(), "telemetry", kill/2+1); err != nil {
					t.Fatal(err)
				}
			}
			whole.copyThrough(t.Context(), h, kill+1, whole.tail())
			h.follow(target(t, c.URL, false))
			has(t, c, s.cycle)
			got := map[string]bool{}
			for _, span := range c.Spans() {
				if !proto.Equal(span, want[string(span.SpanId)]) {
					t.Errorf("killed at %d: %s is\n%v\nand was\n%v", kill, span.Name, span, want[string(span.SpanId)])
				}
				got[string(span.SpanId)] = true
			}
			if len(got) != len(want) {
				t.Errorf("killed at %d: %d of %d spans were sent", kill, len(got), len(want))
			}
		}
	}
}

// A collector that doesn't take anything is waited for, and what it will never take
// isn't in the way.
func TestCollectorInTrouble(t *testing.T) {
	for name, c := range map[string]*otlptest.Collector{"http": otlptest.HTTP(t), "grpc": otlptest.GRPC(t)} {
		t.Run(name, func(t *testing.T) {
			h := opened(t)
			c.Refuse(http.StatusServiceUnavailable)
			f := h.follow(target(t, c.URL, false))
			first := put(h, domain.Envelope{}, domain.ReminderSet{Text: "umbrella", Zone: "UTC"})
			c.Await(t, func(_ []*tracepb.Span, requests int) bool { return requests > 3 })
			st := f.Status()
			if st.Err == nil || !domain.IsRetriable(st.Err) || !strings.Contains(st.Err.Error(), st.Collector) || st.Position != 1 {
				t.Errorf("status %+v", st)
			}
			c.Refuse(0)
			has(t, c, first)
			c.Refuse(http.StatusBadRequest)
			put(h, domain.Envelope{}, domain.ReminderSet{Text: "never", Zone: "UTC"})
			h.log.noted(t, h.tail())
			c.Refuse(0)
			has(t, c, put(h, domain.Envelope{}, domain.ReminderSet{Text: "fine", Zone: "UTC"}))
			h.log.noted(t, h.tail())
			f.stop()
			if st := f.Status(); st.Err != nil || st.Sent != 2 || st.Refused != 1 || st.Position != h.tail() {
				t.Errorf("status %+v", st)
			}
			if said := f.said.String(); strings.Count(said, "isn't exported") != 1 || !strings.Contains(said, "exported again") || !strings.Contains(said, "refuses spans") {
				t.Errorf("it logged %s", said)
			}
		})
	}
}

// A collector that takes a connection and says nothing is given up in its time, and tried again.
func TestSilentCollector(t *testing.T) {
	for _, protocol := range []otlp.Protocol{otlp.HTTP, otlp.GRPC} {
		t.Run(string(protocol), func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			h := opened(t)
			f := h.followWithin(otlp.Target{Protocol: protocol, URL: "http://" + l.Addr().String()}, 20*time.Millisecond)
			put(h, domain.Envelope{}, domain.ReminderSet{Text: "umbrella", Zone: "UTC"})
			domaintest.Until(t, "the collector is in trouble", func() bool { return f.Status().Err != nil })
			f.stop()
			if st := f.Status(); !domain.IsRetriable(st.Err) || st.Position != 1 {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// The first time it begins at the end of the log.
func TestBeginsWithWhatComes(t *testing.T) {
	h, c := newHouse(t), otlptest.HTTP(t)
	before := put(h, domain.Envelope{}, domain.ReminderSet{Text: "old", Zone: "UTC"})
	asked := put(h, domain.Envelope{}, domain.ToolInvoked{Tool: "ring"})
	h.follow(target(t, c.URL, false))
	h.log.noted(t, h.tail())
	put(h, asked, domain.ToolFailed{InvocationID: asked.ID, Reason: "gone"}, keyed(domain.InvocationKey(asked.ID)))
	spans := has(t, c, asked)
	if spans[spanOf(before)] != nil {
		t.Error("what had ended before was sent")
	}
}

// BenchmarkFollower sends signals, each a trace of its own, to a collector in the
// same process.
func BenchmarkFollower(b *testing.B) {
	h, c := opened(b), otlptest.HTTP(b)
	const signals = 10_000
	var last domain.Envelope
	for range signals {
		last = put(h, domain.Envelope{}, domain.SignalReceived{SignalType: "weather_forecast", Source: "weather", Content: "Heavy rain", ActivationEnergy: 0.4})
	}
	for b.Loop() {
		if err := h.log.SaveCheckpoint(b.Context(), "telemetry", 1); err != nil {
			b.Fatal(err)
		}
		f := h.follow(target(b, c.URL, false))
		has(b, c, last)
		h.log.noted(b, h.tail())
		f.stop()
	}
	b.ReportMetric(float64(signals*b.N)/b.Elapsed().Seconds(), "spans/s")
}
