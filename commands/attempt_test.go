package commands_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// never computes on, whatever its context says, until the test ends.
func never(t *testing.T) func(context.Context) error {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	return func(context.Context) error {
		<-release
		return nil
	}
}

func TestAttemptsEndAtTheirBounds(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(t *testing.T, held *atomic.Uint64) func(context.Context) error
		bound domain.AttemptBound
		took  time.Duration
	}{
		"computes for ever": {func(t *testing.T, _ *atomic.Uint64) func(context.Context) error { return never(t) }, domain.BoundDeadline, 11 * time.Second},
		"looks at its context": {func(*testing.T, *atomic.Uint64) func(context.Context) error {
			return func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		}, domain.BoundDeadline, 10 * time.Second},
		"takes memory": {func(t *testing.T, held *atomic.Uint64) func(context.Context) error {
			return func(ctx context.Context) error {
				held.Store(512 << 20)
				return never(t)(ctx)
			}
		}, domain.BoundMemory, 1100 * time.Millisecond},
		"breaks off": {func(*testing.T, *atomic.Uint64) func(context.Context) error {
			return func(context.Context) error { panic("no such word") }
		}, domain.BoundPanic, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var held atomic.Uint64
				began := time.Now()
				err := commands.Bounds{Heap: held.Load}.Try(t.Context(), c.do(t, &held))
				broken, ok := errors.AsType[*commands.Broken](err)
				if !ok || broken.Bound != c.bound || time.Since(began) != c.took {
					t.Errorf("it ended with %v after %s, want %s after %s", err, time.Since(began), c.bound, c.took)
				}
			})
		})
	}
}

// What is waited for has bounds of its own.
func TestAttemptsMayWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := commands.Bounds{}.Try(t.Context(), func(ctx context.Context) error {
			for range 5 {
				back := commands.Outside(ctx)
				domaintest.Pass(time.Minute)
				back()
				domaintest.Pass(9 * time.Second)
			}
			return ctx.Err()
		})
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
}

// Who cancels, and who stops the program, waits a second for what doesn't look, and as long as
// it takes for what a tool does.
func TestAttemptsAreLeft(t *testing.T) {
	for name, c := range map[string]struct {
		waits time.Duration // outside, before it computes for ever
		took  time.Duration
	}{
		"at once":      {0, time.Second},
		"after a call": {15 * time.Second, 16 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				requests := commands.NewRequests(nil, nil, nil)
				held := make(chan struct{})
				forEver := never(t)
				var began time.Time
				go func() {
					<-held
					began = time.Now()
					cancel(commands.ErrCancelled)
				}()
				err := commands.Bounds{Time: time.Hour}.Try(ctx, func(ctx context.Context) error {
					if _, err := requests.Enter(ctx, "call/1"); err != nil {
						return err
					}
					back := commands.Outside(ctx)
					close(held)
					domaintest.Pass(c.waits)
					back()
					return forEver(ctx)
				})
				if took := time.Since(began); !errors.Is(err, commands.ErrCancelled) || took.Round(time.Second) != c.took {
					t.Errorf("it ended with %v after %s, want %s", err, took, c.took)
				}
				done, err := requests.Enter(t.Context(), "call/1")
				if err != nil {
					t.Fatal(err)
				}
				done()
			})
		})
	}
}
