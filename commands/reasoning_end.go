package commands

import (
	"context"
	"fmt"
	"slices"

	"chalie/domain"
)

// roleAsked is the role of what opened an episode in the evidence of its end,
// roleUsed that of what a tool answered.
const (
	roleAsked = "asked"
	roleUsed  = "used"
)

// conclude ends an episode: why depends on how far it has come.
func (r *Reasoner) conclude(ctx context.Context, ep *domain.Episode, said opened) error {
	last := ep.LastCall()
	switch {
	case !ep.Cancel.IsZero():
		return r.stop(ctx, ep)
	case !ep.Yielded.IsZero():
		end := r.ending(ep)
		end.Outcome = domain.OutcomeYielded
		return r.end(ctx, ep, ep.Yielded, end, nil)
	case ep.IsAction():
		return r.concludeAction(ctx, ep, said)
	case last == nil || !last.Failed.IsZero():
		return r.failedByModel(ctx, ep)
	}
	if _, _, open := ep.OpenCall(); open || len(last.Tools) > 0 && !last.Erased {
		why, _ := ep.Exhausted()
		return r.fail(ctx, ep, domain.Fault{Code: "limit_reached", Category: domain.Policy,
			Message: fmt.Sprintf("it was stopped %s, before there was an answer: ask for less at once", why)})
	}
	return r.tell(ctx, ep)
}

// stop ends an episode that the person cancelled. Who waits for it is told.
func (r *Reasoner) stop(ctx context.Context, ep *domain.Episode) error {
	if made, waits := ep.Waiting(); waits && r.cfg.Approvals != nil {
		cancel, err := r.cfg.Reader.Find(ctx, ep.Cancel)
		if err != nil {
			return err
		}
		return r.cfg.Approvals.Withdraw(ctx, r.caller(ep), made.Invocation, cancel.Envelope)
	}
	end := r.ending(ep)
	end.Outcome, end.Shown, end.Topic = domain.OutcomeCancelled, domain.ShownMessage, topicOf(ep)
	end.Blocks = []domain.Block{domain.TextBlock("Stopped.", domain.FormatPlain)}
	return r.end(ctx, ep, ep.Cancel, end, nil)
}

// concludeAction shows what a button did.
func (r *Reasoner) concludeAction(ctx context.Context, ep *domain.Episode, said opened) error {
	rec, err := r.cfg.Reader.Find(ctx, ep.Action.End)
	if err != nil {
		return err
	}
	if len(rec.Envelope.Errors) > 0 || rec.Envelope.Type != domain.ToolCompletedType {
		fault := domain.Fault{Code: "not_done", Category: domain.Dependency, Message: "it was not done"}
		if len(rec.Envelope.Errors) > 0 {
			fault = rec.Envelope.Errors[0]
		}
		return r.fail(ctx, ep, fault)
	}
	end := r.ending(ep)
	end.Outcome, end.Shown, end.Reply, end.Topic = domain.OutcomeResponded, domain.ShownMessage, rec.Envelope.ID, cut(said.action.Skill, domain.MaxTopicHintBytes)
	end.Evidence = append(end.Evidence, domain.Evidence{EnvelopeID: rec.Envelope.ID, Role: roleUsed, Weight: domain.One})
	return r.end(ctx, ep, rec.Envelope.ID, end, nil)
}

// failedByModel ends an episode that no model answers.
func (r *Reasoner) failedByModel(ctx context.Context, ep *domain.Episode) error {
	fault := domain.Fault{Code: "model_failed", Category: domain.Dependency, Message: "no model gave an answer: ask again"}
	if n := len(ep.Failures); n > 0 {
		rec, err := r.cfg.Reader.Find(ctx, ep.Failures[n-1])
		if err != nil {
			return err
		}
		if len(rec.Envelope.Errors) > 0 {
			fault = rec.Envelope.Errors[0]
		}
	}
	return r.fail(ctx, ep, fault)
}

// sayPlainly ends an episode with an answer that took no model.
func (r *Reasoner) sayPlainly(ctx context.Context, ep *domain.Episode, spoken Spoken) error {
	end := r.ending(ep)
	end.Outcome, end.Shown, end.Topic, end.Blocks = domain.OutcomeResponded, domain.ShownMessage, topicOf(ep), spoken.Blocks
	end.Evidence = append(end.Evidence, spoken.Evidence...)
	return r.end(ctx, ep, ep.Opening.Envelope.ID, end, nil)
}

// fail ends an episode without an answer. A steer doesn't hold it up: it can't
// make good what failed.
func (r *Reasoner) fail(ctx context.Context, ep *domain.Episode, fault domain.Fault) error {
	end := r.ending(ep)
	end.Outcome = domain.OutcomeFailed
	return r.end(ctx, ep, latest(ep), end, []domain.Fault{fault})
}

func (r *Reasoner) end(ctx context.Context, ep *domain.Episode, cause domain.ID, end domain.ReasoningConcluded, faults []domain.Fault, further ...domain.Condition) error {
	entry, err := domain.New(lineage(ep, cause), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, end)
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
		DurationMS: max(0, int64(r.cfg.Now()-ep.Opening.Clock())),
		Evidence:   []domain.Evidence{{EnvelopeID: ep.Opening.Envelope.ID, Role: roleAsked, Weight: domain.One}},
		Rejected:   []domain.Rejected{},
		Findings:   []int{},
		Blocks:     []domain.Block{},
	}
}

// topicOf is the topic of an end in words of Chalie's own: the latest that the
// conversation had.
func topicOf(ep *domain.Episode) string {
	for _, called := range slices.Backward(ep.Calls) {
		if topic := called.Reply.Topic; topic != "" {
			return topic
		}
	}
	return "general"
}

// latest is the last step of an episode, or its opening.
func latest(ep *domain.Episode) domain.ID {
	last := ep.LastCall()
	switch {
	case ep.IsAction() && !ep.Action.End.IsZero():
		return ep.Action.End
	case last != nil && !last.Failed.IsZero():
		return last.Failed
	case last != nil && len(last.Tools) > 0 && !last.Tools[len(last.Tools)-1].End.IsZero():
		return last.Tools[len(last.Tools)-1].End
	case last != nil && !last.ReplyID.IsZero():
		return last.ReplyID
	case last != nil:
		return last.ID
	case ep.Started != nil:
		return ep.StartedID
	}
	return ep.Opening.Envelope.ID
}
