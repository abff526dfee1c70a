package pebblestore

import (
	"errors"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// dirs keeps a folder that can't be synced from ending the process: Pebble
// panics then, on goroutines of its own that nobody can recover. The state is
// given up instead, and folded again.
type dirs struct {
	vfs.FS
	health *health
}

func (d dirs) OpenDir(name string) (vfs.File, error) {
	file, err := d.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return dir{file, d.health}, nil
}

func (d dirs) Unwrap() vfs.FS { return d.FS }

type dir struct {
	vfs.File
	health *health
}

// Sync never fails: what it could not do has been noted.
func (d dir) Sync() error {
	if err := d.File.Sync(); err != nil {
		d.health.die(errors.Join(errors.New("the folder can't be synced"), err))
	}
	return nil
}
