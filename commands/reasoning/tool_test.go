package reasoning_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
)

var wholeConversation = slices.Concat(
	[]domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied"}, commandstest.ToolSteps,
	[]domain.EventType{"model.called", "model.replied"}, commandstest.ToolSteps, commandstest.ToolSteps,
	[]domain.EventType{"model.called", "model.replied", "reasoning.concluded"})

func TestThreeTools(t *testing.T) {
	s := commandstest.NewHandyStage(t)
	rec := s.Say(commandstest.Ada, "tidy up")
	s.Answer(rec)
	s.Answer(rec)
	records := s.Happened(rec, wholeConversation...)
	if !slices.Equal(s.Tools.Done, []string{"look", "move", "tell"}) {
		t.Errorf("called %v", s.Tools.Done)
	}
	if got := domain.PlainText(s.Frames(rec)[0].Blocks); got != "look: look done; move: move done; tell: tell done" {
		t.Errorf("the person gets %q", got)
	}
	end, _ := s.Concluded(rec)
	if len(end.Evidence) != 2 || end.Evidence[1].EnvelopeID != records[6].Envelope.ID {
		t.Errorf("it rests on %+v", end.Evidence)
	}
	// Each call of the model comes of the last thing done for the one before.
	if parent := records[7].Envelope.Parent; parent != records[6].Envelope.ID {
		t.Errorf("the second call comes of %s", parent)
	}
	if got := commandstest.Decoded[domain.ModelCalled](t, records[2]).Tools; !slices.Equal(got, s.Tools.Offered) {
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
				s := commandstest.NewHandyStage(t)
				rec := s.Say(commandstest.Ada, "tidy up")
				s.FailFrom(step, recorded, commandstest.Dead)
				commandstest.Refused(t, s.Reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
				s.Door.Set(nil, nil)
				s.Answer(rec)
				s.Answer(rec)

				want, once := slices.Clone(wholeConversation), true
				// What was dispatched and has no end may have happened: nobody knows.
				at := wholeConversation[step]
				if at == "tool.completed" && !recorded {
					want[step] = "tool.outcome_unknown"
				}
				if at == "tool.dispatched" && recorded {
					want[step+1], once = "tool.outcome_unknown", false
				}
				s.Happened(rec, want...)
				for _, tool := range s.Tools.Offered {
					if n := count(s.Tools.Done, tool); n != 1 && (once || n > 1) {
						t.Errorf("%s was called %d times", tool, n)
					}
				}
				ends := 0
				for _, r := range s.Episode(rec) {
					if r.Envelope.Type == "reasoning.concluded" {
						ends++
					}
				}
				if got, _ := s.Concluded(rec); ends != 1 || got.Outcome != domain.OutcomeResponded || len(s.Frames(rec)) != 2 {
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

// Who waits is told which tools are used where one of them is known to take a moment. Else the step is over
// before it could be read of.
func TestOnlySlowStepsAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		slow []string
		told bool
	}{"quick": {nil, false}, "another is slow": {[]string{"dim"}, false}, "slow": {[]string{"look"}, true}} {
		t.Run(name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			s.Tools.Offered, s.Tools.Slow = []string{"dim", "look"}, c.slow
			s.Gate = &footings{ToolCaller: s.Tools, of: &domain.Interface{ID: domain.ID{15: 7}, Name: "house"}}
			s.Model.Says = func(_ context.Context, n int, _ language.Prompt) (language.Reply, error) {
				if n == 1 {
					return commandstest.Calls("look"), nil
				}
				return commandstest.Says("I looked."), nil
			}
			rec := s.Say(commandstest.Ada, "look around")
			s.Answer(rec)
			told := 0
			for _, r := range s.Happened(rec, slices.Concat([]domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied"},
				commandstest.ToolSteps, []domain.EventType{"model.called", "model.replied", "reasoning.concluded"})...) {
				if step, ok := domain.ActsOf(r.Envelope); ok && step == 1 {
					told++
				}
			}
			if told > 0 != c.told || told > 1 {
				t.Errorf("it is told %d times", told)
			}
		})
	}
}

// What a model gets wrong goes back to it, and counts for nothing else.
func TestWrongCallsGoBackToTheModel(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Tools.Offered = []string{"look"}
	s.Model.Says = func(_ context.Context, n int, p language.Prompt) (language.Reply, error) {
		switch n {
		case 1:
			return commandstest.Calls("fly"), nil
		case 2:
			r := commandstest.Calls("look")
			r.ToolCalls[0].Params = []byte(`{"wrong":true}`)
			return r, nil
		case 3:
			return commandstest.Calls("look"), nil
		}
		return commandstest.Says(p.Done[0].Error + " / " + p.Done[1].Error + " / " + p.Done[2].Text), nil
	}
	rec := s.Say(commandstest.Ada, "look around")
	s.Answer(rec)
	records := s.Happened(rec, slices.Concat([]domain.EventType{"message.received", "reasoning.started",
		"model.called", "model.replied", "call.rejected", "model.called", "model.replied", "call.rejected",
		"model.called", "model.replied"}, commandstest.ToolSteps, []domain.EventType{"model.called", "model.replied", "reasoning.concluded"})...)
	if got := domain.PlainText(s.Frames(rec)[0].Blocks); got != `there is no tool "fly" / wrong is no parameter / look done` {
		t.Errorf("the person gets %q", got)
	}
	if got := commandstest.Decoded[domain.CallRejected](t, records[4]); got.Tool != "fly" || records[4].Envelope.Parent != records[3].Envelope.ID {
		t.Errorf("rejected %+v as a child of %s", got, records[4].Envelope.Parent)
	}
}

// What a schema finds fault with is recorded in the schema's words, and told in plain ones.
func TestMisfitsAreToldPlainly(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Tools.Offered = []string{"look"}
	s.Model.Says = func(_ context.Context, n int, p language.Prompt) (language.Reply, error) {
		if n == 1 {
			r := commandstest.Calls("look")
			r.ToolCalls[0].Params = []byte(`{"far":true}`)
			return r, nil
		}
		return commandstest.Says(p.Done[0].Error), nil
	}
	rec := s.Say(commandstest.Ada, "look far away")
	s.Answer(rec)
	records := s.Happened(rec, "message.received", "reasoning.started", "model.called", "model.replied", "call.rejected",
		"model.called", "model.replied", "reasoning.concluded")
	if got := commandstest.Decoded[domain.CallRejected](t, records[4]); got.Reason != "at /far: got boolean, want number" || got.Plain != "“far” has to be a number" {
		t.Errorf("recorded %+v", got)
	}
	if got := domain.PlainText(s.Frames(rec)[0].Blocks); got != "“far” has to be a number" {
		t.Errorf("the person gets %q", got)
	}
}

func TestLimits(t *testing.T) {
	again := func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
		if len(p.Tools) == 0 {
			return commandstest.Says("that is all"), nil
		}
		return commandstest.Calls("look"), nil
	}
	t.Run("of calls to the model", func(t *testing.T) {
		s := commandstest.NewStage(t)
		s.Tools.Offered, s.Model.Says = []string{"look"}, again
		rec := s.Say(commandstest.Ada, "look for ever")
		s.Answer(rec)
		if got, _ := s.Concluded(rec); got.Outcome != domain.OutcomeResponded || s.Model.Times() != domain.DefaultReasoningLimits().ModelCalls ||
			domain.PlainText(s.Frames(rec)[0].Blocks) != "that is all" {
			t.Errorf("after %d questions it concluded %+v", s.Model.Times(), got)
		}
	})
	t.Run("of tool calls", func(t *testing.T) {
		s := commandstest.NewStage(t)
		s.Set("tool_calls", "3")
		s.Tools.Offered = []string{"look"}
		s.Model.Says = func(_ context.Context, n int, p language.Prompt) (language.Reply, error) {
			if n == 1 {
				return commandstest.Calls("look", "look", "look", "look"), nil
			}
			if len(p.Tools) > 0 {
				t.Errorf("offered %d tools", len(p.Tools))
			}
			return commandstest.Says(p.Done[3].Error), nil
		}
		rec := s.Say(commandstest.Ada, "look")
		s.Answer(rec)
		if got := domain.PlainText(s.Frames(rec)[0].Blocks); len(s.Tools.Done) != 3 || !strings.Contains(got, "3 tool calls have been made") {
			t.Errorf("after %d calls the person gets %q", len(s.Tools.Done), got)
		}
	})
	t.Run("of cost", func(t *testing.T) {
		s := commandstest.NewStage(t)
		s.Tools.Offered = []string{"look"}
		s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
			r := commandstest.Calls("look")
			r.Usage.CostMicros = 400_000
			return r, nil
		}
		rec := s.Say(commandstest.Ada, "look")
		s.Answer(rec)
		frames := s.Frames(rec)
		if s.Model.Times() != 2 || frames[0].Type != domain.FrameError || !strings.Contains(frames[0].Message, "for $0.80") {
			t.Errorf("after %d questions the person gets %+v", s.Model.Times(), frames[0])
		}
	})
}

