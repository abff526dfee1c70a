package projections

import (
	"context"
	"sync"
	"time"

	"chalie/domain"
)

// mostRest bounds one rest: a read may have taken long for other reasons.
const mostRest = 200 * time.Millisecond

// Throttled is a Feed for a fold that nobody waits for: before each read it rests
// for a multiple of the time that was worked since the one before, so that the fold
// takes a share of one processor and no more. Near the tail it doesn't rest: there
// the fold may be about to meet another, which stands still for it. Give each fold
// one of its own.
type Throttled struct {
	Feed
	rest  int
	pause func(ctx context.Context, d time.Duration)

	mu   sync.Mutex
	last time.Time // when work began
}

// NewThrottled rests so many times as long as the fold works: with 4 it works a
// fifth of the time. pause returns after d, a little later where there is a reason,
// or when ctx ends.
func NewThrottled(feed Feed, rest int, pause func(ctx context.Context, d time.Duration)) *Throttled {
	return &Throttled{Feed: feed, rest: rest, pause: pause}
}

// SelectWithin reads after a rest.
func (u *Throttled) SelectWithin(ctx context.Context, s domain.Selector, from domain.Position, limit, bytes int) ([]domain.Record, bool, error) {
	if tail := u.Tail(); tail > from+nearTail {
		if worked := u.worked(); worked > 0 {
			u.pause(ctx, min(time.Duration(u.rest)*worked, mostRest))
		}
	}
	u.begin()
	return domain.SelectWithin(ctx, u.Feed, s, from, limit, bytes)
}

// Wait is no work.
func (u *Throttled) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	defer u.begin()
	return u.Feed.Wait(ctx, after)
}

func (u *Throttled) begin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last = time.Now()
}

// worked is the time since work began; 0 before it did.
func (u *Throttled) worked() time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last.IsZero() {
		return 0
	}
	return time.Since(u.last)
}
