package replay_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

// What came of an episode is said first, and what the person was told by it.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(p *past, opening domain.Record) domain.ReasoningConcluded
		want string
		said string
	}{
		"held": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}
		}, `Chalie thought, and told you nothing. It had begun because you asked "What?"`, ""},
		"yielded": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeYielded}
		}, `Chalie gave up this thought to make room for you. It had begun because`, ""},
		"of a newer version": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: "postponed"}
		}, `It ended as postponed. It had begun because`, ""},
		"failed without a reason": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}
		}, `It failed. It had begun because`, ""},
		"the reply is gone": {func(p *past, _ domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: p.ids.NewID()}
		}, `Chalie answered "(not in this log)" because`, "(not in this log)"},
		"the reply is erased": {func(p *past, opening domain.Record) domain.ReasoningConcluded {
			lost := newPast(p.t)
			lost.ids = p.ids
			p.put(erased(then(lost, opening, says("secret"))))
			records, err := p.log.Select(p.t.Context(), domain.Selector{Trace: opening.Envelope.Trace}, 1, 10)
			if err != nil {
				p.t.Fatal(err)
			}
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: records[1].Envelope.ID}
		}, `Chalie answered "(erased)" because`, "(erased)"},
		"lines and a table": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: []domain.Block{
				domain.TextBlock("I did nothing.", domain.FormatPlain), {"type": "header", "content": "In mind"},
				{"type": "table", "headers": []any{"What", "From"}, "rows": []any{[]any{"dinner", "you"}}}}}
		}, `Chalie answered "I did nothing. In mind: dinner" because`, "I did nothing.\nIn mind\nWhat | From\ndinner | you"},
		"nothing but a table": {func(*past, domain.Record) domain.ReasoningConcluded {
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: []domain.Block{
				{"type": "table", "headers": []any{"What"}, "rows": []any{[]any{"dinner"}}}}}
		}, `Chalie answered "dinner" because`, "What\ndinner"},
		"the tool failed": {func(p *past, opening domain.Record) domain.ReasoningConcluded {
			failure := "no such day"
			reply := p.usedTool(opening, 0, domain.ID{}, "remind", after(p, func(id domain.ID) domain.ToolCompleted {
				return domain.ToolCompleted{InvocationID: id, Error: &failure}
			}))
			return domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.Envelope.ID}
		}, `Chalie answered "no such day" because`, "no such day"},
		"findings that aren't there": {func(p *past, opening domain.Record) domain.ReasoningConcluded {
			reply := then(p, opening, domain.ModelReplied{Findings: []domain.Finding{{Blocks: says("found").Blocks}}})
			return domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: reply.Envelope.ID, Findings: []int{-1, 0, 7}}
		}, `Chalie told you "found" because`, "found"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			opening := p.message("What?")
			why := p.explained(p.concluded(opening, c.end(p, opening)).Envelope.ID.String())
			if !strings.HasPrefix(strings.Join(why.Sentences, " "), c.want) || why.Target.Said != c.said {
				t.Errorf("%q, said %q; want %q, %q", why.Sentences[0], why.Target.Said, c.want, c.said)
			}
		})
	}
}

// How a tool call ended is told, whatever that was.
func TestToolsThatDidNotAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(p *past) func(domain.ID) domain.Record
		want string
	}{
		"failed": {func(p *past) func(domain.ID) domain.Record {
			return after(p, func(id domain.ID) domain.ToolFailed {
				return domain.ToolFailed{InvocationID: id, Reason: "unreachable", DurationMS: 2000}
			})
		}, `the tool remind with day today, which the policy allowed (the rule "regime allows everything"): after 2 s the call failed: unreachable.`},
		"nobody knows": {func(p *past) func(domain.ID) domain.Record {
			return after(p, func(id domain.ID) domain.ToolOutcomeUnknown {
				return domain.ToolOutcomeUnknown{InvocationID: id, Reason: domain.CodeInterrupted, Detail: "Chalie ended meanwhile"}
			})
		}, `: nobody knows what came of the call: Chalie ended meanwhile.`},
		"only data": {func(p *past) func(domain.ID) domain.Record {
			return after(p, func(id domain.ID) domain.ToolCompleted {
				return domain.ToolCompleted{InvocationID: id, Data: []byte(`{"a":1}`)}
			})
		}, `: it answered "a 1".`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			opening := p.message("remind me")
			called := then(p, opening, domain.ModelCalled{})
			replied := then(p, called, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "remind"}}})
			end := p.usedTool(replied, 0, domain.ID{}, "remind", c.end(p))
			why := p.explained(p.concluded(end, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}).Envelope.ID.String())
			if told := strings.Join(why.Sentences, "\n"); !strings.Contains(told, c.want) {
				t.Errorf("told\n%s\nwant %s", told, c.want)
			}
		})
	}
}

// What came over a broadcast leads back to the stream that was added.
func TestHeardOverAStream(t *testing.T) {
	p := newPast(t)
	stream := begin(p, domain.PrincipalOperator, domain.StreamAdded{URL: "ws://127.0.0.1:9000/feed", Source: "exchange"})
	who := domain.Stream{ID: stream.Envelope.ID}.Principal()
	why := p.explained(p.closure(who).Envelope.ID.String())
	if len(why.Nodes) != 2 || why.Nodes[1].ID != stream.Envelope.ID || !strings.Contains(why.Nodes[0].Label, "from exchange: ") {
		t.Errorf("%+v", why)
	}
	for _, unknown := range []domain.Principal{domain.Stream{ID: p.ids.NewID()}.Principal(), "stream:x", domain.Interface{ID: p.ids.NewID()}.Principal()} {
		if why := p.explained(p.closure(unknown).Envelope.ID.String()); len(why.Nodes) != 1 || !strings.Contains(why.Nodes[0].Label, "Luigi's is closed tonight") {
			t.Errorf("%s: %+v", unknown, why)
		}
	}
}
