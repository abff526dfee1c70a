package background

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// How long a cycle that can't go on is left alone, and how often one is tried that
// fails for a reason of its own.
const (
	againAfter   = 100 * time.Millisecond
	againAtMost  = 5 * time.Second
	cycleMayFail = 3
)

// work takes up what waits until ctx ends.
func (c *Consumer) work(ctx context.Context) {
	select {
	case <-c.queue.whole:
	case <-ctx.Done():
		return
	}
	var free time.Time // when the next cycle may start
	for {
		if !c.await(ctx) || !c.waitUntil(ctx, free) || !c.quiet(ctx) {
			return
		}
		signal, ok := c.queue.next()
		if !ok {
			continue // dropped while it waited
		}
		if !c.finish(ctx, signal) {
			return
		}
		free = c.cfg.Clock.Now().Add(c.cfg.Debounce)
		// Also while everything ends: a finished signal must not come again.
		if err := c.cfg.Feed.SaveCheckpoint(context.WithoutCancel(ctx), c.checkpoint(), c.queue.done()); err != nil {
			// The next one saves this position, too. Until then a restart offers the signal
			// again, and its episode says that it has ended.
			c.cfg.Logger.DebugContext(ctx, "a consumer's position was not saved", "consumer", c.cfg.Name, "err", err)
		}
	}
}

// await waits until something is in the queue.
func (c *Consumer) await(ctx context.Context) bool {
	for c.queue.empty() {
		select {
		case <-c.queue.arrived:
		case <-ctx.Done():
			return false
		}
	}
	return ctx.Err() == nil
}

// waitUntil waits until a moment.
func (c *Consumer) waitUntil(ctx context.Context, until time.Time) bool {
	for {
		left := until.Sub(c.cfg.Clock.Now())
		if until.IsZero() || left <= 0 {
			return ctx.Err() == nil
		}
		if !commands.Sleep(ctx, left) {
			return false
		}
	}
}

