package apiclient

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// AddStream makes Chalie listen to a broadcast. Without a source it is named
// after its host.
func (c *Client) AddStream(ctx context.Context, url, source string) (Object[api.StreamAdded], error) {
	body := map[string]string{"url": url}
	if source != "" {
		body["source"] = source
	}
	return call[Object[api.StreamAdded]](ctx, c, http.MethodPost, "/api/streams", nil, body)
}

// Streams lists the broadcasts that Chalie listens to.
func (c *Client) Streams(ctx context.Context) ([]Object[api.Stream], error) {
	list, err := get[struct {
		Streams []Object[api.Stream] `json:"streams"`
	}](ctx, c, "/api/streams", nil)
	return list.Streams, err
}

// RemoveStream ends listening.
func (c *Client) RemoveStream(ctx context.Context, id domain.ID) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/streams/"+id.UUID(), nil, nil)
	return err
}
