package pebblestore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

func version(version, generation int) rebuild.StoreVersion {
	return rebuild.StoreVersion{Version: version, Generation: generation}
}

// in is cfg for another generation.
func in(cfg pebblestore.Config, generation int) pebblestore.Config {
	cfg.Generation = generation
	return cfg
}

func TestGenerationsAreStoresOfTheirOwn(t *testing.T) {
	cfg := pebblestore.Config{Dir: "d", FS: vfs.NewMem()}
	for _, e := range []rebuild.StoreVersion{version(2, 1), version(10, 0), version(2, 0)} {
		s, err := pebblestore.Open("fold", e.Version, in(cfg, e.Generation))
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, 1, "k", e.String())
		closeStore(t, s)
	}
	for _, other := range []string{"d/fold-x", "d/fold", "d/folder-1", "d/fold-1.g0", "d/fold-01", "d/un-fold-1"} {
		if err := cfg.FS.MkdirAll(other, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	all, err := pebblestore.Versions("fold", cfg)
	if want := []rebuild.StoreVersion{version(2, 0), version(2, 1), version(10, 0)}; err != nil || !slices.Equal(all, want) {
		t.Fatalf("there are %v, %v, want %v", all, err, want)
	}
	for _, e := range all {
		s, err := pebblestore.Open("fold", e.Version, in(cfg, e.Generation))
		if err != nil {
			t.Fatal(err)
		}
		wantValue(t, s, 1, "k", e.String())
		if err := pebblestore.Remove("fold", e, cfg); domain.CodeOf(err) != pebblestore.CodeInUse {
			t.Errorf("what is open was deleted: %v", err)
		}
		closeStore(t, s)
	}
	swept, err := pebblestore.Sweep("fold", rebuild.Active{Store: version(2, 0)}, 9, cfg)
	if err != nil || !slices.Equal(swept, []rebuild.StoreVersion{version(2, 1)}) {
		t.Errorf("swept %v, %v: it should leave what serves and what is of a newer program", swept, err)
	}
	if none, err := pebblestore.Versions("fold", pebblestore.Config{Dir: "nowhere", FS: cfg.FS}); err != nil || none != nil {
		t.Errorf("where there is nothing: %v, %v", none, err)
	}
}

func TestServingIsRead(t *testing.T) {
	cfg := pebblestore.Config{Dir: "d", FS: vfs.NewMem()}
	if _, said, err := pebblestore.ReadActive("fold", cfg); said || err != nil {
		t.Errorf("before anything was said: %v, %v", said, err)
	}
	previous := version(1, 3)
	want := rebuild.Active{Store: version(2, 0), Previous: &previous, Pinned: true}
	if err := pebblestore.WriteActive("fold", want, cfg); err != nil {
		t.Fatal(err)
	}
	got, said, err := pebblestore.ReadActive("fold", cfg)
	if err != nil || !said || got.Store != want.Store || got.Previous == nil || *got.Previous != previous || !got.Pinned {
		t.Errorf("read %+v, %v, %v", got, said, err)
	}
	for _, text := range []string{"", "{", `{"serving":{"version":0}}`, `{"serving":{"version":1,"generation":-1}}`, `[]`} {
		file, err := cfg.FS.Create("d/fold.serving", vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if _, said, err := pebblestore.ReadActive("fold", cfg); said || domain.CodeOf(err) != domain.CodeCorrupt {
			t.Errorf("%q is read as %v, %v", text, said, err)
		}
	}
}

// TestServingOutlivesPowerLoss cuts the power while what serves changes: what was
// said last holds, or what was about to be said.
func TestServingOutlivesPowerLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 23))
	disk := vfs.NewCrashableMem()
	cfg := pebblestore.Config{Dir: "d", FS: disk}
	if err := disk.MkdirAll("d", 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := disk.OpenDir("")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(root.Sync(), root.Close()); err != nil {
		t.Fatal(err)
	}
	for generation := range 40 {
		s, err := pebblestore.Open("fold", 1, in(cfg, generation))
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, domain.Position(generation+1), "k", fmt.Sprint(generation))
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := pebblestore.WriteActive("fold", rebuild.Active{Store: version(1, generation)}, cfg); err != nil {
			t.Fatal(err)
		}
		after := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(2) * 50, RNG: rng})
		closeStore(t, s)
		lost := pebblestore.Config{Dir: "d", FS: after}
		now, said, err := pebblestore.ReadActive("fold", lost)
		if err != nil || !said || now.Store.Generation != generation {
			t.Fatalf("after the power was cut %+v serves, %v, %v; want generation %d", now, said, err, generation)
		}
		again, err := pebblestore.Open("fold", 1, in(lost, generation))
		if err != nil {
			t.Fatal(err)
		}
		wantValue(t, again, domain.Position(generation+1), "k", fmt.Sprint(generation))
		closeStore(t, again)
		if generation > 0 {
			if err := pebblestore.Remove("fold", version(1, generation-1), cfg); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What can't be written leaves what was said before.
func TestServingOnADiskThatRefuses(t *testing.T) {
	mem := vfs.NewMem()
	for _, kind := range []errorfs.OpKind{errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileSync, errorfs.OpRename} {
		broken := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind == kind {
				return syscall.ENOSPC
			}
			return nil
		})}
		cfg := pebblestore.Config{Dir: "d", FS: errorfs.Wrap(mem, broken)}
		if err := pebblestore.WriteActive("fold", rebuild.Active{Store: version(1, 0)}, cfg); err != nil {
			t.Fatal(err)
		}
		broken.On()
		if err := pebblestore.WriteActive("fold", rebuild.Active{Store: version(2, 0)}, cfg); domain.CodeOf(err) != domain.CodeDiskFailed {
			t.Errorf("%v: %v", kind, err)
		}
		broken.Off()
		if now, said, err := pebblestore.ReadActive("fold", cfg); !said || err != nil || now.Store != version(1, 0) {
			t.Errorf("%v: then %+v serves, %v, %v", kind, now, said, err)
		}
		if files, err := mem.List("d"); err != nil || len(files) != 1 {
			t.Errorf("%v: it leaves %q, %v", kind, files, err)
		}
	}
}

