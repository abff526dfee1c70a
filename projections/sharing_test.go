package projections_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// counted counts the records it hands out.
type counted struct {
	*tape
	mu   sync.Mutex
	read int
}

func (c *counted) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	recs, err := c.tape.Select(ctx, s, from, limit)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read += len(recs)
	return recs, err
}

func (c *counted) total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read
}

// TestGroupReadsTheLogOnce starts three projections from different places.
func TestGroupReadsTheLogOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &counted{tape: newTape(4000)}
		var sums []*sum
		var runners []*projections.Runner
		for i, name := range []string{"a", "b", "c"} {
			store, p := projections.NewMemStore(), newSum(name)
			// What an earlier run left: the first i records.
			for pos := range domain.Position(i) {
				if err := p.Apply(feed.recs[pos]); err != nil {
					t.Fatal(err)
				}
			}
			if err := store.Update(domain.Position(i), p.Save); err != nil {
				t.Fatal(err)
			}
			r, err := projections.NewRunner(p, feed, store, wallClock{}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			sums, runners = append(sums, p), append(runners, r)
		}
		g, err := projections.NewGroup(runners...)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- g.Run(ctx) }()
		if err := g.WaitFor(t.Context(), 4000); err != nil {
			t.Fatal(err)
		}
		// The first few are read by each.
		if n := feed.total(); n > 4000+20 {
			t.Errorf("%d records were read for three folds of 4000", n)
		}
		for range 100 {
			synctest.Wait()
			before := feed.total()
			feed.extend(2) // half a batch
			if err := g.WaitFor(t.Context(), feed.Tail()); err != nil {
				t.Fatal(err)
			}
			if n := feed.total() - before; n != 2 {
				t.Fatalf("%d records were read for three folds of 2 at the tail", n)
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for _, s := range sums {
			wantSum(t, s, 4200)
		}
	})
}

// A projection that is stuck costs the others a bounded time per batch.
func TestAStuckProjectionDoesNotHoldTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := newTape(4000)
		stuck := &stuckSum{sum: newSum("stuck"), release: make(chan struct{})}
		good := newSum("good")
		var runners []*projections.Runner
		for _, p := range []projections.Projection{stuck, good} {
			r, err := projections.NewRunner(p, feed, projections.NewMemStore(), wallClock{}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			runners = append(runners, r)
		}
		g, err := projections.NewGroup(runners...)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- g.Run(ctx) }()
		began := time.Now()
		if err := runners[1].WaitFor(t.Context(), 4000); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 1000*2*time.Millisecond {
			t.Errorf("a thousand batches took %v", took)
		}
		wantSum(t, good, 4000)
		close(stuck.release)
		if err := g.WaitFor(t.Context(), 4000); err != nil {
			t.Fatal(err)
		}
		wantSum(t, stuck.sum, 4000)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// stuckSum waits at its first record.
type stuckSum struct {
	*sum
	release chan struct{}
}

func (s *stuckSum) Apply(rec domain.Record) error {
	<-s.release
	return s.sum.Apply(rec)
}
