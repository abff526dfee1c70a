package commands

import (
	"context"
	"fmt"

	"chalie/domain"
)

// resumed is an invocation as the log knows it.
func (t *Tools) resumed(ctx context.Context, first domain.Record) (*invoking, error) {
	course, err := t.course(ctx, first)
	if err != nil {
		return nil, err
	}
	inv, err := t.asAsked(first)
	if err != nil {
		return nil, err
	}
	inv.decision, inv.last, inv.through, inv.stage, inv.course = course.Decided, course.Last, course.Through, course.Stage(), course
	return inv, nil
}

// asAsked is an invocation as tool.invoked tells it.
func (t *Tools) asAsked(first domain.Record) (*invoking, error) {
	e := first.Envelope
	inv := &invoking{id: e.ID, lineage: domain.Lineage{Trace: e.Trace, Parent: e.Parent, Principal: e.Principal}, source: e.Source}
	if reply, index, ok := domain.CallOf(e); ok {
		inv.callKey = domain.CallKey(reply, index)
	}
	asked, err := domain.Decode[domain.ToolInvoked](e)
	switch {
	case domain.CodeOf(err) == domain.CodeErased:
		inv.missing = &domain.Error{Op: "invoke tool", Category: domain.NotFound, Code: domain.CodeErased, Err: err,
			Message: "what it was to do was erased meanwhile"}
		return inv, nil
	case err != nil:
		return nil, err
	}
	inv.params, inv.kept, inv.marks = asked.Params, asked.Params, asked.Marks
	inv.question = domain.Invoking{InvocationID: e.ID, ParentInvocationID: asked.ParentInvocationID, Depth: asked.Depth, Actor: asked.Actor, Channel: asked.Channel}
	inv.offer, inv.missing = t.offered(asked.InterfaceID, asked.Tool)
	inv.question.Manifest = t.cfg.Regime.Manifest(inv.offer)
	if inv.missing == nil {
		inv.missing = t.recallSecret(inv)
	}
	return inv, nil
}

// course folds what the log has of an invocation.
func (t *Tools) course(ctx context.Context, first domain.Record) (domain.Course, error) {
	const page = 64
	var course domain.Course
	if err := course.Evolve(first); err != nil {
		return course, err
	}
	for from, n := first.Position+1, page; n == page; {
		records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(first.Envelope.ID)}, from, page)
		if err != nil {
			return course, err
		}
		for _, rec := range records {
			if err := course.Evolve(rec); err != nil {
				return course, err
			}
			from = rec.Position + 1
		}
		n = len(records)
	}
	return course, nil
}

// offered is a tool by whose it is and its own name there. The error says why it
// can't be called now; the offer then names it all the same.
func (t *Tools) offered(whose domain.ID, name string) (offer domain.Offer, err error) {
	offer = domain.Offer{Name: name, Tool: domain.Tool{Name: name}, Interface: &domain.Interface{ID: whose}}
	gone := fmt.Sprintf("%s isn't offered any more", name)
	t.cfg.Book.Read(func(r *domain.Registry) {
		for _, o := range r.OffersBeside(t.own.face) {
			if o.Interface.ID == whose && o.Tool.Name == name {
				offer, gone = o, ""
				return
			}
		}
		if i, ok := r.Interfaces[whose]; ok {
			gone = fmt.Sprintf("%s, which offers %s, is %s now", i.Name, name, i.Status())
		}
	})
	if gone != "" {
		return offer, &domain.Error{Op: "invoke tool", Category: domain.NotFound, Code: domain.CodeNoTool, Message: gone}
	}
	return offer, nil
}

// caller is who asked for it, as far as the log knows.
func (inv *invoking) caller() Caller {
	return Caller{Name: inv.question.Actor, Source: inv.source, Principal: inv.lineage.Principal,
		Operator: inv.lineage.Principal == domain.PrincipalOperator}
}

// toldAgain tells an end that was recorded before.
func toldAgain(inv *invoking) (Invoked, error) {
	out, err := told(inv.id, inv.course.End.Envelope)
	out.Issues = inv.course.Issues
	return out, err
}
