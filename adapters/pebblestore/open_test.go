package pebblestore_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
)

func write(t testing.TB, s *pebblestore.Store, pos domain.Position, key, value string) {
	t.Helper()
	if err := s.Update(pos, func(b projections.Batch) error { return b.Set([]byte(key), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func wantValue(t testing.TB, s *pebblestore.Store, pos domain.Position, key, value string) {
	t.Helper()
	got, err := s.Checkpoint()
	if err != nil || got != pos {
		t.Errorf("checkpoint %d, %v, want %d", got, err, pos)
	}
	text, found, err := s.Get([]byte(key))
	if err != nil || string(text) != value || found != (value != "") {
		t.Errorf("%s is %q, found %v, %v, want %q", key, text, found, err, value)
	}
}

func closeStore(t testing.TB, s *pebblestore.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestEachVersionHasItsFolder(t *testing.T) {
	cfg := pebblestore.Config{Dir: t.TempDir()}
	one, err := pebblestore.Open("world", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	two, err := pebblestore.Open("world", 2, cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, one, 5, "k", "one")
	wantValue(t, two, 0, "k", "")
	if filepath.Base(one.Dir()) != "world-1" || filepath.Base(two.Dir()) != "world-2" {
		t.Errorf("folders %s and %s", one.Dir(), two.Dir())
	}
	closeStore(t, one)
	closeStore(t, two)
}

func TestOnlyOneOpensAStore(t *testing.T) {
	cfg := pebblestore.Config{Dir: t.TempDir()}
	s, err := pebblestore.Open("world", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, 5, "k", "v")
	_, openErr := pebblestore.Open("world", 1, cfg)
	_, readErr := pebblestore.OpenReadOnly("world", 1, cfg)
	_, damage, recoverErr := pebblestore.Recover("world", 1, cfg)
	for call, err := range map[string]error{"Open": openErr, "OpenReadOnly": readErr, "Recover": recoverErr} {
		if domain.CodeOf(err) != pebblestore.CodeInUse {
			t.Errorf("%s of a store in use: %v", call, err)
		}
	}
	if damage != nil {
		t.Errorf("a store in use is no damage: %v", damage)
	}
	wantValue(t, s, 5, "k", "v")
	closeStore(t, s)
}

func TestReadOnly(t *testing.T) {
	cfg := pebblestore.Config{Dir: t.TempDir()}
	if _, err := pebblestore.OpenReadOnly("world", 1, cfg); domain.CodeOf(err) != pebblestore.CodeNone {
		t.Errorf("a store that is not there: %v", err)
	}
	if left, err := os.ReadDir(cfg.Dir); err != nil || len(left) > 0 {
		t.Errorf("looking for it left %v, %v", left, err)
	}
	s, err := pebblestore.Open("world", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, 5, "k", "v")
	closeStore(t, s)

	s, err = pebblestore.OpenReadOnly("world", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, s, 5, "k", "v")
	for call, err := range map[string]error{
		"Update": s.Update(6, func(projections.Batch) error { return nil }), "Reset": s.Reset(),
	} {
		if domain.CategoryOf(err) != domain.Policy {
			t.Errorf("%s: %v", call, err)
		}
	}
	// Folding on over it changes nothing on the disk.
	over := projections.NewOverlay(s)
	if err := over.Update(9, func(b projections.Batch) error { return b.Set([]byte("k"), []byte("w")) }); err != nil {
		t.Error(err)
	}
	wantValue(t, s, 5, "k", "v")
	closeStore(t, s)
	if err := os.MkdirAll(filepath.Join(cfg.Dir, "empty-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := pebblestore.OpenReadOnly("empty", 1, cfg); domain.CodeOf(err) != pebblestore.CodeNone {
		t.Errorf("an empty folder: %v", err)
	}
}

// files finds a store's files by a pattern of their names.
func files(t *testing.T, dir, pattern string) []string {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(out) == 0 {
		t.Fatalf("no %s in %s, %v", pattern, dir, err)
	}
	return out
}

func flip(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] ^= 0x55
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedStoreIsRefusedOrBuiltAgain(t *testing.T) {
	for _, c := range []struct {
		name    string
		pattern string
		damage  func(*testing.T, string)
	}{
		{"a manifest of rubbish", "MANIFEST-*", flip},
		{"no manifest", "MANIFEST-*", remove},
		{"an empty manifest", "MANIFEST-*", func(t *testing.T, p string) {
			if err := os.Truncate(p, 0); err != nil {
				t.Fatal(err)
			}
		}},
		{"a table that is gone", "*.sst", remove},
		{"a format from the future", "marker.format*", func(t *testing.T, p string) {
			if err := os.Rename(p, filepath.Join(filepath.Dir(p), "marker.format-version.000099.999")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := pebblestore.Config{Dir: t.TempDir()}
			s, err := pebblestore.Open("world", 1, cfg)
			if err != nil {
				t.Fatal(err)
			}
			write(t, s, 5, "k", "v")
			closeStore(t, s)
			for _, path := range files(t, s.Dir(), c.pattern) {
				c.damage(t, path)
			}
			if _, err := pebblestore.Open("world", 1, cfg); domain.CodeOf(err) != domain.CodeCorrupt || !strings.Contains(err.Error(), "world-1 is damaged; restart Chalie, which builds it again") {
				t.Fatalf("Open: %v", err)
			}
			s, damage, err := pebblestore.Recover("world", 1, cfg)
			if err != nil || domain.CodeOf(damage) != domain.CodeCorrupt {
				t.Fatalf("Recover: %v, damage %v", err, damage)
			}
			wantValue(t, s, 0, "k", "")
			write(t, s, 6, "k", "w")
			closeStore(t, s)
			if s, damage, err = pebblestore.Recover("world", 1, cfg); err != nil || damage != nil {
				t.Fatalf("Recover of a sound store: %v, damage %v", err, damage)
			}
			wantValue(t, s, 6, "k", "w")
			closeStore(t, s)
		})
	}
}

// Damage inside a table shows itself only when it is read.
func TestDamageFoundLaterIsBuiltAgainAtTheNextStart(t *testing.T) {
	cfg := pebblestore.Config{Dir: t.TempDir()}
	s, err := pebblestore.Open("world", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, 5, "k", strings.Repeat("value ", 1000))
	closeStore(t, s)
	for _, path := range files(t, s.Dir(), "*.sst") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[20] ^= 0x55 // in the first data block
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, damage, err := pebblestore.Recover("world", 1, cfg)
	if err == nil && damage == nil {
		if _, _, err := s.Get([]byte("k")); domain.CodeOf(err) != domain.CodeCorrupt {
			t.Errorf("Get: %v", err)
		}
		if err := s.Update(6, func(projections.Batch) error { return nil }); domain.CodeOf(err) != domain.CodeCorrupt || domain.IsRetriable(err) {
			t.Errorf("Update: %v", err)
		}
		closeStore(t, s)
		s, err = pebblestore.Open("world", 1, cfg)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, s, 0, "k", "")
	closeStore(t, s)
}

func TestOpenTellsDamageFromTheMachine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pebblestore.Open("world", 1, pebblestore.Config{Dir: file}); domain.CodeOf(err) != domain.CodeDiskFailed {
		t.Errorf("a file for a folder: %v", err)
	}
	for _, cfg := range []pebblestore.Config{{}, {Dir: "x", MemTableBytes: -1}, {Dir: "x", CacheBytes: -1}} {
		if _, err := pebblestore.Open("world", 1, cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

func TestPebbleIsQuietWhenAllIsWell(t *testing.T) {
	var log bytes.Buffer
	cfg := pebblestore.Config{Dir: "d", FS: vfs.NewMem(), Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for pos := range domain.Position(3) {
		s, err := pebblestore.Open("world", 1, cfg)
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, pos, "k", "v")
		closeStore(t, s)
	}
	if log.Len() > 0 {
		t.Errorf("it logged %s", log.String())
	}
}
