package main

import (
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/accounts"
	"chalie/projections/catchup"
	"chalie/projections/invocations"
	"chalie/projections/memory"
	"chalie/projections/plans"
	"chalie/projections/policy"
	"chalie/projections/registry"
	"chalie/projections/surroundings"
	"chalie/projections/traces"
	"chalie/projections/transcript"
	"chalie/projections/unasked"
	"chalie/projections/world"
)

// kind is one projection of this program, and where it is kept.
type kind struct {
	projections.Kind
	// take keeps the one that serves where those who ask look for it.
	take func(projections.Projection)
}

// kindOf is a kind whose instances are kept at a place. Every version of it is a P.
func kindOf[P projections.Projection](place *P, fresh func() P) kind {
	return kind{
		Kind: projections.Kind{Name: fresh().Name(), Makes: []func() projections.Projection{func() projections.Projection { return fresh() }}},
		take: func(p projections.Projection) { *place, _ = p.(P) },
	}
}

// kinds are the projections of this program. Whoever raises the version of one
// adds its old self to its Makes, where that can still be folded.
func (f *folds) kinds() []kind {
	return []kind{
		kindOf(&f.accounts, accounts.New),
		kindOf(&f.catchup, func() *catchup.Projection { return catchup.New(catchup.Size) }),
		kindOf(&f.invocations, invocations.New),
		kindOf(&f.memory, memory.New),
		kindOf(&f.plans, plans.New),
		kindOf(&f.policy, policy.New),
		kindOf(&f.registry, registry.New),
		kindOf(&f.surroundings, surroundings.New),
		kindOf(&f.unasked, unasked.New),
		kindOf(&f.traces, traces.New),
		kindOf(&f.transcript, transcript.New),
		kindOf(&f.world, func() *world.Projection { return world.New(domain.DefaultWorldRules()) }),
	}
}

// kindsOf are what the program's projections are made by.
func kindsOf(all []kind) []projections.Kind {
	out := make([]projections.Kind, len(all))
	for i, k := range all {
		out[i] = k.Kind
	}
	return out
}

// today are what the program's projections are made by when nobody changes them.
func today() []projections.Kind { return kindsOf((&folds{}).kinds()) }
