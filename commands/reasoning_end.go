package commands

import (
	"context"
	"errors"

	"chalie/domain"
)

// roleAsked is the role of the message itself in the evidence of its answer.
const roleAsked = "asked"

// conclude ends an episode with the last reply.
func (r *Reasoner) conclude(ctx context.Context, ep *domain.Episode) error {
	last := ep.LastCall()
	end := r.ending(ep)
	end.Outcome, end.Shown, end.Reply = domain.OutcomeResponded, domain.ShownMessage, last.ReplyID
	end.Evidence = append(end.Evidence, last.Reply.Used...)
	if !ep.ByOperator() {
		end.Outcome, end.Shown = domain.OutcomeSurfaced, domain.ShownNotification
		if last.Reply.Urgent {
			end.Shown = domain.ShownEscalation
		}
	}
	var further []domain.Condition
	if len(ep.Calls) < domain.DefaultReasoningLimits().ModelCalls {
		further = append(further, domain.Condition{Key: domain.SteerKey(ep.Opening.Envelope.Trace), After: ep.Through})
	}
	return r.end(ctx, ep, last.ReplyID, end, nil, further)
}

// fail ends an episode without an answer. A steer doesn't hold it up: it can't
// make good what failed.
func (r *Reasoner) fail(ctx context.Context, ep *domain.Episode, fault domain.Fault) error {
	end := r.ending(ep)
	end.Outcome = domain.OutcomeFailed
	return r.end(ctx, ep, latest(ep), end, []domain.Fault{fault}, nil)
}

// unanswered judges a model's error: a retriable one is returned, any other ends
// the episode.
func (r *Reasoner) unanswered(ctx context.Context, ep *domain.Episode, err error) error {
	if domain.IsRetriable(err) {
		return err
	}
	fault := domain.Fault{Code: "model_failed", Category: domain.Dependency, Message: "the model failed: " + err.Error()}
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		fault.Code, fault.Category, fault.Message = e.Code, e.Category, e.Message
	}
	fault.Message = cut(fault.Message, maxFaultBytes)
	return r.fail(ctx, ep, fault)
}

func (r *Reasoner) end(ctx context.Context, ep *domain.Episode, cause domain.ID, end domain.ReasoningConcluded, faults []domain.Fault, further []domain.Condition) error {
	entry, err := domain.New(lineage(ep, cause), r.cfg.IDs.NewID(), r.now(), reasoningSource, end)
	if err != nil {
		return err
	}
	entry.Envelope.Errors = faults
	entry.Envelope.Keys = []domain.Key{domain.ConcludedKey(ep.Opening.Envelope.Trace), end.ShownKey()}
	return r.step(ctx, ep, entry, further...)
}

// ending is what every end has in common.
func (r *Reasoner) ending(ep *domain.Episode) domain.ReasoningConcluded {
	return domain.ReasoningConcluded{
		// The clock may have gone back, or be another machine's.
		DurationMS: max(0, int64(r.now()-ep.Opening.RecordedAt)),
		Evidence:   []domain.Evidence{{EnvelopeID: ep.Opening.Envelope.ID, Role: roleAsked, Weight: domain.One}},
		Rejected:   []domain.Rejected{},
	}
}

// latest is the last step of an episode, or its opening.
func latest(ep *domain.Episode) domain.ID {
	last := ep.LastCall()
	switch {
	case last != nil && !last.ReplyID.IsZero():
		return last.ReplyID
	case last != nil:
		return last.ID
	case ep.Started != nil:
		return ep.StartedID
	}
	return ep.Opening.Envelope.ID
}
