package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/player"
)

// whatIf tells what would have come otherwise by today's code. Of the models those
// that the program has can be named; one that is no part of it is really asked.
func whatIf(log replay.Log, t *thinkers) httpapi.WhatIf {
	return func(ctx context.Context, change player.Change, scope player.Scope, told func(done, total domain.Position)) (player.Outcomes, error) {
		name, err := t.named(change.Model)
		if err != nil {
			return player.Outcomes{}, err
		}
		change.Model = name
		i := slices.IndexFunc(t.models, func(m reasoning.Model) bool { return m.Name() == name })
		if i < 0 || name == (builtinmodel.Model{}).Name() {
			return player.WhatIf(ctx, log, sandboxes().Open, change, scope, told)
		}
		return whatIfAsking(ctx, t.models[i], log, change, scope, told)
	}
}

// whatIfAsking has a model answer that is no part of the program.
func whatIfAsking(ctx context.Context, model reasoning.Model, log replay.Log, change player.Change, scope player.Scope, told func(done, total domain.Position)) (player.Outcomes, error) {
	within, end := context.WithCancelCause(ctx)
	defer end(nil)
	live := &asking{Model: model, end: end}
	boxes := sandboxes()
	boxes.Live = live
	out, err := player.WhatIf(within, log, boxes.Open, change, scope, told)
	if why := context.Cause(within); err != nil && why != nil && ctx.Err() == nil {
		return player.Outcomes{}, why
	}
	out.Asked = live.total()
	return out, err
}

// named is a model's name in full: builtin is the built-in one.
func (t *thinkers) named(name string) (string, error) {
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
