package projections_test

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/projectionstest"
)

// diary is a projection that keeps what it has saved on its store only, as a
// growing one does: one key for each record, and one for their sum.
type diary struct {
	store  projections.Snapshot
	dirty  map[domain.Position]uint64
	sum    uint64
	folded *int // records applied by any
}

func (d *diary) Name() string { return "diary" }
func (d *diary) Version() int { return 1 }

func (d *diary) Load(s projections.Snapshot) error {
	value, found, err := s.Get([]byte("sum"))
	d.store, d.dirty, d.sum = s, map[domain.Position]uint64{}, 0
	if found {
		d.sum = binary.BigEndian.Uint64(value)
	}
	return err
}

func (d *diary) Apply(rec domain.Record) error {
	*d.folded++
	d.sum += uint64(rec.Position)
	d.dirty[rec.Position] = d.sum
	return nil
}

func (d *diary) Save(b projections.Batch) error {
	for pos, sum := range d.dirty {
		if err := b.Set(diaryKey(pos), binary.BigEndian.AppendUint64(nil, sum)); err != nil {
			return err
		}
	}
	return b.Set([]byte("sum"), binary.BigEndian.AppendUint64(nil, d.sum))
}

func (d *diary) Saved() { d.dirty = map[domain.Position]uint64{} }

func diaryKey(pos domain.Position) []byte {
	return binary.BigEndian.AppendUint64([]byte("day"), uint64(pos))
}

// check holds a diary to what it must hold at a position, entries that it would
// have after that included: none.
func (d *diary) check(t interface{ Errorf(string, ...any) }, at domain.Position) {
	if want := uint64(at * (at + 1) / 2); d.sum != want {
		t.Errorf("at %d the sum is %d, want %d", at, d.sum, want)
	}
	for _, pos := range []domain.Position{1, at / 2, at, at + 1} {
		stored, found, err := d.store.Get(diaryKey(pos))
		if err != nil {
			t.Errorf("%v", err)
		}
		sum, kept := d.dirty[pos]
		if found {
			sum = binary.BigEndian.Uint64(stored)
		}
		if known := found || kept; known != (pos >= 1 && pos <= at) || known && sum != uint64(pos*(pos+1)/2) {
			t.Errorf("at %d the entry of %d is %d, %t", at, pos, sum, known)
		}
	}
}

func newPast(feed projections.Feed, kept *projections.Keyframes) (past *projections.Past[*diary], folded *int) {
	folded = new(int)
	return projections.NewPast(feed, kept, func() (*diary, []projections.Projection) {
		d := &diary{folded: folded}
		return d, []projections.Projection{d}
	}), folded
}

// As of P is what a program had that stopped at P, in whatever order it is asked,
// wherever there are keyframes, however they were thinned out, and while the log grows.
func TestPastIsWhatWasThen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feed, store := newTape(rapid.IntRange(0, 4_000).Draw(t, "records")), projections.NewMemStore()
		cfg := projections.KeyframesConfig{
			Feed: projectionstest.UntilEnd{Feed: feed}, Anew: diaries,
			Spacing: domain.Position(rapid.IntRange(1, 1500).Draw(t, "spacing")), SpacingBytes: rapid.IntRange(1, 1<<20).Draw(t, "spacing bytes"),
			Bytes: int64(rapid.IntRange(100_000, 1<<20).Draw(t, "bytes")),
		}
		kept := projections.OpenKeyframes(store, cfg)
		past, _ := newPast(feed, kept)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				feed.extend(rapid.IntRange(1, 2000).Draw(t, "more"))
			case 1:
				makeAll(t, kept)
			case 2:
				kept = projections.OpenKeyframes(store, cfg)
				past, _ = newPast(feed, kept)
			default:
				at := domain.Position(rapid.Uint64Range(0, uint64(feed.Tail())).Draw(t, "at"))
				then, err := past.At(context.Background(), at)
				if err != nil {
					t.Fatal(err)
				}
				then.check(t, at)
			}
		}
	})
}

// An answer takes the distance to a keyframe, or is known.
func TestPastKeepsAnswers(t *testing.T) {
	feed := newTape(100_000)
	kept := newKeyframes(t, feed, projections.NewMemStore())
	past, folded := newPast(feed, kept)
	for _, ask := range []struct {
		at   domain.Position
		most int
	}{{90_000, 8192}, {89_999, 8192}, {89_999, 0}, {90_000, 0}, {1, 1}, {50_000, 8192}, {100_000, 8192}} {
		before := *folded
		then, err := past.At(t.Context(), ask.at)
		if err != nil {
			t.Fatal(err)
		}
		then.check(t, ask.at)
		if took := *folded - before; took > ask.most {
			t.Errorf("%d took %d records, at most %d should be needed", ask.at, took, ask.most)
		}
	}
}

func TestPastFails(t *testing.T) {
	feed := newTape(20)
	past, _ := newPast(feed, nil)
	if _, err := past.At(t.Context(), 21); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("the future: %v", err)
	}
	broken := errors.New("the disk is gone")
	feed.spoil(func(domain.Position) error { return broken })
	if _, err := past.At(t.Context(), 20); !errors.Is(err, broken) {
		t.Errorf("a log that can't be read: %v", err)
	}
	feed.spoil(nil)
	then, err := past.At(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	then.check(t, 20)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := past.At(ended, 19); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestPastForManyAtOnce(t *testing.T) {
	feed := newTape(30_000)
	past, _ := newPast(feed, nil)
	var asking sync.WaitGroup
	for i := range 20 {
		asking.Go(func() {
			at := domain.Position(1 + i*1500)
			then, err := past.At(t.Context(), at)
			if err != nil {
				t.Error(err)
				return
			}
			then.check(t, at)
		})
	}
	asking.Wait()
}

func TestPastLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := newTape(20_000)
		past, folded := newPast(feed, nil)
		ask := func() int {
			before := *folded
			if _, err := past.At(t.Context(), 20_000); err != nil {
				t.Fatal(err)
			}
			return *folded - before
		}
		ask()
		domaintest.Pass(9 * time.Minute)
		if took := ask(); took != 0 {
			t.Errorf("after nine minutes it folds %d records", took)
		}
		domaintest.Pass(11 * time.Minute)
		synctest.Wait()
		if took := ask(); took != 20_000 {
			t.Errorf("after eleven minutes it folds %d records", took)
		}
		domaintest.Pass(11 * time.Minute)
		synctest.Wait()
	})
}
