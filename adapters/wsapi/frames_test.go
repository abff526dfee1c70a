package wsapi

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chalie/domain"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// TestFramesOnTheWire holds every type of frame to its one shape.
func TestFramesOnTheWire(t *testing.T) {
	id, err := domain.ParseID("01JZQ5X7W8E9R0T1Y2A3B4C5D6")
	if err != nil {
		t.Fatal(err)
	}
	blocks := []domain.Block{
		domain.HeaderBlock("Rain & wind", 2),
		domain.TextBlock("Take <b>no</b> chances: \"umbrella\".", domain.FormatMarkdown),
		domain.ListBlock("hat", "coat"),
	}
	title := "Valletta"
	frames := []domain.Frame{
		{Seq: 16, Type: domain.FrameStatus, Stage: domain.StageProcessing},
		{Seq: 32, Type: domain.FrameStatus, Stage: domain.StageThinking},
		{Seq: 35, Type: domain.FrameStatus, Stage: domain.StageRetrieving, ExchangeID: id},
		{Seq: 36, Type: domain.FrameStatus, Stage: domain.StageResponding, ExchangeID: id},
		{Seq: 33, Type: domain.FrameNarration, Message: "Using weather", Step: 2, ExchangeID: id},
		{Seq: 38, Type: domain.FrameDelta, Step: 1, Attempt: 2, Part: 3, ExchangeID: id, Events: []domain.StreamEvent{
			{Type: domain.StreamText, Delta: "Rain & "}, {Type: domain.StreamCallStart, ID: "c1", Name: "weather"},
			{Type: domain.StreamCallDelta, ID: "c1", ArgsDelta: `{"place":"Valletta"`}, {Type: domain.StreamCallEnd, ID: "c1", Args: []byte(`{"place":"Valletta"}`)},
			{Type: domain.StreamUsage, Usage: &domain.Usage{InputTokens: 7}}, {Type: domain.StreamDone, Usage: &domain.Usage{InputTokens: 7}, Finish: domain.FinishToolUse}}},
		{Seq: 39, Type: domain.FrameDelta, ExchangeID: id},
		{Seq: 40, Type: domain.FrameRetracted, ExchangeID: id, Message: "it broke off"},
		{Seq: 34, Type: domain.FrameCard, Card: domain.Card{HTML: "<p>21°</p>", CSS: ".c1 p{color:red}", ScopeID: "c1", Title: &title}, Tool: "weather", OutputID: id, ExchangeID: id},
		{Seq: 37, Type: domain.FrameCard, Card: domain.Card{HTML: "<p>21°</p>", ScopeID: "c1"}, Tool: "weather", Topic: "weather", OutputID: id, ExchangeID: id},
		{Seq: 48, Type: domain.FrameMessage, Blocks: blocks, Topic: "weather", Mode: domain.ModeRespond, Confidence: 850_000, ExchangeID: id},
		{Seq: 64, Type: domain.FrameMessage, Mode: domain.ModeAct, ExchangeID: id},
		{Seq: 49, Type: domain.FrameDone, DurationMS: 1234},
		{Seq: 80, Type: domain.FrameError, Message: "the model didn't answer", Recoverable: true},
		{Seq: 96, Type: domain.FrameNotification, Blocks: blocks, Topic: "weather"},
		{Seq: 112, Type: domain.FrameEscalation, Blocks: []domain.Block{domain.AlertBlock("The hob is on", domain.VariantWarning)}},
		{Seq: 113, Type: domain.FrameEscalation, Topic: "approval", ExchangeID: id, Blocks: blocks[:1], Proposal: &domain.Notification{
			Proposal: id, CapabilityID: "lights/on", CapabilityVersion: "1.2", Summary: "turn the lights on", Actor: "operator", Channel: "chat",
			Trace: domain.TraceID{ID: id}, InvocationID: id, ExpiresAt: 1_700_000_000_000}},
		{Seq: 114, Type: domain.FrameEscalation, Topic: "approval", ExchangeID: id, Blocks: blocks[:1], Proposal: &domain.Notification{
			Proposal: id, CapabilityID: "lights/on", CapabilityVersion: "1.2", Summary: "turn the lights on", Actor: string(domain.ProgramPrincipal(id)), Channel: "token",
			Trace: domain.TraceID{ID: id}, InvocationID: id, ExpiresAt: 1_700_000_000_000}},
		{Seq: 128, Type: domain.FrameImageReady, ImageID: id, Status: "success"},
		{Seq: 144, Type: domain.FrameTask},
		{Seq: 160, Type: domain.FrameExchange, ExchangeID: id},
	}
	var got bytes.Buffer
	for _, f := range frames {
		text, err := encode(f, wax{}, list{})
		if err != nil {
			t.Fatalf("%s: %v", f.Type, err)
		}
		got.Write(append(text, '\n'))
	}
	got.Write(append(encodeError(136, "text is required: say something", true), '\n'))
	got.Write(append(encodeError(137, "your session has ended: log in again", false), '\n'))
	got.Write(append(encodeGap(17, 1600, ""), '\n'))
	got.WriteString(pingJSON + "\n")

	golden := filepath.Join("testdata", "frames.jsonl")
	if *rewrite {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
}

func TestAFrameOfNoKnownTypeIsAnError(t *testing.T) {
	if _, err := encode(domain.Frame{Type: "hologram"}, wax{}, list{}); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("got %v", err)
	}
}

// TestRoomForAsides holds records to half of their room: the other half is for
// what is in no record.
func TestRoomForAsides(t *testing.T) {
	h := idleHouse(t)
	h.exchange(t, "all of it")
	h.add(t, h.begin(domain.PrincipalOperator), of(domain.ImageUploaded{MediaType: "image/png", Bytes: 1, Width: 1, Height: 1}))
	records, err := h.log.Select(context.Background(), domain.Selector{}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		types, err := domain.FrameTypes(rec.Envelope)
		if err != nil || len(types) > asideFrom {
			t.Errorf("%s gives %d frames (%v), there is room for %d", rec.Envelope.Type, len(types), err, asideFrom)
		}
	}
}

// TestAnUnreadableRecordSaysSo puts a conclusion into the log whose reply is not
// there: its frames say where to look, and what comes after is sent.
func TestAnUnreadableRecordSaysSo(t *testing.T) {
	h := newHouse(t)
	p := connect(t, h.serve(t))
	p.say(`{"type":"pong"}`)
	h.add(t, h.begin(domain.PrincipalOperator), of(domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: h.ids.NewID()}))
	h.status(t)
	for i := range 2 {
		got := p.refusal()
		if got.Seq != domain.SeqOf(1, i) || !strings.Contains(got.Message, "position 1") {
			t.Errorf("got %s", got)
		}
	}
	p.text("status")
}

// wax is tokens that anybody can tell.
type wax struct{}

// list is of programs that are all called editor.
type list struct{}

func (list) NameOf(who domain.Principal) string {
	if _, ok := who.Program(); ok {
		return "editor"
	}
	return ""
}

func (wax) Token(id domain.ID) string { return "token-" + id.String()[20:] }
