package replay

import (
	"context"
	"slices"

	"chalie/domain"
)

// noteOthers notes the effects of a record that don't name it as their parent, where an
// index leads to them.
func (w *walk) noteOthers(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	switch e.Type {
	case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		return w.noteCall(ctx, rec)
	case domain.ApprovalProposedType:
		id, _ := domain.InvocationOf(e)
		decided := func(r domain.Record) bool {
			t := r.Envelope.Type
			return (t == domain.ApprovalGrantedType || t == domain.ApprovalRefusedType || t == domain.ApprovalExpiredType) && r.Envelope.Parent != e.ID
		}
		return w.note(ctx, domain.Selector{Key: domain.InvocationKey(id)}, rec, cause{id: e.ID, role: RoleProposal}, decided)
	case domain.SteerReceivedType:
		if e.ID != w.target {
			return nil // it is a step of what is told anyway
		}
		return w.note(ctx, domain.Selector{Trace: e.Trace}, rec, cause{id: e.ID, role: RoleSteer}, func(r domain.Record) bool {
			called, ok := decoded[domain.ModelCalled](r.Envelope)
			return ok && r.Envelope.Type == domain.ModelCalledType && slices.Contains(called.Steers, e.ID)
		})
	case domain.CancelReceivedType:
		return w.note(ctx, domain.Selector{Key: domain.ConcludedKey(e.Trace)}, rec, cause{id: e.ID, role: RoleCancelled}, func(r domain.Record) bool {
			return r.Envelope.Parent != e.ID && words(r.Envelope, func(p domain.ReasoningConcluded) string { return string(p.Outcome) }) == string(domain.OutcomeCancelled)
		})
	}
	return w.noteSent(ctx, rec)
}

// noteCall notes the call to the model that was told of the end of a tool's call, when
// that isn't its parent: several were made, and another ended last.
func (w *walk) noteCall(ctx context.Context, rec domain.Record) error {
	id, ok := domain.InvocationOf(rec.Envelope)
	if !ok {
		return nil
	}
	invoked, err := w.log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	reply, own, ok := domain.CallOf(invoked.Envelope)
	if !ok {
		return nil
	}
	for n := own + 1; n < maxCalls; n++ {
		end, made, err := w.endOfCall(ctx, reply, n)
		if err != nil || !made {
			return err
		}
		if end.Position <= rec.Position || end.Envelope.Trace != rec.Envelope.Trace {
			continue
		}
		told := func(r domain.Record) bool { return r.Envelope.Type == domain.ModelCalledType }
		if err := w.note(ctx, domain.Selector{Parent: end.Envelope.ID}, rec, cause{id: rec.Envelope.ID, role: RoleCall}, told); err != nil {
			return err
		}
	}
	return nil
}

// noteSent notes what no index leads to: what was sent by whom a record let in, and the
// messages that an image came with.
func (w *walk) noteSent(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if who := letBy(e); who != "" {
		for _, topic := range []domain.Topic{domain.TopicSignals, domain.TopicMessages} {
			sent := func(r domain.Record) bool { return r.Envelope.Principal == who && r.Envelope.Parent.IsZero() }
			if err := w.noteAmong(ctx, topic, rec, cause{id: e.ID, role: RoleSentBy}, sent); err != nil {
				return err
			}
		}
	}
	if e.Type != domain.ImageUploadedType {
		return nil
	}
	return w.noteAmong(ctx, domain.TopicMessages, rec, cause{id: e.ID, role: RoleImage}, func(r domain.Record) bool {
		said, ok := decoded[domain.MessageReceived](r.Envelope)
		return ok && r.Envelope.Type == domain.MessageReceivedType && slices.Contains(said.ImageIDs, e.ID)
	})
}

// noteAmong looks through a topic after a record, at most maxSent of it, for what fits.
func (w *walk) noteAmong(ctx context.Context, topic domain.Topic, rec domain.Record, c cause, fits func(domain.Record) bool) error {
	from, found := rec.Position+1, 0
	for w.readSent < maxSent && found < MaxNodes {
		records, cut, err := domain.SelectWithin(ctx, w.log, domain.Selector{Topic: topic}, from, endsPage, domain.PageBytes)
		if err != nil {
			return err
		}
		for _, r := range records {
			from = r.Position + 1
			if fits(r) && found < MaxNodes {
				found++
				w.expect(r, c)
			}
		}
		if w.readSent += len(records); !cut && len(records) < endsPage {
			return nil
		}
	}
	w.beyond = true
	return nil
}

// letBy is the principal that an envelope let in; "" when it let nobody in.
func letBy(e domain.Envelope) domain.Principal {
	switch e.Type {
	case domain.InterfacePairedType:
		return domain.Interface{ID: e.ID}.Principal()
	case domain.InterfaceRegisteredType:
		return domain.Principal(words(e, func(p domain.InterfaceRegistered) string {
			return string(domain.Interface{ID: p.InterfaceID}.Principal())
		}))
	case domain.TokenIssuedType:
		return domain.Principal(words(e, func(p domain.TokenIssued) string { return p.Name }))
	case domain.StreamAddedType:
		return domain.Stream{ID: e.ID}.Principal()
	}
	return ""
}
