package httpapi

import (
	"context"
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// Approvals lists and decides what waits for the person. Its methods are those of
// *commands.Approvals, which says their errors.
type Approvals interface {
	Pending(ctx context.Context) ([]commands.Proposal, error)
	Decide(ctx context.Context, c commands.Caller, token string, d commands.Deciding) (commands.Proposal, error)
}

var _ Approvals = (*commands.Approvals)(nil)

// proposalBody is one line of GET /api/approvals.
type proposalBody struct {
	ProposalToken     string        `json:"proposal_token"`
	CapabilityID      string        `json:"capability_id"`
	CapabilityVersion string        `json:"capability_version"`
	Summary           string        `json:"summary"`
	Actor             string        `json:"actor"`
	Channel           string        `json:"channel"`
	TraceID           string        `json:"trace_id"`
	InvocationID      string        `json:"invocation_id"`
	ExpiresAt         domain.Millis `json:"expires_at"`
}

// approvals is GET /api/approvals, oldest first.
func (x *exchange) approvals() error {
	if x.api.cfg.Approvals == nil {
		return notRunning("list approvals")
	}
	x.catchUp()
	pending, err := x.api.cfg.Approvals.Pending(x.r.Context())
	if err != nil {
		return err
	}
	out := struct {
		Approvals []proposalBody `json:"approvals"`
	}{[]proposalBody{}}
	for _, p := range pending {
		out.Approvals = append(out.Approvals, proposalBody{
			ProposalToken: p.Token, CapabilityID: p.CapabilityID, CapabilityVersion: p.CapabilityVersion, Summary: p.Summary,
			Actor: p.Actor, Channel: p.Channel, TraceID: p.Trace.UUID(), InvocationID: p.InvocationID.UUID(), ExpiresAt: p.ExpiresAt,
		})
	}
	return x.answer(http.StatusOK, out)
}

// decideApproval is POST /api/approvals/:token.
func (x *exchange) decideApproval() error {
	if x.api.cfg.Approvals == nil {
		return notRunning("decide an approval")
	}
	var in struct {
		Decision string `json:"decision"`
	}
	if err := x.strictly(&in, "the decision"); err != nil {
		return err
	}
	d := commands.Deciding{Channel: string(x.caller.Source), Correlator: domain.ByApprovalToken}
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
	return x.answer(http.StatusOK, struct {
		InvocationID string `json:"invocation_id"`
		Decision     string `json:"decision"`
		Summary      string `json:"summary"`
	}{p.InvocationID.UUID(), decision, p.Summary})
}
