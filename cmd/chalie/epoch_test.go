package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chalie/adapters/argon2"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// epochsOf starts a data directory, stops it, and returns why its epochs began.
func epochsOf(t *testing.T, data string) (out []domain.EpochReason) {
	t.Helper()
	app, err := Open(t.Context(), Config{Addr: "127.0.0.1:0", Data: data, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range app.epochs[1:] {
		out = append(out, e.Reason)
	}
	if err := app.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEpochBegins: a start of the log that the last one left begins no epoch. One after an
// import, a restore, a repair, a failed disk or a copy by hand does, once, and one of a log
// that lacks what was in it.
func TestEpochBegins(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	wants := func(when, data string, want ...domain.EpochReason) {
		t.Helper()
		for _, start := range []string{"the first start", "the second"} {
			if got := epochsOf(t, data); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %q, want %q", when, start, got, want)
			}
		}
	}
	wants("a new log", data)
	older := filepath.Join(dir, "older")
	if err := os.CopyFS(older, os.DirFS(logFolder(data))); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "backup")
	if _, err := backedUp(t, data, folder); err != nil {
		t.Fatal(err)
	}
	wants("as it was left", data)

	noteEpoch(Config{Data: data}, domain.EpochFailedSync)
	wants("a failed disk", data, domain.EpochFailedSync)
	if err := os.Remove(filepath.Join(data, epochFile)); err != nil {
		t.Fatal(err)
	}
	wants("a copy by hand", data, domain.EpochFailedSync, domain.EpochCopy)
	if err := errors.Join(os.RemoveAll(logFolder(data)), os.RemoveAll(foldedFolder(data)), os.CopyFS(logFolder(data), os.DirFS(older))); err != nil {
		t.Fatal(err)
	}
	wants("an older log", data, domain.EpochLoss)

	restored := filepath.Join(dir, "restored")
	if _, err := restores(t.Context(), folder, restored); err != nil {
		t.Fatal(err)
	}
	wants("a restore", restored, domain.EpochRestore)
	imported := filepath.Join(dir, "imported")
	if _, err := importFile(t.Context(), imported, bytes.NewReader(manySignals(t, 3)), false, term.NoMeter()); err != nil {
		t.Fatal(err)
	}
	wants("an import", imported, domain.EpochImport)
}
