package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"chalie/domain"
)

// A data directory that is open to others is closed. One of another user's, as a
// container is given, is warned of, as long as the log in it can be closed.
func TestClosedToOthers(t *testing.T) {
	for name, c := range map[string]struct {
		inside  []string // folders that are there already
		foreign []string // of those and of the directory itself, ".", what isn't ours
		linked  bool     // log/ is a link
		warned  string
		refused bool
	}{
		"our own":                       {inside: []string{"log"}, warned: "and can't any more"},
		"another's, empty":              {foreign: []string{"."}, warned: "is another user's"},
		"another's, with our log":       {inside: []string{"log", "images"}, foreign: []string{"."}, warned: "is another user's"},
		"another's, and what lies by":   {inside: []string{"log", "lost+found"}, foreign: []string{".", "lost+found"}, warned: "is another user's"},
		"another's, with another's log": {inside: []string{"log"}, foreign: []string{".", "log"}, refused: true},
		"another's, with a link":        {inside: []string{"elsewhere"}, foreign: []string{"."}, linked: true, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			for _, inside := range append([]string{"."}, c.inside...) {
				path := filepath.Join(data, inside)
				if err := errors.Join(os.MkdirAll(path, 0o700), os.Chmod(path, 0o777)); err != nil {
					t.Fatal(err)
				}
			}
			if c.linked {
				if err := os.Symlink("elsewhere", filepath.Join(data, "log")); err != nil {
					t.Fatal(err)
				}
			}
			var said bytes.Buffer
			err := closeToOthers(data, func(path string, mode os.FileMode) error {
				for _, foreign := range c.foreign {
					if path == filepath.Join(data, foreign) {
						return &os.PathError{Op: "chmod", Path: path, Err: syscall.EPERM}
					}
				}
				return os.Chmod(path, mode)
			}, slog.New(slog.NewTextHandler(&said, nil)))
			if c.refused {
				if domain.CodeOf(err) != "open_to_others" {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil || !strings.Contains(said.String(), c.warned) {
				t.Errorf("it says %q, %v", said.String(), err)
			}
			info, err := os.Stat(filepath.Join(data, "log"))
			if err == nil && len(c.foreign) > 0 && info.Mode().Perm() != 0o700 {
				t.Errorf("the log is open to others: %v", info.Mode())
			}
		})
	}
}
