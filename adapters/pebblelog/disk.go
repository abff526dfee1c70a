package pebblelog

import (
	"fmt"

	"chalie/domain"
)

// checkSpace refuses appends when the disk is nearly full. Pebble needs room to compact;
// without it a full disk could never be emptied.
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

// Refusing is the error with which the log refuses appends at present; nil when it
// accepts them.
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

// Usage is the size of the log and the free space of its disk.
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

// filesBytes is the size of the log's files. Pebble's own metrics leave out the file that
// is being appended to.
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
