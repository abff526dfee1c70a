package main

import (
	"log/slog"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/accounts"
	"chalie/projections/catchup"
	"chalie/projections/invocations"
	"chalie/projections/memory"
	"chalie/projections/plans"
	"chalie/projections/policy"
	"chalie/projections/rebuild"
	"chalie/projections/registry"
	"chalie/projections/surroundings"
	"chalie/projections/traces"
	"chalie/projections/transcript"
	"chalie/projections/unasked"
	"chalie/projections/world"
	"chalie/replay/wiring"
)

// kind is one projection of this program, and where it is kept.
type kind struct {
	projections.Kind
	// take keeps the one that serves where those who ask look for it.
	take func(projections.Projection)
}

// kindOf is a kind whose instances are kept at a place. Every version of it is a P.
func kindOf[P projections.Projection](place *P, fresh func() P, purpose string) kind {
	return kind{
		Kind: projections.Kind{Name: fresh().Name(), For: purpose, Makes: []func() projections.Projection{func() projections.Projection { return fresh() }}},
		take: func(p projections.Projection) { *place, _ = p.(P) },
	}
}

// held are the projections that others ask for by name.
type held struct {
	accounts     *accounts.Projection
	catchup      *catchup.Projection
	invocations  *invocations.Projection
	memory       *memory.Projection
	plans        *plans.Projection
	policy       *policy.Projection
	registry     *registry.Projection
	surroundings *surroundings.Projection
	unasked      *unasked.Projection
	traces       *traces.Projection
	transcript   *transcript.Projection
	world        *world.Projection
}

// kinds are the projections of this program, each with what it is for. Raising the
// version of one adds its old self to its Makes, where that can still be folded.
func (h *held) kinds() []kind {
	return []kind{
		kindOf(&h.accounts, accounts.New, "Who may log in: the account, its sessions, and the tokens of programs."),
		kindOf(&h.catchup, func() *catchup.Projection { return catchup.New(catchup.Size) },
			"What open pages were sent last, so that one whose connection was lost gets what it missed."),
		kindOf(&h.invocations, invocations.New, "The tool calls that are under way, and those that wait for your approval."),
		kindOf(&h.memory, memory.New, "What you asked Chalie to remember."),
		kindOf(&h.plans, plans.New, "Your reminders, tasks and lists."),
		kindOf(&h.policy, policy.New, "The rules in force, and what you said of single tools."),
		kindOf(&h.registry, registry.New, "The interfaces that were let in, what they offer, and what they may do."),
		kindOf(&h.surroundings, surroundings.New, "Where and how you are, as your devices tell it."),
		kindOf(&h.unasked, unasked.New, "What Chalie told you unprompted, so that nothing is told twice."),
		kindOf(&h.traces, traces.New, "A line for each episode: where it began, and its result."),
		kindOf(&h.transcript, transcript.New, "The conversation."),
		kindOf(&h.world, func() *world.Projection { return world.New(domain.DefaultWorldRules()) },
			"What Chalie has in mind: what it heard, what you plan, and how that fades."),
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
func today() []projections.Kind { return kindsOf((&held{}).kinds()) }

// folds are the projections of this program that serve.
type folds struct {
	held
	*rebuild.Serving

	all []kind
}

// newFolds makes every projection and opens its store. It folds nothing yet.
// revise, if there is any, changes what a projection is made by.
func newFolds(feed projections.Feed, clock domain.Clock, logger *slog.Logger, open rebuild.Open, revise ...func(*kind)) (*folds, error) {
	f := &folds{}
	f.all = f.kinds()
	for i := range f.all {
		for _, change := range revise {
			change(&f.all[i])
		}
	}
	var err error
	if f.Serving, err = rebuild.Serve(kindsOf(f.all), feed, clock, logger, open); err != nil {
		return nil, err
	}
	for i, p := range f.Projections {
		f.all[i].take(p)
	}
	return f, nil
}

// deciding are those that decisions rest on.
func (f *folds) deciding() wiring.Projections {
	return wiring.Projections{
		Invocations: f.invocations, Memory: f.memory, Plans: f.plans, Policy: f.policy, Registry: f.registry,
		Surroundings: f.surroundings, Transcript: f.transcript, Unasked: f.unasked, World: f.world,
	}
}

// storesOf are the stores of a data directory; no tables is as many as are usual.
func storesOf(data string, logger *slog.Logger, m allowance, tables int) *pebblestore.Set {
	return pebblestore.NewSet(pebblestore.Config{Dir: foldedFolder(data), Log: logger, CacheBytes: m.foldCache(), MemTableBytes: m.foldTable(), OpenTables: tables})
}
