package exportfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chalie/domain"
	"chalie/replay/narrate"
)

// WriteFile writes a file that only its owner may read. It gets its name once
// it is whole and on the disk: a process that is killed leaves what stood there
// before, and a file beside it whose name ends in .part.
func WriteFile(name string, write func(io.Writer) error) (err error) {
	part, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part")
	if err != nil {
		return CantWrite(name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}()
	if err := write(part); err != nil {
		_ = part.Close() // what was written is thrown away
		if _, ours := errors.AsType[*os.PathError](err); ours {
			return CantWrite(name, err)
		}
		return err
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return CantWrite(name, err)
	}
	if err := os.Rename(part.Name(), name); err != nil {
		return CantWrite(name, err)
	}
	return syncDirectory(filepath.Dir(name))
}

// syncDirectory makes a new name durable.
func syncDirectory(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return CantWrite(name, err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// CantWrite is the error of a file or folder that can't be written.
func CantWrite(name string, cause error) error {
	return &domain.Error{Op: "write file", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("can't write %s; check the folder, its permissions and the disk's free space", narrate.OneLine(name))}
}
