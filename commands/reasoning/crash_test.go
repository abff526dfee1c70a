package reasoning_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/domain"
	"chalie/domain/language"
)

// Killed just before or just after any append, the next process ends with the
// same answer. Only a reply that was not recorded is asked for again.
func TestKilledAtEveryStep(t *testing.T) {
	for step := 1; step <= 4; step++ {
		for _, recorded := range []bool{false, true} {
			t.Run(fmt.Sprintf("step %d, recorded %t", step, recorded), func(t *testing.T) {
				s := commandstest.NewStage(t)
				rec := s.Say(commandstest.Ada, "hi")
				s.FailFrom(step, recorded, commandstest.Dead)
				err := s.Reasoner().Answer(t.Context(), rec)
				commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
				done := step
				if recorded {
					done++
				}
				s.Happened(rec, commandstest.WholeAnswer[:done]...)
				if asked := s.Model.Times(); (step <= 2) != (asked == 0) {
					t.Errorf("%d questions, though step %d failed", asked, step)
				}
				s.Door.Set(nil, nil)
				s.Answer(rec)
				s.Answer(rec)
				records := s.Happened(rec, commandstest.WholeAnswer...)
				asked := 1
				if step == 3 && !recorded {
					asked = 2
				}
				if s.Model.Times() != asked {
					t.Errorf("%d questions, want %d", s.Model.Times(), asked)
				}
				if got, _ := s.Concluded(rec); got.Outcome != domain.OutcomeResponded || got.Reply != records[3].Envelope.ID {
					t.Errorf("concluded %+v", got)
				}
				if want := fmt.Sprintf("answer %d", asked); domain.PlainText(s.Frames(rec)[0].Blocks) != want {
					t.Errorf("the person gets %+v, want %s", s.Frames(rec)[0], want)
				}
			})
		}
	}
}

// An append of which nobody knows whether it is in the log is made again with
// the same ids, whether it is in or not.
func TestOutcomeUnknown(t *testing.T) {
	unknown := func() error {
		return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true, Message: "who knows"}
	}
	t.Run("for a moment", func(t *testing.T) {
		s := commandstest.NewStage(t)
		rec := s.Say(commandstest.Ada, "hi")
		ids := map[domain.ID]int{}
		s.Door.Set(func(b domain.Batch) error {
			id := b.Entries[0].Envelope.ID
			if ids[id]++; ids[id] == 1 {
				return unknown()
			}
			return nil
		}, func(r domain.Receipt) error {
			if !r.Duplicate {
				return unknown()
			}
			return nil
		})
		s.Answer(rec)
		s.Happened(rec, commandstest.WholeAnswer...)
		if len(ids) != 4 || s.Model.Times() != 1 {
			t.Errorf("%d ids for 4 steps, %d questions", len(ids), s.Model.Times())
		}
		for id, times := range ids {
			if times != 3 {
				t.Errorf("%s was appended %d times", id, times)
			}
		}
	})
	t.Run("for long", func(t *testing.T) {
		s := commandstest.NewStage(t)
		rec := s.Say(commandstest.Ada, "hi")
		tries := 0
		s.Door.Set(func(domain.Batch) error { tries++; return unknown() }, nil)
		commandstest.Refused(t, s.Reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeOutcomeUnknown)
		if tries < 2 || tries > 10 {
			t.Errorf("tried %d times", tries)
		}
		s.Happened(rec, "message.received")
	})
}

