package commands

import (
	"context"
	"fmt"
	"strings"

	"chalie/domain"
)

// Tokens makes the tokens by which a proposal is decided. They stand nowhere:
// whoever needs one derives it from the proposal's id again. It is safe for
// concurrent use.
type Tokens interface {
	// Token is the proposal's, the same every time, and nobody else can tell it.
	Token(proposal domain.ID) string
}

// maxSummaryBytes bounds what a proposal says of the parameters.
const maxSummaryBytes = 500

// proposed asks the person for approval.
func (t *Tools) proposed(inv *invoking, decided domain.Envelope, id domain.ID, hash domain.SecretHash) (domain.Entry, error) {
	now := t.now()
	p := domain.ApprovalProposed{
		InvocationID: inv.id, ProposalToken: hash.String(),
		CapabilityID: inv.decision.CapabilityID, CapabilityVersion: inv.decision.CapabilityVersion,
		Summary: summaryOf(inv), Actor: inv.question.Actor, Channel: inv.question.Channel, ExpiresAt: now + t.cfg.Regime.ApprovalWithin(),
	}
	inv.stage, inv.course.Proposed, inv.course.Proposal = domain.CourseWaiting, id, p
	entry, err := domain.New(domain.Continue(decided), id, now, policySource, p)
	entry.Envelope.Keys = []domain.Key{domain.ProposalKey(hash), domain.ProposedKey}
	return entry, err
}

// summaryOf says what would be done, for people.
func summaryOf(inv *invoking) string {
	out := fmt.Sprintf("%s of %s", inv.offer.Tool.Name, inv.offer.Interface.Name)
	if string(inv.kept) != "{}" {
		out += " with " + cut(string(inv.kept), maxSummaryBytes)
	}
	return strings.ToValidUTF8(out, "\uFFFD")
}

// wait tells that an invocation waits for the person, or ends it when they can't
// decide any more.
func (t *Tools) wait(ctx context.Context, inv *invoking) (Invoked, error) {
	proposed, err := t.cfg.Reader.Find(ctx, inv.course.Proposed)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	expires, err := expiry(ctx, t.cfg.Reader, proposed, inv.course.Proposal.ExpiresAt, t.now())
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if t.now() < expires {
		return Invoked{ID: inv.id, Outcome: "approval.proposed", ExpiresAt: expires}, nil
	}
	expired, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.now(), policySource, domain.ApprovalExpired{InvocationID: inv.id, ExpiresAt: expires})
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	return t.turnDown(ctx, inv, expired, notApproved(inv, domain.CodeApprovalExpired, "nobody approved it in time"))
}

// turnDown records a no and the end that follows from it, both or neither. The
// error is CodeConditionFailed when somebody else decided meanwhile.
func (t *Tools) turnDown(ctx context.Context, inv *invoking, no domain.Entry, e ending) (Invoked, error) {
	no.Envelope.Keys = append(no.Envelope.Keys, domain.InvocationKey(inv.id))
	inv.last = no.Envelope.ID
	end, err := t.entry(inv, e)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if err := t.step(ctx, inv, end, with{before: []domain.Entry{no}}); err != nil {
		return Invoked{ID: inv.id}, err
	}
	return told(inv.id, end.Envelope)
}

// notApproved is the end of an invocation that the person, or the clock, said no to.
func notApproved(inv *invoking, code domain.Code, why string) ending {
	e := failed(inv, code, fmt.Sprintf("%s was not approved: %s; nothing was sent", inv.offer.Tool.Name, why), false, 0)
	e.fault.Category, e.fault.Retryable = domain.Policy, false
	return e
}
