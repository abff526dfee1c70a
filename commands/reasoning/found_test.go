package reasoning_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"chalie/commands/commandstest"
	"chalie/domain"
)

// cycled is what the next cycle records of its ground: what it begins with, and the reasons
// that are news; nil when there are none.
func cycled(t *testing.T, s *commandstest.Stage) (domain.ReasoningStarted, *domain.RelationsFound, domain.ID) {
	t.Helper()
	rec := s.Notice()
	s.Cycle(rec)
	var started domain.ReasoningStarted
	var found *domain.RelationsFound
	var id domain.ID
	for _, step := range s.Episode(rec) {
		if p, err := domain.Decode[domain.ReasoningStarted](step.Envelope); err == nil {
			started = p
		}
		if p, err := domain.Decode[domain.RelationsFound](step.Envelope); err == nil {
			found, id = &p, step.Envelope.ID
		}
	}
	return started, found, id
}

func TestReasonsAreRecordedOnce(t *testing.T) {
	s := commandstest.NewStage(t)
	plan := s.Remind("call ACME about the shares", 48*time.Hour)
	near := s.Hear("ACME shares win the museum's prize")
	s.Hear("Rain is coming")

	started, found, id := cycled(t, s)
	if found == nil || started.Found != id || len(found.Signals) != 1 || found.Signals[0].Signal != near {
		t.Fatalf("the first cycle found %+v, and says that it is %v", found, started.Found)
	}
	nearest := found.Signals[0].Plans[0]
	var sum domain.PPM
	signs := map[bool]int{}
	for _, r := range nearest.Reasons {
		sum += r.Weight
		signs[r.Weight > 0]++
	}
	if nearest.Commitment != plan || signs[true] == 0 || signs[false] == 0 || max(sum, 0) != nearest.Score {
		t.Errorf("what comes closest is %+v, of which the reasons add up to %v", nearest, sum)
	}
	text, err := json.Marshal(found)
	for _, word := range []string{"ACME", "shares", "museum"} {
		if err != nil || strings.Contains(string(text), word) {
			t.Errorf("a copy of what was said is in %s (%v)", text, err)
		}
	}

	again, more, _ := cycled(t, s)
	if more != nil || again.Found != id {
		t.Errorf("a cycle that finds the same records %+v, and refers to %v instead of %v", more, again.Found, id)
	}

	far := s.Hear("The plumber: your boiler, ACME said, is late")
	third, more, thirdID := cycled(t, s)
	if more == nil || third.Found != thirdID || more.Before != id || len(more.Signals) != 1 || more.Signals[0].Signal != far {
		t.Errorf("after another signal it found %+v", more)
	}

	if last, more, _ := cycled(t, s); more != nil || last.Found != thirdID {
		t.Errorf("another mind records %+v", more)
	}
}
