package pebblestore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/domain"
	"chalie/projections/rebuild"
)

func activeFile(name string, cfg Config) string { return cfg.FS.PathJoin(cfg.Dir, name+".serving") }

// readActive reads what serves a projection; false when that was never said. A
// file that can't be understood is an error with CodeCorrupt.
func readActive(name string, cfg Config) (s rebuild.Active, said bool, err error) {
	cfg = cfg.withDefaults()
	path := activeFile(name, cfg)
	file, err := cfg.FS.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return rebuild.Active{}, false, nil
	}
	if err != nil {
		return rebuild.Active{}, false, refused(path, err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return rebuild.Active{}, false, refused(path, err)
	}
	if err := json.Unmarshal(text, &s); err != nil || s.Store.Version < 1 || s.Store.Generation < 0 {
		return rebuild.Active{}, false, &domain.Error{Op: "open derived state", Category: domain.Dependency, Code: domain.CodeCorrupt, Err: err,
			Message: fmt.Sprintf("%s is damaged; the newest store beside it is taken", path)}
	}
	return s, true, nil
}

// writeActive says what serves a projection from the next start on. It returns
// once that outlives a crash; when it fails, what was said before holds.
func writeActive(name string, s rebuild.Active, cfg Config) error {
	cfg = cfg.withDefaults()
	path := activeFile(name, cfg)
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := cfg.FS.MkdirAll(cfg.Dir, 0o700); err != nil {
		return refused(cfg.Dir, err)
	}
	if err := replaceFile(cfg.FS, cfg.Dir, path, append(text, '\n')); err != nil {
		return refused(path, err)
	}
	return nil
}

// replaceFile writes a file beside the old one and puts it in its place.
func replaceFile(disk vfs.FS, dir, path string, text []byte) error {
	draft := path + ".new"
	file, err := disk.Create(draft, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, disk.Remove(draft))
	}
	if err := disk.Rename(draft, path); err != nil {
		return errors.Join(err, disk.Remove(draft))
	}
	folder, err := disk.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// sweep deletes what a rebuild left when it was broken off, and what nobody can go
// back to any more: the stores of a projection that s doesn't name, up to a
// version. Later ones belong to a newer program. It returns what it deleted.
func sweep(name string, s rebuild.Active, through int, cfg Config) ([]rebuild.StoreVersion, error) {
	stores, err := versionsOf(name, cfg)
	if err != nil {
		return nil, err
	}
	var swept []rebuild.StoreVersion
	for _, e := range stores {
		if e == s.Store || s.Previous != nil && e == *s.Previous || e.Version > through {
			continue
		}
		if err := remove(name, e, cfg); err != nil {
			return swept, err
		}
		swept = append(swept, e)
	}
	return swept, nil
}
