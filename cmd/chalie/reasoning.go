package main

import (
	"chalie/adapters/builtinmodel"
	"chalie/adapters/hostzone"
	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections"
	"chalie/replay/sandbox"
	"chalie/replay/wiring"
)

// thisProgram is what this program brings along for whatever decides.
func thisProgram() wiring.Program {
	return wiring.Program{
		BuiltIn: func(rules domain.WorldRules) wiring.BuiltIn { return builtinmodel.Model{Rules: rules} },
		Formats: jsonschema.Formats{}, Build: thisBuild().Version,
	}
}

// sandboxes are where replays run what decides.
func sandboxes() sandbox.Config { return sandbox.Config{Program: thisProgram(), Zone: hostzone.Name()} }

// wiring is what the running program wires what decides with.
func (a *App) wiring() wiring.Wiring {
	return wiring.Wiring{
		Projections: a.folds.deciding(), Env: a.env(), History: a.log,
		Applied: func(wanted ...projections.Projection) commands.Barrier { return a.folds.those(wanted...) },
		Mind:    reasoning.NewMind(a.folds.world, commands.AtHome{ContextView: a.folds.surroundings, Zone: hostzone.Name()}, a.log),
		Heard:   a.folds.transcript,
		Known:   a.folds.registry,
		Zone:    a.zone, Trouble: a.trouble, Tokens: a.tokens, Volume: a.volume,
		Params: domain.DefaultParams(), Program: thisProgram(),
	}
}

// deciding are those that decisions rest on.
func (f *folds) deciding() wiring.Projections {
	return wiring.Projections{
		Invocations: f.invocations, Memory: f.memory, Plans: f.plans, Policy: f.policy, Registry: f.registry,
		Surroundings: f.surroundings, Transcript: f.transcript, Unasked: f.unasked, World: f.world,
	}
}

// newReasoner is what answers. It writes through the bus.
func newReasoner(a *App, t *thinkers) (*reasoning.Reasoner, error) {
	return a.wiring().Reasoner(t.models, t.verifier, a.outside.tools, a.outside.approvals)
}
