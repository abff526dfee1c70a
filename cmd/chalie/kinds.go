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

// kind is one projection of this program, in every version that it has the code of.
type kind struct {
	name string
	// makes an empty one: today's version first, and then those before it that may
	// serve until today's has been folded. An older version can be kept only by a
	// projections.Adopter, which is what becomes today's.
	makes []func() projections.Projection
	// take keeps the one that serves where those who ask look for it.
	take func(projections.Projection)
}

// kindOf is a kind whose instances are kept at a place. Every version of it is a P.
func kindOf[P projections.Projection](place *P, fresh func() P) kind {
	return kind{
		name:  fresh().Name(),
		makes: []func() projections.Projection{func() projections.Projection { return fresh() }},
		take:  func(p projections.Projection) { *place, _ = p.(P) },
	}
}

// kinds are the projections of this program. Whoever raises the version of one
// adds its old self to makes, where that can still be folded.
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

// versions are those that this program has the code of, today's first.
func (k kind) versions() []int {
	out := make([]int, len(k.makes))
	for i, fresh := range k.makes {
		out[i] = fresh().Version()
	}
	return out
}

// of makes an empty one of a version; false when this program has no code of it.
func (k kind) of(version int) (projections.Projection, bool) {
	for _, fresh := range k.makes {
		if p := fresh(); p.Version() == version {
			return p, true
		}
	}
	return nil, false
}

// today makes an empty one of today's version.
func (k kind) today() projections.Projection { return k.makes[0]() }
