package pebblelog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// copied makes a copy of a log elsewhere, whose records are in tables and in the
// write-ahead log, and returns what its folder holds.
func copied(t *testing.T, up *upstream) image {
	t.Helper()
	dir, clock := t.TempDir(), domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	for range 2 { // each opening moves what was written before to a table
		log := open(t, ofCopy(dir, up))
		for range 300 {
			appendOne(t, log, domaintest.NewEntry(ids, "a"))
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return image{files: imaged(t, dir)}
}

func ofCopy(dir string, up *upstream) pebblelog.Config {
	return pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), Upstream: up, Of: "elsewhere"}
}

// A copy that misses a file, or has a flipped byte anywhere, isn't refused. It has every
// record that is elsewhere once it has followed, and what was damaged is kept beside it.
func TestDamagedCopyIsMadeAnew(t *testing.T) {
	up := &upstream{}
	whole := copied(t, up)
	anew := map[string]int{}
	try := func(how string, damage func(dir string)) {
		t.Helper()
		data := t.TempDir()
		dir := filepath.Join(data, "log")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		whole.writeTo(t, dir)
		damage(dir)
		if _, err := pebblelog.Repair(t.Context(), pebblelog.RepairConfig{Log: pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), Of: "elsewhere"}}); domain.CodeOf(err) != pebblelog.CodeIsCopy {
			t.Errorf("%s: repaired: %v", how, err)
		}
		cfg := ofCopy(dir, up)
		cfg.Known = domain.Position(len(up.records)) // a fold knows of all
		for opened := 1; ; opened++ {
			log, err := pebblelog.Open(cfg)
			if err != nil {
				t.Errorf("%s: %v", how, err)
				return
			}
			if tail := int(log.Tail()); tail < len(up.records) {
				if err := log.Follow(t.Context(), domain.Position(tail+1), up.records[tail:]); err != nil {
					t.Errorf("%s: from %d: %v", how, tail, err)
				}
			}
			recs, err := log.Select(t.Context(), domain.Selector{}, 1, 1000)
			if cerr := log.Close(); cerr != nil && err == nil {
				t.Errorf("%s: closing: %v", how, cerr)
			}
			if err == nil {
				if len(recs) != len(up.records) {
					t.Errorf("%s: it has %d records of %d", how, len(recs), len(up.records))
				}
				break
			}
			if cfg.Damage = log.Damage(); cfg.Damage == nil || opened > 1 {
				t.Errorf("%s: opened %d times, it says nothing of damage: %v", how, opened, err)
				return
			}
		}
		if aside, err := filepath.Glob(filepath.Join(data, "damaged-*", "log")); err != nil || len(aside) > 1 {
			t.Errorf("%s: beside it are %q, %v", how, aside, err)
		} else if len(aside) == 1 {
			anew[strings.Fields(how)[0]]++
		}
	}
	for name, text := range whole.files {
		kind := kindOf(name)
		try("no-"+kind+" "+name, func(dir string) { remove(t, filepath.Join(dir, name)) })
		for _, at := range []float64{0, 0.3, 0.6, 0.999} {
			if len(text) == 0 {
				continue
			}
			place := int(at * float64(len(text)))
			try(fmt.Sprintf("flipped-%s %s at %d", kind, name, place), func(dir string) {
				changed := append([]byte(nil), text...)
				changed[place] ^= 0x10
				if err := os.WriteFile(filepath.Join(dir, name), changed, 0o600); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	try("gone", func(dir string) { remove(t, dir) })
	try("empty", func(dir string) { keep(t, dir, "") })
	try("locked", func(dir string) { keep(t, dir, "LOCK") })
	try("no-tables", func(dir string) { drop(t, dir, "*.sst") })
	try("no-manifest", func(dir string) { drop(t, dir, "MANIFEST-*"); drop(t, dir, "marker.manifest*") })
	try("repaired halfway", func(dir string) {
		if err := os.Rename(dir, dir+".repaired"); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range []string{"no-.sst", "flipped-.sst", "no-MANIFEST", "flipped-MANIFEST", "no-manifest", "no-tables"} {
		if anew[kind] == 0 {
			t.Errorf("after %s no copy was moved aside: %v", kind, anew)
		}
	}
	for _, none := range []string{"gone", "empty", "locked", "no-LOCK", "flipped-MARK"} {
		if anew[none] > 0 {
			t.Errorf("after %s something was moved aside", none)
		}
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// keep removes all files but one.
func keep(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != name {
			remove(t, filepath.Join(dir, e.Name()))
		}
	}
}

// drop removes the files of a pattern.
func drop(t *testing.T, dir, pattern string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	for _, path := range found {
		remove(t, path)
	}
}

// What a read meets of a damaged copy is told to whoever has it open; a log of its own goes
// on.
func TestDamageOfAnOpenCopy(t *testing.T) {
	up := &upstream{}
	dir := t.TempDir()
	copied(t, up).writeTo(t, dir)
	log := damagedLog(t, ofCopy(dir, up))
	select {
	case <-log.Damaged():
	case <-time.After(10 * time.Second):
		t.Fatal("nobody is told")
	}
	if err := log.Damage(); domain.CodeOf(err) != pebblelog.CodeCopyDamaged || !strings.Contains(err.Error(), "makes it anew") {
		t.Errorf("it says %v", err)
	}
	own := damagedLog(t, pebblelog.Config{Dir: filled(t, 600, true), Clock: domaintest.NewClock()})
	if err := own.Damage(); err != nil {
		t.Errorf("a log of its own is to be made anew: %v", err)
	}
}

// damagedLog opens a log with a damaged table, and reads it.
func damagedLog(t *testing.T, cfg pebblelog.Config) *pebblelog.Log {
	t.Helper()
	flip(t, cfg.Dir, ".sst", 0.6)
	log := open(t, cfg)
	t.Cleanup(func() { _ = log.Close() })
	if _, err := log.Select(t.Context(), domain.Selector{}, 1, 1000); domain.CodeOf(err) != domain.CodeCorrupt {
		t.Errorf("read over damage: %v", err)
	}
	return log
}

// A machine that refuses to read or write isn't damage: nothing is moved.
func TestRefusedCopyStays(t *testing.T) {
	up := &upstream{}
	data := t.TempDir()
	dir := filepath.Join(data, "log")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	copied(t, up).writeTo(t, dir)
	cfg := ofCopy(dir, up)
	cfg.FS = errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpFileReadAt && strings.HasSuffix(op.Path, ".sst") {
			return syscall.EIO
		}
		return nil
	}))
	if _, err := pebblelog.Open(cfg); err == nil || domain.CodeOf(err) == pebblelog.CodeCopyDamaged {
		t.Errorf("opened: %v", err)
	}
	if aside, _ := filepath.Glob(filepath.Join(data, "damaged-*")); len(aside) > 0 {
		t.Errorf("moved aside: %q", aside)
	}
}
