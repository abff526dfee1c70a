package pebblelog_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// upstream is a log elsewhere, in memory.
type upstream struct {
	mu      sync.Mutex
	records [][]byte
	calls   int
	before  func(ctx context.Context) error // asked before a commit
}

func (u *upstream) Commit(ctx context.Context, first domain.Position, records []domain.Sealed) error {
	u.mu.Lock()
	before := u.before
	u.mu.Unlock()
	if before != nil {
		if err := before(ctx); err != nil {
			return err
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if int(first) != len(u.records)+1 {
		return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeWriterLost, Message: "another record stands there"}
	}
	size := 0
	for _, rec := range records {
		u.records = append(u.records, slices.Clone(rec.Bytes))
		size += len(rec.Bytes) + domain.ClusterBytes(rec.Envelope.Type)
	}
	u.calls++
	if size > domain.MaxBatchBytes {
		return errors.New("a call is too large")
	}
	return nil
}

func (u *upstream) Away() error { return errors.New("nobody answers") }

func (u *upstream) when(before func(context.Context) error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.before = before
}

func TestConformanceOverUpstream(t *testing.T) {
	domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
		return subject(pebblelog.Config{Dir: "log", Upstream: &upstream{}, Of: "elsewhere"})(t, clock)
	})
}

// TestCopyIsTheSame: a copy that follows has every byte, answer and index of the log.
func TestCopyIsTheSame(t *testing.T) {
	up, clock := &upstream{}, domaintest.NewClock()
	log := open(t, pebblelog.Config{Dir: "log", FS: vfs.NewMem(), Clock: clock, Upstream: up, Of: "elsewhere"})
	defer log.Close()
	ids := domaintest.NewIDs(clock, 1)
	var last domain.Entry
	for range 50 {
		last = domaintest.NewEntry(ids, "a")
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{last, domaintest.NewEntry(ids, "b")}}); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
	}
	again := open(t, pebblelog.Config{Dir: "copy", FS: vfs.NewMem(), Clock: domaintest.NewClockAt(time.Time{}.AddDate(1990, 0, 0)), Upstream: up, Of: "elsewhere"})
	defer again.Close()
	for first := 1; first <= len(up.records); first += 7 {
		from := max(first-3, 1) // some are brought twice
		if err := again.Follow(t.Context(), domain.Position(from), up.records[from-1:min(first+6, len(up.records))]); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := all(t, again), all(t, log); !slices.EqualFunc(got, want, sameRecord) {
		t.Errorf("the copy has %d records, the log %d, or they differ", len(got), len(want))
	}
	receipt, err := again.Append(t.Context(), domain.Batch{Entries: []domain.Entry{last}})
	if err != nil || !receipt.Duplicate || receipt.Positions[0] != 99 {
		t.Errorf("what was followed, appended again: got %+v, %v", receipt, err)
	}
	if _, err := again.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}}); err != nil {
		t.Errorf("an append after following: %v", err)
	}
}

func all(t *testing.T, log *pebblelog.Log) []domain.Record {
	t.Helper()
	recs, err := log.Select(t.Context(), domain.Selector{}, 1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return recs
}

func sameRecord(a, b domain.Record) bool {
	return a.Position == b.Position && a.RecordedAt == b.RecordedAt && a.Envelope.ID == b.Envelope.ID
}

// TestCopyAfterPowerLoss: a copy isn't synced for each append. What it has lost it reads
// again, without taking it for damage.
func TestCopyAfterPowerLoss(t *testing.T) {
	up, clock, disk := &upstream{}, domaintest.NewClock(), vfs.NewCrashableMem()
	ids, rng := domaintest.NewIDs(clock, 1), rand.New(rand.NewPCG(domaintest.Seed(t), 0)) //nolint:gosec // it is to be repeated
	lost := 0
	if err := open(t, pebblelog.Config{Dir: "log", FS: disk, Clock: clock, Upstream: up, Of: "elsewhere"}).Close(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		// Whoever folded it may know of what it has lost.
		folded := domain.Position(len(up.records))
		before := open(t, pebblelog.Config{Dir: "log", FS: disk, Clock: clock, ReadOnly: true, Known: folded})
		if loss := before.Loss(); loss != nil {
			t.Fatalf("it counts as damaged: %v", loss)
		}
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		log := open(t, pebblelog.Config{Dir: "log", FS: disk, Clock: clock, Upstream: up, Of: "elsewhere", Known: folded})
		tail := int(log.Tail())
		lost += len(up.records) - tail
		if err := log.Follow(t.Context(), domain.Position(tail+1), up.records[tail:]); err != nil {
			t.Fatal(err)
		}
		for range 1 + rng.IntN(20) {
			if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}}); err != nil {
				t.Fatal(err)
			}
		}
		frozen := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		if rec := all(t, log); len(rec) != len(up.records) {
			t.Fatalf("%d records of %d", len(rec), len(up.records))
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		disk = frozen
	}
	if lost == 0 {
		t.Error("nothing was lost, so nothing was tried")
	}
}

