// Package registry is the projection of who Chalie speaks with: the interfaces
// and what they offer and may do, the pairing keys that were issued, and the
// broadcasts that are listened to. Keys and tokens are known by their hashes only.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read. Every read sees the registry as it was after one record. The interfaces
// it points to are never changed once they can be read: a record that changes one
// puts a changed copy in its place, so they may be kept.
package registry

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the interfaces. It is saved whole, which is seldom: only the
// comings and goings of interfaces and streams change it. Who reads may keep the
// interfaces in it.
type Projection struct {
	*projections.InMemory[domain.Registry]
}

var _ projections.Committer = (*Projection)(nil)

// New knows nobody.
func New() *Projection {
	return &Projection{projections.NewInMemory("registry", 4, isRegistry, (*domain.Registry).Evolve)}
}

func isRegistry(rec *domain.Record) bool {
	return rec.Topic == domain.TopicInterfaces || domain.IsBehind(rec)
}
