package commands

import (
	"context"
	"strings"

	"chalie/domain"
)

// Again takes an invocation that was asked for directly from its beginning: asked is
// its tool.invoked as it was recorded, which the log that is appended to doesn't hold
// yet. What is decided about it, and all that follows, is today's. It is for a
// replay.
//
// Errors: as Invoke's, of the log; and CodeUndecodable.
func (t *Tools) Again(ctx context.Context, asked domain.Record) (Invoked, error) {
	if err := t.waitForRegime(ctx); err != nil {
		return Invoked{}, err
	}
	inv, err := t.asAsked(asked)
	if err != nil {
		return Invoked{}, err
	}
	if inv.question.Channel == domain.ChannelGateway {
		t.asPassed(inv)
	}
	if domain.CodeOf(inv.missing) == CodeSecretInParams {
		inv.missing = nil // who asked had the secret; what is sent now goes nowhere
	}
	if err := t.begin(ctx, inv); err != nil {
		return Invoked{ID: inv.id}, err
	}
	return t.carry(ctx, inv)
}

// asPassed makes an invocation one of an interface's own page: it need not be among
// what the interface offers.
func (t *Tools) asPassed(inv *invoking) {
	inv.question.CantWait, inv.missing = true, nil
	t.cfg.Book.Read(func(r *domain.Registry) {
		if face, ok := r.Interfaces[inv.offer.Interface.ID]; ok {
			inv.offer.Interface = face
		}
	})
	inv.offer.Tool = domain.Tool{Name: inv.offer.Tool.Name}
	inv.question.Manifest = t.cfg.Regime.Manifest(inv.offer)
}

// Resume takes an invocation from where the log says it is, as the next start does:
// what waits for the person or belongs to an episode goes on, and anything else
// that has no end is ended. first is its tool.invoked.
//
// Errors: those of the log, and CodeConditionFailed when somebody else made the next
// step.
func (t *Tools) Resume(ctx context.Context, first domain.Record) (Invoked, error) {
	out, ended, open, err := t.soFar(ctx, first)
	switch {
	case err != nil || ended:
		return out, err
	case open.GoesOn():
		return t.goOn(ctx, first)
	}
	return t.settle(ctx, out.ID, open)
}

// PeerFailure is the error of Peer that an invocation ended with, from the recorded
// end. For an end that no Peer is the reason of it is one all the same.
func PeerFailure(end domain.Envelope) error {
	out := &domain.Error{Op: "call interface", Category: domain.Dependency, Code: CodePeerUnknown}
	if p, err := domain.Decode[domain.ToolFailed](end); err == nil {
		out.Code, out.Message = p.Reason, p.Detail
	} else if p, err := domain.Decode[domain.ToolOutcomeUnknown](end); err == nil {
		out.Code, out.Message = p.Reason, p.Detail
	}
	out.Message = strings.TrimSuffix(out.Message, perhapsDone)
	return out
}
