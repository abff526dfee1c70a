package pebblestore

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"chalie/domain"
)

// renew deletes what is damaged and begins an empty store in its place, under the
// same lock. Calls fail meanwhile, and for good when it does; those under way are
// waited for.
func (s *Store) renew(op string) error {
	if err := s.begin(op); err != nil {
		return err
	}
	s.mu.Lock()
	s.renewed = true
	s.mu.Unlock()
	s.calls.Done()
	s.calls.Wait()

	// What a damaged database says of its end has no consequence.
	_ = s.db.Close()
	if err := empty(s.dir, s.cfg); err != nil {
		return refused(s.dir, err)
	}
	s.health.revive()
	db, err := pebble.Open(s.dir, s.options())
	if err != nil {
		return s.openFailed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db, s.renewed, s.flushed = db, false, 0
	return nil
}

// lost reports whether renewing failed, or is under way: Close comes after the
// calls of who uses the store.
func (s *Store) lost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.renewed
}

// closeRenewed ends a store that could not be renewed: it has no database.
func (s *Store) closeRenewed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &domain.Error{Op: "close derived state", Category: domain.Dependency, Code: domain.CodeClosed, Message: "the derived state is closed already"}
	}
	s.closed = true
	return errors.Join(s.cfg.FS.RemoveAll(s.dir), s.lock.Close())
}

// empty deletes everything in a store's folder but the lock, which its caller holds.
func empty(dir string, cfg Config) error {
	files, err := cfg.FS.List(dir)
	for _, file := range files {
		path := cfg.FS.PathJoin(dir, file)
		if path != lockFile(dir, cfg) {
			err = errors.Join(err, cfg.FS.RemoveAll(path))
		}
	}
	return err
}

// revive forgets what ailed the database before.
func (h *health) revive() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.trouble, h.dead, h.signal = nil, nil, make(chan struct{})
}