// The next model answers when one fails, is told why, and the log says both.
func TestFallBack(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
		return language.Reply{}, &domain.Error{Category: domain.Dependency, Code: "model_unreachable", Message: "the model can't be reached"}
	}
	s.Further = []reasoning.Model{builtin{}}
	rec := s.Say(commandstest.Ada, "hi")
	s.Answer(rec)
	records := s.Happened(rec, "message.received", "reasoning.started", "model.called", "model.failed", "model.called", "model.replied", "reasoning.concluded")
	if got := domain.PlainText(s.Frames(rec)[0].Blocks); got != "instead, since the model can't be reached" {
		t.Errorf("the person gets %q", got)
	}
	if called := commandstest.Decoded[domain.ModelCalled](t, records[4]); called.Model != "plain" || called.Instead != records[3].Envelope.ID || records[4].Envelope.Parent != called.Instead {
		t.Errorf("called %+v", called)
	}
	if got := commandstest.Decoded[domain.ModelReplied](t, records[5]); got.Model != "plain" {
		t.Errorf("replied %+v", got)
	}
}

// builtin is a model that is never away.
type builtin struct{}

func (builtin) Name() string { return "plain" }

func (builtin) SeesImages() bool { return false }

func (builtin) Reply(_ context.Context, p language.Prompt) (language.Reply, error) {
	return commandstest.Says("instead, since " + p.Instead), nil
}

