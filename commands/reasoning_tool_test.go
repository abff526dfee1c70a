package commands_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// threeTools is a model that looks, then moves and tells at once, and then
// answers with what came of them. What it says follows from the prompt alone.
func threeTools(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
	switch len(p.Done) {
	case 0:
		return calls("look"), nil
	case 1:
		return calls("move", "tell"), nil
	}
	var said []string
	for _, d := range p.Done {
		said = append(said, fmt.Sprintf("%s: %s%s", d.Call.Tool, d.Text, d.Error))
	}
	r := says(strings.Join(said, "; "))
	r.Used = []domain.Evidence{{EnvelopeID: p.Done[0].End, Role: "used", Weight: domain.One}}
	return r, nil
}

// calls is a reply that asks for tools.
func calls(tools ...string) commands.Reply {
	r := commands.Reply{Topic: "house", Mode: domain.ModeAct, Confidence: domain.One}
	for i, tool := range tools {
		r.ToolCalls = append(r.ToolCalls, domain.ToolCall{ID: fmt.Sprint(i), Tool: tool, Params: []byte(`{}`)})
	}
	return r
}

// toolSteps is what an undisturbed call leaves in the log.
var toolSteps = []domain.EventType{"tool.invoked", "tool.dispatched", "tool.completed"}

var wholeConversation = slices.Concat(
	[]domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied"}, toolSteps,
	[]domain.EventType{"model.called", "model.replied"}, toolSteps, toolSteps,
	[]domain.EventType{"model.called", "model.replied", "reasoning.concluded"})

// newHandyStage is a stage whose tools may be used.
func newHandyStage(t *testing.T) *stage {
	s := newStage(t)
	s.tools.offers = []string{"look", "move", "tell"}
	s.model.reply = threeTools
	return s
}

func TestThreeTools(t *testing.T) {
	s := newHandyStage(t)
	rec := s.say(ada, "tidy up")
	s.answer(rec)
	s.answer(rec)
	records := s.happened(rec, wholeConversation...)
	if !slices.Equal(s.tools.done, []string{"look", "move", "tell"}) {
		t.Errorf("called %v", s.tools.done)
	}
	if got := domain.PlainText(s.frames(rec)[0].Blocks); got != "look: look done; move: move done; tell: tell done" {
		t.Errorf("the person gets %q", got)
	}
	end, _ := s.concluded(rec)
	if len(end.Evidence) != 2 || end.Evidence[1].EnvelopeID != records[6].Envelope.ID {
		t.Errorf("it rests on %+v", end.Evidence)
	}
	// Each call of the model comes of the last thing done for the one before.
	if parent := records[7].Envelope.Parent; parent != records[6].Envelope.ID {
		t.Errorf("the second call comes of %s", parent)
	}
	if got := decoded[domain.ModelCalled](t, records[2]).Tools; !slices.Equal(got, s.tools.offers) {
		t.Errorf("offered %v", got)
	}
}

// A conversation with three tools, killed at every step, before or after the step
// was recorded: the next process ends with one answer, and no tool that has
// completed is called again.
func TestKilledAtEveryStepOfThreeTools(t *testing.T) {
	steps := len(wholeConversation) - 1
	for step := 1; step <= steps; step++ {
		for _, recorded := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, step %d, recorded %t", wholeConversation[step], step, recorded), func(t *testing.T) {
				s := newHandyStage(t)
				rec := s.say(ada, "tidy up")
				s.failFrom(step, recorded, dead)
				refused(t, s.reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
				s.door.set(nil, nil)
				s.answer(rec)
				s.answer(rec)

				want, once := slices.Clone(wholeConversation), true
				// What was dispatched and has no end may have happened: nobody knows.
				at := wholeConversation[step]
				if at == "tool.completed" && !recorded {
					want[step] = "tool.outcome_unknown"
				}
				if at == "tool.dispatched" && recorded {
					want[step+1], once = "tool.outcome_unknown", false
				}
				s.happened(rec, want...)
				for _, tool := range s.tools.offers {
					if n := count(s.tools.done, tool); n != 1 && (once || n > 1) {
						t.Errorf("%s was called %d times", tool, n)
					}
				}
				ends := 0
				for _, r := range s.episode(rec) {
					if r.Envelope.Type == "reasoning.concluded" {
						ends++
					}
				}
				if got, _ := s.concluded(rec); ends != 1 || got.Outcome != domain.OutcomeResponded || len(s.frames(rec)) != 2 {
					t.Errorf("%d ends, the last %+v", ends, got)
				}
			})
		}
	}
}