// Two that answer the same message ask twice at most, and record each step once.
func TestTwoAnswerAtOnce(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "hi")
	var both sync.WaitGroup
	both.Add(2)
	s.Model.Says = func(_ context.Context, n int, _ language.Prompt) (language.Reply, error) {
		both.Done()
		both.Wait() // neither goes on before the other has asked, too
		return commandstest.Says(fmt.Sprintf("answer %d", n)), nil
	}
	var running sync.WaitGroup
	for range 2 {
		r := s.Reasoner()
		running.Go(func() {
			if err := r.Answer(t.Context(), rec); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	s.Happened(rec, commandstest.WholeAnswer...)
	if s.Model.Times() != 2 {
		t.Errorf("%d questions", s.Model.Times())
	}
}

func TestManyAnswerAtOnce(t *testing.T) {
	s := commandstest.NewStage(t)
	for range 20 {
		rec := s.Say(commandstest.Ada, "hi")
		var running sync.WaitGroup
		for range 4 {
			r := s.Reasoner()
			running.Go(func() {
				if err := r.Answer(t.Context(), rec); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		s.Happened(rec, commandstest.WholeAnswer...)
	}
}

func TestSteerWhileTheModelIsAsked(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	s.Model.Says = func(_ context.Context, n int, _ language.Prompt) (language.Reply, error) {
		if n == 1 {
			s.Steer("no, tomorrow")
			s.Steer("at noon")
		}
		return commandstest.Says(fmt.Sprintf("answer %d", n)), nil
	}
	s.Answer(rec)
	records := s.Happened(rec, "message.received", "reasoning.started", "model.called", "steer.received", "steer.received",
		"model.replied", "model.called", "model.replied", "reasoning.concluded")
	steers := []domain.ID{records[3].Envelope.ID, records[4].Envelope.ID}
	if records[6].Envelope.Parent != steers[0] || records[5].Envelope.Parent != records[2].Envelope.ID || records[7].Envelope.Parent != records[6].Envelope.ID {
		t.Error("the second call doesn't come of the first steer, or a reply not of its call")
	}
	if got := commandstest.Decoded[domain.ModelCalled](t, records[6]).Steers; !slices.Equal(got, steers) {
		t.Errorf("the second call takes up %v, want %v", got, steers)
	}
	if got := s.Model.Asked[1].Steers; !slices.Equal(got, []string{"no, tomorrow", "at noon"}) || s.Model.Asked[0].Steers != nil {
		t.Errorf("asked with %q", got)
	}
	if got, _ := s.Concluded(rec); got.Reply != records[7].Envelope.ID || domain.PlainText(s.Frames(rec)[0].Blocks) != "answer 2" {
		t.Errorf("concluded %+v", got)
	}
}

// A steer that gets in just ahead of the end is taken up: who was told that it
// was recorded gets an answer that knows it.
func TestSteerAheadOfTheEnd(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	steered := false
	s.Door.Set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "reasoning.concluded" && !steered {
			steered = true
			s.Steer("no, tomorrow")
		}
		return nil
	}, nil)
	s.Answer(rec)
	records := s.Happened(rec, "message.received", "reasoning.started", "model.called", "model.replied", "steer.received",
		"model.called", "model.replied", "reasoning.concluded")
	if got := s.Model.Asked[1].Steers; !slices.Equal(got, []string{"no, tomorrow"}) {
		t.Errorf("asked with %q", got)
	}
	if got, _ := s.Concluded(rec); got.Reply != records[6].Envelope.ID {
		t.Errorf("concluded %+v", got)
	}
	_, err := s.Messages.Steer(t.Context(), commandstest.Ada, "too late")
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)
}

// Somebody who steers without end doesn't keep an answer from its end.
func TestSteersDontGoOnForEver(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	s.Door.Set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "reasoning.concluded" {
			s.Steer("again")
		}
		return nil
	}, nil)
	s.Answer(rec)
	if got, _ := s.Concluded(rec); s.Model.Times() != domain.DefaultReasoningLimits().ModelCalls || got.Outcome != domain.OutcomeResponded {
		t.Errorf("after %d questions it concluded %+v", s.Model.Times(), got)
	}
	if want := fmt.Sprintf("answer %d", domain.DefaultReasoningLimits().ModelCalls); domain.PlainText(s.Frames(rec)[0].Blocks) != want {
		t.Errorf("the person gets %+v", s.Frames(rec))
	}
}

// A call asks what was recorded of it, whatever came in before it is made.
func TestSteerBetweenTheCallAndTheQuestion(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	s.Door.Set(nil, func(domain.Receipt) error {
		if records := s.Episode(rec); records[len(records)-1].Envelope.Type == "model.called" && len(records) == 3 {
			s.Steer("no, tomorrow")
		}
		return nil
	})
	s.Answer(rec)
	s.Happened(rec, "message.received", "reasoning.started", "model.called", "steer.received",
		"model.replied", "model.called", "model.replied", "reasoning.concluded")
	if first, second := s.Model.Asked[0].Steers, s.Model.Asked[1].Steers; len(first) != 0 || !slices.Equal(second, []string{"no, tomorrow"}) {
		t.Errorf("asked with %q and %q", first, second)
	}
}

