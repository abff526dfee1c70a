package main

import (
	"context"
	"fmt"
	"sync"

	"chalie/adapters/models/dialogue"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/replay/player"
)

// asking is a model that a what-if really asks. It counts what that takes, and ends
// the what-if when it can't be asked: what fails today is nothing that would have come
// otherwise then, and each further question may cost money.
type asking struct {
	reasoning.Model
	end context.CancelCauseFunc

	mu    sync.Mutex
	asked player.Asked
}

var _ reasoning.Model = (*asking)(nil)

// Reply implements reasoning.Model.
func (a *asking) Reply(ctx context.Context, p reasoning.Prompt) (reasoning.Reply, error) {
	reply, err := a.Model.Reply(ctx, p)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err == nil:
		a.asked.Questions++
		a.asked.Usage = a.asked.Usage.Plus(reply.Usage)
	case ctx.Err() == nil && !aboutTheQuestion(err):
		a.end(a.unreachable(err))
	default:
		a.asked.Questions++
	}
	return reply, err
}

// aboutTheQuestion reports whether a model failed at one question, as it would have
// then.
func aboutTheQuestion(err error) bool {
	switch domain.CodeOf(err) {
	case dialogue.CodeRefused, dialogue.CodeTooLong, dialogue.CodeBadReply:
		return true
	}
	return false
}

func (a *asking) unreachable(cause error) error {
	text := "nobody can tell what would have come: " + words(cause)
	if n := a.asked.Questions; n > 0 {
		text += fmt.Sprintf(", after it had answered %s", counted(n, "question", "questions"))
	}
	return &domain.Error{Op: "replay", Category: domain.Dependency, Code: domain.CodeOf(cause), Err: cause,
		Message: text + "; see that it answers with `chalie models check`, or choose another"}
}

// total is what was asked so far; nil for nothing.
func (a *asking) total() *player.Asked {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked.Questions == 0 {
		return nil
	}
	out := a.asked
	out.Model = a.Name()
	return &out
}
