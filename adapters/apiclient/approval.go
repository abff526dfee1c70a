package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/domain"
)

// Approval is what waits for the person.
type Approval struct {
	ProposalToken     string        `json:"proposal_token"`
	CapabilityID      string        `json:"capability_id"`
	CapabilityVersion string        `json:"capability_version"`
	Summary           string        `json:"summary"`
	Actor             string        `json:"actor"`
	Channel           string        `json:"channel"`
	TraceID           domain.ID     `json:"trace_id"`
	InvocationID      domain.ID     `json:"invocation_id"`
	ExpiresAt         domain.Millis `json:"expires_at"`
}

// Approvals lists what waits for the person, oldest first.
func (c *Client) Approvals(ctx context.Context) ([]Object[Approval], error) {
	list, err := get[struct {
		Approvals []Object[Approval] `json:"approvals"`
	}](ctx, c, "/api/approvals", nil)
	return list.Approvals, err
}

// Decided is what was decided.
type Decided struct {
	InvocationID domain.ID `json:"invocation_id"`
	Decision     string    `json:"decision"` // granted or refused
	Summary      string    `json:"summary"`
}

// DecideApproval says grant or refuse to what has a token.
func (c *Client) DecideApproval(ctx context.Context, token, decision string) (Object[Decided], error) {
	return call[Object[Decided]](ctx, c, http.MethodPost, "/api/approvals/"+url.PathEscape(token), nil, map[string]any{"decision": decision})
}
