package commands_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

const (
	hidden       = "correct-horse-battery"
	hiddenParams = `{"id":"login; password: correct-horse-battery"}`
)

// withoutSecrets fails when a secret stands anywhere in the log.
func withoutSecrets(b *bench, secrets ...string) {
	b.t.Helper()
	records, err := b.log.Select(b.t.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, rec := range records {
		for _, secret := range secrets {
			if bytes.Contains(fmt.Appendf(rec.Envelope.Payload.Bytes, "%v", rec.Envelope.Errors), []byte(secret)) {
				b.t.Errorf("%s holds a secret: %s", rec.Envelope.Type, rec.Envelope.Payload.Bytes)
			}
		}
	}
}

// hears remembers what a tool is sent.
func (w *workshop) hears(sent *[]string) {
	w.peer.do = func(_ context.Context, _ commands.Endpoint, c commands.Call) (commands.Result, error) {
		*sent = append(*sent, string(c.Params))
		return answered("ok"), nil
	}
}

func withSecret() commands.Invocation {
	return commands.Invocation{Tool: "cancel", Params: []byte(hiddenParams)}
}

// What a tool needs it is sent; what is stored is a mark.
func TestASecretIsSentAndNotStored(t *testing.T) {
	w := newWorkshop(t)
	var sent []string
	w.hears(&sent)
	in := withSecret()
	in.Key = "k"
	for range 2 {
		got, err := w.tools().Invoke(t.Context(), ada, in)
		if err != nil || got.Outcome != "tool.completed" {
			t.Fatalf("told %+v, %v", got, err)
		}
	}
	if len(sent) != 1 || sent[0] != hiddenParams {
		t.Errorf("the tool got %q", sent)
	}
	withoutSecrets(w.bench, hidden)
	asked := decoded[domain.ToolInvoked](t, w.happened(wholeCall...)[0])
	if string(asked.Params) != `{"id":"login; password: [redacted: password]"}` || asked.Marks == nil || len(asked.Marks.Redacted) != 1 {
		t.Errorf("stored is %s with %+v", asked.Params, asked.Marks)
	}
}

// A page's own call goes as it came, too.
func TestASecretIsPassedAndNotStored(t *testing.T) {
	w := newWorkshop(t)
	const body = `{"capability":"login","params":{"password":"` + hidden + `"}}`
	cfg := w.config()
	cfg.Peer = &passer{w.peer, func(_ context.Context, _ commands.Endpoint, sent []byte, _ string) (commands.Rendering, error) {
		if string(sent) != body {
			t.Errorf("the interface got %s", sent)
		}
		return commands.Rendering{MediaType: "application/json", Body: []byte(`{}`)}, nil
	}}
	tools, err := commands.NewTools(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.Pass(t.Context(), ada, commands.Passing{Interface: *tools.Offers()[0].Interface, Capability: "login",
		Params: []byte(`{"password":"` + hidden + `"}`), Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
	withoutSecrets(w.bench, hidden)
}

// While the person is asked, the process remembers; the next one doesn't.
func TestASecretThatWaits(t *testing.T) {
	for _, c := range []struct {
		name      string
		restarted bool
		sent      string
		then      []domain.EventType
	}{
		{"in the same process", false, hiddenParams, []domain.EventType{"approval.granted", "tool.dispatched", "tool.completed"}},
		{"after a restart", true, "", []domain.EventType{"approval.granted", "tool.failed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newCounter(t)
			var sent []string
			w.hears(&sent)
			tools := w.tools()
			if _, err := tools.Invoke(t.Context(), ada, withSecret()); err != nil {
				t.Fatal(err)
			}
			if p := w.pending()[0]; strings.Contains(p.Summary, hidden) || !strings.Contains(p.Summary, "[redacted: password]") {
				t.Errorf("the person is asked about %q", p.Summary)
			}
			if c.restarted {
				tools = w.tools()
			}
			desk := w.approvals(tools)
			if _, err := desk.Decide(t.Context(), ada, w.pending()[0].Token, yes); err != nil {
				t.Fatal(err)
			}
			for _, rec := range w.records(domain.TopicTools) {
				if err := desk.Follow(t.Context(), rec); err != nil {
					t.Fatal(err)
				}
			}
			records := w.happened(append(waiting, c.then...)...)
			if strings.Join(sent, "") != c.sent {
				t.Errorf("the tool got %q", sent)
			}
			withoutSecrets(w.bench, hidden)
			if !c.restarted {
				return
			}
			end := decoded[domain.ToolFailed](t, records[len(records)-1])
			if end.Reason != domain.CodeNotDispatched || !strings.Contains(end.Detail, "held a secret that isn't kept: ask again") {
				t.Errorf("failed %+v", end)
			}
		})
	}
}

// Many secrets that wait don't fill the memory: the oldest is asked for again.
func TestSecretsThatWaitAreBounded(t *testing.T) {
	w := newCounter(t)
	var sent []string
	w.hears(&sent)
	tools := w.tools()
	for range 40 {
		if _, err := tools.Invoke(t.Context(), ada, withSecret()); err != nil {
			t.Fatal(err)
		}
	}
	desk := w.approvals(tools)
	for _, p := range w.pending() {
		if _, err := desk.Decide(t.Context(), ada, p.Token, yes); err != nil {
			t.Fatal(err)
		}
	}
	for _, rec := range w.records(domain.TopicTools) {
		if err := desk.Follow(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
	}
	if len(sent) != 32 {
		t.Errorf("%d calls were made", len(sent))
	}
}

// What Chalie itself does is stored, so it never hears of a secret.
func TestASkillIsGivenNoSecret(t *testing.T) {
	w, n := able(t)
	got, err := w.tools().Invoke(t.Context(), ada, commands.Invocation{Tool: "note", Params: []byte(`{"text":"password: ` + hidden + `"}`)})
	if err != nil || got.Outcome != "tool.completed" || n.asked != 1 {
		t.Fatalf("told %+v, %v", got, err)
	}
	withoutSecrets(w.bench, hidden)
}

// What an episode asks for stands in the log first, so no secret can go that way.
func TestAnEpisodePassesNoSecret(t *testing.T) {
	for name, params := range map[string]string{
		"its own":              hiddenParams,
		"one that was cut out": `{"id":"[redacted: password]"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t)
			s := stageOn(t, w.bench)
			s.gate = w.tools()
			s.model.reply = func(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
				if len(p.Done) > 0 {
					return says(p.Done[0].Error), nil
				}
				r := calls("cancel")
				r.ToolCalls[0].Params = []byte(params)
				return r, nil
			}
			rec := s.say(ada, "log me in")
			s.answer(rec)
			s.happened(rec, "message.received", "reasoning.started", "model.called", "model.replied", "call.rejected", "model.called", "model.replied", "reasoning.concluded")
			if said := domain.PlainText(s.frames(rec)[0].Blocks); !strings.Contains(said, "need a secret") || !strings.Contains(said, "chalie tool invoke") {
				t.Errorf("the person gets %q", said)
			}
			if w.peer.times() != 0 {
				t.Error("it was called")
			}
			withoutSecrets(w.bench, hidden)
		})
	}
}

// A button's payload is stored before anything is done with it.
func TestAnActionPassesNoSecret(t *testing.T) {
	w := newWorkshop(t)
	s := stageOn(t, w.bench)
	s.gate = w.tools()
	id, err := s.messages.Act(t.Context(), ada, domain.ActionReceived{Payload: []byte(`{"skill":"cancel","id":"password: ` + hidden + `"}`), Skill: "cancel"})
	if err != nil {
		t.Fatal(err)
	}
	rec := s.find(id)
	s.answer(rec)
	s.happened(rec, "action.received", "call.rejected", "reasoning.concluded")
	withoutSecrets(w.bench, hidden)
}
