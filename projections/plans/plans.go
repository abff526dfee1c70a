// Package plans is the projection of what is planned: reminders, tasks and lists,
// by reference. The words stand in the log.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read.
package plans

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the plans. It is saved whole: the state is references and
// numbers, and a plan that has ended is remembered for a while only.
type Projection struct {
	*projections.Whole[domain.Plans]
}

var _ projections.Committer = (*Projection)(nil)

// New knows of none.
func New() *Projection {
	return &Projection{projections.NewWhole("plans", 1, isPlan, (*domain.Plans).Evolve)}
}

func isPlan(rec domain.Record) bool {
	return rec.Topic == domain.TopicCommitments || rec.Envelope.Type == "timer.due"
}
