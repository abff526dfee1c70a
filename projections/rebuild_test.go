package projections_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
)

// tally counts records, each for so much as its version says.
type tally struct {
	*projections.InMemory[tallied]
}

type tallied struct {
	Count  int             `json:"count"`
	Points int             `json:"points"`
	Last   domain.Position `json:"last"`
}

func newTally(version, worth int) *tally {
	return &tally{projections.NewInMemory("tally", version, func(*domain.Record) bool { return true }, func(s *tallied, rec domain.Record) error {
		s.Count, s.Points, s.Last = s.Count+1, s.Points+worth, rec.Position
		return nil
	})}
}

func (t *tally) now() (out tallied) {
	t.Read(func(s *tallied) { out = *s })
	return out
}

// through is what a tally is after n records.
func through(n domain.Position, worth int) tallied {
	return tallied{int(n), int(n) * worth, n}
}

// serving is a projection that serves, in a group of its own.
type serving struct {
	t      *testing.T
	feed   *tape
	tally  *tally
	store  *projections.Overlay
	runner *projections.Runner
	group  *projections.Group
	stop   func()
}

func serve(t *testing.T, records int) *serving {
	t.Helper()
	s := &serving{t: t, feed: newTape(records), tally: newTally(1, 1), store: projections.NewMemStore()}
	s.begin()
	return s
}

func (s *serving) begin() {
	s.t.Helper()
	var err error
	if s.runner, err = projections.NewRunner(s.tally, s.feed, s.store, wallClock{}, cfg); err != nil {
		s.t.Fatal(err)
	}
	if s.group, err = projections.NewGroup(s.runner); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	done := make(chan error, 1)
	go func() { done <- s.group.Run(ctx) }()
	s.stop = func() {
		cancel()
		<-done
	}
}

// rebuild folds it again, and returns what came of it and the new store.
func (s *serving) rebuild(ctx context.Context, next projections.Projection, change ...func(*projections.RebuildConfig)) (projections.Rebuilt, *projections.Overlay, error) {
	s.t.Helper()
	store := projections.NewMemStore()
	c := projections.RebuildConfig{Serving: s.runner, Next: next, Store: store, Commit: func(domain.Position) error { return nil }}
	for _, fn := range change {
		fn(&c)
	}
	works, err := projections.NewRebuilds(s.feed, s.group, wallClock{}, cfg, c)
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := works[0].Run(ctx)
	return out, store, err
}

// wants waits until everything is folded, and looks at it.
func (s *serving) wants(version, worth int) {
	s.t.Helper()
	if err := s.runner.WaitFor(s.t.Context(), s.feed.Tail()); err != nil {
		s.t.Fatal(err)
	}
	if got, want := s.tally.now(), through(s.feed.Tail(), worth); got != want || s.tally.Version() != version {
		s.t.Errorf("version %d holds %+v, want version %d with %+v", s.tally.Version(), got, version, want)
	}
}

// A version is raised while records pour in: what is asked meanwhile is the old
// fold or the new one of some position, never anything between.
func TestRebuildSwitchesWhileRecordsPourIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 5000)
		pouring, dry := context.WithCancel(t.Context())
		var busy sync.WaitGroup
		busy.Go(func() {
			for pouring.Err() == nil {
				s.feed.extend(7)
				domaintest.Pass(time.Millisecond) // of the bubble
			}
		})
		busy.Go(func() {
			last := tallied{}
			for pouring.Err() == nil {
				got := s.tally.now()
				if worth := map[bool]int{false: 1, true: 10}[got.Points > got.Count]; got != through(got.Last, worth) || got.Last < last.Last || got.Points < last.Points {
					t.Errorf("asked meanwhile it is %+v, after %+v", got, last)
					return
				}
				last = got
				domaintest.Pass(100 * time.Microsecond)
			}
		})
		met := domain.Position(0)
		out, store, err := s.rebuild(t.Context(), newTally(2, 10), func(c *projections.RebuildConfig) {
			c.Commit = func(pos domain.Position) error {
				met = pos
				return nil
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		domaintest.Pass(50 * time.Millisecond)
		dry()
		busy.Wait()
		s.wants(2, 10)
		if !out.Switched || out.Position != met || met < 5000 || out.Records != uint64(met) || !out.Compared || out.Difference.Count() != 1 {
			t.Errorf("it came to %+v, and met at %d", out, met)
		}
		s.stop()
		wantCheckpoint(t, store, s.feed.Tail())
		wantCheckpoint(t, s.store, met) // the old one stays as it was
		if s.feed.Tail() <= met {
			t.Error("nothing came after the switch")
		}
	})
}

