package domain_test

import (
	"slices"
	"testing"

	"chalie/domain"
)

func consoleTypes(t *testing.T, e domain.Envelope) []domain.FrameType {
	t.Helper()
	types, err := domain.ConsoleTypes(e)
	if err != nil {
		t.Fatal(err)
	}
	gone := e
	gone.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if after, err := domain.ConsoleTypes(gone); err != nil || !slices.Equal(after, types) {
		t.Errorf("%s gives %q, and erased %q: %v", e.Type, types, after, err)
	}
	return types
}

// TestConsoleTypes covers every type of the catalogue: one that isn't in the table gives no
// events, whoever is accountable.
func TestConsoleTypes(t *testing.T) {
	const operator, others = true, false
	both := func(f domain.FrameType) map[bool][]domain.FrameType {
		return map[bool][]domain.FrameType{operator: {f}, others: {f}}
	}
	table := map[domain.EventType]map[bool][]domain.FrameType{
		"message.received":  {operator: {"chat.message"}},
		"model.streamed":    {operator: {"chat.delta"}},
		"voice.stt_started": both("voice.stt"), "voice.stt_completed": both("voice.stt"), "voice.stt_failed": both("voice.stt"),
		"voice.tts_started": both("voice.tts"), "voice.tts_completed": both("voice.tts"), "voice.tts_failed": both("voice.tts"),
		"tool.invoked": both("tool.called"), "tool.completed": both("tool.result"), "tool.failed": both("tool.result"),
		"tool.outcome_unknown": both("tool.result"), "approval.proposed": both("chat.approval"),
	}
	for _, d := range domain.Events().Definitions() {
		for _, who := range everyone {
			e := domain.Envelope{ID: domain.ID{2}, Trace: domain.TraceID{ID: domain.ID{1}}, Kind: d.Kind, Source: "test",
				Principal: who, Type: d.Type, Version: d.Version, Payload: domain.JSONPayload([]byte(`{}`))}
			if d.Type == domain.ReasoningConcludedType {
				e.Keys = []domain.Key{domain.ReasoningConcluded{}.ShownKey()}
			}
			if got, want := consoleTypes(t, e), table[d.Type][who == domain.PrincipalOperator]; !slices.Equal(got, want) {
				t.Errorf("%s of %s gives %v, want %v", d.Type, who, got, want)
			}
		}
		delete(table, d.Type)
	}
	for missing := range table {
		t.Errorf("%s is not in the catalogue", missing)
	}
}

func TestConsoleTypesOfConclusions(t *testing.T) {
	reply, failure := []domain.FrameType{domain.ConsoleReply}, []domain.FrameType{domain.ConsoleError}
	for _, c := range []struct {
		shown           domain.Showing
		outcome         domain.Outcome
		person, program []domain.FrameType
	}{
		{domain.ShownMessage, domain.OutcomeResponded, reply, reply},
		{domain.ShownNotification, domain.OutcomeSurfaced, reply, reply},
		{domain.ShownEscalation, domain.OutcomeSurfaced, reply, reply},
		{domain.ShownNot, domain.OutcomeFailed, failure, nil},
		{domain.ShownNot, domain.OutcomeHeld, nil, nil},
	} {
		for who, want := range map[domain.Principal][]domain.FrameType{domain.PrincipalOperator: c.person, "portal": c.program} {
			e := conclusion(t, who, domain.ReasoningConcluded{Outcome: c.outcome, Shown: c.shown})
			if got := consoleTypes(t, e); !slices.Equal(got, want) {
				t.Errorf("%q and %q of %s give %q, want %q", c.outcome, c.shown, who, got, want)
			}
		}
	}
	failed := frameEnvelope(t, domain.PrincipalOperator, domain.ModelFailed{})
	if got := consoleTypes(t, failed); len(got) > 0 {
		t.Errorf("a failure that took nothing back gives %q", got)
	}
	failed.Keys = []domain.Key{domain.RetractsKey}
	if got := consoleTypes(t, failed); !slices.Equal(got, []domain.FrameType{domain.ConsoleRetracted}) {
		t.Errorf("a failure that takes back what was streamed gives %q", got)
	}
}

func TestModelMeant(t *testing.T) {
	answering := []string{"anthropic/claude-opus-5-5", "ollama/llama3.1", "ollama/glm-4.7-flash:32k", "builtin/9"}
	for _, c := range []struct{ model, provider, want string }{
		{"ollama:llama3.1", "ollama", "ollama/llama3.1"},
		{"ollama:glm-4.7-flash:32k", "", "ollama/glm-4.7-flash:32k"},
		{"llama3.1", "ollama", "ollama/llama3.1"},
		{"llama3.1", "router", "ollama/llama3.1"},
		{"llama3.1", "anthropic", ""},
		{"anthropic/claude-opus-5-5", "router", "anthropic/claude-opus-5-5"},
		{"", "ollama", "ollama/llama3.1"},
		{"", "router", ""},
		{"", "", ""},
		{"ollama:qwen3", "ollama", ""},
		{"builtin", "", "builtin/9"},
	} {
		if got := domain.ModelMeant(c.model, c.provider, answering); got != c.want {
			t.Errorf("%q of %q means %q, want %q", c.model, c.provider, got, c.want)
		}
	}
}