// An action is a call without a model.
func TestActions(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Tools.Offered = []string{"look"}
	act := func(skill, payload string) domain.Record {
		id, err := s.Messages.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Skill: skill, Payload: []byte(payload)})
		if err != nil {
			t.Fatal(err)
		}
		s.Answer(s.Find(id))
		return s.Find(id)
	}
	rec := act("look", `{"skill":"look"}`)
	records := s.Happened(rec, slices.Concat([]domain.EventType{"action.received"}, commandstest.ToolSteps, []domain.EventType{"reasoning.concluded"})...)
	if got := s.Frames(rec)[0]; got.Type != domain.FrameMessage || got.Mode != domain.ModeAct || got.Topic != "look" || domain.PlainText(got.Blocks) != "look done" {
		t.Errorf("the person gets %+v", got)
	}
	if invoked := commandstest.Decoded[domain.ToolInvoked](t, records[1]); invoked.Actor != domain.ActorOperator || invoked.Channel != domain.ChannelAction || s.Model.Times() != 0 {
		t.Errorf("invoked %+v after %d questions", invoked, s.Model.Times())
	}

	rec = act("fly", `{"skill":"fly"}`)
	s.Happened(rec, "action.received", "call.rejected", "reasoning.concluded")
	if got := s.Frames(rec); got[0].Type != domain.FrameError || got[0].Message != `there is no tool "fly"` || !got[0].Recoverable {
		t.Errorf("the person gets %+v", got)
	}
	rec = act("look", `{"skill":"look","wrong":true}`)
	if got := s.Frames(rec); got[0].Type != domain.FrameError || got[0].Message != "wrong is no parameter" {
		t.Errorf("the person gets %+v", got)
	}
	s.Tools.Do = func(string) (domain.ToolCompleted, *domain.Fault) {
		return domain.ToolCompleted{}, &domain.Fault{Code: domain.CodeToolError, Category: domain.Dependency, Message: "it is dark"}
	}
	if got := s.Frames(act("look", `{}`)); got[0].Type != domain.FrameError || got[0].Message != "it is dark" {
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
			s := commandstest.NewStage(t)
			s.Tools.Offered = []string{"look"}
			s.Model.Says = func(_ context.Context, n int, p language.Prompt) (language.Reply, error) {
				switch {
				case n == 1:
					return commandstest.Calls("look"), nil
				case len(p.Issues) > 0:
					return commandstest.Says("better: " + p.Issues[0]), nil
				}
				return commandstest.Says("done"), nil
			}
			judge := &judge{verdicts: c.verdicts}
			s.Verifier = judge
			rec := s.Say(commandstest.Ada, "look")
			s.Answer(rec)
			if got := domain.PlainText(s.Frames(rec)[0].Blocks); got != c.says || s.Model.Times() != c.asked {
				t.Errorf("after %d questions the person gets %q", s.Model.Times(), got)
			}
			if asked := judge.asked[0]; asked.Task != "look" || asked.Answer != "done" || len(asked.Done) != 1 || asked.Done[0].Text != "look done" {
				t.Errorf("it judged %+v", asked)
			}
		})
	}
	t.Run("of an answer for which nothing was done", func(t *testing.T) {
		s := commandstest.NewStage(t)
		judge := &judge{}
		s.Verifier = judge
		rec := s.Say(commandstest.Ada, "hi")
		s.Answer(rec)
		s.Happened(rec, commandstest.WholeAnswer...)
		if len(judge.asked) > 0 {
			t.Error("it was judged")
		}
	})
}

