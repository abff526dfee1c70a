package apiclient

import (
	"context"
	"net/http"

	"chalie/domain"
)

// Cancelled is an exchange that ends at its next step.
type Cancelled struct {
	ExchangeID domain.ID `json:"exchange_id"`
}

// Cancel ends the answer to a message; with no id that of the latest message
// whose answer is under way.
func (c *Client) Cancel(ctx context.Context, id domain.ID) (Object[Cancelled], error) {
	name := "latest"
	if !id.IsZero() {
		name = id.UUID()
	}
	return call[Object[Cancelled]](ctx, c, http.MethodPost, "/api/messages/"+name+"/cancel", nil, nil)
}
