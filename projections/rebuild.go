package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chalie/domain"
)

// Rebuild folds one projection again, from the log and beside the one that
// serves, and then lets that one go on with the result.
//
// The shadow is an instance of its own over a store of its own. When it has
// reached the tail, both stand still for a moment at one position, are saved, and
// are compared as they were there while they go on. Then both stand still again:
// what the shadow has is flushed, Commit says which store serves from now on, and
// the serving projection goes on from the shadow's state. Queries don't notice.
type Rebuild struct {
	cfg    RebuildConfig
	feed   Feed
	clock  domain.Clock
	shadow *Runner

	mu      sync.Mutex
	phase   Phase
	from    domain.Position // the shadow's store was folded through it before
	started time.Time
}

// RebuildConfig is one rebuild. Serving, Next and Store are required, and Commit
// unless Check is set.
type RebuildConfig struct {
	Serving *Runner
	// Next is an instance of its own, of the version that is to serve.
	Next Projection
	// Store is where Next is folded: an empty one, or one of the same version that
	// goes on from its checkpoint. The caller closes it unless it was adopted.
	Store Durable
	// Check compares, and ends there.
	Check bool
	// Blind leaves the comparison out.
	Blind bool
	// Commit makes Store the one that serves at the next start. It is called at
	// most once, while both folds stand still at a position. An error ends the
	// rebuild, and must mean that nothing changed.
	Commit func(domain.Position) error
}

// Rebuilt is the result of a Rebuild.
type Rebuilt struct {
	Position   domain.Position // where the two met
	Records    uint64          // that the shadow folded
	Took       time.Duration
	Compared   bool
	Difference Difference
	// Served and Folded are the Digests of what served and of what was folded,
	// where the two differ.
	Served, Folded string
	Switched       bool
	// Revived says that the serving projection had stopped: its runner has what it
	// needs, and has to be run again.
	Revived bool
}

// Phase is the step that a rebuild is at.
type Phase string

// The phases, in their order.
const (
	PhaseFolding   Phase = "folding"
	PhaseComparing Phase = "comparing"
	PhaseSwitching Phase = "switching"
)

// nearTail is how many records may be folded while both stand still: a few
// milliseconds' worth.
const nearTail = 2048

// NewRebuilds makes rebuilds that read the log together. They give way to the
// projections in beside when those lag.
func NewRebuilds(feed Feed, beside *Group, clock domain.Clock, cfg Config, wanted ...RebuildConfig) ([]*Rebuild, error) {
	calm := &unhurried{Feed: feed, beside: beside}
	out := make([]*Rebuild, 0, len(wanted))
	shadows := make([]*Runner, 0, len(wanted))
	for _, w := range wanted {
		if w.Next.Name() != w.Serving.projection.Name() {
			return nil, domain.Invalid("rebuild "+w.Next.Name(), "Next", fmt.Sprintf("it can't take the place of %s", w.Serving.projection.Name()))
		}
		shadow, err := NewRunner(w.Next, calm, w.Store, clock, cfg)
		if err != nil {
			return nil, err
		}
		from, err := w.Store.Checkpoint()
		if err != nil {
			return nil, err
		}
		shadow.pos = from // until it has loaded, which is what it will find
		shadows = append(shadows, shadow)
		out = append(out, &Rebuild{cfg: w, feed: feed, clock: clock, shadow: shadow, phase: PhaseFolding, from: from, started: clock.Now()})
	}
	share(shadows)
	return out, nil
}

// Run does it. It returns ctx's error when that ends before the switch, and then
// everything is as before. It can run once.
func (b *Rebuild) Run(ctx context.Context) (Rebuilt, error) {
	folding, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = b.shadow.Run(folding) // its failure is what waiting for it returns
	}()
	out, err := b.run(ctx)
	end()
	<-ended
	switch {
	case err != nil && ctx.Err() != nil:
		return Rebuilt{}, ctx.Err() // whatever it was that noticed first
	case err != nil:
		return Rebuilt{}, err
	}
	out.Took = b.clock.Now().Sub(b.started)
	return out, nil
}

func (b *Rebuild) run(ctx context.Context) (out Rebuilt, err error) {
	if err := b.catchUp(ctx); err != nil {
		return out, err
	}
	_, state := b.cfg.Serving.stands()
	if state == StateStopped {
		return b.replace(ctx)
	}
	if !b.cfg.Blind {
		b.enter(PhaseComparing)
		if out, err = b.compare(ctx); err != nil || b.cfg.Check {
			return out, err
		}
		b.enter(PhaseFolding)
		if err := b.catchUp(ctx); err != nil {
			return out, err
		}
	}
	b.enter(PhaseSwitching)
	// Most of it, so that little is left to fold while both stand still.
	if err := b.cfg.Store.Flush(); err != nil {
		return out, err
	}
	out.Switched = true
	return out, b.meet(ctx, func(pos domain.Position) error {
		out.Position, out.Records = pos, b.shadow.applied
		return b.switchOver(pos, b.cfg.Serving.adopt)
	})
}

