package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chalie/domain"
)

// Feed is what a runner reads: the durable log, in order. Every domain.Log is
// one.
type Feed interface {
	// Select is domain.Reader's; runners use the empty Selector.
	Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error)
	domain.Tailer
}

// Runner folds the log into one projection: it loads what was saved, applies
// what came since, and follows the tail.
type Runner struct {
	projection Projection
	feed       Feed
	store      Store
	clock      domain.Clock
	cfg        Config

	// Owned by the goroutine in Run.
	dirtySince time.Time // when the first unsaved record was applied
	unsaved    int       // records applied and not saved
	retrySave  time.Time // not before, after the store refused
	broken     error     // what an interlude found that ends the fold
	released   bool      // another runner took over its state
	last       domain.ID // the envelope at pos

	mu         sync.Mutex
	started    bool
	state      State
	pos        domain.Position
	applied    uint64        // records since it was loaded: fewer than positions where some went
	recordedAt domain.Millis // of the record at pos
	saved      domain.Position
	err        error
	waiting    int           // callers of WaitFor
	moved      chan struct{} // closed and replaced on every change, when someone waits
	interludes []*interlude  // to be done between two batches
	wake       func()        // ends a wait for records; nil while there is none
}

// NewRunner makes a runner. The clock only serves Status. The caller closes the
// store, after Run has returned.
func NewRunner(p Projection, feed Feed, store Store, clock domain.Clock, cfg Config) (*Runner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Runner{projection: p, feed: feed, store: store, clock: clock, cfg: cfg.withDefaults(),
		state: StateStarting, moved: make(chan struct{})}, nil
}

// Run folds until ctx ends, the log closes or the projection fails; then it
// saves what was applied. It returns nil after an orderly stop whose save
// succeeded, and otherwise an error with CodeStopped, which Status and WaitFor
// report from then on. It can run once, and again after adopting another state.
func (r *Runner) Run(ctx context.Context) error {
	r.mu.Lock()
	again := r.started
	r.started = true
	r.mu.Unlock()
	if again {
		return domain.Invalid("fold "+r.projection.Name(), "", "this runner has run already: make a new one")
	}
	shared, sharing := r.feed.(*sharedReader)
	if sharing {
		shared.join()
	}
	err := r.load(ctx)
	if err == nil {
		err = r.follow(ctx)
		if broken := r.finish(err); err == nil {
			err = broken
		}
	}
	if err != nil {
		r.cfg.Log.Error("projection stopped", "projection", r.projection.Name(), "err", err, "stack", stackOf(err))
	}
	if sharing {
		shared.leave()
	}
	r.publish(func() { r.state, r.err = StateStopped, err })
	r.dropInterludes()
	return err
}

// finish saves on the way out. A panic may have left half a record in the
// state, so nothing is saved after one.
func (r *Runner) finish(failure error) error {
	if isPanic(failure) {
		return nil
	}
	if err := r.save(); err != nil {
		return r.notSaved(err)
	}
	return nil
}

func stackOf(err error) string {
	if p, ok := errors.AsType[*panicked](err); ok {
		return string(p.stack)
	}
	return ""
}

// load brings the projection to its stored checkpoint. State that is ahead of
// the log or from another one, or that the projection can't read, is thrown
// away: the fold starts over.
func (r *Runner) load(ctx context.Context) error {
	pos, err := r.loadStored(ctx)
	if err != nil {
		r.cfg.Log.Warn("derived state is thrown away and folded again", "projection", r.projection.Name(), "err", err)
		pos = 0
		if err := r.startOver(); err != nil {
			return err
		}
	}
	r.publish(func() { r.pos, r.saved = pos, pos })
	return nil
}

func (r *Runner) startOver() error {
	if err := r.store.Reset(); err != nil {
		return r.stopped("before its first record: its store can't be emptied",
			"Check the disk, or delete the projection's folder while Chalie is stopped; it is built again", err)
	}
	if err := guard(func() error { return r.projection.Load(r.store) }); err != nil {
		return r.stopped("before its first record: it can't start from nothing", "This is a defect of the program: report it", err)
	}
	return nil
}

func (r *Runner) loadStored(ctx context.Context) (domain.Position, error) {
	pos, err := r.storedThrough(ctx)
	if err != nil {
		return 0, err
	}
	return pos, guard(func() error { return r.projection.Load(r.store) })
}

