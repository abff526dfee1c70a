package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// dead is the end of the process at an append.
func dead() error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true, Message: "killed"}
}

// Killed just before or just after any append, the next process ends with the
// same answer. Only a reply that was not recorded is asked for again.
func TestKilledAtEveryStep(t *testing.T) {
	for step := 1; step <= 4; step++ {
		for _, recorded := range []bool{false, true} {
			t.Run(fmt.Sprintf("step %d, recorded %t", step, recorded), func(t *testing.T) {
				s := newStage(t)
				rec := s.say(ada, "hi")
				s.failFrom(step, recorded, dead)
				err := s.reasoner().Answer(t.Context(), rec)
				refused(t, err, domain.Dependency, domain.CodeClosed)
				done := step
				if recorded {
					done++
				}
				s.happened(rec, wholeAnswer[:done]...)
				if asked := s.model.times(); (step <= 2) != (asked == 0) {
					t.Errorf("%d questions, though step %d failed", asked, step)
				}
				s.door.set(nil, nil)
				s.answer(rec)
				s.answer(rec)
				records := s.happened(rec, wholeAnswer...)
				asked := 1
				if step == 3 && !recorded {
					asked = 2
				}
				if s.model.times() != asked {
					t.Errorf("%d questions, want %d", s.model.times(), asked)
				}
				if got, _ := s.concluded(rec); got.Outcome != domain.OutcomeResponded || got.Reply != records[3].Envelope.ID {
					t.Errorf("concluded %+v", got)
				}
				if want := fmt.Sprintf("answer %d", asked); domain.PlainText(s.frames(rec)[0].Blocks) != want {
					t.Errorf("the person gets %+v, want %s", s.frames(rec)[0], want)
				}
			})
		}
	}
}

// failFrom lets the log fail from the n-th append on: that one before or after it
// was recorded, all later ones before.
func (s *stage) failFrom(n int, recorded bool, failure func() error) {
	var mu sync.Mutex
	tries, appended := 0, 0
	s.door.set(func(domain.Batch) error {
		mu.Lock()
		defer mu.Unlock()
		if tries++; tries > n || tries == n && !recorded {
			return failure()
		}
		return nil
	}, func(domain.Receipt) error {
		mu.Lock()
		defer mu.Unlock()
		if appended++; appended == n {
			return failure()
		}
		return nil
	})
}

