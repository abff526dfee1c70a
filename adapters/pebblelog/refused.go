package pebblelog

import (
	"errors"
	"fmt"
	"syscall"

	"chalie/domain"
)

// refused is the error of a read that the operating system refused: the bytes on the disk
// may be sound, so it isn't damage and a retry may work. It is nil for every other cause.
// what names the object of the read.
//
// A missing file isn't such a refusal: the log's files don't vanish by themselves.
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
