package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// Verify walks the whole log and calls progress on the way. A log that is
// damaged is no error: the result says so.
func (c *Client) Verify(ctx context.Context, progress func(api.Progress)) (Object[api.Verification], error) {
	const op = http.MethodGet + " /api/verify"
	resp, err := c.ask(ctx, http.MethodGet, "/api/verify", nil, nil)
	if err != nil {
		return Object[api.Verification]{}, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var line Object[struct {
			OK *bool `json:"ok"` // only the result has it
			api.Progress
		}]
		if err := lines.Decode(&line); err != nil {
			return Object[api.Verification]{}, brokenOff(op, err)
		}
		told, err := line.Value()
		if err != nil {
			return Object[api.Verification]{}, err
		}
		if told.OK != nil {
			return Object[api.Verification](line), nil
		}
		progress(told.Progress)
	}
}

func brokenOff(op string, cause error) error {
	if _, syntax := errors.AsType[*json.SyntaxError](cause); syntax {
		return unreadable(op, cause)
	}
	if errors.Is(cause, io.EOF) {
		cause = io.ErrUnexpectedEOF
	}
	return &domain.Error{Op: op, Category: domain.Dependency, Code: CodeUnreachable, Retriable: true, Err: cause,
		Message: "the walk over the log was broken off; what `chalie serve` wrote to its standard error says why"}
}
