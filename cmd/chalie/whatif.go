package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/domain"
	"chalie/replay"
)

// whatIf tells what would have come otherwise by today's code. Of the models those
// that the program has can be named; one that is no part of it is really asked.
func whatIf(log replay.Log, t *thinkers) httpapi.WhatIf {
	return func(ctx context.Context, change replay.Change, scope replay.Scope, told func(done, total domain.Position)) (replay.Outcomes, error) {
		name, err := t.named(change.Model)
		if err != nil {
			return replay.Outcomes{}, err
		}
		change.Model = name
		var live []commands.Model
		if name != "" {
			live = t.models
		}
		return replay.WhatIf(ctx, log, stagingWith(live), change, scope, told)
	}
}

// stagingWith is newStage, with models that are really asked.
func stagingWith(live []commands.Model) replay.Staging {
	return func(scene replay.Scene) (replay.Stage, error) {
		stage, err := newStage(scene)
		if own, ok := stage.(*replayStage); ok {
			own.live = live
		}
		return stage, err
	}
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
