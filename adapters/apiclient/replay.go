package apiclient

import (
	"context"
	"encoding/json"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/player"
)

// Replay replays, and calls progress on the way. That something is decided
// differently is no error: the report says so.
func (c *Client) Replay(ctx context.Context, what api.ReplayRequest, progress func(api.Progress)) (Object[player.Report], error) {
	return replayed[player.Report](ctx, c, what, progress)
}

// replayed reads progress, and the report behind it.
func replayed[T any](ctx context.Context, c *Client, what api.ReplayRequest, progress func(api.Progress)) (Object[T], error) {
	const op = http.MethodPost + " /api/replay"
	resp, err := c.ask(ctx, http.MethodPost, "/api/replay", nil, what)
	if err != nil {
		return Object[T]{}, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var line Object[struct {
			Identical *bool `json:"identical"` // only the report has it
			api.Progress
			Error string      `json:"error"` // of an answer that failed on its way
			Code  domain.Code `json:"code"`
		}]
		if err := lines.Decode(&line); err != nil {
			return Object[T]{}, brokenOff(op, err)
		}
		told, err := line.Value()
		if err != nil {
			return Object[T]{}, err
		}
		if told.Identical != nil {
			return Object[T](line), nil
		}
		if told.Error != "" {
			return Object[T]{}, &domain.Error{Op: op, Category: domain.Dependency, Code: told.Code, Message: told.Error}
		}
		progress(told.Progress)
	}
}
