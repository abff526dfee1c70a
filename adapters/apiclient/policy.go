package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

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

// SetPolicy puts a policy in force, whole: in place of the regime that it was written
// against, or with "" of any.
func (c *Client) SetPolicy(ctx context.Context, rules json.RawMessage, against string) (Object[Policy], error) {
	header := http.Header{}
	if against != "" {
		header.Set("If-Match", strconv.Quote(against))
	}
	return callWith[Object[Policy]](ctx, c, http.MethodPut, "/api/policy", nil, rules, header)
}

// Trust says what a tool is to be taken for; what is nil it says itself.
type Trust struct {
	SideEffects      *bool            `json:"side_effects"`
	RequiresApproval *bool            `json:"requires_approval"`
	Autonomy         *domain.Autonomy `json:"autonomy"`
	Unasked          *bool            `json:"unasked"` // safe to use when the person didn't ask
}

// TrustTool changes what a tool is taken for, and returns what it then is.
func (c *Client) TrustTool(ctx context.Context, name string, said Trust) (Object[domain.Manifest], error) {
	return call[Object[domain.Manifest]](ctx, c, http.MethodPut, "/api/tools/"+url.PathEscape(name)+"/manifest", nil, said)
}
