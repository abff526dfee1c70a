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
	now := t.cfg.Now()
	p := domain.ApprovalProposed{
		InvocationID: inv.id, ProposalToken: hash.String(),
		CapabilityID: inv.decision.CapabilityID, CapabilityVersion: inv.decision.CapabilityVersion,
		Summary: t.summaryOf(inv), Actor: inv.question.Actor, Channel: inv.question.Channel, ExpiresAt: now + t.cfg.Regime.ApprovalWithin(),
	}
	inv.stage, inv.course.Proposed, inv.course.Proposal = domain.CourseWaiting, id, p
	entry, err := domain.New(domain.Continue(decided), id, now, policySource, p)
	entry.Envelope.Keys = []domain.Key{domain.ProposalKey(hash), domain.ProposedKey}
	return entry, err
}

// summaryOf says what would be done, for people.
func (t *Tools) summaryOf(inv *invoking) string {
	out := fmt.Sprintf("%s of %s", inv.offer.Tool.Name, inv.offer.Interface.Name) + t.foreignWords(inv.decision)
	if string(inv.kept) != "{}" {
		out += " with " + cut(string(inv.kept), maxSummaryBytes)
	}
	return strings.ToValidUTF8(out, "\uFFFD")
}

// foreignWords names whose words a call may come of, for who is asked about it; ""
// when they are the person's alone.
func (t *Tools) foreignWords(d domain.PolicyDecided) string {
	named := domain.NamedWords(d.Words, t.whose)
	if len(named) == 0 {
		return ""
	}
	out := " (after reading other words than yours: " + cut(strings.Join(named, ", "), maxSummaryBytes)
	if len(d.Carried) > 0 {
		out += "; it would send words of your memories, plans or conversation"
	}
	return out + ")"
}

// whose is what a domain.Words.Of is called.
func (t *Tools) whose(of string) string {
	name := of
	if id, err := domain.ParseID(of); err == nil {
		name = "an interface that is gone"
		t.cfg.Book.Read(func(r *domain.Registry) {
			if face, ok := r.Interfaces[id]; ok {
				name = face.Name
			}
		})
	}
	if name == ownWords {
		return domain.OwnName
	}
	return name
}

// MaxOpenProposals is how many proposals of one program, interface or cycle wait for
// the person at a time.
const MaxOpenProposals = 3

const codeTooManyProposals domain.Code = "too_many_proposals"

// countProposals is the last position that a look at the proposals of an actor took in; an
// error when one more would be too many. The person's own have no bound: they come one
// after the other.
func (t *Tools) countProposals(ctx context.Context, actor string) (through domain.Position, err error) {
	const page = 256
	now := t.cfg.Now()
	from, err := t.cfg.Reader.Since(ctx, now.Add(-longestApproval))
	if err != nil {
		return 0, err
	}
	through = from - 1
	open := 0
	for n := page; n == page; {
		records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ProposedKey}, from, page)
		if err != nil {
			return 0, err
		}
		for _, rec := range records {
			from, through = rec.Position+1, rec.Position
			p, err := proposalOf(ctx, t.cfg.Reader, rec, now)
			if err != nil {
				return 0, err
			}
			if p.Actor != actor || p.ExpiresAt <= now {
				continue
			}
			answered, err := answeredBefore(ctx, t.cfg.Reader, p, 0)
			if err != nil {
				return 0, err
			}
			if !answered {
				open++
			}
		}
		n = len(records)
	}
	if open < MaxOpenProposals {
		return through, nil
	}
	return 0, &domain.Error{Op: "invoke tool", Category: domain.Policy, Code: codeTooManyProposals,
		Message: fmt.Sprintf("%d proposals of %s wait for the person, which is the bound: wait until one of them is decided or expires", open, actor)}
}

// wait tells that an invocation waits for the person, or ends it when they can't
// decide any more.
func (t *Tools) wait(ctx context.Context, inv *invoking) (Invoked, error) {
	proposed, err := t.cfg.Reader.Find(ctx, inv.course.Proposed)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	expires, err := expiry(ctx, t.cfg.Reader, proposed, inv.course.Proposal.ExpiresAt, t.cfg.Now())
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if t.cfg.Now() < expires {
		return Invoked{ID: inv.id, Outcome: domain.ApprovalProposedType, ExpiresAt: expires}, nil
	}
	expired, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.cfg.Now(), policySource, domain.ApprovalExpired{InvocationID: inv.id, ExpiresAt: expires})
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
