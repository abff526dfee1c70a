package commands

import (
	"context"

	"chalie/domain"
)

// noticed is what follows from an envelope alone.
type noticed func(domain.Envelope) (domain.SpineSignal, bool)

var _ Noticing = noticed(nil)

// Notice implements Noticing.
func (n noticed) Notice(_ context.Context, rec domain.Record) (domain.SpineSignal, bool, error) {
	s, ok := n(rec.Envelope)
	return s, ok, nil
}

// NoticePlans notices what happens to tasks and memories.
func NoticePlans() Noticing { return noticed(domain.PlanSignal) }

// NoticeDue notices what falls due.
func NoticeDue() Noticing { return noticed(domain.DueSignal) }
