package projections_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
)

var cfg = projections.Config{Batch: 4, SaveEvery: 10, SaveAfter: time.Second, RetryAfter: 3 * time.Second}

// start runs a runner in the bubble; stop ends it and returns what Run did.
func start(t *testing.T, p projections.Projection, feed projections.Feed, store projections.Store) (r *projections.Runner, stop func() error) {
	t.Helper()
	return startWith(t, p, feed, store, cfg)
}

func startWith(t *testing.T, p projections.Projection, feed projections.Feed, store projections.Store, cfg projections.Config) (r *projections.Runner, stop func() error) {
	t.Helper()
	r, err := projections.NewRunner(p, feed, store, wallClock{}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	return r, func() error {
		cancel()
		return <-done
	}
}

func wantSum(t *testing.T, s *sum, n uint64) {
	t.Helper()
	total, count := s.state()
	if total != n*(n+1)/2 || count != n {
		t.Errorf("the fold holds %d records of sum %d, want the first %d", count, total, n)
	}
}

func wantCheckpoint(t *testing.T, s projections.Store, want domain.Position) {
	t.Helper()
	if got, err := s.Checkpoint(); got != want || err != nil {
		t.Errorf("checkpoint %d, %v, want %d", got, err, want)
	}
}

func TestRunnerFollowsTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed, store, p := newTape(20), projections.NewMemStore(), newSum("sum")
		r, stop := start(t, p, feed, store)
		if err := r.WaitFor(t.Context(), 20); err != nil {
			t.Fatal(err)
		}
		wantSum(t, p, 20)
		synctest.Wait()
		wantCheckpoint(t, store, 12) // after the first batch that made ten
		if s := r.Status(t.Context()); s.State != projections.StateLive || s.Position != 20 || s.Checkpoint != 12 || s.Lag != 0 || s.Err != nil {
			t.Errorf("status %+v", s)
		}
		domaintest.Pass(2 * time.Second)
		synctest.Wait()
		wantCheckpoint(t, store, 20) // after SaveAfter
		saves := p.saves
		domaintest.Pass(time.Minute)
		if p.saves != saves {
			t.Errorf("%d saves of nothing", p.saves-saves)
		}

		feed.extend(2)
		if err := r.WaitFor(t.Context(), 22); err != nil {
			t.Fatal(err)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		wantCheckpoint(t, store, 22) // on the way out
		wantSum(t, p, 22)
	})
}

func TestRunnerGoesOnFromItsCheckpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed, store := newTape(17), projections.NewMemStore()
		for range 3 {
			p := newSum("sum")
			r, stop := start(t, p, feed, store)
			if err := r.WaitFor(t.Context(), feed.Tail()); err != nil {
				t.Fatal(err)
			}
			wantSum(t, p, uint64(feed.Tail()))
			if err := stop(); err != nil {
				t.Fatal(err)
			}
			feed.extend(5)
		}
	})
}

