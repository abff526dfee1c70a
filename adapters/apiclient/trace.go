package apiclient

import (
	"context"
	"net/url"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/explain"
)

// TracePage is a run of traces, those that began last first.
type TracePage struct {
	api.TracePage
	Traces []Object[api.Trace] `json:"traces"`
}

// TraceQuery narrows the traces. The zero TraceQuery is all of them, from the newest.
type TraceQuery struct {
	Before  domain.Position // only those that began before it; 0 is the end of the log
	Limit   int             // at most, up to api.MaxTracePage; 0 is as many
	Words   string
	Outcome string
	Root    string // the type of the first envelope, or its beginning
	Source  string
	Tool    string
	Errors  bool

	Mattered bool // no signals and passing thoughts that led to nothing

	Since string // moments as the API takes them: 30m, 2d, RFC 3339
	Until string
}

// Traces reads one page, the newest first. A narrowed page may have less than Limit,
// even nothing, while Next says where to look on.
func (c *Client) Traces(ctx context.Context, q TraceQuery) (TracePage, error) {
	if q.Limit == 0 {
		q.Limit = api.MaxTracePage
	}
	query := url.Values{"limit": {strconv.Itoa(q.Limit)}}
	if q.Before > 0 {
		query.Set("before", strconv.FormatUint(uint64(q.Before), 10))
	}
	if q.Errors {
		query.Set("errors", "true")
	}
	if q.Mattered {
		query.Set("mattered", "true")
	}
	for name, value := range map[string]string{"words": q.Words, "outcome": q.Outcome, "root": q.Root, "source": q.Source, "tool": q.Tool, "since": q.Since, "until": q.Until} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return get[TracePage](ctx, c, "/api/traces", query)
}

// Trace is one trace with its records.
type Trace struct {
	Trace   Object[api.Trace]       `json:"trace"`
	Records []Object[domain.Record] `json:"records"`

	Considered *explain.Considered `json:"considered,omitempty"`
}

// Trace reads a whole trace, however many pages the API makes of it.
func (c *Client) Trace(ctx context.Context, id domain.TraceID) (Trace, error) {
	return c.TraceStart(ctx, id, 0)
}

// TraceStart reads at most the first so many records of a trace; 0 is all of them.
func (c *Client) TraceStart(ctx context.Context, id domain.TraceID, most int) (Trace, error) {
	var whole Trace
	query := url.Values{}
	for {
		size := api.MaxTracePage
		if most > 0 {
			size = min(size, most-len(whole.Records))
		}
		query.Set("limit", strconv.Itoa(size))
		page, err := get[struct {
			Trace
			Next domain.Position `json:"next"`
		}](ctx, c, "/api/traces/"+id.String(), query)
		if err != nil {
			return whole, err
		}
		whole.Trace, whole.Considered = page.Trace.Trace, page.Considered
		whole.Records = append(whole.Records, page.Records...)
		if page.Next == 0 || most > 0 && len(whole.Records) >= most {
			return whole, nil
		}
		query.Set("from", strconv.FormatUint(uint64(page.Next), 10))
	}
}
