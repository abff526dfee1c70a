package domaintest

import (
	"sync"
	"time"

	"chalie/domain"
)

// Clock stands still until it is told to move. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

var _ domain.Clock = (*Clock)(nil)

// NewClock shows noon of the first day of 2026, UTC.
func NewClock() *Clock { return NewClockAt(time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)) }

// NewClockAt shows the given moment.
func NewClockAt(now time.Time) *Clock { return &Clock{now: now} }

// Now implements domain.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to any moment, earlier ones included.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Advance moves the clock by d and returns what it shows then. A negative d
// moves it back.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}
