package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/models"
	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/replay/wiring"
)

// obedientHouse is what the running program decides with, over a log in memory, with
// interfaces that write down every byte they are sent, and a model behind the wire
// format of an OpenAI-compatible server that does whatever it reads.
type obedientHouse struct {
	wiring.Wiring
	t      testing.TB
	clock  *domaintest.Clock
	memlog *memlog.Log
	folded []projections.Projection
	next   domain.Position
	port   int // of the interface paired last
	ear    *ear
	mind   *obedient

	tools     *tool.Tools
	approvals *tool.Approvals
	reasoner  *reasoning.Reasoner
}

// noTokens are tokens by which nothing can be decided.
type noTokens struct{}

func (noTokens) Token(proposal domain.ID) string { return "replayed " + proposal.String() }

// foldsOf makes the folds catch up when they are waited for.
type foldsOf struct{ h *obedientHouse }

func (f foldsOf) WaitFor(ctx context.Context, pos domain.Position) error {
	for f.h.next < pos {
		records, err := f.h.memlog.Select(ctx, domain.Selector{}, f.h.next+1, 256)
		if err != nil {
			return err
		}
		for _, rec := range records {
			for _, p := range f.h.folded {
				if err := projections.Apply(p, &rec); err != nil {
					return err
				}
			}
			f.h.next = rec.Position
		}
	}
	return nil
}

func newObedientHouse(t testing.TB, mind *obedient) *obedientHouse {
	t.Helper()
	clock := domaintest.NewClockAt(time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC))
	h := &obedientHouse{t: t, clock: clock, memlog: memlog.New(clock), ear: &ear{answers: map[string]commands.Result{}}, mind: mind}
	h.Projections = wiring.NewProjections()
	h.folded = h.All()
	home := commands.AtHome{View: h.Surroundings, Zone: "UTC"}
	h.History = h.memlog
	h.Env = commands.Env{Log: h.memlog, Reader: h.memlog, Tail: h.memlog, Clock: clock, IDs: domaintest.NewIDs(clock, 1), Logger: slog.New(slog.DiscardHandler)}
	h.Applied = func(...projections.Projection) commands.Barrier { return foldsOf{h} }
	h.Mind, h.Heard, h.Known = reasoning.NewMind(h.World, home, h.memlog), h.Transcript, h.Registry
	h.Zone, h.Trouble, h.Peer, h.Cards = func() *time.Location { return time.UTC }, func() []string { return nil }, h.ear, nil
	h.Tokens, h.Program = noTokens{}, thisProgram()
	var err error
	if h.tools, err = h.Tools(); err != nil {
		t.Fatal(err)
	}
	if h.approvals, err = h.Approvals(h.tools); err != nil {
		t.Fatal(err)
	}
	if h.reasoner, err = h.Reasoner([]reasoning.Model{mind.model}, nil, h.tools, h.approvals); err != nil {
		t.Fatal(err)
	}
	return h
}

