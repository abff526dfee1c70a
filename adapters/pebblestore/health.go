package pebblestore

import (
	"fmt"
	"log/slog"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"chalie/domain"
)

// health is what Pebble says of itself in the background. It is Pebble's
// logger, because that is how Pebble gives up: its own would end the process.
type health struct {
	log *slog.Logger
	dir string

	mu      sync.Mutex
	trouble error         // the last flush failed; Pebble tries again
	dead    error         // Pebble gave up, or bytes are damaged
	signal  chan struct{} // closed while there is trouble
}

var _ pebble.Logger = (*health)(nil)

func newHealth(log *slog.Logger, dir string) *health {
	return &health{log: log, dir: dir, signal: make(chan struct{})}
}

// Infof drops Pebble's chatter.
func (h *health) Infof(string, ...any) {}

// Errorf logs.
func (h *health) Errorf(format string, args ...any) {
	h.log.Error("pebble: "+fmt.Sprintf(format, args...), "dir", h.dir)
}

// Fatalf notes that Pebble gave up. Pebble then returns an error to whoever
// waits; nothing more is written.
func (h *health) Fatalf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	for _, a := range args {
		if cause, ok := a.(error); ok && outOfFiles(cause) {
			err = noDescriptors("write derived state", h.dir, cause)
		}
	}
	h.die(err)
}

func (h *health) die(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dead != nil {
		return
	}
	h.dead = err
	if outOfFiles(err) {
		h.log.Warn("derived state isn't written any more; nothing of it is lost", "dir", h.dir, "err", err)
		h.alarm()
		return
	}
	h.log.Error("derived state is lost and will be folded again at the next start", "dir", h.dir, "err", err)
	h.alarm()
}

// alarm wakes Close; the caller holds h.mu.
func (h *health) alarm() {
	if h.trouble == nil || h.dead == nil {
		select {
		case <-h.signal:
		default:
			close(h.signal)
		}
	}
}

// flushFailed is called by Pebble for each failure in the background.
func (h *health) flushFailed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.trouble == nil {
		h.log.Warn("derived state can't be written; it is tried again", "dir", h.dir, "err", err)
	}
	h.trouble = err
	h.alarm()
}

func (h *health) flushEnded(info pebble.FlushInfo) {
	if info.Err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.trouble != nil {
		h.log.Info("derived state is written again", "dir", h.dir)
		h.trouble = nil
		if h.dead == nil {
			h.signal = make(chan struct{})
		}
	}
}

func (h *health) listener() *pebble.EventListener {
	return &pebble.EventListener{BackgroundError: h.flushFailed, FlushEnd: h.flushEnded}
}

func (h *health) fatal() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

func (h *health) refused() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.signal
}

// writable refuses while a write would wait for a disk that refuses.
func (s *Store) writable(op string) error {
	s.health.mu.Lock()
	dead, trouble := s.health.dead, s.health.trouble
	s.health.mu.Unlock()
	switch {
	case s.readOnly:
		return &domain.Error{Op: op, Category: domain.Policy, Code: "read_only",
			Message: fmt.Sprintf("the derived state in %s was opened to be read only", s.dir)}
	case dead != nil:
		return s.corrupt(op, dead)
	case trouble != nil:
		return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: trouble,
			Message: fmt.Sprintf("the disk refuses writes to %s; check its free space and health", s.dir)}
	}
	return nil
}

// failed names the store in an error of Pebble's.
func (s *Store) failed(op string, err error) error {
	if pebble.IsCorruptionError(err) {
		return s.damaged(op, err)
	}
	if dead := s.health.fatal(); dead != nil {
		return s.corrupt(op, dead)
	}
	if outOfFiles(err) {
		return noDescriptors(op, s.dir, err)
	}
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
		Message: fmt.Sprintf("the derived state in %s can't be used; check the disk, then restart Chalie", s.dir)}
}

// damaged gives the store up: Close deletes it.
func (s *Store) damaged(op string, err error) error {
	if !s.readOnly {
		s.health.die(err)
	}
	return s.corrupt(op, err)
}

func (s *Store) corrupt(op string, err error) error {
	if outOfFiles(err) {
		return noDescriptors(op, s.dir, err)
	}
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeCorrupt, Err: err,
		Message: fmt.Sprintf("the derived state in %s is damaged; restart Chalie, which builds it again from the log", s.dir)}
}
