package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/domain"
)

// said is an exchange as a client reads it.
type said struct {
	ID        string
	Prompt    string
	Blocks    []domain.Block
	Topic     string
	Timestamp string
	Action    *struct {
		Skill, Label string
		Params       json.RawMessage
	} `json:",omitempty"`
	InWorkingMemory bool     `json:"in_working_memory"`
	ImageIDs        []string `json:"image_ids"`
}

type conversation struct {
	ThreadID  *string `json:"thread_id"`
	Exchanges []said
	Total     int
	HasMore   bool `json:"has_more"`
}

func (b *bench) conversation(query string) (out conversation) {
	b.t.Helper()
	b.socket("GET", "/conversation/recent"+query, "").wants(200).read(&out)
	return out
}

// says records a message of the person, as a socket does.
func (b *bench) says(text string, images ...domain.ID) domain.Envelope {
	b.t.Helper()
	id, err := b.cfg.Messages.Say(context.Background(), commands.OperatorCaller("ws"), domain.MessageReceived{Text: text, ImageIDs: images})
	b.must(err)
	rec, err := b.log.Find(context.Background(), id)
	b.must(err)
	return rec.Envelope
}

// next makes the envelope of what cause led to.
func next[P any](b *bench, cause domain.Envelope, payload P) domain.Envelope {
	b.t.Helper()
	entry, err := domain.New(domain.Continue(cause), b.ids.NewID(), domain.MillisOf(b.clock.Now()), "reasoning", payload)
	b.must(err)
	return entry.Envelope
}

// ends records the conclusion of a trace.
func (b *bench) ends(cause domain.Envelope, end domain.ReasoningConcluded, faults ...domain.Fault) domain.Envelope {
	b.t.Helper()
	e := next(b, cause, end)
	e.Keys, e.Errors = []domain.Key{domain.ConcludedKey(e.Trace), end.ShownKey()}, faults
	b.append(domain.TopicReasoning, e)
	return e
}

// answers records a reply and its conclusion.
func (b *bench) answers(cause domain.Envelope, shown domain.Showing, text, topic string) (reply, end domain.Envelope) {
	b.t.Helper()
	reply = next(b, cause, domain.ModelReplied{Model: "m", Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, Topic: topic, Mode: domain.ModeRespond})
	b.append(domain.TopicReasoning, reply)
	return reply, b.ends(reply, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: shown, Reply: reply.ID})
}

func texts(exchanges []said) (out []string) {
	for _, e := range exchanges {
		out = append(out, e.Prompt+" "+domain.PlainText(e.Blocks))
	}
	return out
}

func TestConversation(t *testing.T) {
	b := newBench(t, settings{})
	picture, err := domain.ParseID(b.uploaded(pictures(t)["image/png"]))
	b.must(err)
	b.clock.Advance(1234567 * time.Microsecond)
	first := b.says("hello", picture)
	began := b.clock.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	b.clock.Advance(time.Second)
	b.answers(first, domain.ShownMessage, "good morning", "greeting")
	failed := b.says("what about the rain?")
	b.ends(failed, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}, domain.Fault{Code: "model_failed", Message: "the model is out of reach"})
	heard := next(b, first, domain.MessageReceived{Text: "the server is down", ImageIDs: []domain.ID{}})
	heard.ID = b.ids.NewID()
	heard.Trace.ID, heard.Parent, heard.Principal, heard.Source = heard.ID, domain.ID{}, "monitor", "monitor"
	b.append(domain.TopicMessages, heard)
	b.answers(heard, domain.ShownEscalation, "a server of yours is down", "work")
	waiting := b.says("and now?")

	got := b.conversation("")
	want := conversation{ThreadID: new(first.ID.UUID()), Total: 4, Exchanges: []said{
		{ID: first.ID.UUID(), Prompt: "hello", Topic: "greeting", Timestamp: began, InWorkingMemory: true, ImageIDs: []string{picture.UUID()}},
		{ID: failed.ID.UUID(), Prompt: "what about the rain?", InWorkingMemory: true, ImageIDs: []string{}},
		{ID: heard.ID.UUID(), Topic: "work", ImageIDs: []string{}},
		{ID: waiting.ID.UUID(), Prompt: "and now?", ImageIDs: []string{}},
	}}
	blocks := [][]domain.Block{
		{domain.TextBlock("good morning", domain.FormatPlain)}, {domain.AlertBlock("the model is out of reach", domain.VariantError)},
		{domain.TextBlock("a server of yours is down", domain.FormatPlain)}, {},
	}
	for i := range want.Exchanges {
		want.Exchanges[i].Blocks = blocks[i]
		if i > 0 {
			want.Exchanges[i].Timestamp = b.clock.Now().UTC().Format("2006-01-02T15:04:05.000Z")
		}
	}
	have, err := json.Marshal(got)
	b.must(err)
	if wanted, err := json.Marshal(want); err != nil || !bytes.Equal(have, wanted) {
		t.Errorf("the conversation is\n%s, want\n%s", have, wanted)
	}
}