func TestViewShowsOneMoment(t *testing.T) {
	cfg := pebblestore.Config{Dir: "d", FS: vfs.NewMem()}
	s, err := pebblestore.Open("fold", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range []projections.Durable{s, projections.NewMemStore()} {
		put := func(pos domain.Position, key, value string) {
			if err := store.Update(pos, func(b projections.Batch) error { return b.Set([]byte(key), []byte(value)) }); err != nil {
				t.Fatal(err)
			}
		}
		put(1, "a", "1")
		v, err := store.View()
		if err != nil {
			t.Fatal(err)
		}
		put(2, "a", "2")
		put(3, "b", "2")
		if err := store.Reset(); err != nil {
			t.Fatal(err)
		}
		if pos, err := v.Checkpoint(); pos != 1 || err != nil {
			t.Errorf("its checkpoint is %d, %v", pos, err)
		}
		var seen []string
		see := func(key, value []byte) bool {
			seen = append(seen, string(key)+"="+string(value))
			return true
		}
		if err := v.Range(nil, nil, false, see); err != nil {
			t.Fatal(err)
		}
		if err := v.Scan([]byte("a"), true, see); err != nil {
			t.Fatal(err)
		}
		value, found, err := v.Get([]byte("a"))
		if !slices.Equal(seen, []string{"a=1", "a=1"}) || string(value) != "1" || !found || err != nil {
			t.Errorf("it shows %q, and %q, %v, %v", seen, value, found, err)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		if err := v.Close(); err == nil {
			t.Error("it can be closed twice")
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		if _, err := store.View(); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("a view of a closed store: %v", err)
		}
		if err := store.Flush(); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("flushing a closed store: %v", err)
		}
	}
}
