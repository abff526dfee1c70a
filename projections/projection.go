package projections

import "chalie/domain"

// Projection is a fold of the log with queries of its own.
//
// Apply and Save are called by one goroutine, in log order; queries come from
// any goroutine, so a projection guards its state. Applying the same records to
// an empty projection always gives the same state: a projection reads no clock,
// has no effects and asks nothing outside itself.
type Projection interface {
	// Name is stable and fit for a folder: lower case letters.
	Name() string
	// Version rises with every change of what is stored or how it is folded.
	Version() int
	// Load replaces the state with what Save wrote. It is called once, before
	// the first Apply, on an empty store too.
	Load(s Snapshot) error
	// Apply folds one record in memory. An error stops this projection at this
	// position, and no other; Apply must then have changed nothing.
	Apply(rec domain.Record) error
	// Save adds to b what changed since the last Save.
	Save(b Batch) error
}

// Snapshot reads a projection's derived state.
type Snapshot interface {
	// Get returns the value of a key; false when there is none.
	Get(key []byte) ([]byte, bool, error)
	// Scan calls fn for each key with the prefix, in order, descending when
	// reverse is set, until fn returns false. Slices are valid during the call.
	Scan(prefix []byte, reverse bool, fn func(key, value []byte) bool) error
}

// Batch collects writes that become visible together.
type Batch interface {
	Set(key, value []byte) error
	Delete(key []byte) error
}

// Store holds the derived state of one projection in one version, with the
// position it was folded through. It is not synced: losing it costs a rebuild.
type Store interface {
	Snapshot
	// Checkpoint is the position the stored state was folded through.
	Checkpoint() (domain.Position, error)
	// Update applies what fn writes and moves the checkpoint, together.
	Update(pos domain.Position, fn func(Batch) error) error
	Close() error
}
