package rebuild

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Open makes the version of a projection that is to serve, and opens its store.
type Open func(projections.Kind) (projections.Projection, projections.Store, error)

// InMemory opens every projection in today's version and an empty store, for questions
// that no projection answers.
func InMemory(k projections.Kind) (projections.Projection, projections.Store, error) {
	return k.Today(), projections.NewMemStore(), nil
}

// Serving are the projections of a program that answer questions, with what folds into
// them and keeps them. Rebuilds replace their stores while they serve. It is safe for
// concurrent use, but for Run and Close, which belong to whoever made it.
type Serving struct {
	Projections []projections.Projection // in the order of their kinds
	Group       *projections.Group

	kinds   []projections.Kind
	runners map[string]*projections.Runner // by name

	mu     sync.Mutex
	stores map[string]projections.Store // by name

	stop  context.CancelFunc // nil before Run
	ended chan struct{}      // closed when the group has ended
}

// Serve makes each projection and opens its store. Nothing is folded before Run.
func Serve(kinds []projections.Kind, feed projections.Feed, clock domain.Clock, logger *slog.Logger, open Open) (_ *Serving, err error) {
	s := &Serving{
		kinds: kinds, Projections: make([]projections.Projection, len(kinds)), ended: make(chan struct{}),
		runners: map[string]*projections.Runner{}, stores: map[string]projections.Store{},
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.open(open); err != nil {
		return nil, err
	}
	runners := make([]*projections.Runner, len(kinds))
	for i, p := range s.Projections {
		cfg := projections.Config{For: kinds[i].For, Log: logger}
		if runners[i], err = projections.NewRunner(p, feed, s.stores[p.Name()], clock, cfg); err != nil {
			return nil, err
		}
		s.runners[p.Name()] = runners[i]
	}
	s.Group, err = projections.NewGroup(runners...)
	return s, err
}

// open opens the stores all at once: each waits for the disk several times.
func (s *Serving) open(open Open) error {
	stores := make([]projections.Store, len(s.kinds))
	failures := make([]error, len(s.kinds))
	var opening sync.WaitGroup
	for i, k := range s.kinds {
		opening.Go(func() { s.Projections[i], stores[i], failures[i] = open(k) })
	}
	opening.Wait()
	var failure error
	for i, k := range s.kinds {
		if failures[i] != nil {
			failure = failures[i] // one says enough: they tend to fail together
			continue
		}
		s.stores[k.Name] = stores[i]
	}
	return failure
}

// Of is what folds into the projection of a name; nil when there is none.
func (s *Serving) Of(name string) *projections.Runner { return s.runners[name] }

// Barrier waits for some of the projections, so that one of the others may stop without
// holding up a caller that doesn't need it.
type Barrier []*projections.Runner

// Those are some of the projections, to be waited for.
func (s *Serving) Those(wanted ...projections.Projection) Barrier {
	out := make(Barrier, len(wanted))
	for i, p := range wanted {
		out[i] = s.runners[p.Name()]
	}
	return out
}

// WaitFor returns once each has applied everything through pos, or the first failure.
func (b Barrier) WaitFor(ctx context.Context, pos domain.Position) error {
	for _, r := range b {
		if err := r.WaitFor(ctx, pos); err != nil {
			return err
		}
	}
	return nil
}

// Names are those of all projections.
func (s *Serving) Names() []string {
	out := make([]string, len(s.kinds))
	for i, k := range s.kinds {
		out[i] = k.Name
	}
	return out
}

// Versions are the versions that serve, by name.
func (s *Serving) Versions() map[string]int {
	out := map[string]int{}
	for _, p := range s.Projections {
		out[p.Name()] = p.Version()
	}
	return out
}

// Run folds in the background until Halt or Close.
func (s *Serving) Run() {
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go func() {
		defer close(s.ended)
		// A projection that fails is logged by its runner and has a status that says so; the
		// others go on, and so does the program.
		_ = s.Group.Run(ctx)
	}()
}

// Halt ends folding, which saves. The projections answer as they are.
func (s *Serving) Halt() {
	if s.stop != nil {
		s.stop()
		<-s.ended
	}
}

// Close ends folding and closes the stores.
func (s *Serving) Close() error {
	s.Halt()
	s.mu.Lock()
	defer s.mu.Unlock()
	failures := make(chan error, len(s.stores))
	for _, store := range s.stores {
		go func() { failures <- store.Close() }()
	}
	var out []error
	for range s.stores {
		out = append(out, <-failures)
	}
	clear(s.stores)
	return errors.Join(out...)
}

// swap notes that a projection goes on over another store, and returns the one before.
func (s *Serving) swap(name string, store projections.Store) projections.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.stores[name]
	s.stores[name] = store
	return old
}
