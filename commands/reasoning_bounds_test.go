package commands_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Whatever the person has planned, a message is answered: what doesn't fit into
// the record of the ground is counted.
func TestVeryManyPlans(t *testing.T) {
	s := newStage(t)
	const plans = 4000
	for i := range plans {
		s.remind(fmt.Sprintf("water plant %d", i), time.Duration(i+1)*10*time.Second)
	}
	rec := s.say(ada, "hello")
	s.answer(rec)
	s.happened(rec, wholeAnswer...)
	seen := decoded[domain.ReasoningStarted](t, s.episode(rec)[1]).World
	if len(seen.LeftOut) != domain.MaxLeftOut || len(seen.Items)+len(seen.LeftOut)+seen.Unlisted != plans {
		t.Errorf("%d in mind, %d left out and %d unlisted of %d", len(seen.Items), len(seen.LeftOut), seen.Unlisted, plans)
	}
}

// An interface that offers more than a model takes hides nobody else's tools.
func TestVeryManyTools(t *testing.T) {
	w, _ := able(t)
	for n, crowd := range []string{"aardvark", "abacus"} {
		tools := make([]domain.Tool, 200)
		for i := range tools {
			tools[i] = domain.Tool{Name: fmt.Sprintf("%s%03d", crowd, i)}
		}
		w.pair(crowd, 9100+n, tools...)
	}
	s := stageOn(t, w.bench)
	s.gate = w.tools()
	rec := s.say(ada, "hello")
	s.answer(rec)
	offered := decoded[domain.ModelCalled](t, s.episode(rec)[2]).Tools
	if len(offered) != commands.MaxOffered || !slices.IsSorted(offered) {
		t.Errorf("%d are offered: %v", len(offered), offered)
	}
	for _, name := range []string{"note", "cancel", "status", "aardvark062", "abacus061"} {
		if !slices.Contains(offered, name) {
			t.Errorf("%s isn't offered among %v", name, offered)
		}
	}
}
