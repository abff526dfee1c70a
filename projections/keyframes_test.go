package projections_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/projectionstest"
)

func diaries() []projections.Projection {
	return []projections.Projection{&diary{folded: new(int)}}
}

// newKeyframes are those of diaries through a log's end.
func newKeyframes(t testing.TB, feed projections.Feed, store projections.Store) *projections.Keyframes {
	t.Helper()
	kept := projections.OpenKeyframes(store, projections.KeyframesConfig{Feed: projectionstest.UntilEnd{Feed: feed}, Anew: diaries})
	makeAll(t, kept)
	return kept
}

// makeAll makes keyframes through the log's end, or until they are as large as they may be.
func makeAll(t interface{ Fatal(...any) }, kept *projections.Keyframes) {
	if err := kept.Run(context.Background()); err != nil && domain.CodeOf(err) != projections.CodeKeyframesFull {
		t.Fatal(err)
	}
}

// at asks for a position with these keyframes, and returns how many records it took.
func at(t *testing.T, feed projections.Feed, kept *projections.Keyframes, pos domain.Position) int {
	t.Helper()
	past, folded := newPast(feed, kept)
	then, err := past.At(t.Context(), pos)
	if err != nil {
		t.Fatal(err)
	}
	then.check(t, pos)
	return *folded
}

// ledger is a projection that sets and deletes keys with all sorts of bytes.
type ledger struct {
	store projections.Snapshot
	dirty map[string]string // "" is deleted
}

var ledgerKeys = []string{"a", "a\x00", "a\x00\x00", "a\x00\x01", "a\x00\xff", "a\x01", "ab", "b", "\x01", "\xff", "\xff\xff", "c\x00d"}

func (l *ledger) Name() string { return "ledger" }
func (l *ledger) Version() int { return 1 }

func (l *ledger) Load(s projections.Snapshot) error {
	l.store, l.dirty = s, map[string]string{}
	return nil
}

func (l *ledger) Apply(rec domain.Record) error {
	ledgerEntry(l.dirty, rec.Position)
	return nil
}

// ledgerEntry is what a record does.
func ledgerEntry(to map[string]string, pos domain.Position) {
	n := uint64(pos) * 0x9e3779b97f4a7c15 >> 20
	key := ledgerKeys[n%uint64(len(ledgerKeys))]
	to[key] = fmt.Sprint(pos)
	if n>>8%4 == 0 {
		to[key] = ""
	}
}

func (l *ledger) Save(b projections.Batch) error {
	for key, value := range l.dirty {
		if value == "" {
			if err := b.Delete([]byte(key)); err != nil {
				return err
			}
		} else if err := b.Set([]byte(key), []byte(value)); err != nil {
			return err
		}
	}
	return nil
}

func (l *ledger) Saved() { l.dirty = map[string]string{} }

// A keyframe's snapshot has what the store of a projection had there: the same keys in the
// same order, however the others were thinned out.
func TestKeyframesAreSnapshots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feed := newTape(rapid.IntRange(1, 600).Draw(t, "records"))
		kept := projections.OpenKeyframes(projections.NewMemStore(), projections.KeyframesConfig{
			Feed: projectionstest.UntilEnd{Feed: feed}, Anew: func() []projections.Projection { return []projections.Projection{&ledger{}} },
			Spacing: domain.Position(rapid.IntRange(1, 40).Draw(t, "spacing")), Bytes: int64(rapid.IntRange(2000, 20_000).Draw(t, "bytes")),
		})
		makeAll(t, kept)
		l := &ledger{}
		pos, err := kept.Load(t.Context(), domain.Position(rapid.Uint64Range(0, uint64(feed.Tail())).Draw(t, "at")), l)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for p := domain.Position(1); p <= pos; p++ {
			ledgerEntry(want, p)
		}
		maps.DeleteFunc(want, func(_, value string) bool { return value == "" })
		bound := rapid.SampledFrom(append(ledgerKeys, "", "zz", "a\x00\x02"))
		low, high := bound.Draw(t, "low"), bound.Draw(t, "high")
		compareRange(t, l.store, want, low, high, rapid.Bool().Draw(t, "reverse"), rapid.IntRange(1, 20).Draw(t, "most"))
		for _, key := range ledgerKeys {
			value, found, err := l.store.Get([]byte(key))
			if err != nil || found != (want[key] != "") || string(value) != want[key] {
				t.Fatalf("at %d key %q is %q, %t, %v; want %q", pos, key, value, found, err, want[key])
			}
		}
	})
}

func compareRange(t *rapid.T, s projections.Snapshot, want map[string]string, low, high string, reverse bool, most int) {
	end := []byte(high)
	if high == "" {
		end = nil
	}
	var keys, got []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if key >= low && (high == "" || key < high) {
			keys = append(keys, key+"="+want[key])
		}
	}
	if reverse {
		slices.Reverse(keys)
	}
	keys = keys[:min(most, len(keys))]
	if err := s.Range([]byte(low), end, reverse, func(key, value []byte) bool {
		got = append(got, string(key)+"="+string(bytes.Clone(value)))
		return len(got) < most
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, keys) {
		t.Fatalf("from %q to %q reverse %t it has %q, want %q", low, high, reverse, got, keys)
	}
}

