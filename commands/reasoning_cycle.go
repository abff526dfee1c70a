package commands

import (
	"context"
	"errors"

	"chalie/domain"
)

// Cycle goes on with a cycle of Chalie's own accord until it has ended. When ctx
// ends with the cause ErrPreempted, it makes room: what is under way is given up, and
// that is recorded as reasoning.yielded. done is false then: call Cycle again
// when the person has been answered. An episode that made room
// domain.MaxYields times ends for good: the world it looked at is an old one.
//
// Otherwise it is as Answer.
func (r *Reasoner) Cycle(ctx context.Context, rec domain.Record) (done bool, err error) {
	ep, err := r.goOn(ctx, rec.Envelope.Trace)
	if err == nil || !errors.Is(context.Cause(ctx), ErrPreempted) {
		return err == nil, err
	}
	// What was given up must not hide how far it had come.
	work := context.WithoutCancel(ctx)
	if err := r.reload(work, rec.Envelope.Trace, ep); err != nil {
		return false, err
	}
	if ep.Next() == domain.MoveNone {
		return true, nil
	}
	yielded := domain.ReasoningYielded{}
	if room, ok := errors.AsType[*Preemption](context.Cause(ctx)); ok {
		yielded.To = room.By
	}
	err = makeStep(work, r, ep, latest(ep), yielded)
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		err = nil // another made the next step
	}
	return false, err
}
