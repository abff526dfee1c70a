package commands_test

import (
	"context"
	"slices"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestCancel(t *testing.T) {
	s := newHandyStage(t)
	_, err := s.messages.Cancel(t.Context(), ada, domain.ID{})
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)
	_, err = s.messages.Cancel(t.Context(), ada, s.ids.NewID())
	refused(t, err, domain.NotFound, "not_found")

	// While the model is asked for the second time, after one tool: it ends there.
	rec := s.say(ada, "tidy up")
	s.model.reply = func(ctx context.Context, n int, p commands.Prompt) (commands.Reply, error) {
		if n == 2 {
			for range 2 { // once more changes nothing
				if id, err := s.messages.Cancel(ctx, ada, domain.ID{}); id != rec.Envelope.ID || err != nil {
					t.Errorf("cancelled %s, %v", id, err)
				}
			}
		}
		return threeTools(ctx, n, p)
	}
	s.answer(rec)
	records := s.happened(rec, slices.Concat([]domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied"}, toolSteps,
		[]domain.EventType{"model.called", "cancel.received", "model.replied", "reasoning.concluded"})...)
	end, e := s.concluded(rec)
	if end.Outcome != domain.OutcomeCancelled || e.Parent != records[8].Envelope.ID || !slices.Equal(s.tools.done, []string{"look"}) {
		t.Errorf("concluded %+v as a child of %s after %v", end, e.Parent, s.tools.done)
	}
	if frames := s.frames(rec); len(frames) != 2 || domain.PlainText(frames[0].Blocks) != "Stopped." || frames[1].Type != domain.FrameDone {
		t.Errorf("the person gets %+v", frames)
	}
	_, err = s.messages.Cancel(t.Context(), ada, rec.Envelope.ID)
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)
	_, err = s.messages.Cancel(t.Context(), ada, records[2].Envelope.ID)
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)
}

// A cancel that gets in just ahead of the end wins: who was told that it was
// recorded isn't shown an answer.
func TestCancelAheadOfTheEnd(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	s.door.set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "reasoning.concluded" {
			if _, err := s.messages.Cancel(t.Context(), ada, rec.Envelope.ID); err != nil {
				t.Error(err)
			}
			s.door.set(nil, nil)
		}
		return nil
	}, nil)
	s.answer(rec)
	if end, _ := s.concluded(rec); end.Outcome != domain.OutcomeCancelled {
		t.Errorf("concluded %+v", end)
	}
}
