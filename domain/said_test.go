package domain_test

import (
	"slices"
	"testing"

	"chalie/domain"
)

// An answer that rests on tools has the addresses they want opened, each once, whether a
// model or a button asked for them.
func TestSaidOpens(t *testing.T) {
	asked := frameEnvelope(t, domain.PrincipalOperator, domain.MessageReceived{Text: "show it"})
	far, other := "https://example.com/x", "http://127.0.0.1:9/"
	known := map[domain.ID]domain.Envelope{}
	made := func(n byte, payload domain.ToolCompleted) domain.ID {
		e := frameEnvelope(t, domain.PrincipalOperator, payload)
		e.ID = domain.ID{9, n}
		known[e.ID] = e
		return e.ID
	}
	one, again := made(1, domain.ToolCompleted{OpenURL: &far}), made(2, domain.ToolCompleted{OpenURL: &far})
	two, none := made(3, domain.ToolCompleted{OpenURL: &other}), made(4, domain.ToolCompleted{})
	reply := frameEnvelope(t, domain.PrincipalOperator, domain.ModelReplied{Blocks: []domain.Block{domain.TextBlock("so", domain.FormatPlain)}})
	reply.ID = domain.ID{8}
	known[reply.ID], known[asked.ID] = reply, asked
	find := func(id domain.ID) (domain.Envelope, error) { return known[id], nil }
	rests := []domain.Evidence{{EnvelopeID: asked.ID, Role: "asked"}, {EnvelopeID: one, Role: "answered"}, {EnvelopeID: none, Role: "used"},
		{EnvelopeID: again, Role: "tool_result"}, {EnvelopeID: two, Role: "used"}, {EnvelopeID: domain.ID{7}, Role: "used"}}
	for _, c := range []struct {
		name string
		end  domain.ReasoningConcluded
		want []string
	}{
		{"an answer", domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: reply.ID, Evidence: rests}, []string{far, other}},
		{"a notification", domain.ReasoningConcluded{Shown: domain.ShownNotification, Reply: reply.ID, Evidence: rests}, nil},
		{"a button", domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: two}, []string{other}},
		{"a tool without", domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: none}, nil},
	} {
		said, err := domain.SaidIn(conclusion(t, domain.PrincipalOperator, c.end), find)
		if err != nil || !slices.Equal(said.Open, c.want) {
			t.Errorf("%s opens %q, %v; want %q", c.name, said.Open, err, c.want)
		}
	}
}