// quiet waits until no message waits for an answer.
func (c *Consumer) quiet(ctx context.Context) bool {
	for {
		changed := c.cfg.Priority.Changed()
		if !c.cfg.Priority.Waiting() {
			return ctx.Err() == nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// finish works on a signal until it is through, and reports false when ctx ended
// before.
func (c *Consumer) finish(ctx context.Context, s queued) bool {
	pause, failures := againAfter, 0
	for c.quiet(ctx) {
		done, preempted, err := c.cycle(ctx, s)
		switch {
		case done && err == nil:
			c.queue.tell(func(s *ConsumerState) { s.Stuck = nil })
			return true
		case ctx.Err() != nil:
			return false
		case preempted:
			c.queue.tell(func(s *ConsumerState) { s.Yielded++ })
			pause = againAfter
			continue
		case err != nil && !passes(err):
			if failures++; failures == cycleMayFail {
				c.passOver(ctx, s, err)
				return true
			}
		}
		c.queue.tell(func(s *ConsumerState) { s.Stuck = err })
		if !commands.Sleep(ctx, pause) {
			return false
		}
		pause = min(2*pause, againAtMost)
	}
	return false
}

// passes reports whether waiting may help against an error.
func passes(err error) bool {
	category := domain.CategoryOf(err)
	return domain.IsRetriable(err) || category == domain.Dependency || category == ""
}

func (c *Consumer) passOver(ctx context.Context, s queued, err error) {
	c.cfg.Logger.ErrorContext(ctx, "a spine signal can't be taken up and is passed over",
		"consumer", c.cfg.Name, "position", uint64(s.position), "trace", s.header.Trace.String(), "err", err)
	c.queue.tell(func(s *ConsumerState) { s.PassedOver++; s.Stuck = nil })
}

// cycle is one go at a signal. preempted says that it was asked to make room, and
// did.
func (c *Consumer) cycle(ctx context.Context, s queued) (done, preempted bool, err error) {
	rec, err := c.cfg.Feed.Find(ctx, s.id)
	if err != nil {
		return false, false, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		c.preempt(ctx, cancel)
	}()
	defer func() {
		cancel(nil)
		<-watching
	}()
	defer c.cfg.Heart.Work(c.cfg.Name)()
	done, err = c.attempt(ctx, rec)
	preempted = errors.Is(context.Cause(ctx), ErrPreempted)
	if preempted && (errors.Is(err, context.Canceled) || errors.Is(err, ErrPreempted)) {
		err = nil
	}
	return done, preempted && !done && err == nil, err
}

// preempt ends the context of a cycle when a message waits.
func (c *Consumer) preempt(ctx context.Context, cancel context.CancelCauseFunc) {
	for {
		changed := c.cfg.Priority.Changed()
		if c.cfg.Priority.Waiting() {
			cancel(&Preemption{c.cfg.Priority.First()})
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// attempt is one at a cycle: one bad signal must not end the consumer, nor hold it up.
func (c *Consumer) attempt(ctx context.Context, rec domain.Record) (bool, error) {
	var done atomic.Bool
	err := c.cfg.Bounds.Try(ctx, func(ctx context.Context) error {
		ended, err := c.cfg.Work.Cycle(ctx, rec)
		done.Store(ended)
		return err
	})
	broken, ok := errors.AsType[*commands.Broken](err)
	if !ok {
		return done.Load() && err == nil, err
	}
	trace := rec.Envelope.Trace
	c.cfg.Logger.ErrorContext(ctx, "a background cycle was ended", "consumer", c.cfg.Name, "trace", trace.String(), "err", broken, "stack", string(broken.Stack))
	return false, c.cfg.Work.BrokeOff(ctx, trace, broken)
}

// ErrPreempted is the cause with which the context of a background cycle ends when
// somebody has said something to Chalie.
var ErrPreempted = errors.New("somebody waits for an answer")

// Preemption is ErrPreempted with the message that waits.
type Preemption struct{ By domain.ID }

// Error says so.
func (p *Preemption) Error() string { return ErrPreempted.Error() }

// Unwrap makes it ErrPreempted.
func (p *Preemption) Unwrap() error { return ErrPreempted }

// Work takes up what services noticed, one signal at a time.
type Work interface {
	// Cycle continues the episode that the spine signal rec opens, from where the
	// log says it is.
	//
	// done means that the episode has ended, durably. Without done and without an
	// error it has made room: it is called again, with the same record, once no message
	// waits. When ctx ends with the cause ErrPreempted it makes room within
	// one step. An error says that it couldn't go on; one that is retriable, or a
	// dependency's, is tried again later, any other three times at most.
	Cycle(ctx context.Context, rec domain.Record) (done bool, err error)
	// BrokeOff records that a cycle ran into a bound. An episode with so many of them ends
	// with the next Cycle.
	BrokeOff(ctx context.Context, trace domain.TraceID, why *commands.Broken) error
}

// Priority knows whether a message waits for its answer. It is *Foreground.
type Priority interface {
	// Waiting reports whether a message is being answered, or waits to be.
	Waiting() bool
	// First is the message that has waited longest; none when none waits.
	First() domain.ID
	// Changed is closed when Waiting may be something else than it was.
	Changed() <-chan struct{}
}

// Foreground counts those who wait for an answer. Who hears of a message enters it
// at once, and leaves when its episode is over: then there is no gap between two
// that wait, and background work doesn't go on in between. The zero Foreground is
// ready, and is safe for concurrent use.
type Foreground struct {
	mu      sync.Mutex
	waiting []*domain.ID  // in the order in which they came
	changed chan struct{} // nil until somebody asks
}

var _ Priority = (*Foreground)(nil)

// Enter says that a message waits for its answer, until leave is
// called. Calling leave again does nothing.
func (f *Foreground) Enter(message domain.ID) (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = append(f.waiting, &message)
	f.tell(len(f.waiting) == 1)
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.waiting = slices.DeleteFunc(f.waiting, func(m *domain.ID) bool { return m == &message })
		f.tell(len(f.waiting) == 0)
	})
}

// tell wakes the callers that wait for a change.
func (f *Foreground) tell(changed bool) {
	if changed && f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// First is the message that has waited longest.
func (f *Foreground) First() domain.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.waiting) == 0 {
		return domain.ID{}
	}
	return *f.waiting[0]
}

// Count is the number of waiting messages.
func (f *Foreground) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting)
}

// Waiting reports whether anybody waits.
func (f *Foreground) Waiting() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting) > 0
}

// calm is how much longer work that nobody waits for rests while somebody waits for an
// answer.
const calm = 50 * time.Millisecond

// Rest waits for d, or until ctx ends, and a moment longer while anybody waits.
func (f *Foreground) Rest(ctx context.Context, d time.Duration) {
	if f.Waiting() {
		d += calm
	}
	commands.Sleep(ctx, d)
}

// Changed is closed when the first comes or the last has left. Ask for it before
// asking whether anybody waits: then nothing is missed.
func (f *Foreground) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}