// Keyframes of other projections, of another log or of a longer one are not used, and
// are made anew.
func TestKeyframesOfOthers(t *testing.T) {
	store := projections.NewMemStore()
	feed := newTape(20_000)
	newKeyframes(t, feed, store)
	for name, open := range map[string]func() (*tape, projections.KeyframesConfig){
		"one more projection": func() (*tape, projections.KeyframesConfig) {
			return feed, projections.KeyframesConfig{Feed: projectionstest.UntilEnd{Feed: feed}, Anew: func() []projections.Projection { return append(diaries(), &ledger{}) }}
		},
		"a shorter log": func() (*tape, projections.KeyframesConfig) {
			shorter := newTape(16_000)
			return shorter, projections.KeyframesConfig{Feed: projectionstest.UntilEnd{Feed: shorter}, Anew: diaries}
		},
		"another log": func() (*tape, projections.KeyframesConfig) {
			other := newTape(20_000)
			for i := range other.recs {
				other.recs[i].Envelope.ID[0] = 9
			}
			return other, projections.KeyframesConfig{Feed: projectionstest.UntilEnd{Feed: other}, Anew: diaries}
		},
	} {
		t.Run(name, func(t *testing.T) {
			view, err := store.View()
			if err != nil {
				t.Fatal(err)
			}
			copied := projections.NewOverlay(view.(*projections.Overlay))
			log, cfg := open()
			kept := projections.OpenKeyframes(copied, cfg)
			tail := int(log.Tail())
			if took := at(t, log, kept, log.Tail()); took != tail && name != "a shorter log" {
				t.Errorf("it took %d records, so what others made was used", took)
			}
			makeAll(t, kept)
			if took := at(t, log, kept, log.Tail()); took > 8192 {
				t.Errorf("made anew, it took %d records", took)
			}
		})
	}
}

// rotten is a store that is damaged from some read on.
type rotten struct {
	projections.Store
	sound int // reads, until it is
}

func (r *rotten) Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	if r.sound--; r.sound < 0 {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "rotten"}
	}
	return r.Store.Range(low, high, reverse, fn)
}

func (r *rotten) Reset() error {
	r.sound = 1 << 40
	return r.Store.Reset()
}

// Damage costs time: the answer is folded from the beginning, queries to what was kept
// fail, and then keyframes are made anew.
func TestKeyframesDamaged(t *testing.T) {
	feed := newTape(20_000)
	for sound := range 4 {
		bad := &rotten{projections.NewMemStore(), 1 << 40}
		kept := newKeyframes(t, feed, bad)
		past, folded := newPast(feed, kept)
		earlier, err := past.At(t.Context(), 20_000)
		if err != nil {
			t.Fatal(err)
		}
		bad.sound = sound
		var failure error
		for range sound + 1 {
			if _, _, err := earlier.store.Get(diaryKey(1)); err != nil {
				failure = err
			}
		}
		if failure == nil {
			t.Fatal("reading what is damaged gives no error")
		}
		*folded = 0
		then, err := past.At(t.Context(), 20_000)
		if err != nil {
			t.Fatal(err)
		}
		then.check(t, 20_000)
		if *folded != 20_000 {
			t.Errorf("it took %d records, so what is damaged was used", *folded)
		}
		makeAll(t, kept)
		if _, _, err := earlier.store.Get(diaryKey(1)); err == nil {
			t.Error("what was lost is read on")
		}
		if took := at(t, feed, kept, 20_000); took > 8192 {
			t.Errorf("made anew, it took %d records", took)
		}
	}
}

// Run keeps up with the log, tries again when the disk refuses, and ends with its context.
func TestKeyframesFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed, store := newTape(0), &stubborn{Store: projections.NewMemStore()}
		kept := projections.OpenKeyframes(store, projections.KeyframesConfig{Feed: feed, Anew: diaries, Spacing: 100})
		ctx, end := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- kept.Run(ctx) }()
		synctest.Wait()
		feed.extend(250)
		synctest.Wait()
		if newest := kept.Newest(); newest != 200 {
			t.Errorf("the newest keyframe is at %d, want 200", newest)
		}
		store.set(&domain.Error{Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Message: "full"})
		feed.extend(100)
		synctest.Wait()
		if newest := kept.Newest(); newest != 200 {
			t.Errorf("the newest keyframe is at %d, and the disk refused it", newest)
		}
		store.set(nil)
		domaintest.Pass(11 * time.Second)
		synctest.Wait()
		if newest := kept.Newest(); newest != 300 {
			t.Errorf("the newest keyframe is at %d, want 300", newest)
		}
		end()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// What can't be folded ends Run, and no look back before it.
func TestKeyframesStop(t *testing.T) {
	feed := newTape(300)
	unreadable := errors.New("unreadable")
	kept := projections.OpenKeyframes(projections.NewMemStore(), projections.KeyframesConfig{Feed: projectionstest.UntilEnd{Feed: feed}, Anew: diaries, Spacing: 100})
	feed.spoil(func(pos domain.Position) error {
		if pos > 250 {
			return unreadable
		}
		return nil
	})
	if err := kept.Run(t.Context()); !errors.Is(err, unreadable) {
		t.Errorf("Run returned %v", err)
	}
	if took := at(t, feed, kept, 249); took != 49 {
		t.Errorf("it took %d records", took)
	}
}

// Keyframes from before records went aren't used: neither by who has them open, nor by who opens them.
func TestKeyframesForgetWhatWent(t *testing.T) {
	feed := newTape(20_000)
	store := projections.NewMemStore()
	kept := newKeyframes(t, feed, store)
	if kept.Newest() == 0 {
		t.Fatal("no keyframes are made")
	}
	again := projections.OpenKeyframes(store, projections.KeyframesConfig{Feed: feed, Anew: diaries, Retired: 7})
	if pos := again.Newest(); pos != 0 {
		t.Errorf("what went at 7 is in the keyframe of %d", pos)
	}
	kept.Forget(0) // nothing went
	if kept.Newest() == 0 {
		t.Error("they are forgotten though nothing went")
	}
	kept.Forget(7)
	if pos := kept.Newest(); pos != 0 {
		t.Errorf("what went at 7 is in the keyframe of %d", pos)
	}
}