func TestRebuildMendsWhatIsDamaged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 30)
		s.wants(1, 1)
		s.stop()
		err := s.store.Update(30, func(b projections.Batch) error {
			return b.Set([]byte("state"), []byte(`{"count":29,"points":30,"last":30}`))
		})
		if err != nil {
			t.Fatal(err)
		}
		s.begin()
		defer s.stop()
		s.feed.extend(3)
		check := func(c *projections.RebuildConfig) { c.Check, c.Commit = true, nil }
		want := projections.Change{Entity: "state", Field: "count"}
		for _, change := range []func(*projections.RebuildConfig){check, func(*projections.RebuildConfig) {}} {
			out, _, err := s.rebuild(t.Context(), newTally(1, 1), change)
			if err != nil {
				t.Fatal(err)
			}
			d := out.Difference
			if d.Changed != 1 || d.Count() != 1 || len(d.First) != 1 || d.First[0].Entity != want.Entity || d.First[0].Field != want.Field ||
				string(d.First[0].Was) != "32" || string(d.First[0].Is) != "33" {
				t.Errorf("the difference is %+v", d)
			}
		}
		s.wants(1, 1)
		if out, _, err := s.rebuild(t.Context(), newTally(1, 1), check); err != nil || out.Difference.Count() != 0 || out.Switched || out.Difference.Compared != 1 {
			t.Errorf("once mended: %+v, %v", out, err)
		}
	})
}

// What ends a rebuild early leaves everything as it was.
func TestRebuildThatFailsChangesNothing(t *testing.T) {
	full := errors.New("the disk is full")
	for _, c := range []struct {
		name string
		run  func(s *serving) error
		want string
	}{
		{"cancelled", func(s *serving) error {
			ctx, cancel := context.WithCancel(s.t.Context())
			_, _, err := s.rebuild(ctx, newTally(2, 10), func(c *projections.RebuildConfig) {
				c.Store = cancelling{c.Store, cancel}
			})
			return err
		}, "context canceled"},
		{"not committed", func(s *serving) error {
			_, _, err := s.rebuild(s.t.Context(), newTally(2, 10), func(c *projections.RebuildConfig) {
				c.Commit = func(domain.Position) error { return full }
			})
			return err
		}, "the disk is full"},
		{"a record that can't be applied", func(s *serving) error {
			next := &tally{projections.NewInMemory("tally", 2, func(*domain.Record) bool { return true }, func(_ *tallied, rec domain.Record) error {
				if rec.Position == 17 {
					return errors.New("no decoder")
				}
				return nil
			})}
			_, _, err := s.rebuild(s.t.Context(), next)
			return err
		}, "at position 17"},
		{"a store that can't be flushed", func(s *serving) error {
			_, _, err := s.rebuild(s.t.Context(), newTally(2, 10), func(c *projections.RebuildConfig) { c.Store = unflushed{c.Store, full} })
			return err
		}, "the disk is full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, 40)
				s.wants(1, 1)
				if err := c.run(s); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("it ended with %v, want %q", err, c.want)
				}
				s.feed.extend(40)
				s.wants(1, 1)
				s.stop()
				wantCheckpoint(t, s.store, 80)
			})
		})
	}
}

// cancelling ends the rebuild when its first batch is saved.
type cancelling struct {
	projections.Durable
	cancel func()
}

func (c cancelling) Update(pos domain.Position, fn func(projections.Batch) error) error {
	c.cancel()
	return c.Durable.Update(pos, fn)
}

type unflushed struct {
	projections.Durable
	err error
}

func (u unflushed) Flush() error { return u.err }

// TestRebuildCountsRecords: where records went from the log, there are fewer than positions.
func TestRebuildCountsRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 300)
		s.feed.retire(101, 250)
		out, _, err := s.rebuild(t.Context(), newTally(2, 1))
		if err != nil || out.Position != 300 || out.Records != 150 {
			t.Errorf("it came to %+v, %v", out, err)
		}
		s.stop()
	})
}