func TestModelErrors(t *testing.T) {
	t.Run("retriable", func(t *testing.T) {
		s := commandstest.NewStage(t)
		rec := s.Say(commandstest.Ada, "hi")
		busy := &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "busy", Retriable: true, Message: "try later"}
		s.Model.Says = func(_ context.Context, n int, _ language.Prompt) (language.Reply, error) {
			if n <= 2 {
				return language.Reply{}, busy
			}
			return commandstest.Says("at last"), nil
		}
		for range 2 {
			if err := s.Reasoner().Answer(t.Context(), rec); !errors.Is(err, busy) {
				t.Errorf("the error is %v", err)
			}
			s.Happened(rec, commandstest.WholeAnswer[:3]...)
		}
		s.Answer(rec)
		s.Happened(rec, commandstest.WholeAnswer...)
	})
	long := strings.Repeat("é", 100_000)
	for _, c := range []struct {
		name string
		err  error
		code domain.Code
		says string
	}{
		{"terminal", &domain.Error{Op: "ask model", Category: domain.Policy, Code: "no_key", Message: "the key was refused: give another one"}, "no_key", "the key was refused"},
		{"of a foreign kind", errors.New("boom"), "model_failed", "the model failed: boom"},
		{"without a message", &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "odd", Err: errors.New("cause")}, "model_failed", "cause"},
		{"very long", errors.New(long), "model_failed", "é…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			rec := s.Say(commandstest.Ada, "hi")
			s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) { return language.Reply{}, c.err }
			err := s.Reasoner().Answer(t.Context(), rec)
			if err != nil {
				t.Fatal(err)
			}
			s.FailedBecause(rec, c.code, c.says, s.Episode(rec)[3].Envelope.ID, "message.received", "reasoning.started", "model.called", "model.failed", "reasoning.concluded")
			if s.Model.Times() != 1 {
				t.Errorf("%d questions", s.Model.Times())
			}
		})
	}
	t.Run("nobody waits for it", func(t *testing.T) {
		s := commandstest.NewStage(t)
		rec := s.Say(commandstest.Station, "news")
		s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
			return language.Reply{}, errors.New("boom")
		}
		s.Answer(rec)
		if got, e := s.Concluded(rec); got.Outcome != domain.OutcomeFailed || len(e.Errors) != 1 || len(s.Frames(rec)) != 0 {
			t.Errorf("concluded %+v, %v", got, e.Errors)
		}
	})
}

func TestRepliesThatCantBeUsed(t *testing.T) {
	stranger := domain.ID{15: 77}
	for name, spoil := range map[string]func(*language.Reply){
		"no blocks":                func(r *language.Reply) { r.Blocks = nil },
		"no topic":                 func(r *language.Reply) { r.Topic = " " },
		"no mode":                  func(r *language.Reply) { r.Mode = "" },
		"confidence over 1":        func(r *language.Reply) { r.Confidence = domain.One + 1 },
		"confidence below 0":       func(r *language.Reply) { r.Confidence = -1 },
		"rests on a stranger":      func(r *language.Reply) { r.Used = []domain.Evidence{{EnvelopeID: stranger}} },
		"rests on too much":        func(r *language.Reply) { r.Used = slices.Repeat(r.Used, language.MaxEvidence+1) },
		"a long role":              func(r *language.Reply) { r.Used[0].Role = strings.Repeat("r", domain.MaxNameBytes+1) },
		"too large":                func(r *language.Reply) { r.Blocks[0]["content"] = strings.Repeat("x", domain.MaxPayloadBytes) },
		"can't be written as JSON": func(r *language.Reply) { r.Blocks[0]["content"] = make(chan int) },
	} {
		t.Run(name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			rec := s.Say(commandstest.Ada, "hi")
			s.Model.Says = func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
				r := commandstest.Says("ok")
				r.Used = []domain.Evidence{{EnvelopeID: p.Asked.ID, Role: "asked", Weight: domain.One}}
				spoil(&r)
				return r, nil
			}
			s.Answer(rec)
			s.FailedBecause(rec, "bad_reply", "the model's reply can't be used", s.Episode(rec)[3].Envelope.ID,
				"message.received", "reasoning.started", "model.called", "model.failed", "reasoning.concluded")
		})
	}
}

