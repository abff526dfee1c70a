package pebblelog

import (
	"slices"
	"strings"
	"sync"
)

// leaving are the failed stores that still have readers or background work.
type leaving struct {
	mu     sync.Mutex
	stores []*store
}

func (l *leaving) add(s *store) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stores = append(l.stores, s)
}

// any reports whether there is one.
func (l *leaving) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stores = slices.DeleteFunc(l.stores, func(s *store) bool {
		select {
		case <-s.gone:
			return true
		default:
			return false
		}
	})
	return len(l.stores) > 0
}

// needs reports whether a file that a later opening wants to delete may still be read:
// Pebble ends the process over a table that isn't there. A file that is kept for that
// reason is deleted by the next opening.
func (l *leaving) needs(name string) bool {
	return (strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob")) && l.any()
}
