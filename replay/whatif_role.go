package replay

import (
	"context"

	"chalie/domain"
)

// isDecided reports whether a record was made by code that decides, and is made anew
// in a branch. What somebody asked for directly begins there, too.
func isDecided(ctx context.Context, log domain.Reader, rec domain.Record) (bool, error) {
	env := rec.Envelope
	switch env.Type {
	case "approval.granted", "approval.refused", "approval.attempt_refused", "reasoning.yielded":
		return false, nil // the person, somebody with their token, or a clock
	case "tool.failed":
		// Of what a person refused the end is part of what they did.
		parent, err := log.Find(ctx, env.Parent)
		if domain.CategoryOf(err) == domain.NotFound {
			return true, nil
		}
		return parent.Envelope.Type != "approval.refused", err
	}
	switch rec.Topic {
	case domain.TopicCommitments, domain.TopicMemory:
		return env.Source == plannedSource, nil
	case domain.TopicReasoning, domain.TopicTools:
		return true, nil
	}
	return false, nil
}

// plannedSource is who emits what skills change.
const plannedSource domain.Source = "skills"

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