// An append of which nobody knows whether it is in the log is made again with
// the same ids, whether it is in or not.
func TestOutcomeUnknown(t *testing.T) {
	unknown := func() error {
		return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true, Message: "who knows"}
	}
	t.Run("for a moment", func(t *testing.T) {
		s := newStage(t)
		rec := s.say(ada, "hi")
		ids := map[domain.ID]int{}
		s.door.set(func(b domain.Batch) error {
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
		s.answer(rec)
		s.happened(rec, wholeAnswer...)
		if len(ids) != 4 || s.model.times() != 1 {
			t.Errorf("%d ids for 4 steps, %d questions", len(ids), s.model.times())
		}
		for id, times := range ids {
			if times != 3 {
				t.Errorf("%s was appended %d times", id, times)
			}
		}
	})
	t.Run("for long", func(t *testing.T) {
		s := newStage(t)
		rec := s.say(ada, "hi")
		tries := 0
		s.door.set(func(domain.Batch) error { tries++; return unknown() }, nil)
		refused(t, s.reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeOutcomeUnknown)
		if tries < 2 || tries > 10 {
			t.Errorf("tried %d times", tries)
		}
		s.happened(rec, "message.received")
	})
}

// Two that answer the same message ask twice at most, and record each step once.
func TestTwoAnswerAtOnce(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "hi")
	var both sync.WaitGroup
	both.Add(2)
	s.model.reply = func(_ context.Context, n int, _ commands.Prompt) (commands.Reply, error) {
		both.Done()
		both.Wait() // neither goes on before the other has asked, too
		return says(fmt.Sprintf("answer %d", n)), nil
	}
	var running sync.WaitGroup
	for range 2 {
		r := s.reasoner()
		running.Go(func() {
			if err := r.Answer(t.Context(), rec); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	s.happened(rec, wholeAnswer...)
	if s.model.times() != 2 {
		t.Errorf("%d questions", s.model.times())
	}
}

func TestManyAnswerAtOnce(t *testing.T) {
	s := newStage(t)
	for range 20 {
		rec := s.say(ada, "hi")
		var running sync.WaitGroup
		for range 4 {
			r := s.reasoner()
			running.Go(func() {
				if err := r.Answer(t.Context(), rec); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		s.happened(rec, wholeAnswer...)
	}
}

// steer redirects the answer under way.
func (s *stage) steer(text string) {
	s.t.Helper()
	if _, err := s.messages.Steer(context.Background(), ada, text); err != nil {
		s.t.Error(err)
	}
}

func TestSteerWhileTheModelIsAsked(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	s.model.reply = func(_ context.Context, n int, _ commands.Prompt) (commands.Reply, error) {
		if n == 1 {
			s.steer("no, tomorrow")
			s.steer("at noon")
		}
		return says(fmt.Sprintf("answer %d", n)), nil
	}
	s.answer(rec)
	records := s.happened(rec, "message.received", "reasoning.started", "model.called", "steer.received", "steer.received",
		"model.replied", "model.called", "model.replied", "reasoning.concluded")
	steers := []domain.ID{records[3].Envelope.ID, records[4].Envelope.ID}
	if records[6].Envelope.Parent != steers[0] || records[5].Envelope.Parent != records[2].Envelope.ID || records[7].Envelope.Parent != records[6].Envelope.ID {
		t.Error("the second call doesn't come of the first steer, or a reply not of its call")
	}
	if got := decoded[domain.ModelCalled](t, records[6]).Steers; !slices.Equal(got, steers) {
		t.Errorf("the second call takes up %v, want %v", got, steers)
	}
	if got := s.model.asked[1].Steers; !slices.Equal(got, []string{"no, tomorrow", "at noon"}) || s.model.asked[0].Steers != nil {
		t.Errorf("asked with %q", got)
	}
	if got, _ := s.concluded(rec); got.Reply != records[7].Envelope.ID || domain.PlainText(s.frames(rec)[0].Blocks) != "answer 2" {
		t.Errorf("concluded %+v", got)
	}
}

// A steer that gets in just ahead of the end is taken up: who was told that it
// was recorded gets an answer that knows it.
func TestSteerAheadOfTheEnd(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	steered := false
	s.door.set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "reasoning.concluded" && !steered {
			steered = true
			s.steer("no, tomorrow")
		}
		return nil
	}, nil)
	s.answer(rec)
	records := s.happened(rec, "message.received", "reasoning.started", "model.called", "model.replied", "steer.received",
		"model.called", "model.replied", "reasoning.concluded")
	if got := s.model.asked[1].Steers; !slices.Equal(got, []string{"no, tomorrow"}) {
		t.Errorf("asked with %q", got)
	}
	if got, _ := s.concluded(rec); got.Reply != records[6].Envelope.ID {
		t.Errorf("concluded %+v", got)
	}
	_, err := s.messages.Steer(t.Context(), ada, "too late")
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)
}

// Somebody who steers without end doesn't keep an answer from its end.
func TestSteersDontGoOnForEver(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	s.door.set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "reasoning.concluded" {
			s.steer("again")
		}
		return nil
	}, nil)
	s.answer(rec)
	if got, _ := s.concluded(rec); s.model.times() != domain.DefaultReasoningLimits().ModelCalls || got.Outcome != domain.OutcomeResponded {
		t.Errorf("after %d questions it concluded %+v", s.model.times(), got)
	}
	if want := fmt.Sprintf("answer %d", domain.DefaultReasoningLimits().ModelCalls); domain.PlainText(s.frames(rec)[0].Blocks) != want {
		t.Errorf("the person gets %+v", s.frames(rec))
	}
}

// A call asks what was recorded of it, whatever came in before it is made.
func TestSteerBetweenTheCallAndTheQuestion(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	s.door.set(nil, func(domain.Receipt) error {
		if records := s.episode(rec); records[len(records)-1].Envelope.Type == "model.called" && len(records) == 3 {
			s.steer("no, tomorrow")
		}
		return nil
	})
	s.answer(rec)
	s.happened(rec, "message.received", "reasoning.started", "model.called", "steer.received",
		"model.replied", "model.called", "model.replied", "reasoning.concluded")
	if first, second := s.model.asked[0].Steers, s.model.asked[1].Steers; len(first) != 0 || !slices.Equal(second, []string{"no, tomorrow"}) {
		t.Errorf("asked with %q and %q", first, second)
	}
}

func TestModelErrors(t *testing.T) {
	t.Run("retriable", func(t *testing.T) {
		s := newStage(t)
		rec := s.say(ada, "hi")
		busy := &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "busy", Retriable: true, Message: "try later"}
		s.model.reply = func(_ context.Context, n int, _ commands.Prompt) (commands.Reply, error) {
			if n <= 2 {
				return commands.Reply{}, busy
			}
			return says("at last"), nil
		}
		for range 2 {
			if err := s.reasoner().Answer(t.Context(), rec); !errors.Is(err, busy) {
				t.Errorf("the error is %v", err)
			}
			s.happened(rec, wholeAnswer[:3]...)
		}
		s.answer(rec)
		s.happened(rec, wholeAnswer...)
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
			s := newStage(t)
			rec := s.say(ada, "hi")
			s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) { return commands.Reply{}, c.err }
			err := s.reasoner().Answer(t.Context(), rec)
			if err != nil {
				t.Fatal(err)
			}
			s.failedBecause(rec, c.code, c.says, s.episode(rec)[3].Envelope.ID, "message.received", "reasoning.started", "model.called", "model.failed", "reasoning.concluded")
			if s.model.times() != 1 {
				t.Errorf("%d questions", s.model.times())
			}
		})
	}
	t.Run("nobody waits for it", func(t *testing.T) {
		s := newStage(t)
		rec := s.say(station, "news")
		s.model.reply = func(context.Context, int, commands.Prompt) (commands.Reply, error) {
			return commands.Reply{}, errors.New("boom")
		}
		s.answer(rec)
		if got, e := s.concluded(rec); got.Outcome != domain.OutcomeFailed || len(e.Errors) != 1 || len(s.frames(rec)) != 0 {
			t.Errorf("concluded %+v, %v", got, e.Errors)
		}
	})
}