// TestCopyIsntRepaired: what a damaged copy lacks isn't lost, so it is made anew.
func TestCopyIsntRepaired(t *testing.T) {
	up, clock, disk := &upstream{}, domaintest.NewClock(), vfs.NewMem()
	log := open(t, pebblelog.Config{Dir: "log", FS: disk, Clock: clock, Upstream: up, Of: "elsewhere"})
	if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(domaintest.NewIDs(clock, 1), "a")}}); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := pebblelog.Repair(t.Context(), pebblelog.RepairConfig{Log: pebblelog.Config{Dir: "log", FS: disk, Clock: clock}, IDs: domaintest.NewIDs(clock, 2)})
	if domain.CodeOf(err) != pebblelog.CodeIsCopy {
		t.Errorf("repaired: %v", err)
	}
}

// TestALogIsNoCopy: a log of this machine isn't made a copy of another, and goes on as it
// was.
func TestALogIsNoCopy(t *testing.T) {
	clock, disk := domaintest.NewClock(), vfs.NewMem()
	ids := domaintest.NewIDs(clock, 1)
	alone := pebblelog.Config{Dir: "log", FS: disk, Clock: clock}
	add := func() {
		t.Helper()
		log := open(t, alone)
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}}); err != nil {
			t.Fatal(err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	add()
	copied := alone
	copied.Upstream, copied.Of = &upstream{}, "elsewhere"
	if _, err := pebblelog.Open(copied); domain.CodeOf(err) != pebblelog.CodeIsNoCopy {
		t.Errorf("opened as a copy: %v", err)
	}
	add()
}

func TestFollowRefuses(t *testing.T) {
	up, clock := &upstream{}, domaintest.NewClock()
	log := open(t, pebblelog.Config{Dir: "log", FS: vfs.NewMem(), Clock: clock, Upstream: up, Of: "elsewhere"})
	defer log.Close()
	ids := domaintest.NewIDs(clock, 1)
	add := func() {
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}}); err != nil {
			t.Fatal(err)
		}
	}
	add()
	add()
	other := open(t, pebblelog.Config{Dir: "other", FS: vfs.NewMem(), Clock: clock, Upstream: &upstream{}, Of: "elsewhere"})
	defer other.Close()
	if err := other.Follow(t.Context(), 2, up.records[1:]); domain.CodeOf(err) != pebblelog.CodeGap {
		t.Errorf("a gap: %v", err)
	}
	if err := other.Follow(t.Context(), 1, up.records[1:]); domain.CodeOf(err) != domain.CodeCorrupt {
		t.Errorf("a record at another's place: %v", err)
	}
	if _, err := other.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}}); err != nil {
		t.Fatal(err)
	}
	if err := other.Follow(t.Context(), 1, up.records); domain.CodeOf(err) != pebblelog.CodeForked {
		t.Errorf("another log: %v", err)
	}
}

