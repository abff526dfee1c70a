package limit

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
)

// TestWindowLikeAList holds the limiter to its meaning: a list of all moments,
// counted anew each time.
func TestWindowLikeAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		l := NewLimiter(limit)
		now := domain.Millis(1_000_000)
		var recorded []domain.Millis
		reserved := 0
		t.Repeat(map[string]func(*rapid.T){
			"time passes": func(t *rapid.T) { now += domain.Millis(rapid.IntRange(0, 40_000).Draw(t, "ms")) },
			"the clock is set": func(t *rapid.T) {
				now += domain.Millis(rapid.SampledFrom([]int{-31_536_000_000, -3_600_000, -30_000, 30_000, 3_600_000, 31_536_000_000}).Draw(t, "by"))
			},
			"reserve": func(t *rapid.T) {
				n := rapid.IntRange(1, 4).Draw(t, "n")
				used := 0
				recorded = slices.DeleteFunc(recorded, func(at domain.Millis) bool { // what is out of every window near now is forgotten
					return now.Sub(at) >= signalWindow || at.Sub(now) >= signalWindow
				})
				for _, at := range recorded {
					if at <= now+raced {
						used++
					}
				}
				want := max(0, min(n, limit-used-reserved))
				granted, wait := l.Reserve("who", n, now)
				if granted != want {
					t.Fatalf("granted %d of %d, want %d", granted, n, want)
				}
				if (granted < n) != (wait > 0) || wait > signalWindow {
					t.Fatalf("granted %d of %d, and the wait is %v", granted, n, wait)
				}
				reserved += granted
			},
			"settle": func(t *rapid.T) {
				n := rapid.IntRange(0, reserved).Draw(t, "n")
				at := now - domain.Millis(rapid.IntRange(0, 5_000).Draw(t, "late"))
				l.Settle("who", n, at)
				for range n {
					recorded = append(recorded, at)
				}
				reserved -= n
			},
			"release": func(t *rapid.T) {
				n := rapid.IntRange(0, reserved).Draw(t, "n")
				l.Release("who", n)
				reserved -= n
			},
		})
	})
}

func TestWindowMemory(t *testing.T) {
	const limit = 1_000_000
	l := NewLimiter(limit)
	for i := range 10_000 {
		at := domain.Millis(1_000_000 + i%7)
		l.Reserve("busy", 10, at)
		l.Settle("busy", 10, at)
	}
	if n := len(l.windows["busy"].used); n != 7 {
		t.Errorf("100000 signals in 7 ms take %d entries", n)
	}
	// Callers that went quiet are forgotten.
	l.Reserve("other", 1, 1_000_000+domain.Millis(2*time.Minute/time.Millisecond))
	if _, still := l.windows["busy"]; still {
		t.Error("a caller that is quiet for two minutes is still remembered")
	}
}

func TestNoLimit(t *testing.T) {
	l := NewLimiter(0)
	for range 1000 {
		if granted, _ := l.Reserve("who", 50, 1); granted != 50 {
			t.Fatalf("granted %d", granted)
		}
		l.Settle("who", 50, 1)
	}
	if len(l.windows) != 0 {
		t.Error("something was counted")
	}
}
