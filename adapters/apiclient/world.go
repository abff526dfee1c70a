package apiclient

import (
	"context"
	"net/url"

	"chalie/adapters/api"
)

// World asks for the world state at a moment as the API takes it; "" is now.
func (c *Client) World(ctx context.Context, at string) (Object[api.World], error) {
	query := url.Values{}
	if at != "" {
		query.Set("at", at)
	}
	return get[Object[api.World]](ctx, c, "/api/world", query)
}
