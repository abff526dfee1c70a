package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/projectionstest"
	"chalie/replay"
	"chalie/replay/player"
	"chalie/replay/wiring"
)

// keptOf are keyframes of a log, that far apart.
func keptOf(t failing, log memlog.Base, spacing domain.Position) keyframes {
	t.Helper()
	cfg := wiring.Keyframes(projectionstest.UntilEnd{Feed: log})
	cfg.Spacing = spacing
	kept := keyframes{Keyframes: projections.OpenKeyframes(projections.NewMemStore(), cfg)}
	if err := kept.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return kept
}

// A look back, a replay and a what-if come to the same, whether they begin at a keyframe or
// at the beginning of the log.
func TestLawKeyframes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		if rapid.IntRange(0, 7).Draw(rt, "long ago") == 7 { // a replay begins some way before its traces
			for range 1100 {
				l.hears(t, news[0], 0.5)
			}
		}
		l.goOn(rt, t)
		kept := keptOf(rt, l.log, domain.Position(rapid.IntRange(1, 60).Draw(rt, "spacing")))
		tail := int(l.log.Tail())
		at := domain.Position(rapid.IntRange(0, tail).Draw(rt, "at"))
		if now, then := viewsOf(rt, replay.NewPast(l.log, kept.Keyframes, "UTC"), at), viewsOf(rt, replay.NewPast(l.log, nil, "UTC"), at); now != then {
			rt.Fatalf("at %d a keyframe gives\n%s\nand the beginning\n%s", at, now, then)
		}
		rec := recordsOf(rt, l.log)[rapid.IntRange(0, tail-1).Draw(rt, "replayed")]
		same(rt, "the replay of a trace", kept, func(boxes player.StartRuntime) (any, error) {
			return playing(rt, l.log, boxes).Trace(rt.Context(), rec.Envelope.Trace, nil)
		})
		same(rt, "the replay since", kept, func(boxes player.StartRuntime) (any, error) {
			return playing(rt, l.log, boxes).All(rt.Context(), rec.Position, nil)
		})
		change := player.Change{Without: []domain.ID{rapid.SampledFrom(append(l.inputs, l.face)).Draw(rt, "without")}}
		if rapid.Bool().Draw(rt, "parameters") {
			change = player.Change{Set: set("capacity", rapid.SampledFrom([]string{"3", "100"}).Draw(rt, "capacity"), "context", rapid.SampledFrom([]string{"1", "5"}).Draw(rt, "slots"))}
		}
		same(rt, "a what-if", kept, func(boxes player.StartRuntime) (any, error) {
			return player.WhatIf(rt.Context(), l.log, boxes, change, player.Scope{Since: rec.Position}, nil)
		})
	})
}

func playing(t failing, log memlog.Base, start player.StartRuntime) *player.Player {
	t.Helper()
	p, err := player.New(player.Config{Log: log, Staging: start, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// same expects one outcome with keyframes and without, an error included.
func same(t failing, what string, kept keyframes, play func(player.StartRuntime) (any, error)) {
	t.Helper()
	now, nowErr := play(sandboxes(kept).Open)
	then, thenErr := play(sandboxes(keyframes{}).Open)
	if !reflect.DeepEqual(now, then) || fmt.Sprint(nowErr) != fmt.Sprint(thenErr) {
		t.Fatalf("%s from a keyframe comes to\n%+v, %v\nand from the beginning to\n%+v, %v", what, now, nowErr, then, thenErr)
	}
}

// viewsOf is all that can be seen of a moment.
func viewsOf(t failing, past *replay.Past, at domain.Position) string {
	t.Helper()
	ctx := context.Background()
	mind, err := past.World(ctx, at)
	registry, registryErr := past.Registry(ctx, at)
	heard, heardErr := past.Transcript(ctx, at)
	plans, plansErr := past.Plans(ctx, at)
	waiting, waitingErr := past.Approvals(ctx, at, domain.MillisOf(domaintest.NewClock().Now()))
	policy, policyErr := past.Policy(ctx, at)
	if err := errors.Join(err, registryErr, heardErr, plansErr, waitingErr, policyErr); err != nil {
		t.Fatal(err)
	}
	ground, err := mind.Ground(ctx, domain.MillisOf(domaintest.NewClock().Now()), domain.ID{})
	exchanges, total, heardErr := heard.Recent(domain.ConversationID{}, 100, 0)
	if err := errors.Join(err, heardErr); err != nil {
		t.Fatal(err)
	}
	var out []byte
	add := func(seen any) {
		text, err := json.Marshal(seen)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, text...), '\n')
	}
	add(ground)
	add(exchanges)
	add(total)
	add(waiting)
	registry.Read(func(r *domain.Registry) { add(r) })
	plans.Read(func(p *domain.Plans) { add(p) })
	policy.Read(func(b *domain.Rulebook) { add(b) })
	return string(out)
}
