package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"chalie/adapters/pebblelog"
	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

// folds are the projections of this program with what runs and keeps them.
type folds struct {
	held

	all         []kind
	projections []projections.Projection       // those that serve
	of          map[string]*projections.Runner // by name
	group       *projections.Group

	mu     sync.Mutex
	stores map[string]projections.Store // by name

	running bool
	stop    context.CancelFunc
	ended   chan struct{} // closed when the group has ended
}

// opener makes the version of a projection that is to serve, and opens its store.
type opener func(projections.Kind) (projections.Projection, projections.Store, error)

// newFolds makes every projection and opens its store. It folds nothing yet.
// revise, if there is any, changes what a projection is made by.
func newFolds(feed projections.Feed, clock domain.Clock, logger *slog.Logger, open opener, revise ...func(*kind)) (*folds, error) {
	f := &folds{of: map[string]*projections.Runner{}, stores: map[string]projections.Store{}, ended: make(chan struct{})}
	f.all = f.kinds()
	for i := range f.all {
		for _, change := range revise {
			change(&f.all[i])
		}
	}
	if err := f.openStores(open); err != nil {
		return nil, errors.Join(err, f.closeStores())
	}
	runners := make([]*projections.Runner, 0, len(f.projections))
	for i, p := range f.projections {
		runner, err := projections.NewRunner(p, feed, f.stores[p.Name()], clock, projections.Config{For: f.all[i].For, Log: logger})
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
	f.projections = make([]projections.Projection, len(f.all))
	stores := make([]projections.Store, len(f.all))
	failures := make([]error, len(f.all))
	var opening sync.WaitGroup
	for i, k := range f.all {
		opening.Go(func() { f.projections[i], stores[i], failures[i] = open(k.Kind) })
	}
	opening.Wait()
	var failure error
	for i, k := range f.all {
		if err := failures[i]; err != nil {
			failure = err // one says enough: they tend to fail together
			continue
		}
		f.stores[k.Name] = stores[i]
		k.take(f.projections[i])
	}
	return failure
}

// storesOf are the stores of a data directory; no tables is as many as are usual.
func storesOf(data string, logger *slog.Logger, m allowance, tables int) *pebblestore.Set {
	return pebblestore.NewSet(pebblestore.Config{Dir: foldedFolder(data), Log: logger, CacheBytes: m.foldCache(), MemTableBytes: m.foldTable(), OpenTables: tables})
}

// rebuilder rebuilds them while they serve.
func (f *folds) rebuilder(stores rebuild.Stores, feed projections.Feed, clock domain.Clock, logger *slog.Logger, record func(context.Context, domain.ProjectionRebuilt, domain.Principal) error) *rebuild.Rebuilder {
	return rebuild.New(rebuild.Config{
		Kinds: kindsOf(f.all), Runners: f.of, Beside: f.group, Swap: f.swapStore,
		Stores: stores, Feed: feed, Clock: clock, Logger: logger, Record: record,
	})
}

// swapStore notes that a projection goes on over another store, and returns the
// one before.
func (f *folds) swapStore(name string, store projections.Store) projections.Store {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.stores[name]
	f.stores[name] = store
	return old
}

// closeStores closes those that were opened.
func (f *folds) closeStores() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	failures := make(chan error, len(f.stores))
	for _, s := range f.stores {
		go func() { failures <- s.Close() }()
	}
	var out []error
	for range f.stores {
		out = append(out, <-failures)
	}
	clear(f.stores)
	return errors.Join(out...)
}

// durableStores opens the stores of a data directory for writing.
func durableStores(data string, logger *slog.Logger) opener {
	return storesOf(data, logger, 0, 0).Serve
}

// emptyStores are for questions that no projection answers.
func emptyStores(k projections.Kind) (projections.Projection, projections.Store, error) {
	return k.Today(), projections.NewMemStore(), nil
}

// feed is the log as the API reads it. Once the program stops nobody waits in it
// any more: a long poll would hold up the way out.
type feed struct {
	*pebblelog.Log
	stopping context.Context
}

// Wait is the log's Wait, and fails with CodeClosed when the program stops.
func (f feed) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.stopping, cancel)()
	pos, err := f.Log.Wait(ctx, after)
	if err != nil && f.stopping.Err() != nil {
		return 0, &domain.Error{Op: "wait for records", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
			Message: "Chalie is shutting down; ask again once it runs"}
	}
	return pos, err
}
