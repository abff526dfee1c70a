package domain

import (
	"math"
	"testing"
	"time"
)

func TestMillis(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 999_999_999, time.FixedZone("", 3600))
	m := MillisOf(at)
	if got := m.Time(); !got.Equal(at.Truncate(time.Millisecond)) || got.Location() != time.UTC {
		t.Errorf("%v became %v", at, got)
	}
	if got := m.Add(1500 * time.Microsecond).Sub(m); got != time.Millisecond {
		t.Errorf("1.5 ms later is %v later", got)
	}
	if got := m.Sub(m.Add(time.Hour)); got != -time.Hour {
		t.Errorf("an hour before is %v", got)
	}
}

func TestMillisSubDoesNotWrap(t *testing.T) {
	const now = Millis(1_800_000_000_000)
	for _, c := range []struct {
		m, n Millis
		want time.Duration
	}{
		{math.MaxInt64, now, math.MaxInt64},
		{now, math.MaxInt64, math.MinInt64},
		{math.MaxInt64, math.MinInt64, math.MaxInt64},
		{math.MinInt64, math.MaxInt64, math.MinInt64},
		{253_402_300_800_000, now, math.MaxInt64}, // the year 10000
		{now, 0, time.Duration(now) * time.Millisecond},
		{math.MaxInt64, math.MaxInt64, 0},
	} {
		if got := c.m.Sub(c.n); got != c.want {
			t.Errorf("from %d to %d: %d, want %d", c.n, c.m, got, c.want)
		}
	}
}
