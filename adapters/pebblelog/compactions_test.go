package pebblelog

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"chalie/domain/domaintest"
)

// TestNoCompactionWhileOpening opens a store in which a compaction is due, on a disk
// that refuses the last file of an opening: nothing may be reading tables then, as
// what it reads through is closed. When the disk is whole the compaction runs.
func TestNoCompactionWhileOpening(t *testing.T) {
	mem := vfs.NewMem()
	cfg := Config{Dir: "log", FS: mem}.withDefaults()
	opts := (&store{fence: &fence{FS: mem}}).options(cfg, false)
	opts.DisableAutomaticCompactions = true
	db, err := pebble.Open(cfg.Dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * opts.L0CompactionThreshold {
		if err := db.Set([]byte("key"), fmt.Append(nil, i), pebble.Sync); err != nil {
			t.Fatal(err)
		}
		if err := db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(db.Set([]byte("key"), []byte("left in the WAL"), pebble.Sync), db.Close()); err != nil {
		t.Fatal(err)
	}

	var broken atomic.Bool
	var read atomic.Int64
	broken.Store(true)
	refused := errors.New("input/output error")
	cfg.FS = errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		switch {
		case op.Kind == errorfs.OpOpen && strings.HasSuffix(op.Path, ".sst"):
			read.Add(1)
		case broken.Load() && op.Kind == errorfs.OpRename && strings.HasPrefix(filepath.Base(op.Path), "OPTIONS"), broken.Load() && op.Kind == errorfs.OpCreate && strings.HasSuffix(op.Path, ".dbtmp"):
			return refused
		}
		return nil
	}))
	if _, err := openStore(cfg, new(leaving), nil, func(error) {}); !errors.Is(err, refused) {
		t.Fatalf("a disk that refuses the last file of an opening ends it with %v", err)
	}
	if n := read.Load(); n != 0 {
		t.Errorf("the opening that failed had %d tables opened", n)
	}

	broken.Store(false)
	s, err := openStore(cfg, new(leaving), nil, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	defer s.abandon()
	domaintest.Until(t, "an open store compacts", func() bool {
		return s.db.Metrics().Levels[0].TablesCount <= int64(opts.L0CompactionThreshold)
	})
}