// judge gives one verdict after the other, and then none.
type judge struct {
	verdicts []domain.VerificationOutcome
	asked    []reasoning.Verification
}

func (*judge) Name() string { return "judge" }

func (j *judge) Verify(_ context.Context, v reasoning.Verification) (domain.AnswerVerified, error) {
	j.asked = append(j.asked, v)
	if len(j.asked) > len(j.verdicts) {
		return domain.AnswerVerified{}, &domain.Error{Category: domain.Dependency, Code: "away", Message: "the judge is away"}
	}
	return domain.AnswerVerified{Outcome: j.verdicts[len(j.asked)-1], Confidence: domain.One, Reasoning: "so", Issues: []string{"say when"}, Verifier: "judge"}, nil
}

// An answer rests on every tool that wants a page opened, also where the model doesn't
// say so: its words don't have the address.
func TestAnAnswerRestsOnWhatItOpens(t *testing.T) {
	s := commandstest.NewHandyStage(t)
	far := "https://example.com/x"
	s.Tools.Do = func(tool string) (domain.ToolCompleted, *domain.Fault) {
		if tool == "move" {
			return domain.ToolCompleted{OpenURL: &far}, nil
		}
		return domain.ToolCompleted{}, nil
	}
	rec := s.Say(commandstest.Ada, "tidy up")
	s.Answer(rec)
	records := s.Happened(rec, wholeConversation...)
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
	if c := commandstest.Decoded[domain.ReasoningConcluded](t, records[len(records)-1]); len(c.Evidence) != 3 {
		t.Errorf("it rests on %+v", c.Evidence)
	}
}
