package main

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	contract "chalie/adapters/api"
	"chalie/adapters/backupdir"
	"chalie/adapters/exportfile"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// resting is a data directory at rest, with so many records and files beside them.
func resting(t *testing.T, records int) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	if _, err := importFile(t.Context(), data, bytes.NewReader(manySignals(t, records)), false, term.NoMeter()); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"images/KEY": "a key", "images/ab/" + strings.Repeat("ab", 32): "a picture", "audio/KEY": "another key", "models.json": "{}",
		"RESERVE": "nothing", "CLUSTER-KEY": "of a cluster",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(data, name)), 0o700), os.WriteFile(filepath.Join(data, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// backedUp backs up a data directory at rest.
func backedUp(t *testing.T, data, folder string) (contract.Backup, error) {
	t.Helper()
	off, err := openOffline(t.Context(), data, foldsToo, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer off.close()
	return (&backups{data: data, log: off.log, folds: off.folds}).Write(t.Context(), folder, func(_, _ domain.Position) {})
}

func restores(ctx context.Context, from, to string) (restoredResult, error) {
	r := restoring{from: from, to: to, meter: term.NoMeter()}
	return r.run(ctx)
}

// nothingThere holds that a restore that failed left no data directory.
func nothingThere(t *testing.T, to string) {
	t.Helper()
	if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", to, err)
	}
}

// TestRestore: what is restored has the same records, folds and files, and goes on from its
// folds; a restore that is given up leaves nothing, and the next one makes up for it.
func TestRestore(t *testing.T) {
	t.Parallel()
	data := resting(t, 1500)
	folder := filepath.Join(t.TempDir(), "backup")
	made, err := backedUp(t, data, folder)
	if err != nil || made.Records != 1500 || made.Files != 4 || made.Folds != len(today()) {
		t.Fatalf("%+v, %v", made, err)
	}
	to := filepath.Join(t.TempDir(), "new")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := restores(ctx, folder, to); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	nothingThere(t, to)
	got, err := restores(t.Context(), folder, to)
	if err != nil || got.Records != 1500 || got.Files != 4 || len(got.Compared) != len(today()) || len(got.Uncompared)+len(got.Differing) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if want, is := folded(t, data), folded(t, to); !maps.Equal(want, is) {
		t.Errorf("what is folded differs: %v, want %v", is, want)
	}
	if folds, err := os.ReadDir(foldedFolder(to)); err != nil || len(folds) < len(today()) {
		t.Errorf("the folds aren't kept: %v", err)
	}
	for name, there := range map[string]bool{"images/KEY": true, "images/ab/" + strings.Repeat("ab", 32): true, "models.json": true, "RESERVE": false, "CLUSTER-KEY": false, lockName: false} {
		was, _ := os.ReadFile(filepath.Join(data, name))
		is, err := os.ReadFile(filepath.Join(to, name))
		if there && !bytes.Equal(was, is) || there != (err == nil) {
			t.Errorf("%s is %q, %v", name, is, err)
		}
	}
	nothingThere(t, to+restoringSuffix)
	if _, err := restores(t.Context(), folder, to); domain.CodeOf(err) != "not_empty" {
		t.Errorf("over it: %v", err)
	}
}

// TestRestoreRefuses: a damaged piece by its name, folds that come out otherwise, and folders
// that are one in the other. Nothing is there then.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	data := resting(t, 300)
	folder := filepath.Join(t.TempDir(), "backup")
	if _, err := backedUp(t, data, folder); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "new")
	for _, name := range []string{"/records/1-300.jsonl.gz", "/BACKUP"} {
		was, err := os.ReadFile(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(was)
		changed[len(was)/2] ^= 1
		if err := os.WriteFile(folder+name, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := restores(t.Context(), folder, to); domain.CodeOf(err) != backupdir.CodeDamaged || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("of %s: %v", name, err)
		}
		nothingThere(t, to)
		if err := os.WriteFile(folder+name, was, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	r := restoring{from: folder, to: to, meter: term.NoMeter()}
	var err error
	if r.backup, err = backupdir.Open(nil, folder); err != nil {
		t.Fatal(err)
	}
	r.backup.Folds[3].Digest, r.backup.Folds[5].Version = "another", 99
	lock, err := r.begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.records(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.prove(t.Context()); domain.CodeOf(err) != "unproven" || !strings.Contains(err.Error(), r.backup.Folds[3].Name) || len(r.result.Uncompared) != 1 || r.result.Uncompared[0] != r.backup.Folds[5].Name {
		t.Errorf("of other folds: %v, %+v", err, r.result)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{filepath.Join(data, "backup"), data, filepath.Dir(data)} {
		if _, err := backedUp(t, data, inside); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("to %s: %v", inside, err)
		}
	}
	if _, err := backedUp(t, data, "backup"); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("to a relative path: %v", err)
	}
	if _, err := restores(t.Context(), data, to); domain.CodeOf(err) != backupdir.CodeNoBackup {
		t.Errorf("of no backup: %v", err)
	}
}

// TestBackupAgain: the next backup goes to where the last one was made, and nowhere when that
// is gone, as a disk that isn't there.
func TestBackupAgain(t *testing.T) {
	t.Parallel()
	data := resting(t, 30)
	off, err := openOffline(t.Context(), data, foldsToo, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer off.close()
	b := &backups{data: data, log: off.log, folds: off.folds, notes: true}
	if _, err := b.Last(t.Context()); domain.CodeOf(err) != backupdir.CodeNoBackup || !strings.Contains(err.Error(), "chalie backup DIR") {
		t.Errorf("before the first: %v", err)
	}
	folder := filepath.Join(t.TempDir(), "disk", "backup")
	made, err := b.Write(t.Context(), folder, func(_, _ domain.Position) {})
	if err != nil {
		t.Fatal(err)
	}
	if last, err := b.Last(t.Context()); err != nil || last != made.At {
		t.Errorf("the last was at %d, %v; want %d", last, err, made.At)
	}
	if at, err := b.Again(t.Context()); err != nil || at != folder {
		t.Errorf("the next is in %s, %v", at, err)
	}
	// A piece that isn't the first is no log by itself.
	var piece bytes.Buffer
	if err := (backedLog{off.log, off.folds}).Export(t.Context(), 10, 20, &piece); err != nil {
		t.Fatal(err)
	}
	if _, err := importFile(t.Context(), filepath.Join(t.TempDir(), "data"), &piece, false, term.NoMeter()); domain.CodeOf(err) != exportfile.CodeNoExport || !strings.Contains(err.Error(), "chalie restore") {
		t.Errorf("a piece was imported: %v", err)
	}
	if err := os.RemoveAll(filepath.Dir(folder)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Last(t.Context()); domain.CodeOf(err) != backupdir.CodeNoBackup {
		t.Errorf("without its disk: %v", err)
	}
	nothingThere(t, folder)
}
