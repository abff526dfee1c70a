package main

import (
	"sync"

	"chalie/adapters/pebblestore"
	"chalie/domain"
)

// foldedThrough is how far any projection of the data directory was folded, of
// every edition that is there; 0 when nothing can be read. Only what was durable is
// folded, so a log that ends before it has lost its end.
func (s *shelf) foldedThrough(kinds []kind) domain.Position {
	furthest := make([]domain.Position, len(kinds))
	var looking sync.WaitGroup
	for i, k := range kinds {
		looking.Go(func() {
			editions, err := pebblestore.Editions(k.name, s.cfg)
			if err != nil {
				return
			}
			for _, e := range editions {
				furthest[i] = max(furthest[i], s.checkpointOf(k.name, e))
			}
		})
	}
	looking.Wait()
	var through domain.Position
	for _, pos := range furthest {
		through = max(through, pos)
	}
	return through
}

// checkpointOf is the checkpoint of a store; 0 of one that can't be read.
func (s *shelf) checkpointOf(name string, e pebblestore.Edition) domain.Position {
	store, err := pebblestore.OpenReadOnly(name, e.Version, s.in(e))
	if err != nil {
		return 0
	}
	defer store.Close() //nolint:errcheck // it was only read
	pos, err := store.Checkpoint()
	if err != nil {
		return 0
	}
	return pos
}
