package projections_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
)

// It rests in proportion to what was worked, never for long, and not near the tail.
func TestUnobtrusiveRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rested []time.Duration
		feed := projections.NewThrottled(newTape(10_000), 4, func(_ context.Context, d time.Duration) { rested = append(rested, d) })
		read := func(from domain.Position) {
			t.Helper()
			if recs, _, err := domain.SelectWithin(t.Context(), feed, domain.Selector{}, from, 10, domain.PageBytes); err != nil || len(recs) != 10 || recs[0].Position != from {
				t.Fatalf("read %d records from %d, %v", len(recs), from, err)
			}
		}
		read(1)
		if len(rested) != 0 {
			t.Errorf("it rested %v before it worked", rested)
		}
		domaintest.Pass(3 * time.Millisecond) // the fold works
		read(11)
		domaintest.Pass(time.Hour) // the machine was asleep
		read(21)
		domaintest.Pass(time.Hour)
		read(9000)
		if want := []time.Duration{12 * time.Millisecond, 200 * time.Millisecond}; len(rested) != 2 || rested[0] != want[0] || rested[1] != want[1] {
			t.Errorf("it rested %v, want %v", rested, want)
		}
		waiting, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		if _, err := feed.Wait(waiting, 10_000); err == nil {
			t.Error("there was something to wait for")
		}
		read(31)
		if len(rested) != 2 {
			t.Errorf("waiting counted as work: it rested %v", rested[2:])
		}
	})
}