// The store that served before is gone back to: it is behind by then.
func TestRebuildGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 25)
		if _, _, err := s.rebuild(t.Context(), newTally(2, 10)); err != nil {
			t.Fatal(err)
		}
		s.feed.extend(100)
		s.wants(2, 10)
		out, _, err := s.rebuild(t.Context(), newTally(1, 1), func(c *projections.RebuildConfig) { c.Store, c.Blind = s.store, true })
		if err != nil || !out.Switched || out.Compared || out.Records != 100 || out.Position != 125 {
			t.Errorf("it came to %+v, %v", out, err)
		}
		s.feed.extend(5)
		s.wants(1, 1)
		s.stop()
		wantCheckpoint(t, s.store, 130)
	})
}

// One that has stopped, such as over a store that broke, serves again.
func TestRebuildRevivesWhatHasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 20)
		s.wants(1, 1)
		s.stop()
		broken := &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "a block is damaged"}
		store := &stubborn{Store: s.store}
		var err error
		if s.runner, err = projections.NewRunner(s.tally, s.feed, store, wallClock{}, cfg); err != nil {
			t.Fatal(err)
		}
		store.set(broken)
		s.feed.extend(20)
		if err := s.runner.Run(t.Context()); domain.CodeOf(err) != projections.CodeStopped {
			t.Fatalf("it ended with %v", err)
		}
		if _, _, err := s.rebuild(t.Context(), newTally(1, 1), func(c *projections.RebuildConfig) { c.Check = true }); domain.CodeOf(err) != projections.CodeStopped {
			t.Errorf("comparing with what has stopped: %v", err)
		}
		out, fresh, err := s.rebuild(t.Context(), newTally(2, 10))
		if err != nil || !out.Revived || !out.Switched || out.Compared || out.Position != 40 {
			t.Fatalf("it came to %+v, %v", out, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.runner.Run(ctx) }()
		s.feed.extend(10)
		s.wants(2, 10)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		wantCheckpoint(t, fresh, 50)
	})
}

func TestRebuildTellsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 1000)
		defer s.stop()
		s.wants(1, 1)
		reached, goOn := make(chan struct{}), make(chan struct{})
		next := &tally{projections.NewInMemory("tally", 1, func(*domain.Record) bool { return true }, func(_ *tallied, rec domain.Record) error {
			if rec.Position == 401 {
				close(reached)
				<-goOn
			}
			return nil
		})}
		works, err := projections.NewRebuilds(s.feed, s.group, wallClock{}, cfg, projections.RebuildConfig{Serving: s.runner, Next: next, Store: projections.NewMemStore(), Check: true})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := works[0].Run(t.Context())
			done <- err
		}()
		<-reached
		domaintest.Pass(4 * time.Second) // of the bubble
		if p := works[0].Progress(); p.Phase != projections.PhaseFolding || p.Position != 400 || p.Records != 400 || p.Tail != 1000 || p.Rate != 100 || p.Left != 6*time.Second {
			t.Errorf("it tells %+v", p)
		}
		close(goOn)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// While one that serves lags, each batch of a rebuild waits, but not for ever.
func TestRebuildGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, 4000)
		s.wants(1, 1)
		took := func() time.Duration {
			began := time.Now()
			if _, _, err := s.rebuild(t.Context(), newTally(1, 1)); err != nil {
				t.Fatal(err)
			}
			return time.Since(began)
		}
		if quiet := took(); quiet > time.Second {
			t.Errorf("with nobody in its way it took %v", quiet)
		}
		gate := make(chan struct{})
		slow := &tally{projections.NewInMemory("slow", 1, func(rec *domain.Record) bool { return rec.Position > 4000 }, func(*tallied, domain.Record) error {
			<-gate
			return nil
		})}
		busy, err := projections.NewRunner(slow, s.feed, projections.NewMemStore(), wallClock{}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if s.group, err = projections.NewGroup(busy); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- busy.Run(ctx) }()
		if err := busy.WaitFor(ctx, 4000); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.feed.extend(4000) // which it can't go on to
		batches := 8000 / cfg.Batch
		if late := took(); late < 40*time.Second { // 20 ms for each
			t.Errorf("beside one that lags it took %v for %d batches", late, batches)
		}
		close(gate)
		cancel()
		<-done
		s.stop()
	})
}
