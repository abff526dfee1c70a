package pebblestore_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/pebblestore"
	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/traces"
)

// foldTo runs world and traces over their stores to the log's tail. cut is
// called there, before anything is saved on the way out.
func foldTo(t *testing.T, log domain.Log, fs vfs.FS, cut func()) (*projections.InMemory[domain.World], *traces.Projection, func()) {
	t.Helper()
	w, tr := small.World(), traces.New()
	var runners []*projections.Runner
	var stores []*pebblestore.Store
	for _, p := range []projections.Projection{w, tr} {
		s, _, err := pebblestore.Recover(p.Name(), p.Version(), pebblestore.Config{Dir: "d", FS: fs, FlushEvery: 40})
		if err != nil {
			t.Fatal(err)
		}
		r, err := projections.NewRunner(p, log, s, wallClock{}, projections.Config{Batch: 8, SaveEvery: 16})
		if err != nil {
			t.Fatal(err)
		}
		runners, stores = append(runners, r), append(stores, s)
	}
	g, err := projections.NewGroup(runners...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx) }()
	if err := g.WaitFor(ctx, log.Tail()); err != nil {
		t.Fatal(err)
	}
	cut()
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return w, tr, func() {
		for _, s := range stores {
			closeStore(t, s)
		}
	}
}

// mindAt is what is in mind at a moment, and the position it was folded through.
func mindAt(w *projections.InMemory[domain.World], now domain.Millis) (domain.Assembly, domain.Position) {
	state := commands.Copy(w)
	return state.Assemble(nil, now), state.Through
}

// TestFoldsGoOnAfterPowerLoss cuts the power again and again: every fold is then
// what a fold of the whole log from nothing is.
func TestFoldsGoOnAfterPowerLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	clock := domaintest.NewClock()
	ids, log := domaintest.NewIDs(clock, 1), memlog.New(clock)
	disk := vfs.NewCrashableMem()
	var lineages []domain.Lineage
	for range 12 {
		for range rng.IntN(120) {
			clock.Advance(1e9)
			lin := domain.Begin(ids.NewTrace(), "sky")
			if len(lineages) > 0 && rng.IntN(3) == 0 {
				lin = lineages[rng.IntN(len(lineages))] // an older trace goes on
			}
			lineages = append(lineages, lin)
			entry, err := domain.New(lin, ids.NewID(), domain.MillisOf(clock.Now()), "http",
				domain.SignalReceived{SignalType: "tick", Content: "x", ActivationEnergy: rng.Float64()})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
				t.Fatal(err)
			}
		}
		var after *vfs.MemFS
		cut := func() { after = disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50 * rng.IntN(2), RNG: rng}) }
		w, tr, end := foldTo(t, log, disk, cut)
		anewWorld, anewTraces, anewEnd := foldTo(t, log, vfs.NewMem(), func() {})
		now := domain.MillisOf(clock.Now())
		gotWorld, gotPos := mindAt(w, now)
		wantWorld, wantPos := mindAt(anewWorld, now)
		if gotPos != wantPos || !reflect.DeepEqual(gotWorld, wantWorld) {
			t.Fatalf("at %d the world differs from one folded from nothing", log.Tail())
		}
		got, err := tr.List(0, 10_000)
		want, wantErr := anewTraces.List(0, 10_000)
		if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("at %d the traces differ from those folded from nothing: %v, %v", log.Tail(), err, wantErr)
		}
		end()
		anewEnd()
		disk = after
	}
}
