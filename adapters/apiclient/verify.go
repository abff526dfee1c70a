package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"chalie/domain"
)

// Progress is how far a walk over the log is.
type Progress struct {
	Position domain.Position `json:"position"`
	Tail     domain.Position `json:"tail"`
	Rate     int64           `json:"rate"` // records a second so far
}

// Verification is what a walk over the log found.
type Verification struct {
	OK       bool      `json:"ok"`
	Records  uint64    `json:"records"` // readable ones
	Problems []Problem `json:"problems"`
	Lost     uint64    `json:"lost"`    // positions that were named lost
	LostAt   []Span    `json:"lost_at"` // the first runs of them
}

// Span is a run of positions, both ends included.
type Span struct {
	From    domain.Position `json:"from"`
	Through domain.Position `json:"through"`
}

// Problem is one thing that is not as it was written.
type Problem struct {
	Position domain.Position `json:"position"` // 0 when it belongs to no record
	Through  domain.Position `json:"through"`  // the last one of a run; 0 where it is one
	Error    string          `json:"error"`
}

// Verify walks the whole log and calls progress on the way. A log that is
// damaged is no error: the result says so.
func (c *Client) Verify(ctx context.Context, progress func(Progress)) (Object[Verification], error) {
	const op = http.MethodGet + " /api/verify"
	resp, err := c.ask(ctx, http.MethodGet, "/api/verify", nil, nil)
	if err != nil {
		return Object[Verification]{}, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var line Object[struct {
			OK *bool `json:"ok"` // only the result has it
			Progress
		}]
		if err := lines.Decode(&line); err != nil {
			return Object[Verification]{}, brokenOff(op, err)
		}
		told, err := line.Value()
		if err != nil {
			return Object[Verification]{}, err
		}
		if told.OK != nil {
			return Object[Verification](line), nil
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
