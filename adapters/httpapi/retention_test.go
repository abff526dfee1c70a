package httpapi_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/domain"
)

// TestRetentionPreview: what would go is told with what the disk gets back of it, which is its
// share of what the log's files take, or nothing where that isn't known.
func TestRetentionPreview(t *testing.T) {
	var records, indexes uint64
	var refused, stays error
	var through domain.Position
	b := newBench(t, settings{change: func(_ *bench, c *httpapi.Config) {
		c.OnDisk = func(pos domain.Position) (uint64, uint64) {
			through = pos
			return records, indexes
		}
		c.MayRetire, c.Stays = func() error { return refused }, func() error { return stays }
	}})
	hear := func(n int) {
		t.Helper()
		var batch domain.Batch
		for range n {
			entry, err := domain.New(domain.Begin(b.ids.NewTrace(), "station"), b.ids.NewID(), 1, "station", domain.SignalReceived{SignalType: "weather", Content: "rain"})
			b.must(err)
			batch.Entries = append(batch.Entries, entry)
		}
		_, err := b.log.Append(t.Context(), batch)
		b.must(err)
	}
	hear(40)
	b.clock.Advance(30 * 24 * time.Hour)
	hear(250) // so that the first are out of mind
	preview := func() (out api.Retention) {
		t.Helper()
		b.socket("GET", "/api/retention?keep_signals=7d", "").wants(200).read(&out)
		return out
	}
	if got := preview(); got.Next.Records != 39 || got.Next.Bytes == 0 || got.Next.OnDisk != 0 {
		t.Errorf("where nothing is in the files yet: %+v", got.Next)
	}
	records, indexes = 4000, 8000
	if got := preview(); got.Next.OnDisk != 4000*39/40+8000*39/290 || through != 40 {
		t.Errorf("of 4,000 bytes through position %d and 8,000 of indexes it gives back %d", through, got.Next.OnDisk)
	}
	stays = &domain.Error{Category: domain.Conflict, Message: "they differ"}
	if got := preview(); got.Stays != "they differ" || got.Next.Records != 39 {
		t.Errorf("what stays is told as %+v", got)
	}
	refused = fmt.Errorf("a cluster: %w", errors.New("keeps it"))
	if got := preview(); got.Refused != "a cluster: keeps it" || got.Next.Records != 0 {
		t.Errorf("what can't go is told as %+v", got)
	}
}
