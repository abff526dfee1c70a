package commands_test

import (
	"testing"
	"time"

	"chalie/domain"
)

// What is planned for next week counts now, though it isn't in mind yet.
func TestNewsOfAFarPlanIsTold(t *testing.T) {
	s := newStage(t)
	s.model.reply = related
	planned := s.remind("fly to Valletta", 6*24*time.Hour)
	heard := s.hear("All flights to Valletta are cancelled next week")
	rec := s.notice()
	s.cycle(rec)
	end, _ := s.concluded(rec)
	if end.Outcome != domain.OutcomeSurfaced || len(end.Evidence) != 3 || end.Evidence[1].EnvelopeID != heard || end.Evidence[2].EnvelopeID != planned {
		t.Errorf("concluded %+v", end)
	}
}
