package httpapi

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
)

// Streams are the broadcasts Chalie listens to. Its methods are those of
// *signal.Streams, which says their errors.
type Streams interface {
	Add(ctx context.Context, c commands.Caller, s domain.StreamAdded) (domain.ID, error)
	Remove(ctx context.Context, c commands.Caller, id domain.ID) error
	List() []domain.Stream
}

func streamHandlers() handlers {
	return handlers{"streams": (*exchange).streams, "addStream": (*exchange).addStream, "removeStream": (*exchange).removeStream}
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
	out := api.Streams{Streams: []api.Stream{}}
	for _, s := range x.api.cfg.Streams.List() {
		// One that was just added is about to be connected to.
		now := signal.StreamStatus{State: signal.StreamConnecting}
		if x.api.cfg.StreamStatus != nil {
			if status, ok := x.api.cfg.StreamStatus(s.ID); ok {
				now = status
			}
		}
		out.Streams = append(out.Streams, api.Stream{
			ID: api.UUID{ID: s.ID}, URL: s.URL, Source: s.Source, Since: s.Since,
			State: string(now.State), Reason: now.Reason, Until: now.Until, Received: now.Received, Accepted: now.Accepted, Malformed: now.Malformed,
			Ignored: now.Ignored, Lost: now.Lost, Rate: now.Rate, LagMillis: now.LagMillis, LastError: now.LastError, LastFault: now.LastFault,
		})
	}
	return x.answer(http.StatusOK, out)
}

// addStream is POST /api/streams.
func (x *exchange) addStream() error {
	if x.api.cfg.Streams == nil {
		return notRunning("listen to a stream")
	}
	var in api.StreamRequest
	if err := x.read(&in); err != nil {
		return err
	}
	if in.URL == "" {
		return domain.Invalid("add stream", "url", "url is required: give that of a WebSocket, such as ws://127.0.0.1:9000/stream")
	}
	id, err := x.api.cfg.Streams.Add(x.r.Context(), x.caller, domain.StreamAdded{URL: in.URL, Source: in.Source})
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, api.StreamAdded{StreamID: api.UUID{ID: id}})
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
	return x.answer(http.StatusOK, api.OK{OK: true})
}
