package replay

import (
	"context"

	"chalie/domain"
	"chalie/replay/wording"
)

// other explains what is no conclusion: what it is, what it began with, and what else
// bears on it.
func (t *teller) other(ctx context.Context) ([]string, error) {
	out := []string{t.headline()}
	began := t.began()
	if began != "" {
		out = append(out, began)
	}
	more := append(t.more(), t.letIn(nil)...)
	out = append(out, more...)
	if began == "" && len(more) == 0 {
		out = append(out, nobodyCaused(t.target.Envelope))
	}
	waiting, err := t.waiting(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, waiting...)
	out = append(out, t.tools()...)
	considered, err := t.considered(ctx)
	return append(out, considered...), err
}

// headline is what the target is, with its time.
func (t *teller) headline() string {
	n, e := t.out.Nodes[0], t.target.Envelope
	at := "At " + t.clock(n.RecordedAt) + " "
	if unreadableLabel(e) != "" {
		return at + "something happened that can't be read any more " + unreadable(e) + "."
	}
	if told := t.planHeadline(n, e); told != "" {
		return at + sentence(told)
	}
	if told := t.toolHeadline(e); told != "" {
		return at + sentence(told)
	}
	if e.Type == domain.ReasoningConcludedType {
		return at + sentence(t.ended(t.target))
	}
	if e.Type == domain.ModelRepliedType {
		return at + sentence(t.mark(t.target, n.Label))
	}
	return at + sentence(t.deed(n))
}

// subjectOf is who does what a label says, where the label leaves that out; false for
// a type whose label is no clause.
func subjectOf(e domain.Envelope) (string, bool) {
	switch e.Type {
	case domain.ReasoningStartedType, domain.ReasoningYieldedType, domain.ReasoningResumedType, domain.ModelCalledType,
		domain.AnswerVerifiedType, domain.StateTakenType, domain.ApprovalProposedType, domain.RequestAnsweredType,
		domain.MemoryRememberedType:
		return "Chalie ", true
	case domain.ToolInvokedType:
		if invoker(e) == "You" {
			return "you ", true
		}
		return "Chalie ", true
	}
	if _, known := domain.Events().Lookup(e.Type); !known {
		return "", false
	}
	return "", labelOf(e, "") != string(e.Type)
}

// planHeadline tells a plan that was made or changed; "" for all else.
func (t *teller) planHeadline(n Node, e domain.Envelope) string {
	who := "you "
	if e.Principal != domain.PrincipalOperator {
		who = "Chalie "
	}
	text := t.quotedOf(t.records[n.ID])
	switch e.Type {
	case domain.ReminderSetType:
		return who + "set a reminder, " + text + words(e, func(p domain.ReminderSet) string { return t.due(", for ", n, p.Due) })
	case domain.ReminderChangedType:
		return who + "moved a reminder, " + text + words(e, func(p domain.ReminderChanged) string { return t.due(", to ", n, p.Due) })
	case domain.TaskCreatedType:
		return who + "set a task, " + text + words(e, func(p domain.TaskCreated) string { return t.due(", until ", n, p.Deadline) })
	case domain.ListItemAddedType:
		return who + "put " + text + " on a list"
	case domain.MemoryRememberedType:
		return "Chalie was to remember " + text
	case domain.TimerDueType:
		return words(e, dueKind) + text + " fell due"
	}
	return ""
}

// toolHeadline tells a step of a tool's call by the tool; "" for all else.
func (t *teller) toolHeadline(e domain.Envelope) string {
	tool := t.toolNamed(e)
	switch e.Type {
	case domain.ToolFailedType:
		return words(e, func(p domain.ToolFailed) string {
			if p.Reason == domain.CodeDenied {
				return tool + " was not called, because the policy denied it"
			}
			return "calling " + tool + " failed: " + reason(p.Reason, p.Detail)
		})
	case domain.ToolOutcomeUnknownType:
		return words(e, func(p domain.ToolOutcomeUnknown) string {
			return tool + " was called, and nobody knows what came of it: " + reason(p.Reason, p.Detail)
		})
	case domain.PolicyDecidedType:
		return words(e, func(p domain.PolicyDecided) string {
			return "the policy " + wording.Verdict(p, tool) + ": " + reasonWords(p)
		})
	case domain.ToolDispatchedType:
		return tool + " was called"
	case domain.ApprovalProposedType:
		return words(e, func(p domain.ApprovalProposed) string {
			return "Chalie asked for your approval: " + t.mark(t.records[e.ID], quoted(wording.Summary(p.Summary)))
		})
	case domain.ApprovalGrantedType:
		return "you approved " + t.proposed(e)
	case domain.ApprovalRefusedType:
		return "you refused " + t.proposed(e)
	case domain.ApprovalExpiredType:
		return "the time was over in which you could have approved " + t.proposed(e)
	}
	return ""
}

