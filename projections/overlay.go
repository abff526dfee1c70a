package projections

import (
	"bytes"
	"slices"
	"sort"
	"sync"

	"chalie/domain"
)

// Overlay is a Store in memory over another one that it only reads. The command
// line folds through it when it opens a data directory read-only: the runner
// begins at the stored checkpoint, and nothing is written to the disk.
type Overlay struct {
	mu      sync.RWMutex
	base    Store             // nil when there is none, or after Reset
	values  map[string][]byte // a nil value hides the base's
	keys    []string          // every key of values; sorted up to sorted
	sorted  int
	pos     domain.Position
	updated bool // pos counts, not the base's checkpoint
	closed  bool
}

var _ Store = (*Overlay)(nil)

// NewOverlay is a Store over base. Closing it does not close base.
func NewOverlay(base Store) *Overlay {
	return &Overlay{base: base, values: map[string][]byte{}}
}

// NewMemStore is an empty Store in memory.
func NewMemStore() *Overlay { return NewOverlay(nil) }

// Get returns the value of a key; false when there is none.
func (o *Overlay) Get(key []byte) ([]byte, bool, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return nil, false, closedStore("read")
	}
	if value, ok := o.values[string(key)]; ok {
		return bytes.Clone(value), value != nil, nil
	}
	if o.base == nil {
		return nil, false, nil
	}
	return o.base.Get(key)
}

// Scan calls fn for each key with the prefix.
func (o *Overlay) Scan(prefix []byte, reverse bool, fn func(key, value []byte) bool) error {
	return o.Range(prefix, PrefixEnd(prefix), reverse, fn)
}

// Range calls fn for each key from low to high. fn sees the state as it was
// when Range began, and may call the store.
func (o *Overlay) Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	own, base, err := o.entries(low, high)
	if err != nil {
		return err
	}
	if reverse {
		slices.Reverse(own)
	}
	emit := func(e entry) bool { return e.value == nil || fn([]byte(e.key), e.value) }
	stopped := false
	if base != nil {
		err = base.Range(low, high, reverse, func(key, value []byte) bool {
			for len(own) > 0 && before(own[0].key, string(key), reverse) && !stopped {
				stopped = !emit(own[0])
				own = own[1:]
			}
			switch {
			case stopped:
			case len(own) > 0 && own[0].key == string(key):
				stopped = !emit(own[0])
				own = own[1:]
			default:
				stopped = !fn(key, value)
			}
			return !stopped
		})
	}
	for ; err == nil && !stopped && len(own) > 0; own = own[1:] {
		stopped = !emit(own[0])
	}
	return err
}

type entry struct {
	key   string
	value []byte // never changed once stored
}

func before(a, b string, reverse bool) bool {
	if reverse {
		return a > b
	}
	return a < b
}

// entries copies out what is in memory between two keys, in order.
func (o *Overlay) entries(low, high []byte) ([]entry, Store, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, nil, closedStore("scan")
	}
	if o.sorted < len(o.keys) {
		// Most keys come in order, which makes this cheap.
		slices.Sort(o.keys)
		o.sorted = len(o.keys)
	}
	from := sort.SearchStrings(o.keys, string(low))
	to := len(o.keys)
	if high != nil {
		to = max(from, sort.SearchStrings(o.keys, string(high)))
	}
	out := make([]entry, 0, to-from)
	for _, key := range o.keys[from:to] {
		out = append(out, entry{key, o.values[key]})
	}
	return out, o.base, nil
}

// Checkpoint is the position the state was folded through.
func (o *Overlay) Checkpoint() (domain.Position, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	switch {
	case o.closed:
		return 0, closedStore("read checkpoint")
	case o.updated || o.base == nil:
		return o.pos, nil
	}
	return o.base.Checkpoint()
}

// Update applies what fn writes, in memory.
func (o *Overlay) Update(pos domain.Position, fn func(Batch) error) error {
	var writes overlayBatch
	if err := fn(&writes); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return closedStore("update")
	}
	for _, w := range writes {
		if _, known := o.values[w.key]; !known {
			o.keys = append(o.keys, w.key)
		}
		o.values[w.key] = w.value
	}
	o.pos, o.updated = pos, true
	return nil
}

// Reset throws everything in memory away and stops reading the base.
func (o *Overlay) Reset() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return closedStore("reset")
	}
	o.base, o.values, o.keys, o.sorted = nil, map[string][]byte{}, nil, 0
	o.pos, o.updated = 0, true
	return nil
}

// Close ends it.
func (o *Overlay) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return closedStore("close")
	}
	o.closed, o.values, o.keys = true, nil, nil
	return nil
}

type overlayBatch []entry

func (b *overlayBatch) Set(key, value []byte) error {
	*b = append(*b, entry{string(key), append([]byte{}, value...)})
	return nil
}

func (b *overlayBatch) Delete(key []byte) error {
	*b = append(*b, entry{string(key), nil})
	return nil
}

// PrefixEnd is the first key after all that start with prefix; nil when there
// is none.
func PrefixEnd(prefix []byte) []byte {
	end := bytes.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

func closedStore(op string) error {
	return &domain.Error{Op: op + " derived state", Category: domain.Dependency, Code: domain.CodeClosed,
		Message: "the store is closed: Chalie is shutting down"}
}
