package projections

import (
	"context"
	"slices"

	"chalie/domain"
)

// interlude is something that a runner's own goroutine does between two batches: the
// fold stands still meanwhile, and queries and waiting go on.
type interlude struct {
	do   func()
	done chan struct{}
	err  error // why it was not done; set before done is closed
}

// between has fn called between two batches, and returns when it has been. It
// returns ctx's error when that ends before fn began, and the runner's failure
// when it has stopped.
func (r *Runner) between(ctx context.Context, fn func()) error {
	e := &interlude{do: fn, done: make(chan struct{})}
	r.mu.Lock()
	if r.state == StateStopped {
		defer r.mu.Unlock()
		return r.hasStopped(r.err)
	}
	r.interludes = append(r.interludes, e)
	if r.wake != nil {
		r.wake()
	}
	r.mu.Unlock()
	select {
	case <-e.done:
	case <-ctx.Done():
		r.mu.Lock()
		i := slices.Index(r.interludes, e)
		if i >= 0 {
			r.interludes = slices.Delete(r.interludes, i, i+1)
		}
		r.mu.Unlock()
		if i >= 0 {
			return ctx.Err()
		}
		<-e.done
	}
	return e.err
}

// hasStopped is what is said of a runner that won't go on, for a failure or, when
// there is none, because everything stops.
func (r *Runner) hasStopped(failure error) error {
	if failure != nil {
		return failure
	}
	return &domain.Error{Op: "wait for " + r.projection.Name(), Category: domain.Dependency, Code: domain.CodeClosed,
		Message: "the projection has stopped: Chalie is shutting down"}
}

// takeInterlude takes the oldest one; nil when there is none.
func (r *Runner) takeInterlude() *interlude {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.interludes) == 0 {
		return nil
	}
	e := r.interludes[0]
	r.interludes = r.interludes[1:]
	return e
}

// runInterludes runs the interludes asked for.
func (r *Runner) runInterludes() {
	for e := r.takeInterlude(); e != nil; e = r.takeInterlude() {
		e.do()
		close(e.done)
	}
}

// dropInterludes tells the callers that wait that nothing more will be done.
func (r *Runner) dropInterludes() {
	r.mu.Lock()
	why := r.hasStopped(r.err)
	r.mu.Unlock()
	for e := r.takeInterlude(); e != nil; e = r.takeInterlude() {
		e.err = why
		close(e.done)
	}
}

// wakeable is a context that ends when there is an interlude; call awake after the
// wait.
func (r *Runner) wakeable(ctx context.Context) (wait context.Context, awake func()) {
	wait, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.interludes) > 0 {
		cancel()
	}
	r.wake = cancel
	return wait, func() {
		cancel()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wake = nil
	}
}
