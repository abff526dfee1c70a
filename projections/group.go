package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"chalie/domain"
)

// Group runs several projections side by side. Each has its own goroutine, its
// own position and its own failure: one that stops leaves the others running.
type Group struct {
	runners []*Runner
}

// NewGroup makes a group of runners that don't run yet. Two projections of one
// name are refused. Runners of one feed read each batch once, together.
func NewGroup(runners ...*Runner) (*Group, error) {
	seen := map[string]bool{}
	for _, r := range runners {
		name := r.projection.Name()
		if seen[name] {
			return nil, domain.Invalid("group projections", "name", fmt.Sprintf("there are two projections named %s", name))
		}
		seen[name] = true
	}
	share(runners)
	return &Group{runners: runners}, nil
}

// Run runs every projection and returns when all have ended: after ctx ends or
// the log closes, or when each has failed. It returns their failures, joined.
func (g *Group) Run(ctx context.Context) error {
	failures := make([]error, len(g.runners))
	var running sync.WaitGroup
	for i, r := range g.runners {
		running.Go(func() { failures[i] = r.Run(ctx) })
	}
	running.Wait()
	return errors.Join(failures...)
}

// WaitFor returns once every projection has applied everything through pos. It
// returns the first failure, in the order of NewGroup, when one can't.
func (g *Group) WaitFor(ctx context.Context, pos domain.Position) error {
	for _, r := range g.runners {
		if err := r.WaitFor(ctx, pos); err != nil {
			return err
		}
	}
	return nil
}

// Unfolded is how many records the projections have to fold when they run, of those that are in
// the log now: the most of any. It is for a group that doesn't run yet.
func (g *Group) Unfolded(ctx context.Context) (most domain.Position) {
	for _, r := range g.runners {
		through, err := r.storedThrough(ctx)
		if err != nil {
			through = 0 // it begins anew
		}
		most = max(most, r.feed.Tail()-through)
	}
	return most
}

// Through is how far all of them have folded; one that has stopped counts as it stands.
func (g *Group) Through() domain.Position {
	through := ^domain.Position(0)
	for _, r := range g.runners {
		pos, _ := r.stands()
		through = min(through, pos)
	}
	return through
}

// Status reports on each projection, in the order of NewGroup.
func (g *Group) Status(ctx context.Context) []Status {
	out := make([]Status, len(g.runners))
	for i, r := range g.runners {
		out[i] = r.Status(ctx)
	}
	return out
}

// Failures joins the failures of all of them; nil when there is none.
func (g *Group) Failures() error {
	var failures []error
	for _, r := range g.runners {
		r.mu.Lock()
		failures = append(failures, r.err)
		r.mu.Unlock()
	}
	return errors.Join(failures...)
}
