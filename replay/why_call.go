package replay

import (
	"context"

	"chalie/domain"
)

// maxCalls bounds how many tool calls of one reply are looked up.
const maxCalls = 64

// followCalls goes from a call to the model to what came of every tool that its
// last reply had asked for: the model was told of them all, and the parent is only
// the last of them.
func (w *walk) followCalls(ctx context.Context, rec domain.Record) error {
	if rec.Envelope.Type != domain.ModelCalledType {
		return nil
	}
	reply, err := w.replyBefore(ctx, rec.Envelope)
	if err != nil || reply.IsZero() {
		return err
	}
	for n := range maxCalls {
		end, made, err := w.endOfCall(ctx, reply, n)
		if err != nil || !made {
			return err
		}
		// What came after this call, or belongs to another trace, it can't have known.
		if end.Position > 0 && end.Position < rec.Position && end.Envelope.Trace == rec.Envelope.Trace && end.Envelope.ID != rec.Envelope.Parent {
			w.followTo(rec, end, RoleCall)
		}
	}
	return nil
}

// replyBefore is the reply whose tool calls led to a call to the model; none when
// no tool did.
func (w *walk) replyBefore(ctx context.Context, called domain.Envelope) (domain.ID, error) {
	parent, known := w.records[called.Parent]
	if !known {
		return domain.ID{}, nil
	}
	before := parent.Envelope
	if before.Type == domain.ModelRepliedType {
		return before.ID, nil
	}
	if invocation, ok := domain.InvocationOf(before); ok {
		rec, err := w.log.Find(ctx, invocation)
		if domain.CategoryOf(err) == domain.NotFound {
			return domain.ID{}, nil
		}
		if err != nil {
			return domain.ID{}, err
		}
		before = rec.Envelope
	}
	reply, _, _ := domain.CallOf(before)
	return reply, nil
}

// endOfCall is what came of the n-th call of a reply; made is false when there was
// no such call, and the record is zero when it has no end.
func (w *walk) endOfCall(ctx context.Context, reply domain.ID, n int) (end domain.Record, made bool, err error) {
	calls, err := w.log.Select(ctx, domain.Selector{Key: domain.CallKey(reply, n)}, 1, maxCalls)
	if err != nil || len(calls) == 0 {
		return domain.Record{}, false, err
	}
	last := calls[len(calls)-1]
	if last.Envelope.Type != domain.ToolInvokedType {
		return last, true, nil // it was rejected
	}
	steps, err := w.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(last.Envelope.ID)}, last.Position, maxCalls)
	for _, step := range steps {
		switch step.Envelope.Type {
		case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
			end = step
		}
	}
	return end, true, err
}

// followProposal goes from what became of a question for approval to the question:
// the parent may be what the person said to it.
func (w *walk) followProposal(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	switch e.Type {
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
	default:
		return nil
	}
	id, ok := domain.InvocationOf(e)
	if !ok {
		return nil
	}
	steps, err := w.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(id)}, 1, maxCalls)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if step.Envelope.Type == domain.ApprovalProposedType && step.Position < rec.Position && step.Envelope.ID != e.Parent {
			w.followTo(rec, step, RoleProposal)
		}
	}
	return nil
}