func TestGivenUpWhileTheModelIsAsked(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "hi")
	ctx, cancel := context.WithCancel(t.Context())
	s.Door.Set(func(b domain.Batch) error {
		if ctx.Err() != nil {
			t.Errorf("%s is appended after the end", b.Entries[0].Envelope.Type)
		}
		return nil
	}, nil)
	s.Model.Says = func(ctx context.Context, n int, _ language.Prompt) (language.Reply, error) {
		if n == 1 {
			cancel()
			<-ctx.Done()
			return language.Reply{}, errors.New("the connection broke") // terminal, if it were an answer
		}
		return commandstest.Says("ok"), nil
	}
	err := s.Reasoner().Answer(ctx, rec)
	if !domain.IsRetriable(err) || !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	s.Happened(rec, commandstest.WholeAnswer[:3]...)
	s.Door.Set(nil, nil)
	s.Answer(rec)
	s.Happened(rec, commandstest.WholeAnswer...)
}

// A step that somebody else claims and never shows doesn't keep a processor busy
// for ever.
func TestContendedWithoutEnd(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "hi")
	other := s.IDs.NewTrace()
	entry, err := domain.New(domain.Begin(other, domain.PrincipalCore), other.ID, 1, "test", domain.SystemStopped{})
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = []domain.Key{domain.StepKey(rec.Envelope.Trace, 2)}
	if _, err := s.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	err = s.Reasoner().Answer(t.Context(), rec)
	commandstest.Refused(t, err, domain.Conflict, "contended")
	if !domain.IsRetriable(err) || s.Model.Times() != 0 {
		t.Errorf("%v after %d questions", err, s.Model.Times())
	}
}

// moveOf is the move that a recorded step is the result of.
var moveOf = map[domain.EventType]domain.Move{
	"reasoning.started": domain.MoveStart, "model.called": domain.MoveCall, "model.replied": domain.MoveAsk, "model.failed": domain.MoveAsk,
	"call.rejected": domain.MoveTool, "tool.invoked": domain.MoveTool, "answer.verified": domain.MoveVerify,
	"reasoning.resumed": domain.MoveResume, "reasoning.concluded": domain.MoveConclude,
}

// A recorded conversation folds again to the decisions that were made: before
// every step the fold of what stands before it asks for that very move, and a
// model is asked the very same question.
func TestRefoldedDecisionsAreTheSame(t *testing.T) {
	s := commandstest.NewHandyStage(t)
	s.Verifier = &judge{verdicts: []domain.VerificationOutcome{domain.VerifiedFailure, domain.VerifiedSuccess}}
	s.Hear("rain this evening")
	s.Answer(s.Say(commandstest.Ada, "hello"))
	turn := 0
	s.Model.Says = func(ctx context.Context, n int, p language.Prompt) (language.Reply, error) {
		turn++
		switch turn {
		case 1:
			s.Steer("but quietly")
		case 2:
			return commandstest.Calls("fly", "look"), nil
		}
		if len(p.Issues) > 0 {
			return commandstest.Says("better"), nil
		}
		return commandstest.ThreeTools(ctx, n, p)
	}
	rec := s.Say(commandstest.Ada, "tidy up")
	s.Answer(rec)
	records := s.Episode(rec)

	asked := s.Model.Asked[len(s.Model.Asked)-countOf(records, "model.replied"):]
	var ep domain.Episode
	for _, r := range records {
		if want, step := moveOf[r.Envelope.Type]; step && ep.Next() != want {
			t.Errorf("before %s at %d the fold asks for %q", r.Envelope.Type, r.Position, ep.Next())
		}
		if err := ep.Evolve(r); err != nil {
			t.Fatal(err)
		}
		if r.Envelope.Type == "model.called" {
			if got := s.AskedAgain(r.Position); !reflect.DeepEqual(got, asked[0]) {
				t.Errorf("at %d it is asked\n%+v\nand was\n%+v", r.Position, got, asked[0])
			}
			asked = asked[1:]
		}
	}
	if ep.Next() != domain.MoveNone || len(asked) > 0 {
		t.Errorf("in the end it asks for %q, with %d questions left", ep.Next(), len(asked))
	}
}

func countOf(records []domain.Record, kind domain.EventType) (n int) {
	for _, r := range records {
		if r.Envelope.Type == kind {
			n++
		}
	}
	return n
}

