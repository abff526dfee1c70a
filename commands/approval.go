package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
)

// ApprovalsConfig is what the approval commands need. All fields are required.
type ApprovalsConfig struct {
	Env
	Invocations View[domain.Invocations]
	Applied     Applied // of Invocations
	Tokens      Tokens
	Tools       *Tools
}

// Approvals lets the person decide what the policy asks them about. It is safe for
// concurrent use.
//
// A proposal is decided once: granted, refused or expired, whatever is recorded
// first. What was granted is then dispatched by whoever goes on with it: its
// episode, or Follow.
type Approvals struct {
	cfg   ApprovalsConfig
	again chan struct{} // a proposal was made: look when the next expires
}

// NewApprovals checks the configuration.
func NewApprovals(cfg ApprovalsConfig) (*Approvals, error) {
	if err := Complete("configure approvals", cfg); err != nil {
		return nil, err
	}
	return &Approvals{cfg: cfg, again: make(chan struct{}, 1)}, nil
}

// Proposal is one that waits for the person.
type Proposal struct {
	domain.Notification
	Token    string
	Position domain.Position
}

// Pending are the proposals that can be decided now, oldest first.
func (a *Approvals) Pending(ctx context.Context) ([]Proposal, error) {
	now := a.cfg.Now()
	all, err := a.open(ctx, now)
	return slices.DeleteFunc(all, func(p Proposal) bool { return p.ExpiresAt <= now }), err
}

// open are the proposals that nobody decided and whose expiry isn't recorded, with
// when they expire as of now.
func (a *Approvals) open(ctx context.Context, now domain.Millis) ([]Proposal, error) {
	records, err := proposed(ctx, a.cfg.Reader, a.cfg.Invocations)
	if err != nil {
		return nil, err
	}
	out := make([]Proposal, 0, len(records))
	for _, rec := range records {
		p, err := a.proposal(ctx, rec, now)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// proposal reads a proposal, with the token to decide it by.
func (a *Approvals) proposal(ctx context.Context, rec domain.Record, now domain.Millis) (Proposal, error) {
	p, err := proposalOf(ctx, a.cfg.Reader, rec, now)
	if err == nil {
		p.Token = a.cfg.Tokens.Token(rec.Envelope.ID)
	}
	return p, err
}

// Deciding is what somebody says to a proposal.
type Deciding struct {
	Granted    bool
	Channel    string // through what they say so
	Correlator domain.Correlator
	MessageID  domain.ID // the message they say it with; none without
}

// Decide decides the proposal with a token, and returns it. Errors: not found,
// no_proposal; policy, another_actor, for anybody but the person; conflict,
// token_used and token_expired; and those of the log. An attempt to decide one that
// can't be decided is recorded.
func (a *Approvals) Decide(ctx context.Context, c Caller, token string, d Deciding) (Proposal, error) {
	return a.decideNamed(ctx, c, domain.HashSecret(token), d)
}

// decideNamed is Decide for who knows the token's hash, as a message does that was
// recorded.
func (a *Approvals) decideNamed(ctx context.Context, c Caller, token domain.SecretHash, d Deciding) (Proposal, error) {
	records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ProposalKey(token)}, 1, 1)
	if err != nil {
		return Proposal{}, err
	}
	if len(records) == 0 {
		return Proposal{}, &domain.Error{Op: "decide proposal", Category: domain.NotFound, Code: "no_proposal", Field: "token",
			Message: "no proposal has this token: list the proposals that wait to see theirs"}
	}
	p, err := a.proposal(ctx, records[0], a.cfg.Now())
	if err != nil {
		return Proposal{}, err
	}
	return p, a.decide(ctx, c, p, d)
}

