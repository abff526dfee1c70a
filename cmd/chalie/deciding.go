package main

import (
	"context"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/limit"
	"chalie/commands/reasoning"
	"chalie/commands/skill"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/invocations"
	"chalie/projections/memory"
	"chalie/projections/plans"
	"chalie/projections/policy"
	"chalie/projections/registry"
	"chalie/projections/surroundings"
	"chalie/projections/transcript"
	"chalie/projections/unasked"
	"chalie/projections/world"
	"chalie/replay"
	"chalie/replay/explain"
)

// deciding wires what decides: reasoning, tools, skills, approvals and notices. The
// running program and a replay wire it in this one place, so that they can't drift
// apart; what differs are the ports.
type deciding struct {
	books
	commands.Env
	reader  replay.Log                                       // Env's, as a replay reads it
	applied func(...projections.Projection) commands.Barrier // waits for what was folded
	mind    reasoning.Mind
	heard   commands.Conversation
	known   commands.View[domain.Registry]
	zone    func() *time.Location
	trouble func() []string
	peer    commands.Peer
	cards   tool.CardCleaner
	tokens  tool.Tokens
	volume  *limit.Volume // of what callers have recorded; nil has no bound
	within  time.Duration // for one call of a tool; 0 is the program's
	params  domain.Params
	build   string
}

// books are the projections that decisions rest on.
type books struct {
	invocations  *invocations.Projection
	memory       *memory.Projection
	plans        *plans.Projection
	policy       *policy.Projection
	registry     *registry.Projection
	surroundings *surroundings.Projection
	transcript   *transcript.Projection
	unasked      *unasked.Projection
	world        *world.Projection
}

func (f *folds) books() books {
	return books{f.invocations, f.memory, f.plans, f.policy, f.registry, f.surroundings, f.transcript, f.unasked, f.world}
}

// deciding is what the running program wires it with.
func (a *App) deciding() deciding {
	return deciding{
		books: a.folds.books(), Env: a.env(), reader: a.log,
		applied: func(wanted ...projections.Projection) commands.Barrier { return a.folds.those(wanted...) },
		mind:    reasoning.NewMind(a.folds.world, athome{a.folds.surroundings, hostZone()}, a.log),
		heard:   a.folds.transcript,
		known:   a.folds.registry,
		zone:    a.zone, trouble: a.trouble, tokens: a.tokens, volume: a.volume,
		params: domain.DefaultParams(), build: thisBuild().Version,
	}
}

// skills are what Chalie itself can do.
func (d deciding) skills() ([]tool.Skill, error) {
	return skill.New(skill.Config{
		Env: d.Env, Plans: d.plans, Memory: d.memory, World: d.world,
		Applied:   d.applied(d.plans, d.memory, d.world),
		Explainer: explainer{d.reader, d.zone}, Trouble: d.trouble,
	})
}

// tools invokes what interfaces offer, and the skills.
func (d deciding) tools() (*tool.Tools, error) {
	skills, err := d.skills()
	if err != nil {
		return nil, err
	}
	return tool.New(tool.Config{
		Env: d.Env, Skills: skills, Zone: d.zone, Within: d.within, Volume: d.volume, Book: d.known, Invocations: d.invocations,
		Applied: d.applied(d.invocations), Peer: d.peer, Cards: d.cards, Regime: d.policy, Governed: d.applied(d.policy),
		Tokens: d.tokens, Formats: jsonschema.Formats{},
	})
}

// approvals decides what waits for the person.
func (d deciding) approvals(tools *tool.Tools) (*tool.Approvals, error) {
	return tool.NewApprovals(tool.ApprovalsConfig{
		Env: d.Env, Invocations: d.invocations, Applied: d.applied(d.invocations),
		Tokens: d.tokens, Tools: tools,
	})
}

// scheduler tells the person of what falls due.
func (d deciding) scheduler(heart background.Heart) (*background.Scheduler, error) {
	return background.NewScheduler(background.SchedulerConfig{
		Env: d.Env, Plans: d.plans, Applied: d.applied(d.plans), Heart: heart,
	})
}

// notices judges what may be told unasked.
func (d deciding) notices() (*reasoning.NoticePolicy, error) {
	return reasoning.NewNotices(reasoning.NoticeConfig{
		Told: d.unasked, Surroundings: d.surroundings, Applied: d.applied(d.unasked, d.surroundings), Env: d.Env,
		Rules: d.params.Notices,
	})
}

// reasoner is what answers, with the models given, in the order in which they are
// asked.
func (d deciding) reasoner(t *thinkers, tools reasoning.ToolCaller, approvals reasoning.Approver) (*reasoning.Reasoner, error) {
	notices, err := d.notices()
	if err != nil {
		return nil, err
	}
	return reasoning.New(reasoning.Config{
		Env: d.Env, Mind: d.mind, Conversation: d.heard,
		Applied: d.applied(d.world, d.transcript, d.surroundings, d.unasked, d.registry, d.policy), Models: t.models, Verifier: t.verifier, Tools: tools,
		Approvals: approvals, Notices: notices, Sentences: builtinmodel.Model{Rules: d.params.World},
		Limits: d.params.Limits, Memory: d.params.Memory, Rules: rulesHash(d.params), Build: d.build,
	})
}

// explainer explains from the log, in the person's zone.
type explainer struct {
	log  replay.Log
	zone func() *time.Location
}

// Explain implements skill.Explainer.
func (x explainer) Explain(ctx context.Context, id domain.ID) ([]string, error) {
	target, err := replay.ParseTarget("last")
	if !id.IsZero() {
		target, err = replay.ParseTarget(id.String())
	}
	if err != nil {
		return nil, err
	}
	out, err := explain.Why(ctx, x.log, target, x.zone())
	return out.Sentences, err
}
