package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/adapters/api"
)

// Approvals lists what waits for the person, oldest first.
func (c *Client) Approvals(ctx context.Context) ([]Object[api.Proposal], error) {
	list, err := get[struct {
		Approvals []Object[api.Proposal] `json:"approvals"`
	}](ctx, c, "/api/approvals", nil)
	return list.Approvals, err
}

// DecideApproval says grant or refuse to what has a token.
func (c *Client) DecideApproval(ctx context.Context, token, decision string) (Object[api.DecisionTaken], error) {
	return call[Object[api.DecisionTaken]](ctx, c, http.MethodPost, "/api/approvals/"+url.PathEscape(token), nil, map[string]any{"decision": decision})
}
