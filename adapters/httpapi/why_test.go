package httpapi_test

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"chalie/domain"
)

// why is an answer of GET /api/why/{id} as it is documented.
type why struct {
	Target struct {
		ID    domain.ID `json:"envelope_id"`
		Trace domain.ID `json:"trace_id"`
		Type  string
		Said  string
	}
	Sentences []string
	Nodes     []struct {
		ID                             domain.ID `json:"envelope_id"`
		Trace                          domain.ID `json:"trace_id"`
		Type, Source, Principal, Label string
		Position                       domain.Position
		RecordedAt                     domain.Millis `json:"recorded_at"`
		Numbers                        map[string]float64
		Erased, Missing                bool
	}
	Edges []struct {
		From, To   domain.ID
		Kind, Role string
		Weight     *float64
	}
	Cut *bool
}

func (b *bench) why(target, query string) (out why) {
	b.t.Helper()
	b.socket("GET", "/api/why/"+target+query, "").wants(200).read(&out)
	return out
}

func TestWhy(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/why/last", "").wants(404, `"code":"nothing_said"`, "say something to it")
	var accepted struct {
		SignalID domain.ID `json:"signal_id"`
	}
	b.call("POST", "/api/signals", rain, bearer(b.token("station", "[]"))).wants(202).read(&accepted)
	heard := accepted.SignalID
	asked := b.says("will it rain?")
	b.socket("GET", "/api/why/last", "").wants(404, `"code":"nothing_said"`)
	if got := b.why(asked.ID.UUID(), ""); got.Target.ID != asked.ID || got.Target.Said != "" || !strings.Contains(strings.Join(got.Sentences, " "), "Nothing has come of it yet") {
		t.Errorf("before the answer: %+v", got)
	}
	reply := next(b, asked, domain.ModelReplied{Model: "m", Blocks: []domain.Block{domain.TextBlock("Take <an> umbrella & go", domain.FormatPlain)}, Topic: "weather", Mode: domain.ModeRespond})
	b.append(domain.TopicReasoning, reply)
	end := b.ends(reply, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.ID, Evidence: []domain.Evidence{
		{EnvelopeID: asked.ID, Role: "asked", Weight: domain.One}, {EnvelopeID: heard, Role: "named", Weight: 620_000},
	}})

	last := b.why("last", "")
	if last.Target.ID != end.ID || last.Target.Trace != asked.ID || last.Target.Type != "reasoning.concluded" || last.Target.Said != "Take <an> umbrella & go" || last.Cut == nil || *last.Cut {
		t.Errorf("the target is %+v", last)
	}
	want := []string{
		`Chalie answered "Take <an> umbrella & go" because you asked "will it rain?" at 12:00 UTC.`,
		`It rests on this: station reported "Heavy rain expected" at 12:00 UTC (weight 0.62).`,
		`station may speak to Chalie because you gave it a token at 12:00 UTC.`,
	}
	if !reflect.DeepEqual(last.Sentences, want) {
		t.Errorf("it is told as\n%q\nwant\n%q", last.Sentences, want)
	}
	types := map[domain.ID]string{}
	for _, n := range last.Nodes {
		types[n.ID] = n.Type
		if n.Label == "" || n.Position == 0 || n.RecordedAt == 0 || n.Source == "" || n.Principal == "" || n.Trace.IsZero() || n.Numbers == nil {
			t.Errorf("a node is %+v", n)
		}
	}
	var edges []string
	for _, e := range last.Edges {
		weight := ""
		if e.Weight != nil {
			weight = fmt.Sprint(" ", *e.Weight)
		}
		edges = append(edges, types[e.From]+" > "+types[e.To]+" "+e.Kind+" "+e.Role+weight)
	}
	if want := []string{
		"model.replied > reasoning.concluded caused parent", "message.received > reasoning.concluded evidence asked 1",
		"signal.received > reasoning.concluded evidence named 0.62", "message.received > model.replied caused parent",
		"token.issued > signal.received caused sent_by",
	}; !reflect.DeepEqual(edges, want) {
		t.Errorf("the edges are\n%q\nwant\n%q", edges, want)
	}

	rec, err := b.log.Find(t.Context(), end.ID)
	b.must(err)
	for _, name := range []string{
		end.ID.String(), end.ID.UUID(), strings.ReplaceAll(asked.ID.UUID(), "-", ""), asked.ID.UUID(), strings.ToLower(asked.ID.String()),
		fmt.Sprint(domain.SeqOf(rec.Position, 1)), fmt.Sprintf("pos:%d", rec.Position),
	} {
		if got := b.why(name, ""); !reflect.DeepEqual(got, last) {
			t.Errorf("%s is explained as %+v", name, got)
		}
	}
	for _, zone := range []string{"+02:00", "Etc/GMT-2"} {
		if got := b.why("last", "?zone="+url.QueryEscape(zone)).Sentences[0]; !strings.HasSuffix(got, "at 14:00.") {
			t.Errorf("in %s: %s", zone, got)
		}
	}
	b.why("last", "?zone=+02:00")
	unknown := b.ids.NewID().UUID()
	b.socket("GET", "/api/why/"+unknown, "").wants(404, `"code":"no_envelope"`, "give last, the id of an envelope or an exchange, the seq of a frame")
	b.socket("GET", "/api/why/", "").wants(404)
	b.socket("POST", "/api/why/last", "").wants(405)
}

