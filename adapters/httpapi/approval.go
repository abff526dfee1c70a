package httpapi

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// Approvals lists and decides proposals. Its methods are those of *tool.Approvals, which
// says their errors.
type Approvals interface {
	Pending(ctx context.Context) ([]tool.Proposal, error)
	Decide(ctx context.Context, c commands.Caller, token string, d tool.Deciding) (tool.Proposal, error)
}

var _ Approvals = (*tool.Approvals)(nil)

func approvalHandlers() handlers {
	return handlers{"approvals": (*exchange).approvals, "decided": (*exchange).decided, "decideApproval": (*exchange).decideApproval}
}

// approvals is GET /api/approvals?at=, oldest first.
func (x *exchange) approvals() error {
	then, pending, err := x.pending()
	if err != nil {
		return err
	}
	out := api.Proposals{AsOf: then, Approvals: []api.Proposal{}}
	for _, p := range pending {
		invoked, err := x.api.cfg.Log.Find(x.r.Context(), p.InvocationID)
		if err != nil {
			return err
		}
		what, err := x.callOf(invoked.Envelope, then)
		if err != nil {
			return err
		}
		out.Approvals = append(out.Approvals, api.Proposal{
			ProposalToken: p.Token, CapabilityID: p.CapabilityID, CapabilityVersion: p.CapabilityVersion, Summary: p.Summary,
			Actor: p.Actor, ActorName: x.api.actorName(p.Actor), Channel: p.Channel, TraceID: api.UUID{ID: p.Trace.ID}, InvocationID: api.UUID{ID: p.InvocationID}, ExpiresAt: p.ExpiresAt,
			Call: what,
		})
	}
	return x.answer(http.StatusOK, out)
}

// actorName is what rules call a program, also one that was shut out; "" of anything else.
func (a *API) actorName(actor string) string {
	if a.cfg.Accounts == nil {
		return ""
	}
	if name := a.cfg.Accounts.NameOf(domain.Principal(actor)); name != "" {
		return domain.ProgramNamed(name)
	}
	return ""
}

// pending are the proposals that can be decided, or could be at the moment "at".
func (x *exchange) pending() (*api.AsOf, []tool.Proposal, error) {
	then, err := x.asOf(x.query())
	switch {
	case err != nil:
		return nil, nil, err
	case then != nil:
		all, err := x.api.cfg.Past.Approvals(x.r.Context(), then.Position, then.Time)
		return then, all, err
	case x.api.cfg.Approvals == nil:
		return nil, nil, notRunning("list approvals")
	}
	x.catchUp()
	all, err := x.api.cfg.Approvals.Pending(x.r.Context())
	return nil, all, err
}

// decideApproval is POST /api/approvals/:token.
func (x *exchange) decideApproval() error {
	if x.api.cfg.Approvals == nil {
		return notRunning("decide an approval")
	}
	var in api.Decision
	if err := x.strictly(&in, "the decision"); err != nil {
		return err
	}
	d := tool.Deciding{Channel: string(x.caller.Source), Correlator: domain.ByApprovalToken}
	switch in.Decision {
	case "grant", "granted", "approve", "approved", "yes":
		d.Granted = true
	case "refuse", "refused", "deny", "denied", "no":
	default:
		return domain.Invalid("decide proposal", "decision", "decision is neither grant nor refuse")
	}
	p, err := x.api.cfg.Approvals.Decide(x.r.Context(), x.caller, x.params.ByName("token"), d)
	if err != nil {
		return err
	}
	decision := "refused"
	if d.Granted {
		decision = "granted"
	}
	return x.answer(http.StatusOK, api.DecisionTaken{InvocationID: api.UUID{ID: p.InvocationID}, Decision: decision, Summary: p.Summary})
}

// courseSteps bounds the records that are read of one invocation.
const courseSteps = 64

