package replay

import (
	"context"

	"chalie/domain"
	"chalie/replay/narrate"
)

// outcomesMost bounds how many effects are told in sentences; the nodes hold more.
const outcomesMost = 8

// consequences tell what came of the target: first what it is, then what it led to that
// a person can have noticed.
func (t *teller) consequences(ctx context.Context) ([]narrate.Phrase, error) {
	if err := t.fetchTool(ctx); err != nil {
		return nil, err
	}
	out := []narrate.Phrase{t.headline()}
	told, more := 0, 0
	for _, n := range t.out.Nodes[1:] {
		line, err := t.outcome(ctx, n)
		switch {
		case err != nil:
			return nil, err
		case len(line) == 0:
		case told == outcomesMost:
			more++
		default:
			out = append(out, line)
			told++
		}
	}
	kept, err := t.considered(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case len(t.out.Nodes) == 1 && len(kept) > 0:
	case len(t.out.Nodes) == 1:
		out = append(out, narrate.Words("Nothing has come of it so far."))
	case told == 0:
		out = append(out, narrate.Sayf("It led to %s, and to nothing that you would have noticed so far.", counted(len(t.out.Nodes)-1, "step", "steps")))
	case more > 0:
		out = append(out, narrate.Sayf("And %s more.", counted(more, "thing", "things")))
	}
	return append(append(out, kept...), t.honest()...), nil
}

// outcome tells an effect that a person can have noticed; none for a step on the way.
func (t *teller) outcome(ctx context.Context, n Node) (narrate.Phrase, error) {
	rec := t.records[n.ID]
	e := rec.Envelope
	switch e.Type {
	case domain.ReasoningConcludedType:
		return t.concludedLater(ctx, rec)
	case domain.PolicyDecidedType:
		if p, ok := decoded[domain.PolicyDecided](e); !ok || p.Allowed || p.Verdict == domain.VerdictApproval {
			return nil, nil
		}
	case domain.ToolFailedType:
		if p, ok := decoded[domain.ToolFailed](e); ok && p.Reason == domain.CodeDenied && t.target.Envelope.Type != domain.PolicyDecidedType {
			return nil, nil // the decision was told
		}
	default:
		if !noticeable(rec) {
			return nil, nil
		}
	}
	return narrate.Sayf("At %s %s", t.clock(n.RecordedAt), t.clause(n)).Sentence(), nil
}

// noticeable reports whether a person can have noticed a record by itself.
func noticeable(rec domain.Record) bool {
	switch rec.Envelope.Type {
	case domain.SignalReceivedType, domain.MessageReceivedType, domain.ActionReceivedType, domain.ToolCompletedType, domain.ToolOutcomeUnknownType,
		domain.ApprovalProposedType, domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType,
		domain.MemoryRememberedType, domain.TimerDueType:
		return true
	}
	return rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicInterfaces
}

// concludedLater tells a conclusion that the target led to.
func (t *teller) concludedLater(ctx context.Context, rec domain.Record) (narrate.Phrase, error) {
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return nil, err
	}
	told := narrate.Sayf("At %s %s", t.clock(rec.RecordedAt), t.ended(rec))
	for _, edge := range t.out.Edges {
		if edge.To == rec.Envelope.ID && edge.Weight != nil && edge.From == t.target.Envelope.ID && edge.Role != "asked" {
			return narrate.Sayf("%s, which rests on it (weight %s).", told, domain.PPMOf(*edge.Weight)), nil
		}
	}
	return told.Sentence(), nil
}

// ended is what a conclusion came to.
func (t *teller) ended(rec domain.Record) narrate.Phrase {
	c, readable := decoded[domain.ReasoningConcluded](rec.Envelope)
	if !readable {
		return narrate.Words("Chalie came to an end that can't be read any more " + narrate.Gone(rec.Envelope))
	}
	verdict, _ := verdictOn(rec.Envelope, c, narrate.About(rec, inSaid(t.saying(rec))))
	return verdict.TrimRight(",") // of a subordinate clause that doesn't follow here
}

// fetchTool reads the invocation that the target is a step of, so that its tool can be
// named though it is no effect.
func (t *teller) fetchTool(ctx context.Context) error {
	id, ok := domain.InvocationOf(t.target.Envelope)
	if !ok || t.node(id) != nil {
		return nil
	}
	rec, err := t.log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	t.beside[id] = rec
	t.called[id], err = t.nameOf(ctx, rec)
	return err
}