// A button that was pressed is part of the conversation, with what came of it.
func TestConversationWithActions(t *testing.T) {
	b := newBench(t, settings{})
	press := func(a domain.ActionReceived) domain.Envelope {
		id, err := b.cfg.Messages.Act(context.Background(), commands.OperatorCaller("ws"), a)
		b.must(err)
		rec, err := b.log.Find(context.Background(), id)
		b.must(err)
		return rec.Envelope
	}
	b.answers(b.says("where do we eat?"), domain.ShownMessage, "at Luigi's", "t")
	pressed := press(domain.ActionReceived{Skill: "book", Payload: []byte(`{"skill":"book","people":2}`), Label: "Table for two"})
	b.answers(pressed, domain.ShownMessage, "booked", "t")
	if dim := press(domain.ActionReceived{Skill: "dim"}); b.steps(dim.ID).Stage != "processing" {
		t.Errorf("one that nobody has taken up is at %q", b.steps(dim.ID).Stage)
	}
	got := b.conversation("")
	if want := []string{"where do we eat? at Luigi's", " booked", " "}; !slices.Equal(texts(got.Exchanges), want) || got.Total != 3 {
		t.Fatalf("the conversation is %q of %d", texts(got.Exchanges), got.Total)
	}
	if got.Exchanges[0].Action != nil {
		t.Errorf("what was said is the action %+v", got.Exchanges[0].Action)
	}
	one := b.steps(pressed.ID) // the same by itself
	for _, e := range []said{got.Exchanges[1], one.said} {
		if a := e.Action; a == nil || a.Skill != "book" || a.Label != "Table for two" || string(a.Params) != `{"people":2}` || e.InWorkingMemory {
			t.Errorf("the action is %+v of %+v", a, e)
		}
	}
	if a := got.Exchanges[2].Action; a == nil || a.Skill != "dim" || a.Label != "" || string(a.Params) != `{}` {
		t.Errorf("one without a label is %+v", a)
	}
}

func TestConversationPages(t *testing.T) {
	b := newBench(t, settings{})
	var all []string
	for i := range 30 {
		text := fmt.Sprintf("%02d", i)
		b.answers(b.says(text), domain.ShownMessage, "echo "+text, "t")
		all = append(all, text+" echo "+text)
	}
	for _, c := range []struct {
		query   string
		want    []string
		hasMore bool
	}{
		{"", all[18:], true},
		{"?limit=12&offset=0", all[18:], true},
		{"?offset=12", all[6:18], true},
		{"?offset=24", all[:6], false},
		{"?limit=6&offset=24", all[:6], false},
		{"?limit=5&offset=24", all[1:6], true},
		{"?limit=1", all[29:], true},
		{"?limit=100", all, false},
		{"?limit=30", all, false},
		{"?offset=30", nil, false},
		{"?offset=2147483647", nil, false},
	} {
		got := b.conversation(c.query)
		if !slices.Equal(texts(got.Exchanges), c.want) || got.HasMore != c.hasMore || got.Total != 30 {
			t.Errorf("%s: %q, more %v of %d, want %q, %v", c.query, texts(got.Exchanges), got.HasMore, got.Total, c.want, c.hasMore)
		}
	}
	for _, query := range []string{"limit=0", "limit=101", "limit=-1", "limit=x", "limit=1.5", "offset=-1", "offset=x", "offset=2147483648", "offset=99999999999999999999", "limit=%zz"} {
		b.socket("GET", "/conversation/recent?"+query, "").wants(400)
	}
}