// decided is GET /api/approvals/decided?before=&limit=&at=: the newest proposals first,
// without undecided ones.
func (x *exchange) decided() error {
	q := x.query()
	before, limit := q.count("before"), q.count("limit")
	then, err := x.asOf(q)
	if err != nil {
		return err
	}
	through, now := x.api.cfg.Log.Tail(), q.now
	if then != nil {
		through, now = then.Position, then.Time
	}
	if before == 0 || before > uint64(through) {
		before = uint64(through) + 1
	}
	found, err := newest(x.r.Context(), x.api.cfg.Log, logQuery{selector: domain.Selector{Key: domain.ProposedKey}, before: domain.Position(before), limit: int(limit)})
	if err != nil {
		return err
	}
	out := api.DecidedPage{AsOf: then, Approvals: []api.Decided{}}
	for _, rec := range found.records {
		body, err := x.api.decidedOf(x.r.Context(), rec, through, now)
		if err != nil {
			return err
		}
		if body.Decision != "" {
			out.Approvals = append(out.Approvals, body)
		}
	}
	if n := len(found.records); found.cut || n == int(limit) {
		out.Next = found.records[n-1].Position
	}
	return x.answer(http.StatusOK, out)
}

// decidedOf follows a proposal to its end, or to its state at a position. Its Decision is
// "" while it waits.
func (a *API) decidedOf(ctx context.Context, rec domain.Record, through domain.Position, now domain.Millis) (api.Decided, error) {
	n, err := domain.ApprovalNotice(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return api.Decided{}, err
	}
	out := api.Decided{
		CapabilityID: n.CapabilityID, CapabilityVersion: n.CapabilityVersion, Summary: n.Summary, Actor: n.Actor, ActorName: a.actorName(n.Actor), Channel: n.Channel,
		TraceID: api.UUID{ID: n.Trace.ID}, InvocationID: api.UUID{ID: n.InvocationID}, EnvelopeID: rec.Envelope.ID, Position: rec.Position,
		ProposedAt: rec.RecordedAt, ExpiresAt: n.ExpiresAt, CameTo: "not_done",
	}
	steps, err := a.cfg.Log.Select(ctx, domain.Selector{Key: domain.InvocationKey(n.InvocationID)}, rec.Position+1, courseSteps)
	if err != nil {
		return out, err
	}
	for _, step := range steps {
		if step.Position <= through {
			followed(&out, step)
		}
	}
	if n.ExpiresAt > 0 {
		since, err := domain.CountsSince(ctx, a.cfg.Log, rec, through, now)
		if err != nil {
			return out, err
		}
		n.ExpiresAt -= rec.Clock() - since
		out.ExpiresAt = n.ExpiresAt
	}
	if out.Decision == "" && n.ExpiresAt > 0 && n.ExpiresAt <= now {
		out.Decision, out.DecidedAt = "expired", n.ExpiresAt // its expiry is about to be recorded
	}
	return out, nil
}

// followed adds a record of the invocation. One whose payload was erased still counts by
// its type.
func followed(d *api.Decided, rec domain.Record) {
	env := rec.Envelope
	switch env.Type {
	case domain.ApprovalGrantedType:
		p, _ := domain.Decode[domain.ApprovalGranted](env)
		d.Decision, d.DecidedAt, d.CameTo = "granted", rec.RecordedAt, "under_way"
		d.DecidedBy, d.DecidedThrough, d.Correlator = p.Actor, p.Channel, p.Correlator
	case domain.ApprovalRefusedType:
		p, _ := domain.Decode[domain.ApprovalRefused](env)
		d.Decision, d.DecidedAt = "refused", rec.RecordedAt
		d.DecidedBy, d.DecidedThrough, d.Correlator = p.Actor, p.Channel, p.Correlator
	case domain.ApprovalExpiredType:
		d.Decision, d.DecidedAt = "expired", rec.RecordedAt
	case domain.ToolCompletedType:
		p, _ := domain.Decode[domain.ToolCompleted](env)
		d.CameTo, d.EndedAt = "done", rec.RecordedAt
		if p.Error != nil {
			d.CameTo, d.Detail = "failed", *p.Error
		}
	case domain.ToolFailedType:
		p, _ := domain.Decode[domain.ToolFailed](env)
		d.EndedAt = rec.RecordedAt
		if d.Decision == "granted" {
			d.CameTo, d.Detail = "failed", p.Detail
		}
	case domain.ToolOutcomeUnknownType:
		p, _ := domain.Decode[domain.ToolOutcomeUnknown](env)
		d.CameTo, d.EndedAt, d.Detail = "unknown", rec.RecordedAt, p.Detail
	}
}