// storedThrough is the checkpoint of a state that was folded from this log.
func (r *Runner) storedThrough(ctx context.Context) (domain.Position, error) {
	pos, err := r.store.Checkpoint()
	if err != nil {
		return 0, err
	}
	if tail := r.feed.Tail(); pos > tail {
		return 0, fmt.Errorf("the checkpoint %d is beyond the log's tail %d", pos, tail)
	}
	return pos, checkAnchor(ctx, r.feed, r.store, pos)
}

// follow applies records until something ends it; nil means an orderly end.
func (r *Runner) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		r.runInterludes()
		if r.broken != nil || r.released {
			return r.broken
		}
		// Batches end at the same positions for everyone, so that they can be
		// shared.
		limit := r.cfg.Batch - int(r.pos%domain.Position(r.cfg.Batch))
		more, readErr, err := r.step(ctx, limit)
		if err != nil {
			return err
		}
		if err := r.saveWhenDue(ctx); err != nil {
			return err
		}
		if readErr == nil && !more {
			r.arrived()
			readErr = r.wait(ctx)
		}
		if readErr == nil {
			continue
		}
		if end, err := r.troubled(ctx, readErr); end {
			return err
		}
	}
	return nil
}

// step reads the next batch and folds it. more reports whether another one may be
// there at once; what was read before an error of the log counts.
func (r *Runner) step(ctx context.Context, limit int) (more bool, readErr, err error) {
	recs, cut, readErr := domain.SelectWithin(ctx, r.feed, domain.Selector{}, r.pos+1, limit, batchBytes)
	err = r.apply(recs)
	return cut || len(recs) == limit, readErr, err
}

// apply folds a batch and makes it visible to WaitFor.
func (r *Runner) apply(recs []domain.Record) error {
	if len(recs) == 0 {
		return nil
	}
	n, err := applyAll(r.projection, r.pos, recs)
	if n > 0 {
		if r.unsaved += n; r.dirtySince.IsZero() {
			r.dirtySince = time.Now()
		}
		last := &recs[n-1]
		r.last = last.Envelope.ID
		r.publish(func() { r.pos, r.recordedAt, r.applied = last.Position, last.RecordedAt, r.applied+uint64(n) })
	}
	if err != nil {
		return r.notApplied(recs[n], err)
	}
	return nil
}

// arrived notes that the tail was reached.
func (r *Runner) arrived() {
	healthy := r.retrySave.IsZero()
	if r.state == StateLive && (r.err == nil || !healthy) {
		return
	}
	r.publish(func() {
		r.state = StateLive
		if healthy {
			r.err = nil
		}
	})
}

// suffer notes something that is expected to get better.
func (r *Runner) suffer(err error) {
	r.cfg.Log.Warn("projection waits", "projection", r.projection.Name(), "position", r.pos, "err", err)
	r.publish(func() { r.err = err })
}

// wait blocks until there is more to read or the state is due to be saved.
func (r *Runner) wait(ctx context.Context) error {
	waitCtx, cancel := ctx, context.CancelFunc(func() {})
	if r.unsaved > 0 {
		due := r.dirtySince.Add(r.cfg.SaveAfter)
		if r.retrySave.After(due) {
			due = r.retrySave
		}
		waitCtx, cancel = context.WithDeadline(ctx, due)
	}
	defer cancel()
	waitCtx, awake := r.wakeable(waitCtx)
	defer awake()
	_, err := r.feed.Wait(waitCtx, r.pos)
	if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return nil // to save, or for an interlude
	}
	return err
}

// troubled judges a failed read: it is the end, or is tried again after a pause.
func (r *Runner) troubled(ctx context.Context, err error) (end bool, failure error) {
	switch {
	case ctx.Err() != nil || ended(err):
		return true, nil //nolint:nilerr // ending in order is no failure
	case domain.IsRetriable(err):
		r.suffer(err)
		pause(ctx, r.cfg.RetryAfter)
		return false, nil
	}
	return true, r.notRead(r.pos, err)
}

// ended reports that the log was closed, which ends a fold in order.
func ended(err error) bool { return domain.CodeOf(err) == domain.CodeClosed }

func pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}
