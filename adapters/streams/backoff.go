package streams

import "time"

// backoff is the longest that is waited before the next attempt: it doubles.
type backoff struct {
	first, longest time.Duration
	last           time.Duration
}

func (b *backoff) next() time.Duration {
	b.last = min(max(2*b.last, b.first), b.longest)
	return b.last
}

func (b *backoff) reset() { b.last = 0 }
