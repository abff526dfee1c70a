package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"chalie/adapters/pebblestore"
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

// folds are the projections of this program with what runs and keeps them.
type folds struct {
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

	projections []projections.Projection
	of          map[string]*projections.Runner // by name
	group       *projections.Group
	stores      []projections.Store

	running bool
	stop    context.CancelFunc
	ended   chan struct{} // closed when the group has ended
}

// opener gives a projection its store.
type opener func(projections.Projection) (projections.Store, error)

// newFolds makes every projection and opens its store. It folds nothing yet.
func newFolds(feed projections.Feed, clock domain.Clock, logger *slog.Logger, open opener) (*folds, error) {
	f := &folds{
		accounts: accounts.New(), catchup: catchup.New(catchup.Size), invocations: invocations.New(), memory: memory.New(), plans: plans.New(), policy: policy.New(), registry: registry.New(),
		surroundings: surroundings.New(), unasked: unasked.New(), traces: traces.New(), transcript: transcript.New(), world: world.New(domain.DefaultWorldRules()),
		of: map[string]*projections.Runner{}, ended: make(chan struct{}),
	}
	f.projections = []projections.Projection{f.accounts, f.catchup, f.invocations, f.memory, f.plans, f.policy, f.registry, f.surroundings, f.unasked, f.traces, f.transcript, f.world}
	if err := f.openStores(open); err != nil {
		return nil, errors.Join(err, f.closeStores())
	}
	runners := make([]*projections.Runner, 0, len(f.projections))
	for i, p := range f.projections {
		runner, err := projections.NewRunner(p, feed, f.stores[i], clock, projections.Config{Log: logger})
		if err != nil {
			return nil, errors.Join(err, f.closeStores())
		}
		runners = append(runners, runner)
		f.of[p.Name()] = runner
	}
	var err error
	if f.group, err = projections.NewGroup(runners...); err != nil {
		return nil, errors.Join(err, f.closeStores())
	}
	return f, nil
}

// those waits for some of the projections, so that one of the others may stop
// without holding up who doesn't need it.
func (f *folds) those(wanted ...projections.Projection) applied {
	var out applied
	for _, p := range wanted {
		out = append(out, f.of[p.Name()])
	}
	return out
}

// applied waits for several projections.
type applied []*projections.Runner

// WaitFor returns once each has applied everything through pos, or the first
// failure.
func (a applied) WaitFor(ctx context.Context, pos domain.Position) error {
	for _, r := range a {
		if err := r.WaitFor(ctx, pos); err != nil {
			return err
		}
	}
	return nil
}

// versions is what system.started records.
func (f *folds) versions() map[string]int {
	out := map[string]int{}
	for _, p := range f.projections {
		out[p.Name()] = p.Version()
	}
	return out
}

// run folds in the background until close.
func (f *folds) run() {
	f.running = true
	var ctx context.Context
	ctx, f.stop = context.WithCancel(context.Background())
	go func() {
		defer close(f.ended)
		// A projection that fails is logged by its runner and stands in its
		// status; the others go on, and so does the program.
		_ = f.group.Run(ctx)
	}()
}

// close ends folding, which saves, and closes the stores.
func (f *folds) close() error {
	if f.running {
		f.stop()
		<-f.ended
	}
	return f.closeStores()
}

// openStores opens the store of each projection, all at once: each waits for the
// disk several times.
func (f *folds) openStores(open opener) error {
	f.stores = make([]projections.Store, len(f.projections))
	failures := make([]error, len(f.projections))
	var opening sync.WaitGroup
	for i, p := range f.projections {
		opening.Go(func() { f.stores[i], failures[i] = open(p) })
	}
	opening.Wait()
	for _, err := range failures {
		if err != nil {
			return err // one says enough: they tend to fail together
		}
	}
	return nil
}

// closeStores closes those that were opened.
func (f *folds) closeStores() error {
	failures := make([]error, len(f.stores))
	var closing sync.WaitGroup
	for i, s := range f.stores {
		if s != nil {
			closing.Go(func() { failures[i] = s.Close() })
		}
	}
	closing.Wait()
	f.stores = nil
	return errors.Join(failures...)
}

// durableStores opens the stores of a data directory for writing. Damaged ones
// begin anew: they cost a fold, never data.
func durableStores(data string, logger *slog.Logger) opener {
	return func(p projections.Projection) (projections.Store, error) {
		store, damage, err := pebblestore.Recover(p.Name(), p.Version(), pebblestore.Config{Dir: foldedFolder(data), Log: logger})
		if damage != nil {
			logger.Warn("derived state was damaged and is folded again", "projection", p.Name(), "error", damage)
		}
		if err != nil {
			return nil, err
		}
		return store, nil
	}
}

// overlaidStores fold in memory over what a data directory holds, and change
// nothing there. What can't be read is folded from the start.
func overlaidStores(data string, logger *slog.Logger) opener {
	return func(p projections.Projection) (projections.Store, error) {
		base, err := pebblestore.OpenReadOnly(p.Name(), p.Version(), pebblestore.Config{Dir: foldedFolder(data), Log: logger})
		switch domain.CodeOf(err) {
		case pebblestore.CodeInUse:
			return nil, err
		case "":
			if err != nil {
				return nil, err
			}
			return overlaid{projections.NewOverlay(base), base}, nil
		}
		return projections.NewMemStore(), nil
	}
}

// emptyStores are for questions that no projection answers.
func emptyStores(projections.Projection) (projections.Store, error) {
	return projections.NewMemStore(), nil
}

// overlaid closes what it is laid over, too.
type overlaid struct {
	*projections.Overlay
	base projections.Store
}

func (o overlaid) Close() error { return errors.Join(o.Overlay.Close(), o.base.Close()) }
