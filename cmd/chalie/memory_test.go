package main

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain/domaintest"
)

// TestGiveBack: memory is given back once it was much and is quiet, and then no more.
func TestGiveBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var given atomic.Int32
		var giving sync.WaitGroup
		giving.Go(func() { giveBack(ctx, time.Second, func() { given.Add(1) }) })
		synctest.Wait()
		after := func(d time.Duration, want int32) {
			t.Helper()
			domaintest.Pass(d)
			synctest.Wait()
			if got := given.Load(); got != want {
				t.Errorf("given back %d times, want %d", got, want)
			}
		}
		for range busyBytes / mib * 2 {
			used = make([]byte, mib)
		}
		used = nil
		after(1500*time.Millisecond, 0) // so much was allocated since the last look
		after(time.Second, 1)
		after(time.Minute, 1)
		cancel()
		giving.Wait()
	})
}

// TestStoresFitOutsideTheCollector: the memory that the collector knows nothing of, when every
// store has as much as it may. One projection more is one store more.
func TestStoresFitOutsideTheCollector(t *testing.T) {
	const smallest = allowance(256 * mib)
	stores := int64(len(today())) + 1 // keyframes
	taken := smallest.logCache() + 2*smallest.logTable() + stores*(smallest.foldCache()+2*smallest.foldTable())
	if left := int64(smallest) / 4; taken > left {
		t.Errorf("%d stores and the log take up to %d MiB, and %d are left for them", stores, taken/mib, left/mib)
	}
}

var used []byte // so that the compiler allocates it
