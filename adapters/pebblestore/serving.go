package pebblestore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/domain"
)

// Serving says which store of a projection serves.
type Serving struct {
	Serving Edition `json:"serving"`
	// Previous is the one that served before, kept to go back to; nil when there
	// is none.
	Previous *Edition `json:"previous,omitempty"`
	// Held says that a person went back to an older version: the newer one isn't
	// built again until they ask for it.
	Held bool `json:"held,omitempty"`
}

func servingFile(name string, cfg Config) string { return cfg.FS.PathJoin(cfg.Dir, name+".serving") }

// ReadServing reads what serves a projection; false when that was never said. A
// file that can't be understood is an error with CodeCorrupt.
func ReadServing(name string, cfg Config) (s Serving, said bool, err error) {
	cfg = cfg.withDefaults()
	path := servingFile(name, cfg)
	file, err := cfg.FS.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Serving{}, false, nil
	}
	if err != nil {
		return Serving{}, false, refused(path, err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return Serving{}, false, refused(path, err)
	}
	if err := json.Unmarshal(text, &s); err != nil || s.Serving.Version < 1 || s.Serving.Generation < 0 {
		return Serving{}, false, &domain.Error{Op: "open derived state", Category: domain.Dependency, Code: domain.CodeCorrupt, Err: err,
			Message: fmt.Sprintf("%s is damaged; the newest store beside it is taken", path)}
	}
	return s, true, nil
}

// WriteServing says what serves a projection from the next start on. It returns
// once that outlives a crash; when it fails, what was said before holds.
func WriteServing(name string, s Serving, cfg Config) error {
	cfg = cfg.withDefaults()
	path := servingFile(name, cfg)
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

// Sweep deletes what a rebuild left when it was broken off, and what nobody can go
// back to any more: the stores of a projection that s doesn't name, up to a
// version. Later ones belong to a newer program. It returns what it deleted.
func Sweep(name string, s Serving, through int, cfg Config) ([]Edition, error) {
	editions, err := Editions(name, cfg)
	if err != nil {
		return nil, err
	}
	var swept []Edition
	for _, e := range editions {
		if e == s.Serving || s.Previous != nil && e == *s.Previous || e.Version > through {
			continue
		}
		if err := Remove(name, e, cfg); err != nil {
			return swept, err
		}
		swept = append(swept, e)
	}
	return swept, nil
}
