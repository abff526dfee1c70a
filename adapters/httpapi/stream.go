package httpapi

import (
	"context"
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// Streams are the broadcasts Chalie listens to. Its methods are those of
// *commands.Streams, which says their errors.
type Streams interface {
	Add(ctx context.Context, c commands.Caller, s domain.StreamAdded) (domain.ID, error)
	Remove(ctx context.Context, c commands.Caller, id domain.ID) error
	List() []domain.Stream
}

// streamBody is one line of GET /api/streams: what is listened to, and how that
// stands.
type streamBody struct {
	ID     string        `json:"id"`
	URL    string        `json:"url"`
	Source string        `json:"source"`
	Since  domain.Millis `json:"since"`
	commands.StreamStatus
}

// streams is GET /api/streams?at=. How a broadcast stood is not in the log, so of the
// past nobody knows.
func (x *exchange) streams() error {
	then, before, err := x.registryThen()
	switch {
	case err != nil:
		return err
	case then != nil:
		return x.streamsThen(*then, before)
	case x.api.cfg.Streams == nil:
		return notRunning("list streams")
	}
	x.catchUp()
	out := struct {
		Streams []streamBody `json:"streams"`
	}{[]streamBody{}}
	for _, s := range x.api.cfg.Streams.List() {
		body := streamBody{ID: s.ID.UUID(), URL: s.URL, Source: s.Source, Since: s.Since}
		// One that was just added is about to be connected to.
		body.State = commands.StreamConnecting
		if x.api.cfg.StreamStatus != nil {
			if status, ok := x.api.cfg.StreamStatus(s.ID); ok {
				body.StreamStatus = status
			}
		}
		out.Streams = append(out.Streams, body)
	}
	return x.answer(http.StatusOK, out)
}

// addStream is POST /api/streams.
func (x *exchange) addStream() error {
	if x.api.cfg.Streams == nil {
		return notRunning("listen to a stream")
	}
	var url, source value
	err := x.fields(map[string]*value{"url": &url, "source": &source})
	if err != nil {
		return err
	}
	var in domain.StreamAdded
	if in.URL, err = url.text("url"); err != nil {
		return err
	}
	if in.URL == "" {
		return domain.Invalid("add stream", "url", "url is required: give that of a WebSocket, such as ws://127.0.0.1:9000/stream")
	}
	if in.Source, err = source.text("source"); err != nil {
		return err
	}
	id, err := x.api.cfg.Streams.Add(x.r.Context(), x.caller, in)
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, struct {
		StreamID string `json:"stream_id"`
	}{id.UUID()})
}

// removeStream is DELETE /api/streams/:id.
func (x *exchange) removeStream() error {
	if x.api.cfg.Streams == nil {
		return notRunning("stop listening to a stream")
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	if err := x.api.cfg.Streams.Remove(x.r.Context(), x.caller, id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, okBody{true})
}
