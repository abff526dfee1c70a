package domaintest

import (
	"testing"
	"time"
)

// Pass lets time pass in a synctest bubble, whose clock begins in the year 2000: it takes no
// time outside, and everything that was to happen meanwhile happens. Outside of a bubble it
// panics: a test that sleeps is slow where it passes and fails where the machine is busy.
func Pass(d time.Duration) {
	if time.Now().Year() > 2005 {
		panic("domaintest.Pass outside of a synctest bubble: wait for a condition")
	}
	time.Sleep(d) //nolint:forbidigo // of a bubble's clock
}

// Until waits until something is so, and fails the test when that takes a minute. It asks again
// each millisecond: for what another goroutine, or another program, comes to in its own time.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	ask := time.NewTicker(time.Millisecond)
	defer ask.Stop()
	for end := time.Now().Add(patience); !is(); <-ask.C {
		if time.Now().After(end) {
			t.Fatalf("waited %s in vain until %s", patience, what)
		}
	}
}
