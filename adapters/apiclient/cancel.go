package apiclient

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// Cancel ends the answer to a message; with no id that of the latest message
// whose answer is under way.
func (c *Client) Cancel(ctx context.Context, id domain.ID) (Object[api.Cancelled], error) {
	name := "latest"
	if !id.IsZero() {
		name = id.UUID()
	}
	return call[Object[api.Cancelled]](ctx, c, http.MethodPost, "/api/messages/"+name+"/cancel", nil, nil)
}
