package projections

import (
	"maps"
	"slices"

	"chalie/domain"
)

// View is a store as it was at one moment, while the store goes on changing.
// Close it: until then the store keeps what it shows.
type View interface {
	Snapshot
	// Checkpoint is the position the state of the moment was folded through.
	Checkpoint() (domain.Position, error)
	Close() error
}

// Durable is a Store that a projection can be rebuilt in.
type Durable interface {
	Store
	// View shows the state as it is now.
	View() (View, error)
	// Flush returns once everything updated before it outlives a crash.
	Flush() error
}

var _ Durable = (*Overlay)(nil)

// View copies what is in memory.
func (o *Overlay) View() (View, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return nil, closedStore("view")
	}
	return &Overlay{base: o.base, values: maps.Clone(o.values), keys: slices.Clone(o.keys), sorted: o.sorted, pos: o.pos, updated: o.updated}, nil
}

// Flush has nothing to do: memory outlives nothing.
func (o *Overlay) Flush() error {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return closedStore("flush")
	}
	return nil
}
