package apiclient

import (
	"context"

	"chalie/adapters/api"
)

// Plans asks for what is planned.
func (c *Client) Plans(ctx context.Context) (Object[api.Plans], error) {
	return get[Object[api.Plans]](ctx, c, "/api/plans", nil)
}
