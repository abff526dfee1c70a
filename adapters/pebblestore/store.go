package pebblestore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"chalie/domain"
	"chalie/projections"
)

// Store is the derived state of one projection in one version. It is safe for
// concurrent use.
type Store struct {
	db       *pebble.DB
	dir      string
	cfg      Config
	readOnly bool
	health   *health
	lock     *pebble.Lock

	mu      sync.Mutex
	closed  bool
	renewed bool            // it is being replaced by an empty one, or that failed
	flushed domain.Position // of the last flush begun
	calls   sync.WaitGroup  // under way; Close waits for them
}

var _ projections.Durable = (*Store)(nil)

var (
	checkpointKey = []byte{0x00}
	firstKey      = []byte{0x01}
	endKey        = []byte{0x02}
)

// Dir is the store's own folder.
func (s *Store) Dir() string { return s.dir }

// begin admits a call; the caller runs s.calls.Done after it.
func (s *Store) begin(op string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeClosed,
			Message: fmt.Sprintf("the derived state in %s is closed: Chalie is shutting down", s.dir)}
	}
	if s.renewed {
		return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeCorrupt, Retriable: true,
			Message: fmt.Sprintf("the derived state in %s was damaged and is being thrown away; try again in a moment", s.dir)}
	}
	s.calls.Add(1)
	return nil
}

// Get returns the value of a key; false when there is none.
func (s *Store) Get(key []byte) ([]byte, bool, error) {
	return s.get(ownKey(key))
}

func (s *Store) get(stored []byte) ([]byte, bool, error) {
	if err := s.begin("read derived state"); err != nil {
		return nil, false, err
	}
	defer s.calls.Done()
	return s.read(s.db, stored)
}

// read gets a stored key from the database, or from a view of it.
func (s *Store) read(from pebble.Reader, stored []byte) ([]byte, bool, error) {
	value, release, err := from.Get(stored)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, s.failed("read derived state", err)
	}
	own := append([]byte{}, value...)
	return own, true, release.Close()
}

// Scan calls fn for each key with the prefix.
func (s *Store) Scan(prefix []byte, reverse bool, fn func(key, value []byte) bool) error {
	return s.Range(prefix, projections.PrefixEnd(prefix), reverse, fn)
}

// Range calls fn for each key from low to high. fn sees the state as it was
// when Range began, and may call the store, but not close it.
func (s *Store) Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	if err := s.begin("scan derived state"); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.walk(s.db, low, high, reverse, fn)
}

// walk ranges over the database, or over a view of it.
func (s *Store) walk(from pebble.Reader, low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	const op = "scan derived state"
	bounds := &pebble.IterOptions{LowerBound: ownKey(low), UpperBound: endKey}
	if high != nil {
		bounds.UpperBound = ownKey(high)
	}
	if bytes.Compare(bounds.LowerBound, bounds.UpperBound) >= 0 {
		return nil
	}
	it, err := from.NewIter(bounds)
	if err != nil {
		return s.failed(op, err)
	}
	first, next := it.First, it.Next
	if reverse {
		first, next = it.Last, it.Prev
	}
	for ok := first(); ok && fn(it.Key()[1:], it.Value()); ok = next() {
		continue
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return s.failed(op, err)
	}
	return nil
}

// Checkpoint is the position the stored state was folded through.
func (s *Store) Checkpoint() (domain.Position, error) {
	value, found, err := s.get(checkpointKey)
	switch {
	case err != nil || !found:
		return 0, err
	case len(value) != 8:
		return 0, s.damaged("read checkpoint", fmt.Errorf("it has %d bytes", len(value)))
	}
	return domain.Position(binary.BigEndian.Uint64(value)), nil
}

