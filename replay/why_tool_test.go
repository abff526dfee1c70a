package replay_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/replay"
)

// usedTool is the n-th tool call of a reply, through to its end.
func (p *past) usedTool(reply domain.Record, n int, owner domain.ID, tool string, end func(id domain.ID) domain.Record) domain.Record {
	p.t.Helper()
	return p.decided(reply, n, owner, tool, domain.PolicyDecided{RegimeID: "open/1", Allowed: true, ReasonCodes: []string{"regime_allows_everything"}}, end)
}

func (p *past) decided(reply domain.Record, n int, owner domain.ID, tool string, verdict domain.PolicyDecided, end func(id domain.ID) domain.Record) domain.Record {
	p.t.Helper()
	invoked := then(p, reply, domain.ToolInvoked{InterfaceID: owner, Tool: tool, Params: []byte(`{"day":"today"}`)}, domain.CallKey(reply.Envelope.ID, n))
	id := invoked.Envelope.ID
	verdict.InvocationID = id
	decided := then(p, invoked, verdict, domain.InvocationKey(id))
	if verdict.Allowed {
		then(p, decided, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	}
	return end(id)
}

// after is how a tool call ends: what came last has its invocation's key.
func after[P any](p *past, payload func(id domain.ID) P) func(id domain.ID) domain.Record {
	return func(id domain.ID) domain.Record {
		p.t.Helper()
		steps, err := p.log.Select(p.t.Context(), domain.Selector{Key: domain.InvocationKey(id)}, 1, 100)
		if err != nil || len(steps) == 0 {
			p.t.Fatal("no step of the invocation", err)
		}
		return then(p, steps[len(steps)-1], payload(id), domain.InvocationKey(id))
	}
}

func answers(p *past, text string) func(domain.ID) domain.Record {
	return after(p, func(id domain.ID) domain.ToolCompleted {
		return domain.ToolCompleted{InvocationID: id, Text: &text, DurationMS: 120}
	})
}

func (p *past) concluded(cause domain.Record, end domain.ReasoningConcluded) domain.Record {
	p.t.Helper()
	return then(p, cause, end, domain.ConcludedKey(cause.Envelope.Trace), end.ShownKey())
}

func asked(id domain.ID) domain.Evidence {
	return domain.Evidence{EnvelopeID: id, Role: "asked", Weight: domain.One}
}

func (p *past) message(text string) domain.Record {
	p.t.Helper()
	return begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: text, Source: "text", ImageIDs: []domain.ID{}})
}

func says(text string) domain.ModelReplied {
	return domain.ModelReplied{Model: "builtin/1", Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}}
}

// throughTools: a reply asks for three tools. One answers, one is denied, one is
// none; the next call knows them all.
func throughTools(p *past) string {
	hospital := p.paired("hospital").Envelope.ID
	opening := p.message("When is my appointment?")
	trace := opening.Envelope.Trace
	started := then(p, opening, domain.ReasoningStarted{}, domain.StepKey(trace, 1))
	called := then(p, started, domain.ModelCalled{Model: "builtin/1"})
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", ToolCalls: []domain.ToolCall{{Tool: "appointments"}, {Tool: "bill"}, {Tool: "bill"}, {Tool: "nothing"}}})
	completed := p.usedTool(replied, 0, hospital, "appointments", answers(p, "At three."))
	p.decided(replied, 1, hospital, "bill", domain.PolicyDecided{RegimeID: "careful/1", ReasonCodes: []string{"autonomy_exceeded"}},
		after(p, func(id domain.ID) domain.ToolFailed {
			return domain.ToolFailed{InvocationID: id, Reason: domain.CodeDenied, Detail: "the policy denied it"}
		}))
	rejected := then(p, replied, domain.CallRejected{Tool: "nothing", Reason: "there is no such tool"}, domain.CallKey(replied.Envelope.ID, 2))
	again := then(p, rejected, domain.ModelCalled{Model: "builtin/1"})
	said := then(p, again, says("At three."))
	concluded := p.concluded(said, domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: said.Envelope.ID,
		Evidence: []domain.Evidence{asked(opening.Envelope.ID), {EnvelopeID: completed.Envelope.ID, Role: "tool", Weight: domain.One}},
	})
	return fmt.Sprint(domain.SeqOf(concluded.Position, 1))
}

// pressed: a button's answer is the tool's.
func pressed(p *past) string {
	opening := begin(p, domain.PrincipalOperator, domain.ActionReceived{Skill: "remind", Payload: []byte(`{"skill":"remind"}`)})
	completed := p.usedTool(opening, 0, domain.ID{}, "remind", answers(p, "I will remind you."))
	p.concluded(completed, domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: completed.Envelope.ID, Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
	})
	return "last"
}

