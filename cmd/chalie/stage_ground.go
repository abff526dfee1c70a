package main

import (
	"context"
	"time"

	"github.com/tidwall/gjson"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/replay/player"
)

// stageGround is the Mind of a stage: the world as it stood when an episode began,
// and the zone of the machine that recorded it.
type stageGround struct {
	stage *replayStage
	mind  *reasoning.WorldMind
	held  map[domain.TraceID]heldWorld

	// What the code that moves now is given; the stage has one at a time.
	world   *heldWorld
	machine string // the latest known zone of the machine that recorded, or of this one
}

type heldWorld struct {
	state   domain.World
	through domain.Position
}

var (
	_ reasoning.Mind       = (*stageGround)(nil)
	_ reasoning.WorldFold  = (*stageGround)(nil)
	_ commands.ContextView = (*stageGround)(nil)
)

// hold keeps the world as it is now.
func (g *stageGround) hold(trace domain.TraceID) {
	state, through := g.stage.world.State()
	g.held[trace] = heldWorld{state, through}
}

// learn takes note of where the machine was, and lets go of what an episode began
// with. What its start said counts only where no client had said anything.
func (g *stageGround) learn(rec domain.Record) {
	delete(g.held, rec.Envelope.Trace)
	if g.stage.surroundings.Now().Timezone != nil {
		return
	}
	// All of it would be read for this one text.
	if env, err := domain.Lift(rec.Envelope); err == nil && env.Payload.Encoding == domain.EncodingJSON {
		g.machine = gjson.GetBytes(env.Payload.Bytes, "zone").String()
	}
}

// Ground implements reasoning.Mind.
func (g *stageGround) Ground(ctx context.Context, now domain.Millis) (reasoning.Ground, error) {
	act := actOf(ctx)
	if held, ok := g.held[act.Trace]; ok {
		g.world = &held
		defer func() { g.world = nil }()
	}
	if recorded, ok := g.stage.scene.Effects.Ground(ctx, act); ok && g.stage.surroundings.Now().Timezone == nil {
		g.machine = recorded.Zone
	}
	return g.mind.Ground(ctx, now)
}

// Recall implements reasoning.Mind.
func (g *stageGround) Recall(ctx context.Context, item domain.SeenItem) (reasoning.InMind, error) {
	return g.mind.Recall(ctx, item)
}

// Shared implements reasoning.Mind.
func (g *stageGround) Shared(heard, planned reasoning.InMind, zone string) []string {
	return g.mind.Shared(heard, planned, zone)
}

// State implements reasoning.WorldFold.
func (g *stageGround) State() (domain.World, domain.Position) {
	if g.world != nil {
		return g.world.state.Clone(), g.world.through
	}
	return g.stage.world.State()
}

// Rules implements reasoning.WorldFold.
func (g *stageGround) Rules() domain.WorldRules { return g.stage.world.Rules() }

// Now implements commands.ContextView.
func (g *stageGround) Now() domain.ContextUpdated { return g.home().Now() }

func (g *stageGround) home() athome { return athome{g.stage.surroundings, g.machine} }

func (g *stageGround) zone() *time.Location { return g.home().location() }

// recordedModel says what a model said.
type recordedModel struct {
	name    string
	effects player.Effects
}

var _ reasoning.Model = recordedModel{}

// Name implements reasoning.Model.
func (m recordedModel) Name() string { return m.name }

// SeesImages implements reasoning.Model. A recorded one is shown nothing.
func (recordedModel) SeesImages() bool { return false }

// Reply implements reasoning.Model.
func (m recordedModel) Reply(ctx context.Context, _ reasoning.Prompt) (reasoning.Reply, error) {
	env, err := m.effects.Reply(ctx, actOf(ctx), m.name)
	if err != nil {
		return reasoning.Reply{}, err
	}
	if env.Type == domain.ModelFailedType {
		return reasoning.Reply{}, recordedFault("ask model", env)
	}
	said, err := domain.Decode[domain.ModelReplied](env)
	return reasoning.Reply{
		Blocks: said.Blocks, Topic: said.Topic, Mode: said.Mode, Confidence: said.Confidence, Urgent: said.Urgent,
		Used: said.Used, Usage: said.Usage, ToolCalls: said.ToolCalls, Findings: said.Findings,
	}, err
}

// recordedVerifier judges as was judged.
type recordedVerifier struct {
	name    string
	effects player.Effects
}

var _ reasoning.Verifier = recordedVerifier{}

// Name implements reasoning.Verifier.
func (v recordedVerifier) Name() string { return v.name }

// Verify implements reasoning.Verifier.
func (v recordedVerifier) Verify(ctx context.Context, _ reasoning.Verification) (domain.AnswerVerified, error) {
	env, err := v.effects.Verdict(ctx, actOf(ctx))
	if err != nil {
		return domain.AnswerVerified{}, err
	}
	if len(env.Errors) > 0 {
		return domain.AnswerVerified{}, recordedFault("verify", env)
	}
	return domain.Decode[domain.AnswerVerified](env)
}

// recordedFault is the error that an envelope says, as it was before it was recorded.
func recordedFault(op string, env domain.Envelope) error {
	if len(env.Errors) == 0 {
		return player.NotRecorded("why it failed")
	}
	f := env.Errors[0]
	return &domain.Error{Op: op, Category: f.Category, Code: f.Code, Message: f.Message}
}
