// Package invocations is the projection of the tool invocations that have not
// ended: few at any time, and after a crash those that somebody has to end.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read.
package invocations

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the open invocations. It reads no payload, so there is none
// that stops it, and is saved whole: it holds only what is under way.
type Projection struct {
	*projections.InMemory[domain.Invocations]
}

var _ projections.Committer = (*Projection)(nil)

// New knows of none.
func New() *Projection {
	return &Projection{projections.NewInMemory("invocations", 2, isTool, evolve)}
}

func isTool(rec *domain.Record) bool { return rec.Topic == domain.TopicTools }

func evolve(s *domain.Invocations, rec domain.Record) error {
	s.Evolve(rec)
	return nil
}
