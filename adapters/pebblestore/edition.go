package pebblestore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Edition is one store of a projection: its version, and which of that version.
type Edition struct {
	Version    int `json:"version"`
	Generation int `json:"generation"` // 0 is the first
}

// folder is its name: world-2, or world-2.g1.
func (e Edition) folder(name string) string {
	if e.Generation == 0 {
		return Folder(name, e.Version)
	}
	return fmt.Sprintf("%s.g%d", Folder(name, e.Version), e.Generation)
}

// String is how people read it: 2, or 2.1.
func (e Edition) String() string {
	if e.Generation == 0 {
		return strconv.Itoa(e.Version)
	}
	return fmt.Sprintf("%d.%d", e.Version, e.Generation)
}

// compare puts newer ones last.
func (e Edition) compare(o Edition) int {
	return cmp.Or(cmp.Compare(e.Version, o.Version), cmp.Compare(e.Generation, o.Generation))
}

var editionFolder = regexp.MustCompile(`^(.+)-([1-9]\d{0,8})(?:\.g([1-9]\d{0,8}))?$`)

// editionOf reads a folder's name; false when it is another projection's, or none.
func editionOf(name, folder string) (e Edition, ok bool) {
	m := editionFolder.FindStringSubmatch(folder)
	if len(m) == 0 || m[1] != name {
		return Edition{}, false
	}
	// What the pattern lets through is a number, or empty, which is the first.
	e.Version, _ = strconv.Atoi(m[2])
	e.Generation, _ = strconv.Atoi(m[3])
	return e, true
}

// Editions lists the stores of a projection that are there, the newest last.
func Editions(name string, cfg Config) ([]Edition, error) {
	cfg = cfg.withDefaults()
	files, err := cfg.FS.List(cfg.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, refused(cfg.Dir, err)
	}
	var out []Edition
	for _, file := range files {
		if e, ok := editionOf(name, file); ok {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, Edition.compare)
	return out, nil
}

// Remove deletes a store that nobody has open. One that isn't there is no error.
func Remove(name string, e Edition, cfg Config) error {
	cfg = cfg.withDefaults()
	dir := cfg.FS.PathJoin(cfg.Dir, e.folder(name))
	if missing(cfg.FS, dir) {
		return nil
	}
	lock, err := pebble.LockDirectory(dir, cfg.FS)
	if err != nil {
		return inUse(dir, err)
	}
	if err := errors.Join(cfg.FS.RemoveAll(dir), lock.Close()); err != nil {
		return refused(dir, err)
	}
	return nil
}

// missing reports whether there is nothing at a path.
func missing(disk vfs.FS, path string) bool {
	_, err := disk.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
