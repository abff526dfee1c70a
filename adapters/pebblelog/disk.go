package pebblelog

import (
	"fmt"

	"chalie/domain"
)

// checkSpace returns the refusal when the disk is nearly full. Pebble needs
// room to compact; without it a full disk could not be left again.
func (l *Log) checkSpace() error {
	if l.cfg.MinFreeBytes < 0 {
		return nil
	}
	usage, err := l.cfg.FS.GetDiskUsage(l.cfg.Dir)
	if err != nil {
		return nil //nolint:nilerr // a disk that can't be asked says so itself when it fails
	}
	if usage.AvailBytes >= uint64(l.cfg.MinFreeBytes) {
		return nil
	}
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true,
		Message: fmt.Sprintf("the disk of %s has %d MiB left and %d MiB are kept free; nothing was appended; free some space",
			l.cfg.Dir, usage.AvailBytes>>20, l.cfg.MinFreeBytes>>20)}
}
