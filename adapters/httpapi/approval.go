package httpapi

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// Approvals lists and decides what waits for the person. Its methods are those of
// *tool.Approvals, which says their errors.
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
			Actor: p.Actor, Channel: p.Channel, TraceID: api.UUID{ID: p.Trace.ID}, InvocationID: api.UUID{ID: p.InvocationID}, ExpiresAt: p.ExpiresAt,
			Call: what,
		})
	}
	return x.answer(http.StatusOK, out)
}

// pending are the proposals that can be decided, or could be when at asks about.
func (x *exchange) pending() (*api.AsOf, []tool.Proposal, error) {
	q, err := x.query()
	if err != nil {
		return nil, nil, err
	}
	then, err := x.asOf(q)
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
