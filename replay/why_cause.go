package replay

import (
	"context"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// causesOf are the parent and what the payload names beside it, the parent first.
func (w *walk) causesOf(e domain.Envelope) []cause {
	var out []cause
	if !e.Parent.IsZero() {
		out = append(out, cause{id: e.Parent, role: RoleParent})
	}
	// What a plan is about stands in its keys, so it is known of an erased one, too.
	if plan, ok := domain.PlanOf(e); ok {
		out = append(out, beside(e, cause{id: plan, role: RoleAbout})...)
	}
	if e.Payload.Encoding != domain.EncodingJSON || e.Type == domain.ForeignMessageType {
		return out
	}
	if e.Type == domain.ModelRepliedType {
		out = append(out, w.ofReply(e)...)
	} else {
		out = append(out, evidenceOf(e)...)
		out = append(out, w.referencesOf(e)...)
	}
	return slices.DeleteFunc(out, func(c cause) bool { return c.id.IsZero() || c.id == e.ID })
}

// evidenceOf reads the evidence a payload names. Wherever one does it has the same
// shape, so types that this version doesn't know are followed, too.
func evidenceOf(e domain.Envelope) []cause {
	var named struct {
		Evidence json.RawMessage `json:"evidence"`
	}
	var evidence []domain.Evidence
	if json.Unmarshal(e.Payload.Bytes, &named) != nil || json.Unmarshal(named.Evidence, &evidence) != nil {
		return nil // it has none, or something else of that name
	}
	return cited(evidence)
}

func cited(evidence []domain.Evidence) []cause {
	out := make([]cause, 0, len(evidence))
	for _, ev := range evidence {
		out = append(out, cause{ev.EnvelopeID, ev.Role, &ev.Weight})
	}
	return out
}

// ofReply is what a reply rests on: what it used, and what its findings rest on.
// One that a conclusion shows has only those findings that are shown.
func (w *walk) ofReply(e domain.Envelope) []cause {
	p, err := domain.Decode[domain.ModelReplied](e)
	if err != nil {
		return nil
	}
	by, isShown := w.shown[e.ID]
	out := cited(by.ofReply(p.Used))
	for i, finding := range p.Findings {
		if !isShown || slices.Contains(by.findings, i) {
			out = append(out, cited(by.ofReply(finding.Evidence))...)
		}
	}
	return out
}

// referencesOf are the causes that a payload names one by one. One that can't be
// read names none.
func (w *walk) referencesOf(e domain.Envelope) []cause {
	switch e.Type {
	case domain.MessageReceivedType:
		return references(e, func(p domain.MessageReceived) (out []cause) {
			for _, id := range p.ImageIDs {
				out = append(out, cause{id: id, role: RoleImage})
			}
			return out
		})
	case domain.MessageQueuedType:
		return references(e, func(p domain.MessageQueued) []cause { return []cause{{id: p.Behind, role: RoleRoom}} })
	case domain.SpineSignalEmittedType:
		return references(e, func(p domain.SpineSignalEmitted) []cause { return beside(e, cause{id: p.ContentRef, role: RoleAbout}) })
	case domain.SpineSignalDroppedType:
		return references(e, func(p domain.SpineSignalDropped) []cause { return beside(e, cause{id: p.Signal, role: RoleAbout}) })
	case domain.ModelCalledType:
		return references(e, func(p domain.ModelCalled) (out []cause) {
			for _, id := range p.Steers {
				out = append(out, beside(e, cause{id: id, role: RoleSteer})...)
			}
			out = append(out, beside(e, cause{id: p.Verification, role: RoleVerified})...)
			return append(out, beside(e, cause{id: p.Instead, role: RoleInstead})...)
		})
	case domain.ReasoningYieldedType:
		// For whom a cycle made room explains that it did, not what came of it later.
		return references(e, func(p domain.ReasoningYielded) []cause {
			if !w.explains(e.ID) {
				return nil
			}
			return []cause{{id: p.To, role: RoleRoom}}
		})
	case domain.ReasoningConcludedType:
		return references(e, func(p domain.ReasoningConcluded) []cause { return beside(e, cause{id: p.Reply, role: RoleReply}) })
	case domain.ApprovalGrantedType:
		return references(e, func(p domain.ApprovalGranted) []cause { return beside(e, cause{id: p.MessageID, role: RoleDecision}) })
	case domain.ApprovalRefusedType:
		return references(e, func(p domain.ApprovalRefused) []cause { return beside(e, cause{id: p.MessageID, role: RoleDecision}) })
	case domain.PolicyDecidedType:
		return references(e, foreignTo)
	case domain.ToolInvokedType:
		return references(e, func(p domain.ToolInvoked) []cause {
			return beside(e, cause{id: p.ParentInvocationID, role: RoleWithin})
		})
	}
	return nil
}

// foreignTo are others' words that counted for a decision, where they have an envelope
// of their own. What an interface says of its tools is told by its name.
func foreignTo(p domain.PolicyDecided) (out []cause) {
	for _, w := range p.Words {
		if w.Kind != domain.WordsOfTool {
			out = append(out, cause{id: w.EnvelopeID, role: RoleWords})
		}
	}
	return out
}

func references[P any](e domain.Envelope, name func(P) []cause) []cause {
	p, err := domain.Decode[P](e)
	if err != nil {
		return nil
	}
	return name(p)
}

// beside is a cause, unless it is the parent: that is told already.
func beside(e domain.Envelope, c cause) []cause {
	if c.id == e.Parent {
		return nil
	}
	return []cause{c}
}

// explains reports whether an envelope is the target or its parent.
func (w *walk) explains(id domain.ID) bool {
	return id == w.target || w.records[w.target].Envelope.Parent == id
}

// followCancel goes from a cancelled episode's end to who cancelled it.
func (w *walk) followCancel(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if e.Type != domain.ReasoningConcludedType {
		return nil
	}
	if outcome := words(e, func(p domain.ReasoningConcluded) string { return string(p.Outcome) }); outcome != string(domain.OutcomeCancelled) {
		return nil
	}
	found, err := w.log.Select(ctx, domain.Selector{Key: domain.CancelKey(e.Trace)}, 1, 1)
	if err != nil || len(found) == 0 || found[0].Envelope.ID == e.Parent {
		return err
	}
	w.followTo(rec, found[0], RoleCancelled)
	return nil
}