// secondTry: the first model fails, the second's answer isn't good enough at first.
func secondTry(p *past) string {
	opening := p.message("Add it up")
	started := then(p, opening, domain.ReasoningStarted{})
	called := then(p, started, domain.ModelCalled{Model: "far/1"})
	entry, err := domain.New(domain.Continue(called.Envelope), p.ids.NewID(), 1, "reasoning", domain.ModelFailed{Model: "far/1"})
	if err != nil {
		p.t.Fatal(err)
	}
	entry.Envelope.Errors = []domain.Fault{{Code: "busy", Message: "it is busy"}}
	broken := p.put(entry)
	called = then(p, broken, domain.ModelCalled{Model: "builtin/1", Instead: broken.Envelope.ID})
	first := then(p, called, says("4"))
	checked := then(p, first, domain.AnswerVerified{Outcome: domain.VerifiedFailure, Confidence: 900_000, Issues: []string{"it is 5"}})
	called = then(p, checked, domain.ModelCalled{Model: "builtin/1", Instead: broken.Envelope.ID, Verification: checked.Envelope.ID})
	second := then(p, called, says("5"))
	p.concluded(second, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: second.Envelope.ID, Evidence: []domain.Evidence{asked(opening.Envelope.ID)}})
	return "last"
}

func cancelled(p *past) string {
	opening := p.message("Count to a million")
	started := then(p, opening, domain.ReasoningStarted{})
	then(p, opening, domain.CancelReceived{}, domain.CancelKey(opening.Envelope.Trace))
	end := p.concluded(started, domain.ReasoningConcluded{Outcome: domain.OutcomeCancelled, Evidence: []domain.Evidence{asked(opening.Envelope.ID)}})
	return end.Envelope.ID.UUID()
}

func imageAndWait(p *past) string {
	image := begin(p, domain.PrincipalOperator, domain.ImageUploaded{MediaType: "image/png", Width: 4, Height: 3})
	first := p.message("First")
	second := begin(p, domain.PrincipalOperator, domain.MessageReceived{Source: "text", ImageIDs: []domain.ID{image.Envelope.ID}})
	queued := then(p, second, domain.MessageQueued{Behind: first.Envelope.ID})
	return fmt.Sprintf("pos:%d", queued.Position)
}

// A call to the model doesn't rest on tool calls that came after it, or on those of
// another trace.
func TestCallsThatWereNotKnown(t *testing.T) {
	p := newPast(t)
	opening := p.message("When?")
	called := then(p, opening, domain.ModelCalled{Model: "builtin/1"})
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", ToolCalls: []domain.ToolCall{{Tool: "a"}, {Tool: "b"}}})
	again := then(p, replied, domain.ModelCalled{Model: "builtin/1"})
	later := p.usedTool(replied, 0, domain.ID{}, "a", answers(p, "late"))
	stranger := begin(p, "stranger", domain.CallRejected{Tool: "b"}, domain.CallKey(replied.Envelope.ID, 1))
	last := then(p, later, domain.ModelCalled{Model: "builtin/1"})
	for _, c := range []struct {
		target domain.Record
		never  []domain.ID
	}{{again, []domain.ID{later.Envelope.ID, stranger.Envelope.ID}}, {last, []domain.ID{stranger.Envelope.ID}}} {
		for _, n := range p.explained(c.target.Envelope.ID.String()).Nodes {
			for _, id := range c.never {
				if n.ID == id {
					t.Errorf("%s is among the causes of the call at %d", n.Type, c.target.Position)
				}
			}
		}
	}
	var causes []replay.Edge
	for _, e := range p.explained(last.Envelope.ID.String()).Edges {
		if e.To == last.Envelope.ID {
			causes = append(causes, e)
		}
	}
	if len(causes) != 1 || causes[0].From != later.Envelope.ID {
		t.Errorf("the last call is caused by %+v", causes)
	}
}

// A tool that was used in another episode is told as used earlier.
func TestToolsUsedEarlier(t *testing.T) {
	p := newPast(t)
	asked := p.message("remind me of dinner")
	called := then(p, asked, domain.ModelCalled{})
	replied := then(p, called, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "remind"}}})
	done := "done"
	end := p.usedTool(replied, 0, domain.ID{}, "remind", after(p, func(id domain.ID) domain.ToolCompleted {
		return domain.ToolCompleted{InvocationID: id, Text: &done}
	}))
	p.clock.Advance(time.Hour)
	later := p.message("what is planned?")
	for of, want := range map[domain.ID]string{
		p.concluded(end, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}).Envelope.ID: "\nChalie used the tool remind with day today, ",
		p.concluded(later, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld,
			Evidence: []domain.Evidence{{EnvelopeID: end.Envelope.ID, Role: "tool", Weight: domain.One}}}).Envelope.ID: "\nEarlier, at 13:00, Chalie used the tool remind with day today, ",
	} {
		if told := strings.Join(p.explained(of.String()).Sentences, "\n"); !strings.Contains(told, want) {
			t.Errorf("%q isn't in\n%s", want, told)
		}
	}
}

// What has changed in the person's surroundings is told once, and to them.
func TestSurroundingsAreYours(t *testing.T) {
	p := newPast(t)
	signal, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.AmbientContext, Source: domain.ServiceSurroundings, Energy: 450_000,
		Content: "the person's surroundings changed: place"})
	if err != nil {
		t.Fatal(err)
	}
	opening := begin(p, domain.ServiceSurroundings, signal, domain.SpineTypeKey(domain.AmbientContext))
	held := p.concluded(opening, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
	if told := p.explained(held.Envelope.ID.String()).Sentences; told[1] != "It had begun because at 13:00 your surroundings changed: place." {
		t.Errorf("it is told as %q", told)
	}
}
