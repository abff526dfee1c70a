package tool_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language"
)

const (
	hidden       = "correct-horse-battery"
	hiddenParams = `{"id":"login; password: correct-horse-battery"}`
)

// withoutSecrets fails when a secret stands anywhere in the log.
func withoutSecrets(b *commandstest.Bench, secrets ...string) {
	b.T.Helper()
	records, err := b.Log.Select(b.T.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, rec := range records {
		for _, secret := range secrets {
			if bytes.Contains(fmt.Appendf(rec.Envelope.Payload.Bytes, "%v", rec.Envelope.Errors), []byte(secret)) {
				b.T.Errorf("%s holds a secret: %s", rec.Envelope.Type, rec.Envelope.Payload.Bytes)
			}
		}
	}
}

func withSecret() tool.Invocation {
	return tool.Invocation{Tool: "cancel", Params: []byte(hiddenParams)}
}

// What a tool needs it is sent; what is stored is a mark.
func TestASecretIsSentAndNotStored(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	var sent []string
	w.Hears(&sent)
	in := withSecret()
	in.Key = "k"
	for range 2 {
		got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, in)
		if err != nil || got.Outcome != "tool.completed" {
			t.Fatalf("told %+v, %v", got, err)
		}
	}
	if len(sent) != 1 || sent[0] != hiddenParams {
		t.Errorf("the tool got %q", sent)
	}
	withoutSecrets(w.Bench, hidden)
	asked := commandstest.Decoded[domain.ToolInvoked](t, w.Happened(wholeCall...)[0])
	if string(asked.Params) != `{"id":"login; password: [redacted: password]"}` || asked.Marks == nil || len(asked.Marks.Redacted) != 1 {
		t.Errorf("stored is %s with %+v", asked.Params, asked.Marks)
	}
}

// A page's own call goes as it came, too.
func TestASecretIsPassedAndNotStored(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	const body = `{"capability":"login","params":{"password":"` + hidden + `"}}`
	cfg := w.Config()
	cfg.Peer = &passer{w.Peer, func(_ context.Context, _ commands.Endpoint, sent []byte, _ string) (commands.Rendering, error) {
		if string(sent) != body {
			t.Errorf("the interface got %s", sent)
		}
		return commands.Rendering{MediaType: "application/json", Body: []byte(`{}`)}, nil
	}}
	tools, err := tool.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.Pass(t.Context(), commandstest.Ada, tool.Passing{Interface: *tools.Offers()[0].Interface, Capability: "login",
		Params: []byte(`{"password":"` + hidden + `"}`), Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
	withoutSecrets(w.Bench, hidden)
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
			w := commandstest.NewCounter(t)
			var sent []string
			w.Hears(&sent)
			tools := w.Tools()
			if _, err := tools.Invoke(t.Context(), commandstest.Ada, withSecret()); err != nil {
				t.Fatal(err)
			}
			if p := w.Pending()[0]; strings.Contains(p.Summary, hidden) || !strings.Contains(p.Summary, "[redacted: password]") {
				t.Errorf("the person is asked about %q", p.Summary)
			}
			if c.restarted {
				tools = w.Tools()
			}
			desk := w.Approvals(tools)
			if _, err := desk.Decide(t.Context(), commandstest.Ada, w.Pending()[0].Token, commandstest.Yes); err != nil {
				t.Fatal(err)
			}
			for _, rec := range w.Records(domain.TopicTools) {
				if err := desk.Follow(t.Context(), rec); err != nil {
					t.Fatal(err)
				}
			}
			records := w.Happened(append(commandstest.Waiting, c.then...)...)
			if strings.Join(sent, "") != c.sent {
				t.Errorf("the tool got %q", sent)
			}
			withoutSecrets(w.Bench, hidden)
			if !c.restarted {
				return
			}
			end := commandstest.Decoded[domain.ToolFailed](t, records[len(records)-1])
			if end.Reason != domain.CodeNotDispatched || !strings.Contains(end.Detail, "held a secret that isn't kept: ask again") {
				t.Errorf("failed %+v", end)
			}
		})
	}
}

// Many secrets that wait don't fill the memory: the oldest is asked for again.
func TestSecretsThatWaitAreBounded(t *testing.T) {
	w := commandstest.NewCounter(t)
	var sent []string
	w.Hears(&sent)
	tools := w.Tools()
	for range 40 {
		if _, err := tools.Invoke(t.Context(), commandstest.Ada, withSecret()); err != nil {
			t.Fatal(err)
		}
	}
	desk := w.Approvals(tools)
	for _, p := range w.Pending() {
		if _, err := desk.Decide(t.Context(), commandstest.Ada, p.Token, commandstest.Yes); err != nil {
			t.Fatal(err)
		}
	}
	for _, rec := range w.Records(domain.TopicTools) {
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
	w, n := commandstest.Able(t)
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "note", Params: []byte(`{"text":"password: ` + hidden + `"}`)})
	if err != nil || got.Outcome != "tool.completed" || n.Asked != 1 {
		t.Fatalf("told %+v, %v", got, err)
	}
	withoutSecrets(w.Bench, hidden)
}

// What an episode asks for stands in the log first, so no secret can go that way.
func TestAnEpisodePassesNoSecret(t *testing.T) {
	for name, params := range map[string]string{
		"its own":              hiddenParams,
		"one that was cut out": `{"id":"[redacted: password]"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			s := commandstest.StageOn(t, w.Bench)
			s.Gate = w.Tools()
			s.Model.Says = func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
				if len(p.Done) > 0 {
					return commandstest.Says(p.Done[0].Error), nil
				}
				r := commandstest.Calls("cancel")
				r.ToolCalls[0].Params = []byte(params)
				return r, nil
			}
			rec := s.Say(commandstest.Ada, "log me in")
			s.Answer(rec)
			s.Happened(rec, "message.received", "reasoning.started", "model.called", "model.replied", "call.rejected", "model.called", "model.replied", "reasoning.concluded")
			if said := domain.PlainText(s.Frames(rec)[0].Blocks); !strings.Contains(said, "need a secret") || !strings.Contains(said, "chalie tool invoke") {
				t.Errorf("the person gets %q", said)
			}
			if w.Peer.Times() != 0 {
				t.Error("it was called")
			}
			withoutSecrets(w.Bench, hidden)
		})
	}
}

// A button's payload is stored before anything is done with it.
func TestAnActionPassesNoSecret(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	s := commandstest.StageOn(t, w.Bench)
	s.Gate = w.Tools()
	id, err := s.Messages.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Payload: []byte(`{"skill":"cancel","id":"password: ` + hidden + `"}`), Skill: "cancel"})
	if err != nil {
		t.Fatal(err)
	}
	rec := s.Find(id)
	s.Answer(rec)
	s.Happened(rec, "action.received", "call.rejected", "reasoning.concluded")
	withoutSecrets(w.Bench, hidden)
}
