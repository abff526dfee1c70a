package replay

import (
	"context"

	"chalie/domain"
)

// isDecided reports whether a record was decided by Chalie's code, and is made anew in
// a branch. It is isDecision, but for two things: what somebody asked for directly
// begins in the branch anew, too, and the record in front of this one may be gone, so
// what an end follows from is looked up.
func isDecided(ctx context.Context, log domain.Reader, rec domain.Record) (bool, error) {
	switch env := rec.Envelope; env.Type {
	case domain.ToolInvokedType:
		return true, nil
	case domain.ToolFailedType:
		parent, err := log.Find(ctx, env.Parent)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return false, err
		}
		return isDecision(rec, parent), nil
	}
	return isDecision(rec, domain.Record{}), nil
}

// actOf is the act that a recorded step belongs to: its episode, or the invocation
// that somebody asked for directly. What a skill changed belongs to the invocation it
// follows from.
func (w *branching) actOf(ctx context.Context, rec domain.Record) (Act, error) {
	env := rec.Envelope
	act := Act{Trace: env.Trace}
	id, ok := domain.InvocationOf(env)
	if !ok && (rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicMemory) {
		parent, err := w.log.Find(ctx, env.Parent)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return act, err
		}
		id, ok = domain.InvocationOf(parent.Envelope)
	}
	if !ok {
		return act, nil
	}
	first, err := w.log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return act, nil
	}
	if err != nil {
		return act, err
	}
	if _, _, called := domain.CallOf(first.Envelope); !called {
		act.Invocation = id
	}
	return act, nil
}
