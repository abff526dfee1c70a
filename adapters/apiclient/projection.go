package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/adapters/api"
)

// Projections tells how each projection stands.
func (c *Client) Projections(ctx context.Context) ([]Object[api.Projection], error) {
	return get[[]Object[api.Projection]](ctx, c, "/api/projections", nil)
}

// Rebuild begins to fold projections again, all of them when none is named; with
// check only to compare. How it goes is in Projections.
func (c *Client) Rebuild(ctx context.Context, names []string, check bool) error {
	_, err := call[struct{}](ctx, c, http.MethodPost, "/api/projections/rebuild", nil, api.RebuildRequest{Names: names, Check: check})
	return err
}

// RollBack begins to go back to what served before.
func (c *Client) RollBack(ctx context.Context, name string) error {
	_, err := call[struct{}](ctx, c, http.MethodPost, "/api/projections/"+url.PathEscape(name)+"/rollback", nil, nil)
	return err
}

// CancelRebuild ends a rebuild; it returns once nothing is left of it.
func (c *Client) CancelRebuild(ctx context.Context, name string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/projections/"+url.PathEscape(name)+"/rebuild", nil, nil)
	return err
}
