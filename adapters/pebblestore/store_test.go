package pebblestore_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"chalie/adapters/pebblestore"
	"chalie/projections"
	"chalie/projections/projectionstest"
)

func TestConformance(t *testing.T) {
	// Each store has a file system of its own.
	disks := map[projections.Store]vfs.FS{}
	open := func(t rapid.TB, fs vfs.FS) projections.Store {
		s, err := pebblestore.Open("fold", 1, pebblestore.Config{Dir: "derived", FS: fs, MemTableBytes: 256 << 10, CacheBytes: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		disks[s] = fs
		return s
	}
	fresh := func(t rapid.TB) projections.Store { return open(t, vfs.NewMem()) }
	again := func(t rapid.TB, s projections.Store) projections.Store {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return open(t, disks[s])
	}
	projectionstest.TestStore(t, fresh, again)
}