func count(in []string, what string) (n int) {
	for _, s := range in {
		if s == what {
			n++
		}
	}
	return n
}

// What a model gets wrong goes back to it, and counts for nothing else.
func TestWrongCallsGoBackToTheModel(t *testing.T) {
	s := newStage(t)
	s.tools.offers = []string{"look"}
	s.model.reply = func(_ context.Context, n int, p commands.Prompt) (commands.Reply, error) {
		switch n {
		case 1:
			return calls("fly"), nil
		case 2:
			r := calls("look")
			r.ToolCalls[0].Params = []byte(`{"wrong":true}`)
			return r, nil
		case 3:
			return calls("look"), nil
		}
		return says(p.Done[0].Error + " / " + p.Done[1].Error + " / " + p.Done[2].Text), nil
	}
	rec := s.say(ada, "look around")
	s.answer(rec)
	records := s.happened(rec, slices.Concat([]domain.EventType{"message.received", "reasoning.started",
		"model.called", "model.replied", "call.rejected", "model.called", "model.replied", "call.rejected",
		"model.called", "model.replied"}, toolSteps, []domain.EventType{"model.called", "model.replied", "reasoning.concluded"})...)
	if got := domain.PlainText(s.frames(rec)[0].Blocks); got != `there is no tool "fly" / wrong is no parameter / look done` {
		t.Errorf("the person gets %q", got)
	}
	if got := decoded[domain.CallRejected](t, records[4]); got.Tool != "fly" || records[4].Envelope.Parent != records[3].Envelope.ID {
		t.Errorf("rejected %+v as a child of %s", got, records[4].Envelope.Parent)
	}
}

func TestLimits(t *testing.T) {
	again := func(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
		if len(p.Tools) == 0 {
			return says("that is all"), nil
		}
		return calls("look"), nil
	}
	t.Run("of calls to the model", func(t *testing.T) {
		s := newStage(t)
		s.tools.offers, s.model.reply = []string{"look"}, again
		rec := s.say(ada, "look for ever")
		s.answer(rec)
		if got, _ := s.concluded(rec); got.Outcome != domain.OutcomeResponded || s.model.times() != domain.DefaultReasoningLimits().ModelCalls ||
			domain.PlainText(s.frames(rec)[0].Blocks) != "that is all" {
			t.Errorf("after %d questions it concluded %+v", s.model.times(), got)
		}
	})
	t.Run("of tool calls", func(t *testing.T) {
		s := newStage(t)
		s.limits = domain.DefaultReasoningLimits()
		s.limits.ToolCalls = 3
		s.tools.offers = []string{"look"}
		s.model.reply = func(_ context.Context, n int, p commands.Prompt) (commands.Reply, error) {
			if n == 1 {
				return calls("look", "look", "look", "look"), nil
			}
			if len(p.Tools) > 0 {
				t.Errorf("offered %d tools", len(p.Tools))
			}
			return says(p.Done[3].Error), nil
		}
		rec := s.say(ada, "look")
		s.answer(rec)
		if got := domain.PlainText(s.frames(rec)[0].Blocks); len(s.tools.done) != 3 || !strings.Contains(got, "3 tool calls have been made") {
			t.Errorf("after %d calls the person gets %q", len(s.tools.done), got)
		}
	})
	t.Run("of cost", func(t *testing.T) {
		s := newStage(t)
		s.tools.offers = []string{"look"}
		s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) {
			r := calls("look")
			r.Usage.CostMicros = 400_000
			return r, nil
		}
		rec := s.say(ada, "look")
		s.answer(rec)
		frames := s.frames(rec)
		if s.model.times() != 2 || frames[0].Type != domain.FrameError || !strings.Contains(frames[0].Message, "for $0.80") {
			t.Errorf("after %d questions the person gets %+v", s.model.times(), frames[0])
		}
	})
}

