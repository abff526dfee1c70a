// Package surroundings is the projection of where and how the
// person is: the latest of each field that a client of theirs reported.
//
// Unlike other folds it keeps the content, not a reference: what counts is put
// together from several records. It is as small as one of them, and what is
// erased leaves it with the next fold from the start.
package surroundings

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the surroundings.
type Projection struct {
	*projections.InMemory[domain.ContextUpdated]
}

var _ projections.Committer = (*Projection)(nil)

// New knows nothing.
func New() *Projection {
	return &Projection{projections.NewInMemory("surroundings", 1, isContext, evolve)}
}

// Now is the latest of each field; nil where nobody said anything.
func (p *Projection) Now() (now domain.ContextUpdated) {
	p.Read(func(s *domain.ContextUpdated) { now = *s })
	return now
}

func isContext(rec *domain.Record) bool { return rec.Envelope.Type == domain.ContextUpdatedType }

// evolve folds one record. An erased one tells nothing. The error has
// CodeUndecodable.
func evolve(known *domain.ContextUpdated, rec domain.Record) error {
	update, err := domain.Decode[domain.ContextUpdated](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return nil
	}
	if err == nil {
		*known = update.Over(*known)
	}
	return err
}
