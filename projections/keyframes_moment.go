package projections

import (
	"bytes"
	"encoding/binary"
	"runtime"

	"chalie/domain"
)

// moment is a projection's state at a keyframe.
//
// A state's keys stand in the store behind the projection's name, each with the position
// of the keyframe that wrote it, the latest first: so the first one at or before a
// position is what was known then. A zero byte in a key is written as 0x00 0xff and the
// end of the key as 0x00 0x01, which keeps their order. The first byte of a value says
// whether there is one.
type moment struct {
	of         *Keyframes
	generation uint64
	at         domain.Position
	prefix     []byte
}

var _ Snapshot = (*moment)(nil)

const (
	stateGone byte = iota // the key was deleted
	stateSet
)

// suffixBytes are those of a stored key behind the projection's own: its end, and the
// position.
const suffixBytes = 2 + 8

// moment is what a projection had at a keyframe, which isn't thinned out as long as
// somebody refers to it. The caller holds mu.
func (k *Keyframes) moment(at domain.Position, name string) *moment {
	m := &moment{of: k, generation: k.generation, at: at, prefix: stateOf(name)}
	k.inUse[at]++
	runtime.AddCleanup(m, k.release, at)
	return m
}

func (k *Keyframes) release(at domain.Position) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.inUse[at]--; k.inUse[at] == 0 {
		delete(k.inUse, at)
	}
}

// stateOf is how the keys of a projection begin: names have no zero byte.
func stateOf(name string) []byte {
	return append(append([]byte{statePrefix}, name...), 0)
}

// stored is where a key begins in the store, in all its positions.
func stored(prefix, key []byte) []byte {
	out := append(make([]byte, 0, len(prefix)+len(key)+suffixBytes+4), prefix...)
	for _, b := range key {
		if out = append(out, b); b == 0 {
			out = append(out, 0xff)
		}
	}
	return out
}

// storedAt is where a key stands that a keyframe wrote.
func storedAt(prefix, key []byte, at domain.Position) []byte {
	return binary.BigEndian.AppendUint64(append(stored(prefix, key), 0, 1), ^uint64(at))
}

// parted is what a stored key is of, and the position.
func parted(key []byte) (of []byte, at domain.Position) {
	n := len(key) - suffixBytes
	return key[:n], domain.Position(^binary.BigEndian.Uint64(key[n+2:]))
}

// plain is a projection's own key.
func plain(stored []byte) []byte { return bytes.ReplaceAll(stored, []byte{0, 0xff}, []byte{0}) }

// Get returns the value that a key had; false when there was none.
func (m *moment) Get(key []byte) (value []byte, found bool, err error) {
	low := storedAt(m.prefix, key, m.at)
	err = m.of.store.Range(low, append(stored(m.prefix, key), 0, 2), false, func(_, v []byte) bool {
		if found = v[0] == stateSet; found {
			value = append([]byte{}, v[1:]...)
		}
		return false
	})
	return value, found && err == nil, m.checked(err)
}

// Scan calls fn for each key with the prefix.
func (m *moment) Scan(prefix []byte, reverse bool, fn func(key, value []byte) bool) error {
	return m.Range(prefix, PrefixEnd(prefix), reverse, fn)
}

// Range calls fn for each key from low to high.
func (m *moment) Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	from, to := stored(m.prefix, low), PrefixEnd(m.prefix)
	if high != nil {
		to = stored(m.prefix, high)
	}
	var last, seen []byte // the key that was looked at, and its value as of the moment
	on := true
	tell := func() {
		if on && len(seen) > 0 && seen[0] == stateSet {
			on = fn(plain(last[len(m.prefix):]), seen[1:])
		}
		seen = seen[:0]
	}
	err := m.of.store.Range(from, to, reverse, func(key, value []byte) bool {
		of, at := parted(key)
		if !bytes.Equal(of, last) {
			tell()
			last = append(last[:0], of...)
		} else if !reverse && len(seen) > 0 {
			return on // what is behind it is older
		}
		if on && at <= m.at {
			seen = append(seen[:0], value...)
		}
		return on
	})
	tell()
	return m.checked(err)
}

// checked is what reading came to: what was read while everything was lost is nothing.
func (m *moment) checked(err error) error {
	if err != nil {
		m.of.doubt(m.generation, err)
		return err
	}
	if m.of.age() != m.generation {
		return &domain.Error{Op: "look back", Category: domain.Dependency, Code: domain.CodeCorrupt, Retriable: true,
			Message: "what was kept of that time was damaged and is being made anew; try again"}
	}
	return nil
}

// frameBatch writes a projection's changes for a keyframe.
type frameBatch struct {
	to     Batch
	prefix []byte
	at     domain.Position
	bytes  *int64
}

var _ Batch = frameBatch{}

// Set implements Batch.
func (b frameBatch) Set(key, value []byte) error {
	return b.put(key, append([]byte{stateSet}, value...))
}

// Delete implements Batch.
func (b frameBatch) Delete(key []byte) error { return b.put(key, []byte{stateGone}) }

func (b frameBatch) put(key, value []byte) error {
	at := storedAt(b.prefix, key, b.at)
	*b.bytes += int64(len(at) + len(value))
	return b.to.Set(at, value)
}