func (a *Approvals) decide(ctx context.Context, c Caller, p Proposal, d Deciding) error {
	if !c.Operator {
		return a.refuse(ctx, c, p, d, domain.Policy, domain.CodeAnotherActor, "only the person may decide, and "+c.Name+" isn't them")
	}
	first, err := a.cfg.Reader.Find(ctx, p.InvocationID)
	if err != nil {
		return err
	}
	for range callAttempts {
		inv, err := a.cfg.Tools.resumed(ctx, first)
		if err != nil {
			return err
		}
		switch {
		case inv.course.Answered() == domain.ApprovalExpiredType:
			return a.tooLate(ctx, c, p, d)
		case inv.stage != domain.CourseWaiting:
			return a.refuse(ctx, c, p, d, domain.Conflict, domain.CodeTokenUsed, "this was decided before; it can't be decided again")
		case a.cfg.Now() >= p.ExpiresAt:
			_, err = a.cfg.Tools.goOn(ctx, first) // which ends it
		default:
			err = a.record(ctx, c, inv, d)
			if err == nil {
				return nil
			}
		}
		if err != nil && domain.CodeOf(err) != domain.CodeConditionFailed {
			return err
		}
	}
	return &domain.Error{Op: "decide proposal", Category: domain.Conflict, Code: "proposal_changed", Retriable: true,
		Message: "others decided at the same moment: look at what came of it, and try once more"}
}

func (a *Approvals) tooLate(ctx context.Context, c Caller, p Proposal, d Deciding) error {
	return a.refuse(ctx, c, p, d, domain.Conflict, domain.CodeTokenExpired, "this came too late, so nothing was done: ask for it again")
}

// record appends a decision on the condition that there is none since inv was read,
// when it waited.
func (a *Approvals) record(ctx context.Context, c Caller, inv *invoking, d Deciding) error {
	actor := domain.ActorOf(c.Principal)
	if d.Granted {
		yes, err := domain.New(inv.next(), a.cfg.IDs.NewID(), a.cfg.Now(), policySource, domain.ApprovalGranted{
			InvocationID: inv.id, Actor: actor, Channel: d.Channel, Correlator: d.Correlator, MessageID: d.MessageID})
		if err != nil {
			return err
		}
		yes.Envelope.Keys = keysOf(d)
		return a.cfg.Tools.step(ctx, inv, yes, with{})
	}
	no, err := domain.New(inv.next(), a.cfg.IDs.NewID(), a.cfg.Now(), policySource, domain.ApprovalRefused{
		InvocationID: inv.id, Actor: actor, Channel: d.Channel, Correlator: d.Correlator, MessageID: d.MessageID})
	if err != nil {
		return err
	}
	no.Envelope.Keys = keysOf(d)
	_, err = a.cfg.Tools.turnDown(ctx, inv, no, notApproved(inv, domain.CodeApprovalRefused, "the answer was no"))
	return err
}

func keysOf(d Deciding) []domain.Key {
	if d.MessageID.IsZero() {
		return nil
	}
	return []domain.Key{domain.DecisionKey(d.MessageID)}
}

// maxAttempts bounds how many refused attempts at one proposal are recorded.
const maxAttempts = 8

// refuse records an attempt that did nothing, and returns the refusal.
func (a *Approvals) refuse(ctx context.Context, c Caller, p Proposal, d Deciding, category domain.Category, code domain.Code, why string) error {
	refusal := &domain.Error{Op: "decide proposal", Category: category, Code: code, Message: why}
	key := domain.AttemptKey(p.Proposal)
	before, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: key}, p.Position, maxAttempts)
	if err != nil {
		return err
	}
	if len(before) == maxAttempts {
		return refusal
	}
	proposed, err := a.cfg.Reader.Find(ctx, p.Proposal)
	if err != nil {
		return err
	}
	entry, err := domain.New(domain.Continue(proposed.Envelope), a.cfg.IDs.NewID(), a.cfg.Now(), policySource, domain.AttemptRefused{
		InvocationID: p.InvocationID, Reason: code, Actor: domain.ActorOf(c.Principal), Channel: d.Channel, Correlator: d.Correlator})
	if err != nil {
		return err
	}
	entry.Envelope.Keys = []domain.Key{key}
	if _, err := a.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return err
	}
	return refusal
}

// listOf lists proposals by what they are about.
func listOf(all []Proposal) string {
	slices.SortFunc(all, func(x, y Proposal) int { return cmp.Compare(x.Position, y.Position) })
	var out strings.Builder
	for i, p := range all {
		_, _ = fmt.Fprintf(&out, "\n%d. %s", i+1, p.Summary)
	}
	return out.String()
}
