package pebblestore

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/projections/rebuild"
)

// folderOf is the name of a store's folder: world-2, or world-2.g1.
func folderOf(name string, e rebuild.StoreVersion) string {
	if e.Generation == 0 {
		return Folder(name, e.Version)
	}
	return fmt.Sprintf("%s.g%d", Folder(name, e.Version), e.Generation)
}

var editionFolder = regexp.MustCompile(`^(.+)-([1-9]\d{0,8})(?:\.g([1-9]\d{0,8}))?$`)

// editionOf reads a folder's name; false when it is another projection's, or none.
func editionOf(name, folder string) (e rebuild.StoreVersion, ok bool) {
	m := editionFolder.FindStringSubmatch(folder)
	if len(m) == 0 || m[1] != name {
		return rebuild.StoreVersion{}, false
	}
	// What the pattern lets through is a number, or empty, which is the first.
	e.Version, _ = strconv.Atoi(m[2])
	e.Generation, _ = strconv.Atoi(m[3])
	return e, true
}

// versionsOf lists the stores of a projection that are there, the newest last.
func versionsOf(name string, cfg Config) ([]rebuild.StoreVersion, error) {
	cfg = cfg.withDefaults()
	files, err := cfg.FS.List(cfg.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, refused(cfg.Dir, err)
	}
	var out []rebuild.StoreVersion
	for _, file := range files {
		if e, ok := editionOf(name, file); ok {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, rebuild.StoreVersion.Compare)
	return out, nil
}

// remove deletes a store that nobody has open. One that isn't there is no error.
func remove(name string, e rebuild.StoreVersion, cfg Config) error {
	cfg = cfg.withDefaults()
	dir := cfg.FS.PathJoin(cfg.Dir, folderOf(name, e))
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
