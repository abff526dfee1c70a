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

// Accept accepts kinds of differences that a replay found.
func (c *Client) Accept(ctx context.Context, what api.DifferencesToAccept) (Object[api.AcceptedDifferences], error) {
	return call[Object[api.AcceptedDifferences]](ctx, c, http.MethodPost, "/api/replay/accepted", nil, what)
}

// replayed reads progress, and the report behind it.
func replayed[T any](ctx context.Context, c *Client, what api.ReplayRequest, progress func(api.Progress)) (Object[T], error) {
	return posted[T](ctx, c, "/api/replay", "identical", what, progress)
}

// posted posts a request that is answered by lines of progress, and by a result, which alone
// has a member of that name.
func posted[T any](ctx context.Context, c *Client, path, member string, what any, progress func(api.Progress)) (Object[T], error) {
	op := http.MethodPost + " " + path
	resp, err := c.ask(ctx, http.MethodPost, path, nil, what)
	if err != nil {
		return Object[T]{}, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var line Object[map[string]json.RawMessage]
		if err := lines.Decode(&line); err != nil {
			return Object[T]{}, brokenOff(op, err)
		}
		members, err := line.Value()
		if err != nil {
			return Object[T]{}, err
		}
		if _, ended := members[member]; ended {
			return Object[T](line), nil
		}
		var told struct {
			api.Progress
			Error string      `json:"error"` // of an answer that failed on its way
			Code  domain.Code `json:"code"`
		}
		if err := json.Unmarshal(line.text, &told); err != nil {
			return Object[T]{}, unreadable(op, err)
		}
		if told.Error != "" {
			return Object[T]{}, &domain.Error{Op: op, Category: domain.Dependency, Code: told.Code, Message: told.Error}
		}
		progress(told.Progress)
	}
}
