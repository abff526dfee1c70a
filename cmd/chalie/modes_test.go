//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFilesAreTheOwners starts where the shell has new files open to all, on a data
// directory that is open to all: it is closed, and so is every file that is made.
func TestFilesAreTheOwners(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data, 0o777); err != nil {
		t.Fatal(err)
	}
	v := startVictimBy(t, data, exec.Command("sh", append([]string{"-c", `umask 000; exec chalie "$@"`, "sh"}, serving(data)...)...))
	v.ready()
	token := v.issueToken()
	if status := v.signalled(token, "the cellar is dry"); status != 202 {
		t.Fatalf("a signal is answered %d", status)
	}
	v.stop() // saves the folds
	files := 0
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.Type().IsRegular() {
			files++
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("%d files were found, %v", files, err)
	}
	for _, folder := range []string{"log", "projections"} {
		if entries, err := os.ReadDir(filepath.Join(data, folder)); err != nil || len(entries) == 0 {
			t.Errorf("%s is empty: %v", folder, err)
		}
	}
}