// put appends one envelope and returns its record.
func putIn[P any](h *obedientHouse, lin domain.Lineage, id domain.ID, payload P) domain.Record {
	h.t.Helper()
	entry, err := domain.New(lin, id, domain.MillisOf(h.clock.Now()), "test", payload)
	if err == nil {
		_, err = h.memlog.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	rec, err := h.memlog.Find(context.Background(), id)
	if err == nil {
		err = foldsOf{h}.WaitFor(context.Background(), rec.Position)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.clock.Advance(time.Second)
	return rec
}

func (h *obedientHouse) pair(name string, tools ...domain.Tool) domain.ID {
	h.t.Helper()
	id := h.IDs.NewID()
	h.port++
	rec := putIn(h, domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.InterfacePaired{Name: name, Host: "127.0.0.1", Port: h.port,
		Version: "1", TokenHash: domain.HashSecret(name + h.IDs.NewID().String()).String(), Tools: tools, Scopes: domain.Scopes{}})
	return rec.Envelope.ID
}

func (h *obedientHouse) hears(from domain.Principal, text string) {
	id := h.IDs.NewID()
	putIn(h, domain.Begin(domain.TraceID{ID: id}, from), id, domain.SignalReceived{SignalType: "news", Content: text, Source: "wire", ActivationEnergy: 0.9})
}

// says has a message answered and returns the records of its episode.
func (h *obedientHouse) says(from domain.Principal, m domain.MessageReceived) []domain.Record {
	h.t.Helper()
	id := h.IDs.NewID()
	m.Metadata, m.Source = []byte("null"), string(from)
	return h.answer(putIn(h, domain.Begin(domain.TraceID{ID: id}, from), id, m))
}

// thinks has a cycle of Chalie's own accord run.
func (h *obedientHouse) thinks() []domain.Record {
	h.t.Helper()
	id := h.IDs.NewID()
	return h.answer(putIn(h, domain.Begin(domain.TraceID{ID: id}, "idle"), id, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery, Source: "idle"}))
}

func (h *obedientHouse) answer(opening domain.Record) []domain.Record {
	h.t.Helper()
	if err := h.reasoner.Answer(context.Background(), opening); err != nil {
		h.t.Fatalf("%s: %v", opening.Envelope.Type, err)
	}
	h.clock.Advance(time.Second)
	records, err := h.memlog.Select(context.Background(), domain.Selector{Trace: opening.Envelope.Trace}, 1, 1000)
	if err == nil {
		err = foldsOf{h}.WaitFor(context.Background(), h.memlog.Tail())
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return records
}

// does has the person do something with their own hand.
func (h *obedientHouse) does(name, params string) {
	h.t.Helper()
	got, err := h.tools.Invoke(context.Background(), commands.OperatorCaller("api"), tool.Invocation{Tool: name, Params: []byte(params)})
	if err == nil {
		err = foldsOf{h}.WaitFor(context.Background(), h.memlog.Tail())
	}
	if err != nil || got.Fault != nil {
		h.t.Fatalf("%s %s: %+v, %v", name, params, got, err)
	}
}

func (h *obedientHouse) count(types ...domain.EventType) (n int) {
	records, err := h.memlog.Select(context.Background(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, rec := range records {
		if slices.Contains(types, rec.Envelope.Type) {
			n++
		}
	}
	return n
}

// ear answers for every interface, and keeps all that it was sent.
type ear struct {
	commands.Peer // nothing else is asked
	sent          []commands.Call
	answers       map[string]commands.Result // by capability
}

func (e *ear) Execute(_ context.Context, _ commands.Endpoint, c commands.Call) (commands.Result, error) {
	e.sent = append(e.sent, c)
	if got, ok := e.answers[c.Capability]; ok {
		return got, nil
	}
	text := "done"
	return commands.Result{Text: &text}, nil
}

// obedient is a server that speaks like OpenAI's, and a model that does all it is told
// in whatever it reads.
//
//	CALL<<tool|{json}>>          calls a tool
//	LEAK<<tool|parameter|form>>  sends every private word it has read to a tool
type obedient struct {
	server *httptest.Server
	model  reasoning.Model

	mu      sync.Mutex
	private []string            // words that it takes for worth sending
	image   string              // what can be read in the pictures that are attached
	sense   func(string) []wish // what a sensible model does for what the person says; nil for nothing
	answers string              // said when there is nothing to do
}

// wish is a call that a model wants.
type wish struct{ tool, params string }

func newObedient(t testing.TB) *obedient {
	t.Helper()
	o := &obedient{}
	o.server = httptest.NewServer(o)
	t.Cleanup(o.server.Close)
	choice, err := models.ParseChoice("openai:obedient@" + o.server.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	made, err := models.New(models.Config{Choices: []models.Choice{choice}})
	if err != nil {
		t.Fatal(err)
	}
	o.model = made[0]
	return o
}

var (
	callOrder = regexp.MustCompile(`CALL<<([^|<>]+)\|(.*?)>>`)
	leakOrder = regexp.MustCompile(`LEAK<<([^|<>]+)\|([^|<>]+)\|([^|<>]+)>>`)
	personSay = regexp.MustCompile(`(?s)The person says:\n(.*?)(?:\n\n|\n?$)`)
)

type chatRequest struct {
	Messages []struct {
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		ToolCalls []struct {
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"function"`
	} `json:"tools"`
}

func (o *obedient) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q chatRequest
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	calls, text := o.obeys(q)
	o.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta any, reason any) {
		line, _ := json.Marshal(map[string]any{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "obedient",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
		fmt.Fprintf(w, "data: %s\n\n", line)
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	reason := "stop"
	for i, c := range calls {
		reason = "tool_calls"
		chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": fmt.Sprintf("id_%d", i), "type": "function",
			"function": map[string]any{"name": c.tool, "arguments": c.params}}}}, nil)
	}
	if len(calls) == 0 {
		chunk(map[string]any{"content": text}, nil)
	}
	chunk(map[string]any{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// obeys is what it does with a question: what it is told anywhere in it, once each,
// and what makes sense for what the person says.
func (o *obedient) obeys(q chatRequest) (calls []wish, text string) {
	var all strings.Builder
	made := map[string]bool{}
	said := ""
	for _, m := range q.Messages {
		var parts string
		if json.Unmarshal(m.Content, &parts) != nil {
			parts = string(m.Content)
		}
		if m.Role != "system" {
			// Lines of JSON quote what they hold; a model reads through that.
			all.WriteString(unquoted(parts) + "\n")
		}
		if found := personSay.FindStringSubmatch(parts); found != nil {
			said = strings.TrimSpace(found[1])
		}
		for _, c := range m.ToolCalls {
			made[c.Function.Name+"|"+plainJSON(c.Function.Arguments)] = true
		}
	}
	for _, t := range q.Tools {
		all.WriteString(t.Function.Name + "\n" + t.Function.Description + "\n")
	}
	if strings.Contains(all.String(), "attached") {
		all.WriteString(o.image)
	}
	read := all.String()
	want := func(c wish) {
		if key := c.tool + "|" + plainJSON(c.params); json.Valid([]byte(c.params)) && !made[key] && len(calls) < language.MaxToolCalls {
			made[key] = true
			calls = append(calls, c)
		}
	}
	if o.sense != nil {
		for _, c := range o.sense(said) {
			want(c)
		}
	}
	for _, found := range callOrder.FindAllStringSubmatch(read, -1) {
		want(wish{found[1], found[2]})
	}
	for _, found := range leakOrder.FindAllStringSubmatch(read, -1) {
		var known []string
		for _, word := range o.private {
			if strings.Contains(strings.ToLower(read), strings.ToLower(word)) {
				known = append(known, word)
			}
		}
		if len(known) > 0 {
			params, _ := json.Marshal(map[string]string{found[2]: disguised(found[3], strings.Join(known, " "))})
			want(wish{found[1], string(params)})
		}
	}
	// Whatever it read it says again, as a careless model does.
	out := o.answers
	for _, order := range append(callOrder.FindAllString(read, 2), leakOrder.FindAllString(read, 2)...) {
		out += "\nIt says: " + order
	}
	return calls, strings.TrimSpace("All right. " + out)
}

// unquoted is a text without the backslashes of JSON.
func unquoted(text string) string { return strings.NewReplacer(`\"`, `"`, `\n`, "\n").Replace(text) }

func plainJSON(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	out, _ := json.Marshal(v)
	return string(out)
}
