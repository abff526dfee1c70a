package pebblestore_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/traces"
)

// flipsPerFile is how many bytes of each file are damaged, one at a time, spread
// over all of it.
const flipsPerFile = 24

// TestNoFlippedByteGivesAWrongState damages what is stored, one byte at a time.
// Whatever Chalie then says is right: what it reads at the start is folded again,
// and damage that shows itself later is an error, until the next start.
func TestNoFlippedByteGivesAWrongState(t *testing.T) {
	log, now := heard(t, 150)
	sound := vfs.NewMem()
	w, _, end := foldTo(t, log, sound, func() {})
	end()
	wantWorld, wantPos := mindAt(w, now)
	_, anew, endAnew := foldTo(t, log, vfs.NewMem(), func() {})
	defer endAnew()
	want, err := anew.List(0, 10_000)
	if err != nil || len(want) == 0 {
		t.Fatalf("%d traces, %v", len(want), err)
	}

	flips, healed, told := 0, 0, 0
	for _, store := range []pebbleFolder{{"world", w.Version()}, {"traces", anew.Version()}} {
		dir := "d/" + pebblestore.Folder(store.name, store.version)
		files, err := sound.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			path := dir + "/" + file
			size := sizeOf(t, sound, path)
			for at := int64(0); at < size; at += max(1, size/flipsPerFile) {
				flips++
				disk := vfs.NewMem()
				if _, err := vfs.Clone(sound, disk, "d", "d"); err != nil {
					t.Fatal(err)
				}
				flipByte(t, disk, path, at)
				where := fmt.Sprintf("byte %d of %s", at, path)
				for start := range 2 {
					got, gotPos, lines, failure := refold(t, log, disk, now)
					if gotPos != wantPos || !reflect.DeepEqual(got, wantWorld) {
						t.Fatalf("%s: the world is folded through %d, and is another one", where, gotPos)
					}
					switch {
					case failure != nil && start == 0:
						told++
						continue // it was said; the next start has folded it again
					case failure != nil:
						t.Fatalf("%s: after another start: %v", where, failure)
					case !reflect.DeepEqual(lines, want):
						t.Fatalf("%s: the traces are others, and nobody says so", where)
					}
					healed++
					break
				}
			}
		}
	}
	t.Logf("%d flips: %d right at once or after another start, %d of them told first", flips, healed, told)
	if flips < 100 || healed != flips {
		t.Errorf("%d flips, %d right in the end", flips, healed)
	}
}

type pebbleFolder struct {
	name    string
	version int
}

// heard is a log of signals, one a second, and the moment after.
func heard(t *testing.T, n int) (domain.Log, domain.Millis) {
	t.Helper()
	clock := domaintest.NewClock()
	ids, log := domaintest.NewIDs(clock, 1), memlog.New(clock)
	for range n {
		clock.Advance(1e9)
		entry, err := domain.New(domain.Begin(ids.NewTrace(), "sky"), ids.NewID(), domain.MillisOf(clock.Now()), "http",
			domain.SignalReceived{SignalType: "tick", Content: "x", ActivationEnergy: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
	}
	return log, domain.MillisOf(clock.Now())
}

// refold starts both folds on what is stored, and asks them everything. failure
// is what one of them says is wrong.
func refold(t *testing.T, log domain.Log, disk vfs.FS, now domain.Millis) (_ domain.Assembly, _ domain.Position, lines []traces.Line, failure error) {
	t.Helper()
	w, tr := small.World(), traces.New()
	var stores []*pebblestore.Store
	var runners []*projections.Runner
	for _, p := range []projections.Projection{w, tr} {
		s, _, err := pebblestore.Recover(p.Name(), p.Version(), pebblestore.Config{Dir: "d", FS: disk})
		if err != nil {
			t.Fatal(err)
		}
		r, err := projections.NewRunner(p, log, s, wallClock{}, projections.Config{})
		if err != nil {
			t.Fatal(err)
		}
		stores, runners = append(stores, s), append(runners, r)
	}
	group, err := projections.NewGroup(runners...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- group.Run(ctx) }()
	if err := runners[0].WaitFor(ctx, log.Tail()); err != nil {
		t.Fatalf("the world: %v", err)
	}
	if failure = runners[1].WaitFor(ctx, log.Tail()); failure == nil {
		lines, failure = tr.List(0, 10_000)
	}
	got, pos := mindAt(w, now)
	cancel()
	if err := <-done; failure == nil {
		failure = err
	}
	for _, s := range stores {
		if err := s.Close(); failure == nil {
			failure = err
		}
	}
	return got, pos, lines, failure
}

func sizeOf(t *testing.T, fs vfs.FS, path string) int64 {
	t.Helper()
	info, err := fs.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func flipByte(t *testing.T, fs vfs.FS, path string, at int64) {
	t.Helper()
	f, err := fs.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{text[at] ^ 0x55}, at); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