// What was erased is told as that, and what it led to is still known.
func TestWhyOfWhatWasErased(t *testing.T) {
	b := newBench(t, settings{})
	asked := b.says("my secret")
	reply := next(b, asked, domain.ModelReplied{Model: "m", Blocks: []domain.Block{}, Topic: "t", Mode: domain.ModeRespond})
	reply.Payload = domain.Payload{Encoding: domain.EncodingErased}
	end := next(b, reply, domain.ReasoningConcluded{})
	end.Keys = []domain.Key{domain.ConcludedKey(end.Trace), domain.ReasoningConcluded{Shown: domain.ShownMessage}.ShownKey()}
	end.Payload = domain.Payload{Encoding: domain.EncodingErased}
	b.append(domain.TopicReasoning, reply, end)
	got := b.why("last", "")
	if got.Target.Said != "(erased)" || len(got.Nodes) != 3 || !got.Nodes[0].Erased || !got.Nodes[1].Erased || got.Nodes[1].Label != "(erased)" || got.Nodes[2].Erased {
		t.Errorf("it is %+v", got)
	}
}

// In the other direction is what it led to.
func TestEffects(t *testing.T) {
	b := newBench(t, settings{})
	asked := b.says("will it rain?")
	reply := next(b, asked, domain.ModelReplied{Model: "m", Blocks: []domain.Block{domain.TextBlock("No", domain.FormatPlain)}, Topic: "weather", Mode: domain.ModeRespond})
	b.append(domain.TopicReasoning, reply)
	end := b.ends(reply, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.ID,
		Evidence: []domain.Evidence{{EnvelopeID: asked.ID, Role: "asked", Weight: domain.One}}})
	b.socket("GET", "/api/why/"+asked.ID.UUID()+"?direction=forward", "").wants(200, `"direction":"forward"`)
	got := b.why(asked.ID.UUID(), "?direction=forward")
	if got.Target.ID != asked.ID || len(got.Nodes) != 3 || got.Nodes[2].ID != end.ID {
		t.Errorf("it led to %+v", got)
	}
	if want := []string{`At 12:00 UTC you asked "will it rain?"`, `At 12:00 UTC Chalie answered "No".`}; !reflect.DeepEqual(got.Sentences, want) {
		t.Errorf("it is told as %q, want %q", got.Sentences, want)
	}
	if back := b.why(asked.ID.UUID(), "?direction=back"); back.Target.ID != end.ID {
		t.Errorf("back it is %+v", back)
	}
	b.socket("GET", "/api/why/last?direction=sideways", "").wants(400, `"field":"direction"`, "sideways", "give back")
}

// As a picture it may load and run nothing, whatever an interface said.
func TestWhyAsAPicture(t *testing.T) {
	b := newBench(t, settings{})
	asked := b.says(`</text><script>alert(1)</script> <image href="http://evil.example/x"/>`)
	b.ends(asked, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: []domain.Block{domain.TextBlock("No", domain.FormatPlain)}, Topic: "t"})
	for format, want := range map[string]struct{ media, begins string }{
		"svg": {"image/svg+xml; charset=utf-8", "<svg xmlns="}, "dot": {"text/vnd.graphviz; charset=utf-8", "digraph"}, "mermaid": {"text/plain; charset=utf-8", "flowchart"},
	} {
		for _, direction := range []string{"back", "forward"} {
			got := b.socket("GET", "/api/why/pos:1?format="+format+"&direction="+direction, "").wants(200)
			h := got.header
			if h.Get("Content-Type") != want.media || h.Get("Content-Security-Policy") != "default-src 'none'; sandbox" || h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s has the header %v", format, h)
			}
			if !strings.HasPrefix(got.body, want.begins) || format != "dot" && (strings.Contains(got.body, "<script") || strings.Contains(got.body, "<image")) {
				t.Errorf("%s %s is\n%s", format, direction, got.body)
			}
		}
	}
	b.socket("GET", "/api/why/last?format=json", "").wants(200, `"sentences"`)
	b.socket("GET", "/api/why/last?format=png", "").wants(400, `"field":"format"`, "svg, dot, mermaid or json")
	b.call("GET", "/api/why/last?format=svg", "").wants(401)
}
