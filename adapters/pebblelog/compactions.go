package pebblelog

import (
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// compactions schedules a store's compactions, one at a time, from when it is open.
//
// Pebble would begin them while it still opens. When the opening fails then, on a disk
// that refuses its last files, Pebble closes the caches that a running compaction reads
// through, and that compaction ends the process.
type compactions struct {
	// The variant that doesn't ask periodically how many may run: here it is always one.
	*pebble.ConcurrencyLimitScheduler
	db    pebble.DBForCompaction
	begun atomic.Bool
}

func newCompactions() *compactions {
	return &compactions{ConcurrencyLimitScheduler: pebble.NewConcurrencyLimitSchedulerWithNoPeriodicGrantingForTest()}
}

func (c *compactions) Register(goroutines int, db pebble.DBForCompaction) {
	c.db = db
	c.ConcurrencyLimitScheduler.Register(goroutines, db)
}

func (c *compactions) TrySchedule() (bool, pebble.CompactionGrantHandle) {
	if !c.begun.Load() {
		return false, nil
	}
	return c.ConcurrencyLimitScheduler.TrySchedule()
}

// begin runs the compaction that the opening asked for. Call it once the store is open.
func (c *compactions) begin() {
	c.begun.Store(true)
	// Pebble doesn't ask again for a compaction that was refused while opening.
	if granted, handle := c.TrySchedule(); granted && !c.db.Schedule(handle) {
		handle.Done()
	}
}
