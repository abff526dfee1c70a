package main

import (
	"fmt"

	"chalie/adapters/httpapi"
	"chalie/adapters/pebblestore"
	"chalie/domain"
)

// foldedThrough is how far any projection of the data directory was folded, of
// every edition that is there; 0 when nothing can be read.
func (s *shelf) foldedThrough(kinds []kind) (furthest domain.Position) {
	for _, k := range kinds {
		editions, err := pebblestore.Editions(k.name, s.cfg)
		if err != nil {
			continue
		}
		for _, e := range editions {
			furthest = max(furthest, s.checkpointOf(k.name, e))
		}
	}
	return furthest
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

// lostEnd is what a walk of the log can't find: that it went on once. An end that
// was cut off looks like an end; what was folded from it tells.
func lostEnd(tail, folded domain.Position) []httpapi.Problem {
	if folded <= tail {
		return nil
	}
	return []httpapi.Problem{{Position: tail + 1, Error: fmt.Sprintf(
		"the log ends before this position, and what was folded from it went through position %d: it has lost its end", folded)}}
}
