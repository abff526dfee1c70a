package replay

import (
	"context"
	"fmt"
	"strings"

	"chalie/domain"
)

// outcomesMost bounds how many effects are told in sentences; the nodes hold more.
const outcomesMost = 8

// consequences tell what came of the target: first what it is, then what it led to that
// a person can have noticed.
func (t *teller) consequences(ctx context.Context) ([]string, error) {
	if err := t.fetchTool(ctx); err != nil {
		return nil, err
	}
	out := []string{t.headline()}
	told, more := 0, 0
	for _, n := range t.out.Nodes[1:] {
		line, err := t.outcome(ctx, n)
		switch {
		case err != nil:
			return nil, err
		case line == "":
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
		out = append(out, "Nothing has come of it so far.")
	case told == 0:
		out = append(out, fmt.Sprintf("It led to %s, and to nothing that you would have noticed so far.", counted(len(t.out.Nodes)-1, "step", "steps")))
	case more > 0:
		out = append(out, fmt.Sprintf("And %s more.", counted(more, "thing", "things")))
	}
	return append(append(out, kept...), t.honest()...), nil
}

// outcome tells an effect that a person can have noticed; "" for a step on the way.
func (t *teller) outcome(ctx context.Context, n Node) (string, error) {
	rec := t.records[n.ID]
	e, at := rec.Envelope, "At "+t.clock(n.RecordedAt)+" "
	switch e.Type {
	case domain.ReasoningConcludedType:
		return t.concludedLater(ctx, rec)
	case domain.ToolDispatchedType, domain.PolicyDecidedType:
		if p, ok := decoded[domain.PolicyDecided](e); !ok || e.Type == domain.ToolDispatchedType || p.Allowed || p.Verdict == domain.VerdictApproval {
			return "", nil
		}
		return at + sentence(t.toolHeadline(e)), nil
	case domain.ToolFailedType:
		if p, ok := decoded[domain.ToolFailed](e); ok && p.Reason == domain.CodeDenied && t.target.Envelope.Type != domain.PolicyDecidedType {
			return "", nil // the decision was told
		}
	case domain.SignalReceivedType, domain.MessageReceivedType, domain.ActionReceivedType, domain.ToolCompletedType:
		return at + sentence(t.deed(n)), nil
	}
	for _, told := range []string{t.planHeadline(n, e), t.toolHeadline(e)} {
		if told != "" {
			return at + sentence(told), nil
		}
	}
	if rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicInterfaces {
		return at + sentence(t.deed(n)), nil
	}
	return "", nil
}

// concludedLater tells a conclusion that the target led to.
func (t *teller) concludedLater(ctx context.Context, rec domain.Record) (string, error) {
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return "", err
	}
	told := "At " + t.clock(rec.RecordedAt) + " " + t.ended(rec)
	for _, edge := range t.out.Edges {
		if edge.To == rec.Envelope.ID && edge.Weight != nil && edge.From == t.target.Envelope.ID && edge.Role != "asked" {
			return fmt.Sprintf("%s, which rests on it (weight %s).", told, domain.PPMOf(*edge.Weight)), nil
		}
	}
	return sentence(told), nil
}

// ended is what a conclusion came to.
func (t *teller) ended(rec domain.Record) string {
	c, readable := decoded[domain.ReasoningConcluded](rec.Envelope)
	if !readable {
		return "Chalie came to an end that can't be read any more " + unreadable(rec.Envelope)
	}
	verdict, _ := verdictOn(rec.Envelope, c, t.mark(rec, inSaid(t.saying(rec))))
	return strings.TrimSuffix(verdict, ",") // of a subordinate clause that doesn't follow here
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