// catchUp brings the shadow near the tail, and waits for the serving projection,
// too, when it has only just begun.
func (b *Rebuild) catchUp(ctx context.Context) error {
	for {
		tail := b.feed.Tail()
		if err := b.shadow.WaitFor(ctx, tail); err != nil {
			return err
		}
		// One that has stopped can't be waited for, and is replaced.
		_ = b.cfg.Serving.WaitFor(ctx, tail)
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.feed.Tail()-tail <= nearTail {
			return nil
		}
	}
}

// compare looks at both as they were at one position, while they go on.
func (b *Rebuild) compare(ctx context.Context) (out Rebuilt, err error) {
	var was, is View
	closing := func() error {
		var failures []error
		for _, v := range []View{was, is} {
			if v != nil {
				failures = append(failures, v.Close())
			}
		}
		return errors.Join(failures...)
	}
	defer func() { err = errors.Join(err, closing()) }()
	serving := b.cfg.Serving
	err = b.meet(ctx, func(pos domain.Position) (err error) {
		out.Position, out.Records = pos, b.shadow.applied
		store, ok := serving.store.(Durable)
		if !ok {
			return fmt.Errorf("the store that serves %s can't be looked at", serving.projection.Name())
		}
		if was, err = store.View(); err != nil {
			return err
		}
		is, err = b.cfg.Store.View()
		return err
	})
	if err != nil {
		return out, err
	}
	out.Compared = true
	out.Difference, err = Compare(ctx, Side{serving.projection, was}, Side{b.cfg.Next, is})
	if err != nil || out.Difference.Count() == 0 {
		return out, err
	}
	if out.Served, err = Digest(serving.projection, was); err != nil {
		return out, err
	}
	out.Folded, err = Digest(b.cfg.Next, is)
	return out, err
}

// meet calls fn while both stand still at one position, with everything saved.
// The shadow goes first: that it stands still costs nobody anything.
func (b *Rebuild) meet(ctx context.Context, fn func(domain.Position) error) (err error) {
	serving, shadow := b.cfg.Serving, b.shadow
	unmet := shadow.between(ctx, func() {
		unmet := serving.between(ctx, func() {
			err = guard(func() error {
				pos := max(serving.pos, shadow.pos)
				for _, r := range []*Runner{serving, shadow} {
					if err := r.advance(ctx, pos); err != nil {
						return err
					}
					if err := r.save(); err != nil {
						return err
					}
				}
				return fn(pos)
			})
		})
		if unmet != nil {
			err = unmet
		}
	})
	if unmet != nil {
		return unmet
	}
	return err
}

// switchOver makes the shadow's state the one that serves. Both stand still.
func (b *Rebuild) switchOver(pos domain.Position, adopt func(Projection, Store) error) error {
	if err := b.cfg.Store.Flush(); err != nil {
		return err
	}
	// What can't be read back must not begin to serve.
	if err := b.cfg.Next.Load(b.cfg.Store); err != nil {
		return err
	}
	if err := b.cfg.Commit(pos); err != nil {
		return err
	}
	b.shadow.released = true
	err := adopt(b.cfg.Next, b.cfg.Store)
	if err == nil {
		b.cfg.Serving.publish(func() { b.cfg.Serving.saved = pos })
	}
	return err
}

// replace takes the place of a projection that has stopped. Nothing can be
// compared: it is at another position.
func (b *Rebuild) replace(ctx context.Context) (out Rebuilt, err error) {
	if b.cfg.Check {
		_, failure := b.cfg.Serving.failure()
		return out, &domain.Error{Op: "check " + b.cfg.Next.Name(), Category: domain.Conflict, Code: CodeStopped, Err: failure,
			Message: fmt.Sprintf("projection %s has stopped, so there is nothing to compare with; rebuild it with `chalie rebuild %s`", b.cfg.Next.Name(), b.cfg.Next.Name())}
	}
	b.enter(PhaseSwitching)
	out.Switched, out.Revived = true, true
	unmet := b.shadow.between(ctx, func() {
		err = guard(func() error {
			if err := b.shadow.save(); err != nil {
				return err
			}
			out.Position, out.Records = b.shadow.pos, b.shadow.applied
			return b.switchOver(out.Position, b.cfg.Serving.revive)
		})
	})
	if unmet != nil {
		return out, unmet
	}
	return out, err
}
