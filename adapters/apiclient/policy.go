package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// Policy asks for the policy in force.
func (c *Client) Policy(ctx context.Context) (Object[api.Policy], error) {
	return get[Object[api.Policy]](ctx, c, "/api/policy", nil)
}

// PolicyHistory asks for the latest regimes, the newest first, one more than is wanted: what
// changed is told against the one before.
func (c *Client) PolicyHistory(ctx context.Context, limit int) (Object[api.Regimes], error) {
	return get[Object[api.Regimes]](ctx, c, "/api/policy/history", url.Values{"limit": {strconv.Itoa(limit + 1)}})
}

// SetPolicy puts a policy in force, whole: in place of the regime that it was written
// against, or with "" of any.
func (c *Client) SetPolicy(ctx context.Context, rules json.RawMessage, against string) (Object[api.Policy], error) {
	header := http.Header{}
	if against != "" {
		header.Set("If-Match", strconv.Quote(against))
	}
	return callWith[Object[api.Policy]](ctx, c, http.MethodPut, "/api/policy", nil, rules, header)
}

// TrustTool changes what a tool is taken for, and returns what it then is.
func (c *Client) TrustTool(ctx context.Context, name string, said api.Trust) (Object[domain.Manifest], error) {
	return call[Object[domain.Manifest]](ctx, c, http.MethodPut, "/api/tools/"+url.PathEscape(name)+"/manifest", nil, said)
}