// TestRefusedUpstream: what was refused upstream isn't here, and what comes after it is
// judged by what is.
func TestRefusedUpstream(t *testing.T) {
	up, clock := &upstream{}, domaintest.NewClock()
	log := open(t, pebblelog.Config{Dir: "log", FS: vfs.NewMem(), Clock: clock, Upstream: up, Of: "elsewhere"})
	defer log.Close()
	ids := domaintest.NewIDs(clock, 1)
	entry := domaintest.NewEntry(ids, "a")
	entry.Envelope.Keys = []domain.Key{"once"}
	batch := domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: "once"}}}
	refused := &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeWriterLost, Message: "another writes"}
	up.when(func(context.Context) error { return refused })
	if _, err := log.Append(t.Context(), batch); domain.CodeOf(err) != domain.CodeWriterLost {
		t.Errorf("got %v", err)
	}
	up.when(nil)
	receipt, err := log.Append(t.Context(), batch)
	if err != nil || receipt.Duplicate || log.Tail() != 1 {
		t.Errorf("again: %+v, %v, tail %d", receipt, err, log.Tail())
	}
	counts, err := log.Counts(t.Context())
	if err != nil || counts[domain.TypeVersion{Type: entry.Envelope.Type, Version: entry.Envelope.Version}] != 1 {
		t.Errorf("counts %v, %v", counts, err)
	}
}

// TestUpstreamIsAway: nobody waits longer than the patience, reads go on, and what came to
// be known later is there.
func TestUpstreamIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		up, clock := &upstream{}, domaintest.NewClock()
		log := open(t, pebblelog.Config{Dir: "log", FS: vfs.NewMem(), Clock: clock, Upstream: up, Of: "elsewhere", Patience: time.Second})
		ids := domaintest.NewIDs(clock, 1)
		batch := func() domain.Batch { return domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}} }
		first := batch()
		if _, err := log.Append(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		back := make(chan struct{})
		up.when(func(ctx context.Context) error {
			select {
			case <-back:
				return nil
			case <-ctx.Done():
				return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Err: ctx.Err()}
			}
		})
		waiting, began := batch(), time.Now()
		if _, err := log.Append(t.Context(), waiting); domain.CodeOf(err) != domain.CodeOutcomeUnknown || time.Since(began) > 2*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		if _, err := log.Append(t.Context(), batch()); domain.CodeOf(err) != domain.CodeClusterAway || !domain.IsRetriable(err) {
			t.Errorf("while it is away: %v", err)
		}
		if rec, err := log.Find(t.Context(), first.Entries[0].Envelope.ID); err != nil || rec.Position != 1 {
			t.Errorf("a read meanwhile: %+v, %v", rec, err)
		}
		if log.Tail() != 1 {
			t.Errorf("the tail is %d before the commit", log.Tail())
		}
		close(back)
		if _, err := log.Wait(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if receipt, err := log.Append(t.Context(), waiting); err != nil || !receipt.Duplicate || receipt.Positions[0] != 2 {
			t.Errorf("once it is back: %+v, %v", receipt, err)
		}
		up.when(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		ended := make(chan error)
		go func() { _, err := log.Append(context.Background(), batch()); ended <- err }()
		synctest.Wait()
		if err := log.Close(); err != nil {
			t.Errorf("closing while it is away: %v", err)
		}
		if err := <-ended; err == nil {
			t.Error("what waited when the log was closed was taken for appended")
		}
	})
}

// TestManyShareACommit: a crowd doesn't cost a call each, and no call is too large.
func TestManyShareACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		up, clock := &upstream{}, domaintest.NewClock()
		log := open(t, pebblelog.Config{Dir: "log", FS: vfs.NewMem(), Clock: clock, Upstream: up, Of: "elsewhere"})
		defer log.Close()
		ids := domaintest.NewIDs(clock, 1)
		gate := make(chan struct{})
		up.when(func(context.Context) error { <-gate; return nil })
		const crowd, kib = 400, 10
		var appending sync.WaitGroup
		for range crowd {
			e := domaintest.NewEntry(ids, "a")
			e.Envelope.Payload = domain.JSONPayload(slices.Concat([]byte(`"`), bytes.Repeat([]byte("x"), kib<<10), []byte(`"`)))
			appending.Go(func() {
				if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(gate)
		appending.Wait()
		if most := crowd*kib/1024 + 3; up.calls > most {
			t.Errorf("%d appends took %d calls, want %d at most", crowd, up.calls, most)
		}
	})
}
