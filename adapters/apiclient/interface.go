package apiclient

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// Apps lists the interfaces.
func (c *Client) Apps(ctx context.Context) ([]Object[api.App], error) {
	return get[[]Object[api.App]](ctx, c, "/api/apps", nil)
}

// App asks for one interface, its tools included.
func (c *Client) App(ctx context.Context, id domain.ID) (Object[api.OneApp], error) {
	return get[Object[api.OneApp]](ctx, c, "/api/apps/"+id.UUID(), nil)
}

// PairingKey generates one. Its text is in this answer and nowhere else.
func (c *Client) PairingKey(ctx context.Context) (Object[api.PairingKey], error) {
	return call[Object[api.PairingKey]](ctx, c, http.MethodPost, "/api/interfaces/pairing-key", nil, nil)
}

// Approve allows an interface these keys of each category, and no others.
func (c *Client) Approve(ctx context.Context, id domain.ID, approved domain.Approval) error {
	set := func(keys []string) map[string]bool {
		out := make(map[string]bool, len(keys))
		for _, k := range keys {
			out[k] = true
		}
		return out
	}
	_, err := call[struct{}](ctx, c, http.MethodPut, "/api/apps/"+id.UUID()+"/scopes", nil, map[string]any{"approved_scopes": map[string]any{
		"context": set(approved.Context), "signals": set(approved.Signals), "messages": set(approved.Messages),
	}})
	return err
}

// RefreshInterface asks an interface again what it offers, and returns the names
// of its tools.
func (c *Client) RefreshInterface(ctx context.Context, id domain.ID) ([]string, error) {
	out, err := call[api.Offered](ctx, c, http.MethodPost, "/api/interfaces/"+id.UUID()+"/refresh", nil, nil)
	return out.Capabilities, err
}

// AddMCP adds a server of the Model Context Protocol.
func (c *Client) AddMCP(ctx context.Context, in api.MCPRequest) (Object[api.MCPAdded], error) {
	return call[Object[api.MCPAdded]](ctx, c, http.MethodPost, "/api/mcp", nil, in)
}

// AcceptTools accepts tools of such a server as they are now.
func (c *Client) AcceptTools(ctx context.Context, id domain.ID, in api.Acceptance) (Object[api.Accepted], error) {
	return call[Object[api.Accepted]](ctx, c, http.MethodPost, "/api/interfaces/"+id.UUID()+"/accept", nil, in)
}

// RemoveInterface ends an interface, its tools and its token.
func (c *Client) RemoveInterface(ctx context.Context, id domain.ID) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/interfaces/"+id.UUID(), nil, nil)
	return err
}
