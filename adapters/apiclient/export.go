package apiclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"chalie/domain"
)

// ExportQuery says which records to export. The zero ExportQuery is every one.
type ExportQuery struct {
	Trace   string // an id in any spelling, of a trace or an envelope of it
	Since   string // moments as the API takes them
	Until   string
	Through domain.Position // 0 is the tail
	Format  string          // jsonl or cloudevents; "" is jsonl
}

// Export is a file as it is made. The caller closes it. A read that fails with
// anything but io.EOF means that the file is not whole.
func (c *Client) Export(ctx context.Context, q ExportQuery) (io.ReadCloser, error) {
	query := url.Values{}
	for name, value := range map[string]string{"trace": q.Trace, "since": q.Since, "until": q.Until, "format": q.Format} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if q.Through > 0 {
		query.Set("through", strconv.FormatUint(uint64(q.Through), 10))
	}
	resp, err := c.ask(ctx, http.MethodGet, "/api/export", query, nil) //nolint:bodyclose // the caller closes it
	if err != nil {
		return nil, err
	}
	return file{resp.Body}, nil
}

// file says what it means when an answer is broken off.
type file struct{ io.ReadCloser }

func (f file) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &domain.Error{Op: http.MethodGet + " /api/export", Category: domain.Dependency, Code: CodeUnreachable, Retriable: true, Err: err,
			Message: "the export was broken off; what `chalie serve` wrote to its standard error says why"}
	}
	return n, err
}