// Update applies what fn writes and moves the checkpoint, together. A
// retriable error with CodeDiskFailed means that the disk refuses for now.
func (s *Store) Update(pos domain.Position, fn func(projections.Batch) error) error {
	const op = "update derived state"
	if err := s.begin(op); err != nil {
		return err
	}
	defer s.calls.Done()
	if err := s.writable(op); err != nil {
		return err
	}
	b := s.db.NewBatch()
	defer b.Close()
	if err := fn(batch{b}); err != nil {
		return err
	}
	if err := b.Set(checkpointKey, binary.BigEndian.AppendUint64(nil, uint64(pos)), nil); err != nil {
		return s.failed(op, err)
	}
	if err := b.Commit(pebble.NoSync); err != nil {
		return s.failed(op, err)
	}
	return s.flushWhenDue(pos)
}

// flushWhenDue begins a flush in the background: a fold that rewrites a small
// state would otherwise never fill a memtable, and lose hours in a crash.
func (s *Store) flushWhenDue(pos domain.Position) error {
	s.mu.Lock()
	due := uint64(pos) >= uint64(s.flushed)+s.cfg.FlushEvery
	if due {
		s.flushed = pos
	}
	s.mu.Unlock()
	if !due {
		return nil
	}
	if _, err := s.db.AsyncFlush(); err != nil {
		return s.failed("flush derived state", err)
	}
	return nil
}

// Reset throws everything away. A store that failed for good becomes an empty one
// that works.
func (s *Store) Reset() error {
	const op = "reset derived state"
	if !s.readOnly && s.health.fatal() != nil {
		return s.renew(op)
	}
	if err := s.begin(op); err != nil {
		return err
	}
	defer s.calls.Done()
	if err := s.writable(op); err != nil {
		return err
	}
	if err := s.db.DeleteRange(checkpointKey, endKey, pebble.NoSync); err != nil {
		return s.failed(op, err)
	}
	s.mu.Lock()
	s.flushed = 0
	s.mu.Unlock()
	return nil
}

// Close waits for the calls under way, flushes and ends. A store that failed
// for good is deleted instead, to be folded again. While the disk refuses, what
// was not flushed is given up.
func (s *Store) Close() error {
	const op = "close derived state"
	if s.lost() {
		return s.closeRenewed()
	}
	if err := s.begin(op); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		s.calls.Done()
		return s.begin(op)
	}
	s.closed = true
	s.mu.Unlock()
	s.calls.Done()
	s.calls.Wait()

	var failure error
	if !s.readOnly && s.health.fatal() == nil {
		failure = s.flush()
	}
	closeErr := s.db.Close()
	switch {
	case outOfFiles(s.health.fatal()):
		closeErr = nil // what was flushed before is sound
	case s.health.fatal() != nil && !s.readOnly:
		closeErr = s.cfg.FS.RemoveAll(s.dir)
	case closeErr != nil:
		closeErr = s.failed(op, closeErr)
	}
	return errors.Join(failure, closeErr, s.lock.Close())
}

// Flush returns once everything updated before it outlives a crash. Errors are
// Update's.
func (s *Store) Flush() error {
	if err := s.begin("flush derived state"); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.flush()
}

func (s *Store) flush() error {
	if err := s.writable("flush derived state"); err != nil {
		return err
	}
	done, err := s.db.AsyncFlush()
	if err != nil {
		return s.failed("flush derived state", err)
	}
	select {
	case <-done:
		return nil
	case <-s.health.refused():
		return s.writable("flush derived state")
	}
}

// ownKey is where a projection's key is stored.
func ownKey(key []byte) []byte {
	return append(append(make([]byte, 0, len(key)+1), firstKey...), key...)
}

type batch struct{ b *pebble.Batch }

func (b batch) Set(key, value []byte) error {
	op := b.b.SetDeferred(len(key)+1, len(value))
	op.Key[0] = firstKey[0]
	copy(op.Key[1:], key)
	copy(op.Value, value)
	return op.Finish()
}

func (b batch) Delete(key []byte) error {
	op := b.b.DeleteDeferred(len(key) + 1)
	op.Key[0] = firstKey[0]
	copy(op.Key[1:], key)
	return op.Finish()
}