// Where exchanges are large a page has fewer, and those before them are on the next.
func TestLargeConversation(t *testing.T) {
	b := newBench(t, settings{})
	large := strings.Repeat("w", 400<<10)
	var all []string
	for i := range 20 {
		text := fmt.Sprintf("%02d", i)
		b.answers(b.says(text), domain.ShownMessage, large, "t")
		all = append(all, text)
	}
	var got []string
	pages := 0
	for more := true; more; pages++ {
		path := fmt.Sprintf("/conversation/recent?limit=100&steps=1&offset=%d", len(got))
		answer := b.socket("GET", path, "").wants(200)
		if len(answer.body) > 3<<20 {
			t.Fatalf("%s answers %d KiB", path, len(answer.body)>>10)
		}
		var page conversation
		answer.read(&page)
		if len(page.Exchanges) == 0 || page.Total != 20 {
			t.Fatalf("%s answers %d of %d", path, len(page.Exchanges), page.Total)
		}
		var prompts []string
		for _, e := range page.Exchanges {
			prompts = append(prompts, e.Prompt)
		}
		got, more = append(prompts, got...), page.HasMore
	}
	if !slices.Equal(got, all) || pages < 4 {
		t.Errorf("on %d pages: %q", pages, got)
	}
}

// What is read for steps bounds a page, too, though little of it is shown.
func TestConversationOfLargeTraces(t *testing.T) {
	b := newBench(t, settings{})
	kept := strings.Repeat("w", 500<<10)
	for range 10 {
		asked := b.says("go on")
		for range 5 {
			b.append(domain.TopicReasoning, next(b, asked, domain.ModelReplied{Model: kept}))
		}
	}
	if got := b.conversation("?limit=100"); len(got.Exchanges) != 10 || got.HasMore {
		t.Errorf("without steps there are %d, more: %v", len(got.Exchanges), got.HasMore)
	}
	if got := b.conversation("?limit=100&steps=true"); len(got.Exchanges) == 0 || len(got.Exchanges) > 9 || !got.HasMore {
		t.Errorf("with steps there are %d, more: %v", len(got.Exchanges), got.HasMore)
	}
}

// TestConversationAfterAWrite shows what was said just now, though the folds run
// behind the log.
func TestConversationAfterAWrite(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	for i := range 20 {
		text := fmt.Sprint("message ", i)
		b.call("POST", "/api/messages", `{"text":"`+text+`"}`, cookie(session)).wants(202)
		var got conversation
		b.call("GET", "/conversation/recent?limit=1", "", cookie(session)).wants(200).read(&got)
		if len(got.Exchanges) != 1 || got.Exchanges[0].Prompt != text || got.Total != i+1 {
			t.Fatalf("after %q the conversation ends with %+v", text, got)
		}
	}
}

// held is a transcript whose exchanges a test chooses.
type held struct {
	exchanges []domain.Exchange
	fail      error
}

func (h held) Recent(domain.ConversationID, int, int) ([]domain.Exchange, int, error) {
	return h.exchanges, len(h.exchanges), h.fail
}
func (h held) Thread(domain.ConversationID) (domain.ID, bool) { return domain.ID{}, false }
func (h held) Conversations() ([]domain.Conversation, error)  { return nil, h.fail }

func TestErasedConversation(t *testing.T) {
	var exchanges held
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Transcript = &exchanges }})
	erased := func(e domain.Envelope) domain.Envelope {
		e.ID, e.Payload = b.ids.NewID(), domain.Payload{Encoding: domain.EncodingErased}
		return e
	}
	asked := b.says("hello")
	reply := next(b, asked, domain.ModelReplied{Blocks: []domain.Block{domain.TextBlock("secret", domain.FormatPlain)}, Topic: "t"})
	prompt, gone := erased(asked), erased(reply)
	b.append(domain.TopicMessages, prompt)
	b.append(domain.TopicReasoning, gone)
	end := b.ends(asked, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: gone.ID})
	lost, unseen := erased(end), erased(end)
	failure := domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}
	unseen.Keys = []domain.Key{domain.ConcludedKey(end.Trace), failure.ShownKey()}
	b.append(domain.TopicReasoning, lost, unseen)
	exchanges.exchanges = []domain.Exchange{
		{ID: asked.ID, Prompt: prompt.ID}, {ID: asked.ID, Prompt: asked.ID, Conclusion: end.ID, Reply: gone.ID},
		{ID: asked.ID, Prompt: asked.ID, Conclusion: lost.ID}, {ID: asked.ID, Prompt: asked.ID, Conclusion: unseen.ID},
	}
	got := b.conversation("")
	want := []string{"(erased) ", "hello (erased)", "hello (erased)", "hello it did not work out"}
	if !slices.Equal(texts(got.Exchanges), want) || got.ThreadID != nil {
		t.Errorf("the conversation is %q, want %q", texts(got.Exchanges), want)
	}

	pressed := erased(next(b, asked, domain.ActionReceived{Skill: "dim"}))
	b.append(domain.TopicMessages, pressed)
	exchanges.exchanges = []domain.Exchange{{ID: pressed.Trace.ID, Action: pressed.ID}}
	if got := b.conversation(""); got.Exchanges[0].Action == nil || got.Exchanges[0].Action.Skill != "(erased)" {
		t.Errorf("an erased action is %+v", got.Exchanges[0])
	}

	exchanges.exchanges = []domain.Exchange{{ID: asked.ID, Prompt: b.ids.NewID()}}
	b.socket("GET", "/conversation/recent", "").wants(404)
	exchanges.fail = &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "the store can't be read"}
	b.socket("GET", "/conversation/recent", "").wants(503, "the store can't be read")
}

