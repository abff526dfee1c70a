package apiclient

import (
	"context"
	"net/http"

	"chalie/adapters/api"
)

// Move begins to move the log. How it goes is in Moving.
func (c *Client) Move(ctx context.Context, m api.MoveRequest) error {
	_, err := call[struct{}](ctx, c, http.MethodPost, "/api/move", nil, m)
	return err
}

// Moving tells how the move of the log stands.
func (c *Client) Moving(ctx context.Context) (api.Move, error) {
	out, err := get[Object[api.Move]](ctx, c, "/api/move", nil)
	if err != nil {
		return api.Move{}, err
	}
	return out.Value()
}