// proposed is what the person was asked to approve.
func (t *teller) proposed(decision domain.Envelope) string {
	id, _ := domain.InvocationOf(decision)
	for _, n := range t.out.Nodes {
		e := t.records[n.ID].Envelope
		if about, ok := domain.InvocationOf(e); !ok || about != id || e.Type != domain.ApprovalProposedType {
			continue
		}
		if summary := words(e, func(p domain.ApprovalProposed) string { return wording.Summary(p.Summary) }); summary != "" {
			return t.mark(t.records[n.ID], quoted(summary))
		}
	}
	return t.toolNamed(decision)
}

// began is what the target's episode began with, or else what caused it in an earlier
// one; "" when it began itself.
func (t *teller) began() string {
	e := t.target.Envelope
	if opening := t.node(e.Trace.ID); opening != nil && opening.ID != e.ID {
		return "It began with this: " + sentence(t.clause(*opening))
	}
	if cause := t.node(e.Parent); cause != nil {
		return "It came of this: " + sentence(t.clause(*cause))
	}
	return ""
}

// nobodyCaused is said of what has no cause in the log.
func nobodyCaused(e domain.Envelope) string {
	switch {
	case e.Principal == domain.PrincipalOperator:
		return "That was you: nothing before it in the log led to it."
	case sentFromOutside(domain.Record{Topic: topicOf(e.Type), Envelope: e}):
		return "It came from outside: nothing before it in the log led to it."
	}
	return "It came by itself: nothing before it in the log led to it."
}

func topicOf(name domain.EventType) domain.Topic {
	d, _ := domain.Events().Lookup(name)
	return d.Topic
}

// before are the words before a cause that is told by its role; "" for the roles that
// are told otherwise.
func before(role string) string {
	switch role {
	case RoleSteer:
		return "Meanwhile "
	case RoleInstead, RoleVerified:
		return "Before that, "
	case RoleCall:
		return "It knew of this: "
	case RoleRoom:
		return "This came first: "
	case RoleCancelled:
		return "It ended because "
	case RoleReply:
		return "It shows this: "
	case RoleImage:
		return "With it came this: "
	case RoleProposal:
		return "The question was this: "
	case RoleDecision:
		return "It was decided by this: "
	case RoleWithin:
		return "Another tool asked for it: "
	case RoleWords:
		return "It had read words that aren't yours: "
	case RoleAbout:
		return "It is about this: "
	}
	return ""
}

// opening is before, for a cause of a type.
func opening(role string, of domain.EventType) string {
	if role == RoleWords && of == domain.ReasoningConcludedType {
		return "It had read an answer that rests on others' words: "
	}
	return before(role)
}

// more are the causes of the target that neither came directly before it nor let its
// sender in.
func (t *teller) more() []string {
	var out []string
	var evidence []domain.Evidence
	for _, edge := range t.out.Edges {
		if edge.To != t.target.Envelope.ID {
			continue
		}
		if edge.Weight != nil {
			evidence = append(evidence, domain.Evidence{EnvelopeID: edge.From, Role: edge.Role, Weight: domain.PPMOf(*edge.Weight)})
		} else if begin := opening(edge.Role, t.node(edge.From).Type); begin != "" && len(out) < sentencesMost {
			out = append(out, begin+sentence(t.clause(*t.node(edge.From))))
		}
	}
	if len(evidence) > 0 {
		out = append(out, "It rests on this: "+t.joined(t.ranked(evidence))+".")
	}
	return out
}

// waiting says that nothing has come of the target yet, when it is to be answered.
func (t *teller) waiting(ctx context.Context) ([]string, error) {
	e := t.target.Envelope
	if !domain.OpensReasoning(e.Type) {
		return nil, nil
	}
	// With an end, that would have been explained, unless this was asked for by its
	// place in the log.
	end, err := t.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(e.Trace)}, 1, 1)
	if err != nil || len(end) > 0 {
		return nil, err
	}
	return []string{"Nothing has come of it yet."}, nil
}
