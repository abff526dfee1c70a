package aistalk_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/adapters/aistalk"
	"chalie/domain"
	"chalie/domain/domaintest"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// TestEventsOnTheWire holds every type of event to its one shape.
func TestEventsOnTheWire(t *testing.T) {
	id, err := domain.ParseID("01JZQ5X7W8E9R0T1Y2A3B4C5D6")
	if err != nil {
		t.Fatal(err)
	}
	of := domain.ConversationName{Project: "aistalk", Session: "s1", User: "u"}
	at := time.Date(2026, 2, 25, 13, 34, 56, 789_000_000, time.FixedZone("", 3600))
	var got bytes.Buffer
	for _, e := range []domain.ConsoleEvent{
		{Seq: 16, Type: domain.ConsoleMessage, Of: of, Text: "What's <new> & good?"},
		{Seq: 32, Type: domain.ConsoleMessage, Text: "hi", Model: "anthropic/claude-opus-5-5"},
		{Seq: 48, Type: domain.ConsoleReply, Of: of, Text: "Nothing.", Model: "ollama/glm-4.7-flash:32k", LatencyMS: 1234},
		{Seq: 64, Type: domain.ConsoleReply, Text: "The hob is on.", Unasked: true},
		{Seq: 80, Type: domain.ConsoleApproval, Of: of, Text: "open the door", ID: id},
		{Seq: 96, Type: domain.ConsoleDelta, Of: of, Events: []domain.StreamEvent{{Type: domain.StreamText, Delta: "Not"}}},
		{Seq: 112, Type: domain.ConsoleDelta},
		{Seq: 128, Type: domain.ConsoleRetracted, Text: "it broke off"},
		{Seq: 144, Type: domain.ConsoleSTT, Of: of, Phase: domain.VoiceStart, ID: id},
		{Seq: 160, Type: domain.ConsoleSTT, Phase: domain.VoiceError, ID: id, Code: "no_engine", LatencyMS: 7},
		{Seq: 176, Type: domain.ConsoleTTS, Phase: domain.VoiceDone, Voice: "Polina", ID: id, LatencyMS: 789},
		{Seq: 192, Type: domain.ConsoleCalled, Tool: "plans", ID: id},
		{Seq: 208, Type: domain.ConsoleResult, ID: id, OK: true, LatencyMS: 4},
		{Seq: 224, Type: domain.ConsoleResult, ID: id, Code: "refused"},
		{Seq: 232, Type: domain.ConsoleReply, Of: domain.ConversationName{Session: "s1"}, Text: "Hello."},
		{Seq: 240, Type: domain.ConsoleError, Where: domain.AtOllama, Text: "out of reach", Code: "model_failed"},
	} {
		e.At, e.ExchangeID = domain.MillisOf(at), id
		got.Write(append(aistalk.Encode(e, "builtin/9"), '\n'))
	}
	clock := domaintest.NewClock()
	console := &aistalk.Console{Clock: clock}
	for _, text := range [][]byte{
		aistalk.OpsRun(at, aistalk.Ops{Name: "rebuild", Of: "world", OK: true, ElapsedMS: 999}),
		aistalk.NodesStatus(at, aistalk.Nodes{UptimeS: 3600, Clients: 2, Nodes: []aistalk.Node{{ID: "chalie", Online: true, RouterOK: true, LatencyMS: 12}}}),
		console.Gap(17, 160), console.Refusal(130, "id must be a number", false), console.Refusal(131, "your session has ended", true), console.Unreadable(256, "it can't be read"),
	} {
		got.Write(append(text, '\n'))
	}
	golden := filepath.Join("testdata", "events.jsonl")
	if *rewrite {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(golden, got.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("events have changed; programs of others read them. They are\n%swant\n%s", got.Bytes(), want)
	}
}

// client is what a client did.
type client struct {
	resumed []domain.Seq
	sent    [][]byte
	fail    error
}

// ResumeIn is as of a log whose second epoch, a restore, began at position 3.
func (c *client) ResumeIn(seen domain.ID, _ string, last domain.Seq, gap func(from, to domain.Seq, into domain.Epoch, now domain.ID) []byte) error {
	c.resumed = append(c.resumed, last)
	if !seen.IsZero() {
		c.Send(gap(48, 95, domain.Epoch{ID: domain.ID{0: 1}, From: 3, Reason: domain.EpochRestore}, domain.ID{0: 1}))
	}
	return c.fail
}

func (c *client) Send(text []byte) { c.sent = append(c.sent, text) }

func TestWhatConsolesSay(t *testing.T) {
	console := &aistalk.Console{Clock: domaintest.NewClock()}
	for text, want := range map[string]struct {
		resumes domain.Seq // 0 for not
		pongs   int
		refused bool
	}{
		`{"type":"ping"}`:               {0, 1, false},
		"\ufeff" + `{"type":"ping"}`:    {0, 1, false},
		`{"type":"ping","id":null}`:     {0, 1, false},
		`{"type":"ping","id":32,"x":1}`: {32, 1, false},
		`{"type":"resume","id":32}`:     {32, 0, false},
		`{"type":"resume"}`:             {0, 0, true},
		`{"type":"resume","id":null}`:   {0, 0, false}, // as 0
		`{"type":"ping","id":"32"}`:     {0, 0, true},

		`{"type":"resume","id":32,"epoch":null}`: {32, 0, false},
		`{"type":"resume","id":32,"epoch":"x"}`:  {0, 0, true},
		`{"type":"ping","id":-1}`:                {0, 0, true},
		`{"type":"ping","id":1.5}`:               {0, 0, true},
		`{"type":"chat","text":"hi"}`:            {0, 0, true},
		`{}`:                                     {0, 0, true},
		`[]`:                                     {0, 0, true},
		`ping`:                                   {0, 0, true},
		``:                                       {0, 0, true},
	} {
		var c client
		err := console.Handle(context.Background(), &c, []byte(text))
		if refused := domain.CategoryOf(err) == domain.Validation; refused != want.refused || err != nil && !refused || len(c.sent) != want.pongs {
			t.Errorf("%s is answered %q and %v", text, c.sent, err)
		}
		if want.resumes != 0 && (len(c.resumed) != 1 || c.resumed[0] != want.resumes) {
			t.Errorf("%s resumes %v", text, c.resumed)
		}
	}
	var other client
	const gap = `"data":{"from":48,"to":95,"reason":"restore"},"id":95,"epoch":"`
	err := console.Handle(context.Background(), &other, []byte(`{"type":"resume","id":32,"epoch":"`+domain.ID{0: 2}.String()+`"}`))
	if err != nil || len(other.sent) != 1 || !strings.Contains(string(other.sent[0]), gap+domain.ID{0: 1}.String()+`"}`) {
		t.Errorf("another epoch is answered %q, %v", other.sent, err)
	}
	c := client{fail: domain.Invalid("resume", "id", "too large")}
	if err := console.Handle(context.Background(), &c, []byte(`{"type":"ping","id":32}`)); err == nil || len(c.sent) > 0 {
		t.Errorf("an id that isn't yet is answered %q and %v", c.sent, err)
	}
}

func TestWhereAnAddressResumes(t *testing.T) {
	console := &aistalk.Console{}
	for query, want := range map[string]struct {
		last    domain.Seq
		resumes bool
		refused bool
	}{"": {}, "?id=": {}, "?id=0": {0, true, false}, "?id=48": {48, true, false}, "?id=x": {refused: true}, "?id=-1": {refused: true}, "?id=99999999999999999999": {refused: true}} {
		last, resumes, err := console.Opening(httptest.NewRequest("GET", "/ws/events"+query, http.NoBody))
		if last != want.last || resumes != want.resumes || (err != nil) != want.refused {
			t.Errorf("%q resumes from %d %v: %v", query, last, resumes, err)
		}
	}
}