// The next model answers when one fails, is told why, and the log says both.
func TestFallBack(t *testing.T) {
	s := newStage(t)
	s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) {
		return commands.Reply{}, &domain.Error{Category: domain.Dependency, Code: "model_unreachable", Message: "the model can't be reached"}
	}
	s.further = []commands.Model{builtin{}}
	rec := s.say(ada, "hi")
	s.answer(rec)
	records := s.happened(rec, "message.received", "reasoning.started", "model.called", "model.failed", "model.called", "model.replied", "reasoning.concluded")
	if got := domain.PlainText(s.frames(rec)[0].Blocks); got != "instead, since the model can't be reached" {
		t.Errorf("the person gets %q", got)
	}
	if called := decoded[domain.ModelCalled](t, records[4]); called.Model != "plain" || called.Instead != records[3].Envelope.ID || records[4].Envelope.Parent != called.Instead {
		t.Errorf("called %+v", called)
	}
	if got := decoded[domain.ModelReplied](t, records[5]); got.Model != "plain" {
		t.Errorf("replied %+v", got)
	}
}

// builtin is a model that is never away.
type builtin struct{}

func (builtin) Name() string     { return "plain" }
func (builtin) SeesImages() bool { return false }
func (builtin) Reply(_ context.Context, p commands.Prompt) (commands.Reply, error) {
	return says("instead, since " + p.Instead), nil
}

// An action is a call without a model.
func TestActions(t *testing.T) {
	s := newStage(t)
	s.tools.offers = []string{"look"}
	act := func(skill, payload string) domain.Record {
		id, err := s.messages.Act(t.Context(), ada, domain.ActionReceived{Skill: skill, Payload: []byte(payload)})
		if err != nil {
			t.Fatal(err)
		}
		s.answer(s.find(id))
		return s.find(id)
	}
	rec := act("look", `{"skill":"look"}`)
	records := s.happened(rec, slices.Concat([]domain.EventType{"action.received"}, toolSteps, []domain.EventType{"reasoning.concluded"})...)
	if got := s.frames(rec)[0]; got.Type != domain.FrameMessage || got.Mode != domain.ModeAct || got.Topic != "look" || domain.PlainText(got.Blocks) != "look done" {
		t.Errorf("the person gets %+v", got)
	}
	if invoked := decoded[domain.ToolInvoked](t, records[1]); invoked.Actor != domain.ActorOperator || invoked.Channel != domain.ChannelAction || s.model.times() != 0 {
		t.Errorf("invoked %+v after %d questions", invoked, s.model.times())
	}

	rec = act("fly", `{"skill":"fly"}`)
	s.happened(rec, "action.received", "call.rejected", "reasoning.concluded")
	if got := s.frames(rec); got[0].Type != domain.FrameError || got[0].Message != `there is no tool "fly"` || !got[0].Recoverable {
		t.Errorf("the person gets %+v", got)
	}
	rec = act("look", `{"skill":"look","wrong":true}`)
	if got := s.frames(rec); got[0].Type != domain.FrameError || got[0].Message != "wrong is no parameter" {
		t.Errorf("the person gets %+v", got)
	}
	s.tools.do = func(string) (domain.ToolCompleted, *domain.Fault) {
		return domain.ToolCompleted{}, &domain.Fault{Code: domain.CodeToolError, Category: domain.Dependency, Message: "it is dark"}
	}
	if got := s.frames(act("look", `{}`)); got[0].Type != domain.FrameError || got[0].Message != "it is dark" {
		t.Errorf("the person gets %+v", got)
	}
}