func TestErasedBeforeItWasAnswered(t *testing.T) {
	t.Run("a message", func(t *testing.T) {
		s := commandstest.NewStage(t)
		rec := s.Say(commandstest.Ada, "hi")
		s.Memory.Erased[rec.Envelope.ID] = true
		s.FailedBecause(rec, domain.CodeErased, "what was said was erased", rec.Envelope.ID, "message.received", "reasoning.concluded")
	})
	t.Run("an action", func(t *testing.T) {
		s := commandstest.NewStage(t)
		id, err := s.Messages.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Skill: "dim"})
		if err != nil {
			t.Fatal(err)
		}
		s.Memory.Erased[id] = true
		s.FailedBecause(s.Find(id), domain.CodeErased, "was erased before it was done", id, "action.received", "reasoning.concluded")
	})
	for step := 2; step <= 3; step++ {
		t.Run(string("a message, before "+commandstest.WholeAnswer[step]), func(t *testing.T) {
			s := commandstest.NewStage(t)
			rec := s.Say(commandstest.Ada, "hi")
			s.FailFrom(step, false, commandstest.Dead)
			commandstest.Refused(t, s.Reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
			s.Door.Set(nil, nil)
			s.Memory.Erased[rec.Envelope.ID] = true
			so := s.Happened(rec, commandstest.WholeAnswer[:step]...)
			want := append(append([]domain.EventType{}, commandstest.WholeAnswer[:step]...), "reasoning.concluded")
			s.FailedBecause(rec, domain.CodeErased, "what was said was erased", so[step-1].Envelope.ID, want...)
		})
	}
}

// What was answered before the message was erased is still shown.
func TestErasedAfterTheReply(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "hi")
	s.FailFrom(4, false, commandstest.Dead)
	commandstest.Refused(t, s.Reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
	s.Door.Set(nil, nil)
	s.Memory.Erased[rec.Envelope.ID] = true
	s.Answer(rec)
	s.Happened(rec, commandstest.WholeAnswer...)
	if got, _ := s.Concluded(rec); got.Outcome != domain.OutcomeResponded || domain.PlainText(s.Frames(rec)[0].Blocks) != "answer 1" {
		t.Errorf("concluded %+v", got)
	}
}

// Steps that were erased are not made again, and an erased reply is shown as that.
func TestErasedSteps(t *testing.T) {
	for step := 1; step <= 3; step++ {
		t.Run(string(commandstest.WholeAnswer[step]), func(t *testing.T) {
			s := commandstest.NewStage(t)
			rec := s.Say(commandstest.Ada, "hi")
			s.FailFrom(step, true, commandstest.Dead)
			commandstest.Refused(t, s.Reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
			s.Door.Set(nil, nil)
			s.Memory.Erased[s.Episode(rec)[step].Envelope.ID] = true
			s.Answer(rec)
			s.Happened(rec, commandstest.WholeAnswer...)
			want := "answer 1"
			if step == 3 {
				want = "(erased)"
			}
			if got := domain.PlainText(s.Frames(rec)[0].Blocks); got != want || s.Model.Times() != 1 {
				t.Errorf("the person gets %q after %d questions", got, s.Model.Times())
			}
		})
	}
}

// What a prompt refers to and can't be read any more is said to be erased.
func TestErasedReferences(t *testing.T) {
	for name, forget := range map[string]func(*commandstest.Forgetful, domain.ID){
		"erased":         func(f *commandstest.Forgetful, id domain.ID) { f.Erased[id] = true },
		"no longer kept": func(f *commandstest.Forgetful, id domain.ID) { f.Gone[id] = true },
	} {
		t.Run(name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			heard, err := s.Signals(0).Submit(t.Context(), commandstest.Station, commandstest.Weather())
			if err != nil {
				t.Fatal(err)
			}
			before := s.Say(commandstest.Ada, "hello")
			s.Answer(before)
			rec := s.Say(commandstest.Ada, "today")
			s.Model.Says = func(_ context.Context, n int, _ language.Prompt) (language.Reply, error) {
				if n == 2 {
					s.Steer("no, tomorrow")
					records := s.Records(domain.TopicMessages)
					for _, id := range []domain.ID{heard, before.Envelope.ID, records[len(records)-1].Envelope.ID} {
						forget(s.Memory, id)
					}
				}
				return commandstest.Says("ok"), nil
			}
			s.Answer(rec)
			p := s.Model.Asked[2]
			if len(p.World) != 1 || p.World[0].Label != "(erased)" || p.World[0].EnvelopeID != heard || p.World[0].Salience != 800_000 {
				t.Errorf("of the world it was told %+v", p.World)
			}
			if len(p.Recent) != 1 || p.Recent[0].Prompt != "(erased)" || len(p.Steers) != 1 || p.Steers[0] != "(erased)" {
				t.Errorf("it was told %+v and %q", p.Recent, p.Steers)
			}
		})
	}
}
