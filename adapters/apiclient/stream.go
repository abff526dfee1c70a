package apiclient

import (
	"context"
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// Stream is a broadcast that Chalie listens to, and how that stands.
type Stream struct {
	ID     domain.ID     `json:"id"`
	URL    string        `json:"url"`
	Source string        `json:"source"` // of its signals that name none
	Since  domain.Millis `json:"since"`
	commands.StreamStatus
}

// StreamAdded is the answer to a new stream.
type StreamAdded struct {
	StreamID domain.ID `json:"stream_id"`
}

// AddStream makes Chalie listen to a broadcast. Without a source it is named
// after its host.
func (c *Client) AddStream(ctx context.Context, url, source string) (Object[StreamAdded], error) {
	body := map[string]string{"url": url}
	if source != "" {
		body["source"] = source
	}
	return call[Object[StreamAdded]](ctx, c, http.MethodPost, "/api/streams", nil, body)
}

// Streams lists the broadcasts that Chalie listens to.
func (c *Client) Streams(ctx context.Context) ([]Object[Stream], error) {
	list, err := get[struct {
		Streams []Object[Stream] `json:"streams"`
	}](ctx, c, "/api/streams", nil)
	return list.Streams, err
}

// RemoveStream ends listening.
func (c *Client) RemoveStream(ctx context.Context, id domain.ID) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/streams/"+id.UUID(), nil, nil)
	return err
}
