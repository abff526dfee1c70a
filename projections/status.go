package projections

import (
	"context"
	"time"

	"chalie/domain"
)

// State is the state of a runner.
type State string

// The states of a runner.
const (
	StateStarting State = "starting" // loading, or folding what was in the log before
	StateLive     State = "live"     // has reached the tail since it started
	StateStopped  State = "stopped"  // by a failure or a shutdown; it won't go on
)

// Status is a runner's report.
type Status struct {
	Name       string
	For        string // what it is for, in a sentence for the person
	Version    int
	State      State
	Position   domain.Position // applied and visible to queries
	Checkpoint domain.Position // saved
	Lag        uint64          // records in the log and not applied
	LagTime    time.Duration   // age of the oldest of them; 0 without any
	// Err is why it stopped, or what it is waiting for to get better; nil when
	// all is well.
	Err error
}

// Status reports on the runner. While it lags it reads one record from
// the log to tell since when; a failure to do so leaves LagTime at the age of
// the last record applied.
func (r *Runner) Status(ctx context.Context) Status {
	r.mu.Lock()
	out := Status{
		Name: r.projection.Name(), For: r.cfg.For, Version: r.projection.Version(), State: r.state,
		Position: r.pos, Checkpoint: r.saved, Err: r.err,
	}
	since := r.recordedAt
	r.mu.Unlock()
	tail := r.feed.Tail()
	if tail <= out.Position {
		return out
	}
	out.Lag = uint64(tail - out.Position)
	if recs, err := r.feed.Select(ctx, domain.Selector{}, out.Position+1, 1); err == nil && len(recs) > 0 {
		since = recs[0].RecordedAt
	}
	if since > 0 {
		out.LagTime = max(0, domain.MillisOf(r.clock.Now()).Sub(since))
	}
	return out
}

// WaitFor returns once everything through pos has been applied. It returns
// ctx's error when that comes first, and the projection's failure, or a
// Dependency error with CodeClosed, when the runner stopped before pos.
func (r *Runner) WaitFor(ctx context.Context, pos domain.Position) error {
	r.mu.Lock()
	r.waiting++
	defer func() {
		r.mu.Lock()
		r.waiting--
		r.mu.Unlock()
	}()
	for {
		applied, state, failure, moved := r.pos, r.state, r.err, r.moved
		r.mu.Unlock()
		switch {
		case applied >= pos:
			return nil
		case state == StateStopped:
			return r.hasStopped(failure)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		}
		r.mu.Lock()
	}
}

// publish makes a change of the runner's state known. Only the goroutine in Run
// calls it.
func (r *Runner) publish(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	if r.waiting > 0 {
		close(r.moved)
		r.moved = make(chan struct{})
	}
}
