package projections

import (
	"context"
	"fmt"
	"time"

	"chalie/domain"
)

// HotSwapper is a projection that can go on as another version of itself, so that
// the version can be raised, and taken back, while it answers.
type HotSwapper interface {
	Projection
	// Adopt makes it what next is, which has the same name: its version, its fold,
	// and the state in s, all at once for queries. When it fails nothing changed.
	Adopt(next Projection, s Snapshot) error
}

// adopt continues with the state in another store, folded by next through the same
// position. The runner stands still, or has stopped.
func (r *Runner) adopt(next Projection, store Store) error {
	err := guard(func() error {
		if next.Version() == r.projection.Version() {
			return r.projection.Load(store)
		}
		a, ok := r.projection.(HotSwapper)
		if !ok {
			return fmt.Errorf("version %d can't become version %d while it serves", r.projection.Version(), next.Version())
		}
		return a.Adopt(next, store)
	})
	if err != nil {
		return err
	}
	r.store = store
	r.unsaved, r.dirtySince, r.retrySave, r.broken = 0, time.Time{}, time.Time{}, nil
	return nil
}

// revive lets a runner that has stopped run again from another store.
func (r *Runner) revive(next Projection, store Store) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != StateStopped {
		return domain.Invalid("fold "+r.projection.Name(), "", "this runner goes on: it can't be revived")
	}
	if err := r.adopt(next, store); err != nil {
		return err
	}
	r.started, r.state, r.err = false, StateStarting, nil
	return nil
}

// advance folds through a position that the log has, while the runner stands
// still.
func (r *Runner) advance(ctx context.Context, to domain.Position) error {
	for r.pos < to {
		before := r.pos
		_, readErr, err := r.step(ctx, int(min(to-r.pos, domain.Position(r.cfg.Batch))))
		switch {
		case err != nil:
			r.broken = err
			return err
		case readErr != nil:
			return readErr
		case r.pos == before:
			return fmt.Errorf("the log has nothing after position %d, and should reach %d", r.pos, to)
		}
	}
	return nil
}

// stands is the runner's progress and state.
func (r *Runner) stands() (domain.Position, State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pos, r.state
}

// Lag is how many records the slowest of the projections is behind, of those that
// have reached the tail before and go on.
func (g *Group) Lag() uint64 {
	lag := uint64(0)
	for _, r := range g.runners {
		pos, state := r.stands()
		if tail := r.feed.Tail(); state == StateLive && tail > pos {
			lag = max(lag, uint64(tail-pos))
		}
	}
	return lag
}
