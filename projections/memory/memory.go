// Package memory is the projection of what the person wants Chalie to know, by
// reference. The words are in the log.
package memory

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the memories.
type Projection struct {
	*projections.InMemory[domain.Memories]
}

var _ projections.Committer = (*Projection)(nil)

// New remembers nothing.
func New() *Projection {
	return &Projection{projections.NewInMemory("memory", 1, isMemory, evolve)}
}

func isMemory(rec *domain.Record) bool { return rec.Topic == domain.TopicMemory }

func evolve(m *domain.Memories, rec domain.Record) error {
	m.Evolve(rec)
	return nil
}
