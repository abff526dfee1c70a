package apiclient

import (
	"context"

	"chalie/adapters/api"
)

// Spine asks how the services are.
func (c *Client) Spine(ctx context.Context) (Object[api.Spine], error) {
	return get[Object[api.Spine]](ctx, c, "/api/spine", nil)
}
