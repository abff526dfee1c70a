package commands_test

import (
	"context"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestErasedBeforeItWasAnswered(t *testing.T) {
	t.Run("a message", func(t *testing.T) {
		s := newStage(t)
		rec := s.say(ada, "hi")
		s.memory.erased[rec.Envelope.ID] = true
		s.failedBecause(rec, domain.CodeErased, "what was said was erased", rec.Envelope.ID, "message.received", "reasoning.concluded")
	})
	t.Run("an action", func(t *testing.T) {
		s := newStage(t)
		id, err := s.messages.Act(t.Context(), ada, domain.ActionReceived{Skill: "dim"})
		if err != nil {
			t.Fatal(err)
		}
		s.memory.erased[id] = true
		s.failedBecause(s.find(id), domain.CodeErased, "was erased before it was done", id, "action.received", "reasoning.concluded")
	})
	for step := 2; step <= 3; step++ {
		t.Run(string("a message, before "+wholeAnswer[step]), func(t *testing.T) {
			s := newStage(t)
			rec := s.say(ada, "hi")
			s.failFrom(step, false, dead)
			refused(t, s.reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
			s.door.set(nil, nil)
			s.memory.erased[rec.Envelope.ID] = true
			so := s.happened(rec, wholeAnswer[:step]...)
			want := append(append([]domain.EventType{}, wholeAnswer[:step]...), "reasoning.concluded")
			s.failedBecause(rec, domain.CodeErased, "what was said was erased", so[step-1].Envelope.ID, want...)
		})
	}
}

// What was answered before the message was erased is still shown.
func TestErasedAfterTheReply(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "hi")
	s.failFrom(4, false, dead)
	refused(t, s.reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
	s.door.set(nil, nil)
	s.memory.erased[rec.Envelope.ID] = true
	s.answer(rec)
	s.happened(rec, wholeAnswer...)
	if got, _ := s.concluded(rec); got.Outcome != domain.OutcomeResponded || domain.PlainText(s.frames(rec)[0].Blocks) != "answer 1" {
		t.Errorf("concluded %+v", got)
	}
}

// Steps that were erased are not made again, and an erased reply is shown as that.
func TestErasedSteps(t *testing.T) {
	for step := 1; step <= 3; step++ {
		t.Run(string(wholeAnswer[step]), func(t *testing.T) {
			s := newStage(t)
			rec := s.say(ada, "hi")
			s.failFrom(step, true, dead)
			refused(t, s.reasoner().Answer(t.Context(), rec), domain.Dependency, domain.CodeClosed)
			s.door.set(nil, nil)
			s.memory.erased[s.episode(rec)[step].Envelope.ID] = true
			s.answer(rec)
			s.happened(rec, wholeAnswer...)
			want := "answer 1"
			if step == 3 {
				want = "(erased)"
			}
			if got := domain.PlainText(s.frames(rec)[0].Blocks); got != want || s.model.times() != 1 {
				t.Errorf("the person gets %q after %d questions", got, s.model.times())
			}
		})
	}
}

// What a prompt refers to and can't be read any more is said to be erased.
func TestErasedReferences(t *testing.T) {
	for name, forget := range map[string]func(*forgetful, domain.ID){
		"erased":         func(f *forgetful, id domain.ID) { f.erased[id] = true },
		"no longer kept": func(f *forgetful, id domain.ID) { f.gone[id] = true },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			heard, err := s.signals(0).Submit(t.Context(), station, weather())
			if err != nil {
				t.Fatal(err)
			}
			before := s.say(ada, "hello")
			s.answer(before)
			rec := s.say(ada, "today")
			s.model.reply = func(_ context.Context, n int, _ commands.Prompt) (commands.Reply, error) {
				if n == 2 {
					s.steer("no, tomorrow")
					records := s.records(domain.TopicMessages)
					for _, id := range []domain.ID{heard, before.Envelope.ID, records[len(records)-1].Envelope.ID} {
						forget(s.memory, id)
					}
				}
				return says("ok"), nil
			}
			s.answer(rec)
			p := s.model.asked[2]
			if len(p.World) != 1 || p.World[0].Label != "(erased)" || p.World[0].EnvelopeID != heard || p.World[0].Salience != 800_000 {
				t.Errorf("of the world it was told %+v", p.World)
			}
			if len(p.Recent) != 1 || p.Recent[0].Prompt != "(erased)" || len(p.Steers) != 1 || p.Steers[0] != "(erased)" {
				t.Errorf("it was told %+v and %q", p.Recent, p.Steers)
			}
		})
	}
}
