package pebblelog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// TestZstd: what the C library has compressed is read without it, and what is compressed
// without it is read again. testdata/zstd.sst was written by Pebble with the C library.
func TestZstd(t *testing.T) {
	dir := t.TempDir()
	opts := &pebble.Options{FormatMajorVersion: pebble.FormatNewest}
	opts.ApplyCompressionSettings(func() pebble.DBCompressionSettings {
		return pebble.UniformDBCompressionSettings(sstable.ZstdCompression)
	})
	db, err := pebble.Open(filepath.Join(dir, "db"), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	table, err := os.ReadFile("testdata/zstd.sst")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "taken")
	if err := os.WriteFile(file, table, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := db.Ingest(t.Context(), []string{file}); err != nil {
		t.Fatal(err)
	}
	value := func(i int) []byte { return []byte(strings.Repeat(fmt.Sprintf("value %d ", i), 5)) }
	check := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			got, closer, err := db.Get(fmt.Appendf(nil, "key %03d", i))
			if err != nil || !bytes.Equal(got, value(i)) {
				t.Fatalf("key %d: %q, %v", i, got, err)
			}
			closer.Close()
		}
	}
	check(0, 500)
	for i := 500; i < 1000; i++ {
		if err := db.Set(fmt.Appendf(nil, "key %03d", i), value(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := db.Compact(t.Context(), []byte("key"), []byte("kez"), false); err != nil {
		t.Fatal(err)
	}
	check(0, 1000)
	if total := db.Metrics().Total(); total.TablesSize > 20_000 {
		t.Errorf("a thousand rows of 50 bytes take %d bytes: they aren't compressed", total.TablesSize)
	}
}
