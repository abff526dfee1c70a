package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/adapters/models/dialogue"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/replay"
	"chalie/replay/player"
)

// whatIf replays with a change. A change may name one of the program's models; one other
// than the built-in model is really called.
func whatIf(log replay.Log, kept keyframes, t *answeringModels) httpapi.WhatIf {
	return func(ctx context.Context, change player.Change, scope player.Scope, told func(done, total domain.Position)) (player.Outcomes, error) {
		name, err := t.named(change.Model)
		if err != nil {
			return player.Outcomes{}, err
		}
		change.Model = name
		i := slices.IndexFunc(t.models, func(m reasoning.Model) bool { return m.Name() == name })
		if i < 0 || name == (builtinmodel.Model{}).Name() {
			return player.WhatIf(ctx, log, sandboxes(kept).Open, change, scope, told)
		}
		return whatIfAsking(ctx, t.models[i], log, kept, change, scope, told)
	}
}

// whatIfAsking replays with a change whose model is really called.
func whatIfAsking(ctx context.Context, model reasoning.Model, log replay.Log, kept keyframes, change player.Change, scope player.Scope, told func(done, total domain.Position)) (player.Outcomes, error) {
	within, end := context.WithCancelCause(ctx)
	defer end(nil)
	live := &asking{Model: model, end: end}
	boxes := sandboxes(kept)
	boxes.Live = live
	out, err := player.WhatIf(within, log, boxes.Open, change, scope, told)
	if why := context.Cause(within); err != nil && why != nil && ctx.Err() == nil {
		return player.Outcomes{}, why
	}
	out.Asked = live.total()
	return out, err
}

// named is a model's name in full: builtin is the built-in one.
func (t *answeringModels) named(name string) (string, error) {
	builtin := builtinmodel.Model{}.Name()
	names := t.names()
	switch {
	case name == "" || slices.Contains(names, name):
		return name, nil
	case name == "builtin" || name == builtin:
		return builtin, nil
	}
	return "", domain.Invalid("replay", "model", fmt.Sprintf("there is no model %q here: give one of %s, or start Chalie with it", name, strings.Join(names, ", ")))
}

// asking is a model that a what-if really calls. It counts the cost, and ends the what-if
// when a call fails for a reason that didn't exist then; each further call may cost
// money.
type asking struct {
	reasoning.Model
	end context.CancelCauseFunc

	mu    sync.Mutex
	asked player.Asked
}

var _ reasoning.Model = (*asking)(nil)

// Reply implements reasoning.Model.
func (a *asking) Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
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

// aboutTheQuestion reports whether a failure is due to the prompt, and so would have
// happened then, too.
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

// total is the calls so far; nil for none.
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
