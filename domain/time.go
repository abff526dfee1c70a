package domain

import (
	"math"
	"time"
)

// Millis is a moment in Unix milliseconds, the unit of every stored time.
type Millis int64

// MillisOf cuts a time to its Unix millisecond.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time is the moment in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// Sub is the time that passed from n to m; negative when n is later. A distance
// beyond 292 years is the greatest or least Duration: a reminder for the far
// future must not wrap around and fall due.
func (m Millis) Sub(n Millis) time.Duration {
	const most = math.MaxInt64 / Millis(time.Millisecond)
	d := m - n
	switch {
	case m > n && (d < 0 || d > most):
		return math.MaxInt64
	case m < n && (d > 0 || d < -most):
		return math.MinInt64
	}
	return time.Duration(d) * time.Millisecond
}

// Add moves the moment by d, cut to milliseconds.
func (m Millis) Add(d time.Duration) Millis { return m + Millis(d.Milliseconds()) }

// Clock tells the present. It is a port because replay and tests bring their own.
type Clock interface {
	Now() time.Time
}
