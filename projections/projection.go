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
	// Version rises with every change of the stored form or of the fold.
	Version() int
	// Load replaces the state with the saved one. It is called before the
	// first Apply, on an empty store too, and once more on an emptied store
	// when what was stored can't be used. It may keep s to read from it later.
	Load(s Snapshot) error
	// Apply folds one record in memory. An error stops this projection at this
	// position, and no other; Apply must then have changed nothing.
	Apply(rec domain.Record) error
	// Save adds the changes since the last Save to b.
	Save(b Batch) error
}

// Filter is a projection that most records say nothing to. A runner asks it
// first, and doesn't apply what isn't wanted: twelve projections look at every record
// of the log, and a look at its topic or type costs a tenth of passing it on.
type Filter interface {
	Projection
	// Wants reports whether Apply would do anything with a record. It is a look at its
	// header, and must not keep or change it.
	Wants(rec *domain.Record) bool
}

// Apply folds a record into a projection, unless it doesn't want it.
func Apply(p Projection, rec *domain.Record) error {
	if s, ok := p.(Filter); ok && !s.Wants(rec) {
		return nil
	}
	return p.Apply(*rec)
}

// Committer is a projection that wants to know when what Save wrote has become
// readable in its Snapshot. One that drops changes from memory once they are
// saved needs it: until Saved is called the store may still refuse them, and
// the next Save must then write them again.
//
// A projection that writes its whole state in every Save gets by with an empty
// Saved. One that is no Committer is stopped by the first Save that the store
// refuses, because nobody knows what it would write next.
type Committer interface {
	Projection
	// Saved is called after the store took what the last Save wrote, by the
	// goroutine that calls Apply and Save.
	Saved()
}

// Snapshot reads a projection's derived state. It is safe for concurrent use;
// every read sees whole Updates only.
type Snapshot interface {
	// Get returns the value of a key; false when there is none.
	Get(key []byte) ([]byte, bool, error)
	// Scan calls fn for each key with the prefix, in order, descending when
	// reverse is set, until fn returns false. Slices are valid during the call.
	Scan(prefix []byte, reverse bool, fn func(key, value []byte) bool) error
	// Range is Scan over the keys from low, included, to high, excluded. A nil
	// bound is none.
	Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error
}

// Batch collects writes that become visible together. It copies what it is
// given; the last write of a key counts. Keys that begin with a zero byte are the
// runner's.
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
	// Update applies what fn writes and moves the checkpoint, together. When it
	// or fn fails nothing was changed; a retriable error may go away.
	Update(pos domain.Position, fn func(Batch) error) error
	// Reset throws everything away: no key is left and the checkpoint is 0.
	Reset() error
	// Close makes what was updated outlive the process. Every later call fails
	// with CodeClosed.
	Close() error
}
