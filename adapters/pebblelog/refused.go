package pebblelog

import (
	"errors"
	"fmt"
	"syscall"

	"chalie/domain"
)

// refused is the error of a read that the machine refused: it says nothing about the
// bytes on the disk, so it is no damage and may work when it is tried again. It is nil
// for every other cause. what names what was to be read.
//
// A file that isn't there is none of them: the log's files don't go by themselves.
func refused(op, what string, cause error) error {
	errno, ok := errors.AsType[syscall.Errno](cause)
	switch {
	case !ok || errno == syscall.ENOENT:
		return nil
	case errno == syscall.EMFILE || errno == syscall.ENFILE:
		return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeNoDescriptors, Retriable: true, Err: cause,
			Message: fmt.Sprintf("no more files may be opened just now, so %s can't be read; nothing is damaged; try again in a moment, and raise the limit (ulimit -n) when this comes back", what)}
	}
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: cause,
		Message: fmt.Sprintf("the disk fails to read %s; that alone is no sign of damage to what is stored; try again, and look after the disk and its connection when this comes back", what)}
}
