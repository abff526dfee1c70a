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

// Refusing is why the log takes no appends just now, nil when it takes them.
func (l *Log) Refusing() error {
	l.mu.Lock()
	s := l.store
	l.mu.Unlock()
	if s == nil {
		return closedError()
	}
	select {
	case <-s.failed:
		if lost := l.refusal.Load(); lost != nil {
			return *lost
		}
		return diskFailed(s.cause)
	default:
		return l.checkSpace()
	}
}

// Usage is the room that the log takes, and what its disk has left.
type Usage struct {
	LogBytes  uint64
	FreeBytes uint64 // 0 when the disk can't be asked
	DiskBytes uint64 // likewise
	KeptFree  uint64 // below it appends are refused; 0 for no bound
}

// Usage looks at every file of the log, of which there are few. It is all zero once
// the log is closed.
func (l *Log) Usage() Usage {
	s, err := l.pin()
	if err != nil {
		return Usage{}
	}
	defer s.release()
	out := Usage{LogBytes: l.filesBytes(), KeptFree: uint64(max(0, l.cfg.MinFreeBytes))}
	if disk, err := l.cfg.FS.GetDiskUsage(l.cfg.Dir); err == nil {
		out.FreeBytes, out.DiskBytes = disk.AvailBytes, disk.TotalBytes
	}
	return out
}

// filesBytes is what the files of the log hold. Pebble's own metrics leave out what
// is in the file that is appended to, which is all that is new.
func (l *Log) filesBytes() (sum uint64) {
	names, err := l.cfg.FS.List(l.cfg.Dir)
	if err != nil {
		return 0
	}
	for _, name := range names {
		if info, err := l.cfg.FS.Stat(l.cfg.FS.PathJoin(l.cfg.Dir, name)); err == nil && !info.IsDir() {
			sum += uint64(info.Size())
		}
	}
	return sum
}