func TestRepliesThatCantBeUsed(t *testing.T) {
	stranger := domain.ID{15: 77}
	for name, spoil := range map[string]func(*commands.Reply){
		"no blocks":                func(r *commands.Reply) { r.Blocks = nil },
		"no topic":                 func(r *commands.Reply) { r.Topic = " " },
		"no mode":                  func(r *commands.Reply) { r.Mode = "" },
		"confidence over 1":        func(r *commands.Reply) { r.Confidence = domain.One + 1 },
		"confidence below 0":       func(r *commands.Reply) { r.Confidence = -1 },
		"rests on a stranger":      func(r *commands.Reply) { r.Used = []domain.Evidence{{EnvelopeID: stranger}} },
		"rests on too much":        func(r *commands.Reply) { r.Used = slices.Repeat(r.Used, commands.MaxEvidence+1) },
		"a long role":              func(r *commands.Reply) { r.Used[0].Role = strings.Repeat("r", domain.MaxNameBytes+1) },
		"too large":                func(r *commands.Reply) { r.Blocks[0]["content"] = strings.Repeat("x", domain.MaxPayloadBytes) },
		"can't be written as JSON": func(r *commands.Reply) { r.Blocks[0]["content"] = make(chan int) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			rec := s.say(ada, "hi")
			s.model.reply = func(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
				r := says("ok")
				r.Used = []domain.Evidence{{EnvelopeID: p.Asked.ID, Role: "asked", Weight: domain.One}}
				spoil(&r)
				return r, nil
			}
			s.answer(rec)
			s.failedBecause(rec, "bad_reply", "the model's reply can't be used", s.episode(rec)[3].Envelope.ID,
				"message.received", "reasoning.started", "model.called", "model.failed", "reasoning.concluded")
		})
	}
}

func TestGivenUpWhileTheModelIsAsked(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "hi")
	ctx, cancel := context.WithCancel(t.Context())
	s.door.set(func(b domain.Batch) error {
		if ctx.Err() != nil {
			t.Errorf("%s is appended after the end", b.Entries[0].Envelope.Type)
		}
		return nil
	}, nil)
	s.model.reply = func(ctx context.Context, n int, _ commands.Prompt) (commands.Reply, error) {
		if n == 1 {
			cancel()
			<-ctx.Done()
			return commands.Reply{}, errors.New("the connection broke") // terminal, if it were an answer
		}
		return says("ok"), nil
	}
	err := s.reasoner().Answer(ctx, rec)
	if !domain.IsRetriable(err) || !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	s.happened(rec, wholeAnswer[:3]...)
	s.door.set(nil, nil)
	s.answer(rec)
	s.happened(rec, wholeAnswer...)
}

// A step that somebody else claims and never shows doesn't keep a processor busy
// for ever.
func TestContendedWithoutEnd(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "hi")
	other := s.ids.NewTrace()
	entry, err := domain.New(domain.Begin(other, domain.PrincipalCore), other.ID, 1, "test", domain.SystemStopped{})
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = []domain.Key{domain.StepKey(rec.Envelope.Trace, 2)}
	if _, err := s.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	err = s.reasoner().Answer(t.Context(), rec)
	refused(t, err, domain.Conflict, "contended")
	if !domain.IsRetriable(err) || s.model.times() != 0 {
		t.Errorf("%v after %d questions", err, s.model.times())
	}
}
