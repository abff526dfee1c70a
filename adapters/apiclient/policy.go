package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"chalie/domain"
)

// Policy is the one in force, with the id of its regime.
type Policy struct {
	RegimeID string             `json:"regime_id"`
	Policy   domain.PolicyRules `json:"policy"`
	Warnings []string           `json:"warnings"`        // about rules that match nothing known
	AsOf     *AsOf              `json:"as_of,omitempty"` // of PolicyThen
}

// Policy asks for the policy in force.
func (c *Client) Policy(ctx context.Context) (Object[Policy], error) {
	return get[Object[Policy]](ctx, c, "/api/policy", nil)
}

// SetPolicy puts a policy in force, whole.
func (c *Client) SetPolicy(ctx context.Context, rules json.RawMessage) (Object[Policy], error) {
	return call[Object[Policy]](ctx, c, http.MethodPut, "/api/policy", nil, rules)
}

// Trust says what a tool is to be taken for; what is nil it says itself.
type Trust struct {
	SideEffects      *bool            `json:"side_effects"`
	RequiresApproval *bool            `json:"requires_approval"`
	Autonomy         *domain.Autonomy `json:"autonomy"`
}

// TrustTool changes what a tool is taken for, and returns what it then is.
func (c *Client) TrustTool(ctx context.Context, name string, said Trust) (Object[domain.Manifest], error) {
	return call[Object[domain.Manifest]](ctx, c, http.MethodPut, "/api/tools/"+url.PathEscape(name)+"/manifest", nil, said)
}