// The name alone of a conversation, as say --in gives it, is none that is read as something else.
func TestNamesOfConversations(t *testing.T) {
	b := newBench(t, settings{})
	for name, why := range map[string]string{
		"0199f8d1-2f3a-7000-8000-000000000001": "could be taken for an id", "01KB2V7WYQC3V8P0J6R4T5N9XF": "could be taken for an id",
		"operator": "is reserved", "Chalie": "is reserved", "mcp": "is reserved", "wo\u202erk": "turn the writing", "wo\u200brk": "turn the writing",
	} {
		b.socket("POST", "/api/messages", `{"text":"hello","conversation":{"project_id":"","session_id":"`+name+`","user_id":""}}`).wants(400, why, `"field":"session_id"`)
	}
	b.socket("POST", "/api/messages", `{"text":"hello","conversation":{"project_id":"","session_id":"work","user_id":""}}`).wants(202)
}

// Conversations beside the default one are listed with their names, and read by id or name.
func TestConversations(t *testing.T) {
	b := newBench(t, settings{})
	say := func(text, conversation string) {
		b.socket("POST", "/api/messages", `{"text":"`+text+`"`+conversation+`}`).wants(202)
	}
	say("here", "")
	say("there", `,"conversation":{"project_id":"aistalk","session_id":"one","user_id":"u"}`)
	say("there again", `,"conversation":{"project_id":"aistalk","session_id":"one","user_id":"u"}`)
	say("elsewhere", `,"conversation":{"project_id":"other","session_id":"one","user_id":"u"}`)
	b.socket("GET", "/api/conversations", "").wants(200, `"total":3`, `{"id":null,"default":true,"project_id":"","session_id":"","user_id":"","exchanges":1,`,
		`"default":false,"project_id":"aistalk","session_id":"one","user_id":"u","exchanges":2,`)
	said := func(query string) string { return b.socket("GET", "/conversation/recent"+query, "").wants(200).body }
	if got := said(""); !strings.Contains(got, `"here"`) || strings.Contains(got, "there") {
		t.Errorf("the default conversation is %s", got)
	}
	if got := said("?conversation=aistalk/one"); strings.Contains(got, `"here"`) || !strings.Contains(got, `"there again"`) || strings.Contains(got, "elsewhere") {
		t.Errorf("the other one is %s", got)
	}
	if got := said("?conversation=" + (domain.ConversationName{Project: "other", Session: "one", User: "u"}).ID().UUID()); !strings.Contains(got, "elsewhere") {
		t.Errorf("by its id it is %s", got)
	}
	b.socket("GET", "/conversation/recent?conversation=one", "").wants(400, `2 conversations are called \"one\"`)
	b.socket("GET", "/conversation/recent?conversation=none", "").wants(404, `there is no conversation \"none\"`)
	b.socket("POST", "/api/messages", `{"text":"x","conversation":{"project_id":"","session_id":"","user_id":"u"}}`).wants(400, "session_id is required")

	token := b.token("station", "[]") // programs speak in no conversation of the person's
	b.call("POST", "/api/messages", `{"text":"from a program","conversation":{"project_id":"other","session_id":"one","user_id":"u"}}`, bearer(token)).wants(202)
	if got := said("?conversation=other/one"); strings.Contains(got, "from a program") {
		t.Errorf("a program speaks in %s", got)
	}
}