func TestRunnerStartsOver(t *testing.T) {
	set := func(pos domain.Position, key, value string) func(*sum, projections.Store) error {
		return func(_ *sum, s projections.Store) error {
			return s.Update(pos, func(b projections.Batch) error { return b.Set([]byte(key), []byte(value)) })
		}
	}
	of := func(n int) func() *tape { return func() *tape { return newTape(n) } }
	foreign := func() *tape {
		t := newTape(8)
		for i := range t.recs {
			t.recs[i].Envelope.ID[1] = 7
		}
		return t
	}
	const anchor = "\x00anchor"
	for _, c := range []struct {
		name  string
		spoil func(*sum, projections.Store) error // a store that was folded through 5
		feed  func() *tape
		why   string
	}{
		{"when the log lost records", set(5, "k", "v"), of(4), "the checkpoint 5 is beyond the log's tail 4"},
		{"when its state can't be read", func(p *sum, _ projections.Store) error {
			p.loadFail = errors.New("from another planet")
			return nil
		}, of(8), "from another planet"},
		{"when it is of another log", set(5, "k", "v"), foreign, "it was folded from another log: at position 5"},
		{"when nobody knows whose it is", func(_ *sum, s projections.Store) error {
			return s.Update(5, func(b projections.Batch) error { return b.Delete([]byte(anchor)) })
		}, of(8), "doesn't say which log"},
		{"when its checkpoint is of another state", set(6, "k", "v"), of(8), "its checkpoint is 6, and its state is that of 5"},
		{"when its anchor is cut short", set(5, anchor, "short"), of(8), "has 5 bytes, not 24"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				feed, store, p := newTape(5), projections.NewMemStore(), newSum("sum")
				r, stop := start(t, p, feed, store)
				if err := errors.Join(r.WaitFor(t.Context(), 5), stop()); err != nil {
					t.Fatal(err)
				}
				if err := set(5, "left", "over")(nil, store); err != nil {
					t.Fatal(err)
				}
				p = newSum("sum")
				if err := c.spoil(p, store); err != nil {
					t.Fatal(err)
				}

				var told bytes.Buffer
				feed = c.feed()
				loud := cfg
				loud.Log = slog.New(slog.NewTextHandler(&told, nil))
				r, stop = startWith(t, p, feed, store, loud)
				if err := errors.Join(r.WaitFor(t.Context(), feed.Tail()), stop()); err != nil {
					t.Fatal(err)
				}
				wantSum(t, p, uint64(feed.Tail()))
				wantCheckpoint(t, store, feed.Tail())
				if _, found, _ := store.Get([]byte("left")); found {
					t.Error("what was stored before is still there")
				}
				if !strings.Contains(told.String(), "derived state is thrown away and folded again") || !strings.Contains(told.String(), c.why) {
					t.Errorf("it was told %q, which doesn't say %q", told.String(), c.why)
				}
			})
		})
	}
}

// What can't be compared with the log counts as its own: a damaged record must
// not take what was folded before it along.
func TestRunnerKeepsWhatTheLogCannotDisprove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed, store := newTape(5), projections.NewMemStore()
		r, stop := start(t, newSum("sum"), feed, store)
		if err := errors.Join(r.WaitFor(t.Context(), 5), stop()); err != nil {
			t.Fatal(err)
		}
		feed.extend(3)
		feed.spoil(func(pos domain.Position) error {
			if pos <= 5 {
				return errors.New("bad checksum")
			}
			return nil
		})
		p := newSum("sum")
		r, stop = start(t, p, feed, store)
		if err := errors.Join(r.WaitFor(t.Context(), 8), stop()); err != nil {
			t.Fatal(err)
		}
		wantSum(t, p, 8)
	})
}

func TestRunnerStopsAtWhatItCannotApply(t *testing.T) {
	undecodable := &domain.Error{Op: "decode payload", Category: domain.Validation, Code: domain.CodeUndecodable, Message: "no upcaster"}
	corrupt := &domain.Error{Op: "read", Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "position 7: bad checksum"}
	for _, c := range []struct {
		name       string
		spoil      func(*sum, *tape)
		cause      error
		words      []string
		checkpoint domain.Position
	}{
		{"a refused record", func(p *sum, _ *tape) { p.refuse[7] = undecodable }, undecodable,
			[]string{"projection sum stopped at position 7", "test.happened v1", idOf(7).String(), "Run the version that wrote the record"}, 6},
		{"a panic", func(p *sum, _ *tape) { p.explode = 7 }, nil,
			[]string{"projection sum stopped at position 7", "panic: half applied", "report it"}, 0},
		{"a damaged record", func(_ *sum, f *tape) {
			f.fail = func(pos domain.Position) error {
				if pos == 7 {
					return corrupt
				}
				return nil
			}
		}, corrupt, []string{"after position 6", "bad checksum", "chalie verify"}, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				feed, store, p := newTape(20), projections.NewMemStore(), newSum("sum")
				c.spoil(p, feed)
				r, stop := start(t, p, feed, store)
				err := r.WaitFor(t.Context(), 7)
				if domain.CodeOf(err) != projections.CodeStopped || (c.cause != nil && !errors.Is(err, c.cause)) {
					t.Fatalf("WaitFor: %v", err)
				}
				for _, w := range c.words {
					if !strings.Contains(err.Error(), w) {
						t.Errorf("%q does not say %q", err, w)
					}
				}
				if got := stop(); !errors.Is(got, err) {
					t.Errorf("Run returned %v", got)
				}
				if s := r.Status(t.Context()); s.State != projections.StateStopped || !errors.Is(s.Err, err) || s.Position != 6 || s.Lag != 14 {
					t.Errorf("status %+v", s)
				}
				if err := r.WaitFor(t.Context(), 6); err != nil {
					t.Errorf("what was applied before is not waited for: %v", err)
				}
				wantCheckpoint(t, store, c.checkpoint)
			})
		})
	}
}

func TestRunnerWaitsForAReadThatMayWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := &domain.Error{Code: domain.CodeDiskFailed, Retriable: true, Message: "reopening"}
		feed, p := newTape(9), newSum("sum")
		feed.fail = func(domain.Position) error { return busy }
		r, stop := start(t, p, feed, projections.NewMemStore())
		domaintest.Pass(10 * time.Second)
		synctest.Wait()
		if s := r.Status(t.Context()); s.State != projections.StateStarting || !errors.Is(s.Err, busy) {
			t.Errorf("status %+v", s)
		}
		feed.spoil(nil)
		if err := r.WaitFor(t.Context(), 9); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if s := r.Status(t.Context()); s.State != projections.StateLive || s.Err != nil {
			t.Errorf("status after recovery %+v", s)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestRunnerEndsWithTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed, store := newTape(3), projections.NewMemStore()
		r, stop := start(t, newSum("sum"), feed, store)
		synctest.Wait()
		feed.close()
		err := r.WaitFor(t.Context(), 4)
		if domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("WaitFor: %v", err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCheckpoint(t, store, 3)
	})
}

func TestRunnerAndAStoreThatRefuses(t *testing.T) {
	full := &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Message: "disk full"}
	broken := &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "broken"}

	t.Run("is tried again by a committer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			feed, p := newTape(30), &patient{sum: newSum("sum")}
			store := &stubborn{Store: projections.NewMemStore(), err: full}
			r, stop := start(t, p, feed, store)
			if err := r.WaitFor(t.Context(), 30); err != nil {
				t.Fatal(err)
			}
			domaintest.Pass(10 * time.Second)
			synctest.Wait()
			if s := r.Status(t.Context()); s.State != projections.StateLive || domain.CodeOf(s.Err) != projections.CodeUnsaved || s.Checkpoint != 0 {
				t.Errorf("status %+v", s)
			}
			if p.saved != 0 || store.attempts < 3 || store.attempts > 5 {
				t.Errorf("%d attempts, %d called saved", store.attempts, p.saved)
			}
			store.set(nil)
			domaintest.Pass(4 * time.Second)
			synctest.Wait()
			if s := r.Status(t.Context()); s.Err != nil || s.Checkpoint != 30 || p.saved != 1 {
				t.Errorf("after recovery %d saved, status %+v", p.saved, s)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	})

	t.Run("holds a committer back when too much waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			feed, p := newTape(1000), &patient{sum: newSum("sum")}
			store := &stubborn{Store: projections.NewMemStore(), err: full}
			r, stop := start(t, p, feed, store)
			domaintest.Pass(time.Minute)
			synctest.Wait()
			if s := r.Status(t.Context()); s.Position != 160 { // sixteen times SaveEvery
				t.Errorf("status %+v", s)
			}
			store.set(nil)
			if err := r.WaitFor(t.Context(), 1000); err != nil {
				t.Fatal(err)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			wantSum(t, p.sum, 1000)
			wantCheckpoint(t, store, 1000)
		})
	})

	for _, c := range []struct {
		name string
		p    projections.Projection
		err  error
	}{
		{"stops who is no committer", newSum("sum"), full},
		{"stops a committer for good", &patient{sum: newSum("sum")}, broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &stubborn{Store: projections.NewMemStore(), err: c.err}
				r, stop := start(t, c.p, newTape(30), store)
				err := r.WaitFor(t.Context(), 30)
				if domain.CodeOf(err) != projections.CodeStopped || !errors.Is(err, c.err) {
					t.Errorf("WaitFor: %v", err)
				}
				if got := stop(); !errors.Is(got, err) {
					t.Errorf("Run: %v", got)
				}
			})
		})
	}

	t.Run("is reported on the way out", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := &stubborn{Store: projections.NewMemStore(), err: full}
			r, stop := start(t, newSum("sum"), newTape(3), store)
			if err := r.WaitFor(t.Context(), 3); err != nil {
				t.Fatal(err)
			}
			if err := stop(); !errors.Is(err, full) {
				t.Errorf("Run: %v", err)
			}
		})
	})
}

func TestStatusTellsTheLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := newTape(20)
		r, err := projections.NewRunner(newSum("sum"), feed, projections.NewMemStore(), wallClock{}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		domaintest.Pass(time.Minute)
		// Nothing is applied yet; the first record was recorded at second 1.
		if s := r.Status(t.Context()); s.Name != "sum" || s.Version != 3 || s.State != projections.StateStarting || s.Lag != 20 || s.LagTime != 59*time.Second {
			t.Errorf("status %+v", s)
		}
	})
}

func TestWaitForEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, stop := start(t, newSum("sum"), newTape(3), projections.NewMemStore())
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := r.WaitFor(ctx, 4); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("WaitFor: %v", err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestRunnerRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, stop := start(t, newSum("sum"), newTape(3), projections.NewMemStore())
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(t.Context()); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("a second Run: %v", err)
		}
	})
}

func TestConfigRefusesNegatives(t *testing.T) {
	for _, c := range []projections.Config{{Batch: -1}, {SaveEvery: -1}, {SaveAfter: -1}, {RetryAfter: -1}} {
		if _, err := projections.NewRunner(newSum("sum"), newTape(0), projections.NewMemStore(), wallClock{}, c); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestLargeRecords folds records of half a megabyte: what is read at once is bounded in
// bytes, and every runner gets each record once.
func TestLargeRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &measured{tape: newTape(3000)}
		for i := 500; i < 700; i++ {
			feed.recs[i].Envelope.Payload = domain.JSONPayload([]byte(`"` + strings.Repeat("x", domain.MaxPayloadBytes-2) + `"`))
		}
		var runners []*projections.Runner
		for _, name := range []string{"a", "b", "c"} {
			r, err := projections.NewRunner(newSum(name), feed, projections.NewMemStore(), wallClock{}, projections.Config{})
			if err != nil {
				t.Fatal(err)
			}
			runners = append(runners, r)
		}
		group, err := projections.NewGroup(runners...)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = group.Run(ctx)
		}()
		if err := group.WaitFor(ctx, 3000); err != nil {
			t.Error(err)
		}
		stop()
		<-ended
		if feed.most > 65*domain.MaxPayloadBytes {
			t.Errorf("%d MiB were read at once", feed.most>>20)
		}
		if feed.read != 3000 {
			t.Errorf("%d records were read, want 3000", feed.read)
		}
	})
}

// measured knows the most bytes that were read at once, and how many records in all.
type measured struct {
	*tape
	mu         sync.Mutex
	most, read int
}

func (m *measured) SelectWithin(ctx context.Context, s domain.Selector, from domain.Position, limit, bytes int) ([]domain.Record, bool, error) {
	recs, cut, err := domain.SelectWithin(ctx, m.tape, s, from, limit, bytes)
	size := 0
	for i := range recs {
		size += recs[i].Size()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most, m.read = max(m.most, size), m.read+len(recs)
	return recs, cut, err
}
