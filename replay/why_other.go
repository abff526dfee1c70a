package replay

import (
	"context"

	"chalie/domain"
	"chalie/replay/narrate"
)

// other explains what is no conclusion: what it is, what it began with, and what else
// bears on it.
func (t *teller) other(ctx context.Context) ([]narrate.Phrase, error) {
	out := []narrate.Phrase{t.headline()}
	began := t.began()
	if len(began) > 0 {
		out = append(out, began)
	}
	more := append(t.more(), t.letIn(nil)...)
	out = append(out, more...)
	if len(began)+len(more) == 0 {
		out = append(out, narrate.Words(nobodyCaused(t.target.Envelope)))
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
func (t *teller) headline() narrate.Phrase {
	n, e := t.out.Nodes[0], t.target.Envelope
	at := t.clock(n.RecordedAt)
	switch {
	case narrate.Unreadable(e) != "":
		return narrate.Sayf("At %s something happened that can't be read any more %s.", at, narrate.Gone(e))
	case e.Type == domain.ReasoningConcludedType:
		return narrate.Sayf("At %s %s", at, t.ended(t.target)).Sentence()
	case e.Type == domain.ModelRepliedType:
		return narrate.Sayf("At %s %s", at, narrate.About(t.target, n.Label)).Sentence()
	}
	return narrate.Sayf("At %s %s", at, t.clause(n)).Sentence()
}

// proposed is what the person was asked to approve.
func (t *teller) proposed(decision domain.Envelope) narrate.Phrase {
	id, _ := domain.InvocationOf(decision)
	for _, n := range t.out.Nodes {
		e := t.records[n.ID].Envelope
		if about, ok := domain.InvocationOf(e); !ok || about != id || e.Type != domain.ApprovalProposedType {
			continue
		}
		if summary := words(e, func(p domain.ApprovalProposed) string { return narrate.Summary(p.Summary) }); summary != "" {
			return narrate.About(t.records[n.ID], narrate.Quoted(summary))
		}
	}
	return t.toolNamed(decision)
}

// began is what the target's episode began with, or else what caused it in an earlier
// one; none when it began itself.
func (t *teller) began() narrate.Phrase {
	e := t.target.Envelope
	if opening := t.node(e.Trace.ID); opening != nil && opening.ID != e.ID {
		return narrate.Sayf("It began with this: %s", t.reason(*opening)).Sentence()
	}
	if cause := t.node(e.Parent); cause != nil {
		return narrate.Sayf("It came of this: %s", t.reason(*cause)).Sentence()
	}
	return nil
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
func (t *teller) more() []narrate.Phrase {
	var out []narrate.Phrase
	var evidence []domain.Evidence
	for _, edge := range t.out.Edges {
		if edge.To != t.target.Envelope.ID {
			continue
		}
		if edge.Weight != nil {
			evidence = append(evidence, domain.Evidence{EnvelopeID: edge.From, Role: edge.Role, Weight: domain.PPMOf(*edge.Weight)})
		} else if begin := opening(edge.Role, t.node(edge.From).Type); begin != "" && len(out) < sentencesMost {
			out = append(out, narrate.Sayf("%s%s", begin, t.reason(*t.node(edge.From))).Sentence())
		}
	}
	if len(evidence) > 0 {
		out = append(out, narrate.Sayf("It rests on this: %s.", t.joined(t.ranked(evidence))))
	}
	return out
}

// waiting says that nothing has come of the target yet, when it is to be answered.
func (t *teller) waiting(ctx context.Context) ([]narrate.Phrase, error) {
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
	return []narrate.Phrase{narrate.Words("Nothing has come of it yet.")}, nil
}