// What comes of an answer that a check finds wanting.
func TestVerification(t *testing.T) {
	for _, c := range []struct {
		name     string
		verdicts []domain.VerificationOutcome
		asked    int
		says     string
	}{
		{"good", []domain.VerificationOutcome{domain.VerifiedSuccess}, 2, "done"},
		{"in part", []domain.VerificationOutcome{domain.VerifiedPartial}, 2, "done"},
		{"bad, then good", []domain.VerificationOutcome{domain.VerifiedFailure, domain.VerifiedSuccess}, 3, "better: say when"},
		{"bad for ever", []domain.VerificationOutcome{domain.VerifiedFailure, domain.VerifiedFailure}, 3, "better: say when"},
		{"no verdict", nil, 2, "done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			s.tools.offers = []string{"look"}
			s.model.reply = func(_ context.Context, n int, p commands.Prompt) (commands.Reply, error) {
				switch {
				case n == 1:
					return calls("look"), nil
				case len(p.Issues) > 0:
					return says("better: " + p.Issues[0]), nil
				}
				return says("done"), nil
			}
			judge := &judge{verdicts: c.verdicts}
			s.verifier = judge
			rec := s.say(ada, "look")
			s.answer(rec)
			if got := domain.PlainText(s.frames(rec)[0].Blocks); got != c.says || s.model.times() != c.asked {
				t.Errorf("after %d questions the person gets %q", s.model.times(), got)
			}
			if asked := judge.asked[0]; asked.Task != "look" || asked.Answer != "done" || len(asked.Done) != 1 || asked.Done[0].Text != "look done" {
				t.Errorf("it judged %+v", asked)
			}
		})
	}
	t.Run("of an answer for which nothing was done", func(t *testing.T) {
		s := newStage(t)
		judge := &judge{}
		s.verifier = judge
		rec := s.say(ada, "hi")
		s.answer(rec)
		s.happened(rec, wholeAnswer...)
		if len(judge.asked) > 0 {
			t.Error("it was judged")
		}
	})
}

// judge gives one verdict after the other, and then none.
type judge struct {
	verdicts []domain.VerificationOutcome
	asked    []commands.Verification
}

func (*judge) Name() string { return "judge" }

func (j *judge) Verify(_ context.Context, v commands.Verification) (domain.AnswerVerified, error) {
	j.asked = append(j.asked, v)
	if len(j.asked) > len(j.verdicts) {
		return domain.AnswerVerified{}, &domain.Error{Category: domain.Dependency, Code: "away", Message: "the judge is away"}
	}
	return domain.AnswerVerified{Outcome: j.verdicts[len(j.asked)-1], Confidence: domain.One, Reasoning: "so", Issues: []string{"say when"}, Verifier: "judge"}, nil
}

// An answer rests on every tool that wants a page opened, also where the model doesn't
// say so: its words don't have the address.
func TestAnAnswerRestsOnWhatItOpens(t *testing.T) {
	s := newHandyStage(t)
	far := "https://example.com/x"
	s.tools.do = func(tool string) (domain.ToolCompleted, *domain.Fault) {
		if tool == "move" {
			return domain.ToolCompleted{OpenURL: &far}, nil
		}
		return domain.ToolCompleted{}, nil
	}
	rec := s.say(ada, "tidy up")
	s.answer(rec)
	records := s.happened(rec, wholeConversation...)
	end := records[len(records)-1].Envelope
	said, err := domain.SaidIn(end, func(id domain.ID) (domain.Envelope, error) {
		for _, r := range records {
			if r.Envelope.ID == id {
				return r.Envelope, nil
			}
		}
		return domain.Envelope{}, nil
	})
	if err != nil || !slices.Equal(said.Open, []string{far}) {
		t.Errorf("it opens %q, %v", said.Open, err)
	}
	if c := decoded[domain.ReasoningConcluded](t, records[len(records)-1]); len(c.Evidence) != 3 {
		t.Errorf("it rests on %+v", c.Evidence)
	}
}
