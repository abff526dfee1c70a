package commands

import (
	"context"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"chalie/domain"
)

// Bounds are what one stretch of reading and deciding may take, between two things that are
// waited for. What is waited for has bounds of its own: see Outside.
type Bounds struct {
	Time   time.Duration // 0 is DefaultReadWithin
	Memory uint64        // by how many bytes what the process holds may grow meanwhile; 0 is DefaultReadMemory
	Heap   func() uint64 // bytes that the process holds; nil asks the runtime
}

// What a zero field of Bounds means. A message of 64 KB is read in a few hundred milliseconds:
// only what never comes to an end takes as long, and only what multiplies takes as much.
const (
	DefaultReadWithin = 10 * time.Second
	DefaultReadMemory = 512 << 20
)

const (
	lookEvery  = 100 * time.Millisecond // how often a bound is looked at
	leaveAfter = time.Second            // that an attempt has to return by itself once it is to end
)

// Broken is the error of an attempt that ran into a bound.
type Broken struct {
	Bound domain.AttemptBound
	Took  time.Duration // of the stretch that did; of the whole attempt when it broke off
	Value any           // of the panic
	Stack []byte        // of the panic
}

// Error implements error.
func (b *Broken) Error() string {
	if b.Bound == domain.BoundPanic {
		return fmt.Sprintf("it broke off: %v", b.Value)
	}
	return "it " + b.Bound.Words() + " (" + b.Took.Round(time.Millisecond).String() + ")"
}

// Try makes an attempt at something that depends on what others said, and returns its error. The
// attempt runs beside the caller, who goes on whatever it does: at a bound Try returns a *Broken,
// and after the end of ctx its cause. An attempt that doesn't look at its context is then left
// behind: what it holds by WhenLeft is taken from it, and it appends no steps.
//
// When ctx ends while the attempt waits for something outside, that is waited for.
func (b Bounds) Try(ctx context.Context, do func(context.Context) error) error {
	w := &watch{bounds: b.orDefault(), began: time.Now()}
	left, leave := context.WithCancel(context.Background())
	defer leave()
	w.left = left
	w.goOn()
	work, stop := context.WithCancelCause(context.WithValue(ctx, watchKey{}, w))
	defer stop(nil)
	ended := make(chan error, 1)
	go func() { ended <- w.guarded(work, do) }()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var failed error // why it is to end
	var since time.Time
	for {
		select {
		case err := <-ended:
			if err != nil && failed != nil {
				return failed
			}
			return err
		case <-look.C:
		case <-orNever(ctx, failed != nil):
		}
		now := time.Now()
		if failed != nil {
			if !w.inside() {
				since = now
			}
			if now.Sub(since) >= leaveAfter {
				return failed
			}
			continue
		}
		if broken := w.broken(now); broken != nil {
			failed = broken
			stop(failed)
		}
		if ctx.Err() != nil {
			failed = context.Cause(ctx) // the attempt has ended with it
		}
		since = now
	}
}

// orNever is the end of ctx, unless it is known.
func orNever(ctx context.Context, known bool) <-chan struct{} {
	if known {
		return nil
	}
	return ctx.Done()
}

func (b Bounds) orDefault() Bounds {
	if b.Time == 0 {
		b.Time = DefaultReadWithin
	}
	if b.Memory == 0 {
		b.Memory = DefaultReadMemory
	}
	if b.Heap == nil {
		b.Heap = liveHeap
	}
	return b
}

// liveHeap is what the latest collection found in use: garbage isn't held.
func liveHeap() uint64 {
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(held)
	return held[0].Value.Uint64()
}

// watch watches an attempt.
type watch struct {
	bounds Bounds
	began  time.Time
	left   context.Context // ends when nobody waits for the attempt any more

	mu      sync.Mutex
	outside int       // things that are waited for
	since   time.Time // when the present stretch of reading began
	held    uint64    // by the process, then
}

type watchKey struct{}

func watchOf(ctx context.Context) *watch {
	w, _ := ctx.Value(watchKey{}).(*watch)
	return w
}

func (w *watch) guarded(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Broken{Bound: domain.BoundPanic, Took: time.Since(w.began), Value: value, Stack: debug.Stack()}
		}
	}()
	return do(ctx)
}

// goOn begins a stretch of reading.
func (w *watch) goOn() {
	held := w.bounds.Heap()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since, w.held = time.Now(), held
}

func (w *watch) inside() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.outside == 0
}

// broken is the bound that the present stretch has run into; nil for none.
func (w *watch) broken(now time.Time) *Broken {
	w.mu.Lock()
	defer w.mu.Unlock()
	took := now.Sub(w.since)
	switch {
	case w.outside > 0:
		return nil
	case took >= w.bounds.Time:
		return &Broken{Bound: domain.BoundDeadline, Took: took}
	}
	if held := w.bounds.Heap(); held > w.held && held-w.held >= w.bounds.Memory {
		return &Broken{Bound: domain.BoundMemory, Took: took}
	}
	return nil
}

// Outside stops the watch over the attempt of ctx, if there is one, until what it returns is
// called: the log, a fold, a model or a tool is waited for, which has a bound of its own.
func Outside(ctx context.Context) (back func()) {
	w := watchOf(ctx)
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	w.outside++
	w.mu.Unlock()
	return sync.OnceFunc(func() {
		w.goOn()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.outside--
	})
}

// WhenLeft has fn called when the attempt of ctx is left behind, unless what it returns is called
// first: so that what an attempt holds others needn't wait for.
func WhenLeft(ctx context.Context, fn func()) (keep func()) {
	w := watchOf(ctx)
	if w == nil {
		return func() {}
	}
	stop := context.AfterFunc(w.left, fn)
	return func() { stop() }
}

// isLeft reports whether the attempt of ctx was left behind.
func isLeft(ctx context.Context) bool {
	w := watchOf(ctx)
	return w != nil && w.left.Err() != nil
}

// errLeft is the error of a step of an attempt that was left behind.
func errLeft() error {
	return &domain.Error{Op: "append step", Category: domain.Dependency, Code: "cancelled", Retriable: true,
		Message: "the attempt was given up before it came to this step"}
}
