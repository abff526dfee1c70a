package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chalie/domain"
)

// writeWhole writes a file that only its owner may read. It gets its name once
// it is whole and on the disk: a process that is killed leaves what stood there
// before, and a file beside it whose name ends in .part.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	part, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part")
	if err != nil {
		return cantWriteFile(name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}()
	if err := write(part); err != nil {
		_ = part.Close() // what was written is thrown away
		if _, ours := errors.AsType[*os.PathError](err); ours {
			return cantWriteFile(name, err)
		}
		return err
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return cantWriteFile(name, err)
	}
	if err := os.Rename(part.Name(), name); err != nil {
		return cantWriteFile(name, err)
	}
	return syncDirectory(filepath.Dir(name))
}

// syncDirectory makes a new name durable.
func syncDirectory(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return cantWriteFile(name, err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func cantWriteFile(name string, cause error) error {
	return &domain.Error{Op: "write file", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("can't write %s; check the folder, its permissions and the disk's free space", oneLine(name))}
}
