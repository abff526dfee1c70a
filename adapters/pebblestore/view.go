package pebblestore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"chalie/domain"
	"chalie/projections"
)

// view is the store as it was at one moment. While it is open the store can't be
// closed: Close waits for it.
type view struct {
	store  *Store
	snap   *pebble.Snapshot
	closed atomic.Bool
}

var _ projections.View = (*view)(nil)

// View shows the state as it is now. Close waits until it is closed.
func (s *Store) View() (projections.View, error) {
	if err := s.begin("view derived state"); err != nil {
		return nil, err
	}
	return &view{store: s, snap: s.db.NewSnapshot()}, nil
}

// Get returns the value of a key; false when there is none.
func (v *view) Get(key []byte) ([]byte, bool, error) { return v.get(ownKey(key)) }

func (v *view) get(stored []byte) ([]byte, bool, error) {
	return v.store.read(v.snap, stored)
}

// Scan calls fn for each key with the prefix.
func (v *view) Scan(prefix []byte, reverse bool, fn func(key, value []byte) bool) error {
	return v.Range(prefix, projections.PrefixEnd(prefix), reverse, fn)
}

// Range calls fn for each key from low to high.
func (v *view) Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	return v.store.walk(v.snap, low, high, reverse, fn)
}

// Checkpoint is the position the state of the moment was folded through.
func (v *view) Checkpoint() (domain.Position, error) {
	value, found, err := v.get(checkpointKey)
	switch {
	case err != nil || !found:
		return 0, err
	case len(value) != 8:
		return 0, v.store.damaged("read checkpoint", fmt.Errorf("it has %d bytes", len(value)))
	}
	return domain.Position(binary.BigEndian.Uint64(value)), nil
}

// Close lets the store tidy up what only the view showed.
func (v *view) Close() error {
	if v.closed.Swap(true) {
		return v.store.failed("close view", errors.New("the view was closed before"))
	}
	defer v.store.calls.Done()
	if err := v.snap.Close(); err != nil {
		return v.store.failed("close view", err)
	}
	return nil
}
