package main

import (
	"strings"
	"testing"

	"chalie/commands/reasoning"
	"chalie/domain"
)

func TestHealthOfAnswering(t *testing.T) {
	why := &domain.Error{Category: domain.Dependency, Message: "the log can't be written", Err: &domain.Error{Message: "disk full"}}
	for _, c := range []struct {
		state reasoning.LoopState
		ready bool
		want  string
	}{
		{reasoning.LoopState{}, true, "answers messages"},
		{reasoning.LoopState{Missed: 2, Why: why}, true, "passed over 2 that can't be answered"},
		{reasoning.LoopState{Stuck: why, Missed: 2, Why: why}, false, "is stuck and tries again: the log can't be written (disk full)"},
		{reasoning.LoopState{Ended: true, Stuck: why}, false, "has ended"},
	} {
		if got := answeringHealth(c.state); got.Ready != c.ready || !strings.Contains(got.Detail, c.want) {
			t.Errorf("%+v is told as %+v", c.state, got)
		}
	}
}
