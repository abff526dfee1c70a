//go:build unix

package pebblelog

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// readOnlyDisk reports that a write failed because the file system takes none.
func readOnlyDisk(err error) bool { return errors.Is(err, syscall.EROFS) }

// shareLock takes a lock that any number of readers may hold and no writer beside them.
// It goes when the file is closed.
func shareLock(file *os.File) error {
	return unix.FcntlFlock(file.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_RDLCK, Whence: io.SeekStart})
}
