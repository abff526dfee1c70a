package pebblelog

import (
	"sync"

	"chalie/domain"
)

// latest holds the last position of each topic that is written to, so that followers of a
// quiet topic needn't read the store at each append to another.
type latest struct {
	mu    sync.Mutex
	begun domain.Position // topics of records up to here are only in the store
	ends  map[domain.Topic]domain.Position
}

// reset forgets the positions: those through tail are read from the store.
func (t *latest) reset(tail domain.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun, t.ends = tail, map[domain.Topic]domain.Position{}
}

// add notes a group, before it can be read.
func (t *latest) add(g *group) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, p := range g.entries {
		t.ends[p.topic] = g.first + domain.Position(i)
	}
}

// quiet reports whether a topic has nothing at from or later, as far as could be
// read when it was asked.
func (t *latest) quiet(topic domain.Topic, from domain.Position) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return from > t.begun && from > t.ends[topic]
}
