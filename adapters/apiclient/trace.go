package apiclient

import (
	"context"
	"net/url"
	"strconv"

	"chalie/domain"
)

// TraceLine is what is known of one trace.
type TraceLine struct {
	TraceID   domain.ID       `json:"trace_id"`
	Root      TraceRoot       `json:"root"`
	Envelopes uint64          `json:"envelopes"`
	Errors    uint64          `json:"errors"`
	First     domain.Position `json:"first"`
	Last      domain.Position `json:"last"`
	StartedAt domain.Millis   `json:"started_at"`
	UpdatedAt domain.Millis   `json:"updated_at"`
	Outcome   string          `json:"outcome"` // open, done or failed
}

// TraceRoot is the first envelope of a trace.
type TraceRoot struct {
	EnvelopeID domain.ID        `json:"envelope_id"`
	ParentID   domain.ID        `json:"parent_id"` // in an earlier trace, or none
	Type       domain.EventType `json:"type"`
	Source     domain.Source    `json:"source"`
	Principal  domain.Principal `json:"principal"`
}

// MaxTracePage is how many traces, or records of one, the API gives at a time.
const MaxTracePage = 1000

// TracePage is a run of traces, those that began last first.
type TracePage struct {
	Traces []Object[TraceLine] `json:"traces"`
	Next   domain.Position     `json:"next"` // the next page's before; 0 at the end
}

// Traces lists up to limit traces that began before a position; 0 is the end of
// the log.
func (c *Client) Traces(ctx context.Context, before domain.Position, limit int) (TracePage, error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if before > 0 {
		query.Set("before", strconv.FormatUint(uint64(before), 10))
	}
	return get[TracePage](ctx, c, "/api/traces", query)
}

// Trace is one trace with its records.
type Trace struct {
	Trace   Object[TraceLine]       `json:"trace"`
	Records []Object[domain.Record] `json:"records"`
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
		size := MaxTracePage
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
		whole.Trace = page.Trace.Trace
		whole.Records = append(whole.Records, page.Records...)
		if page.Next == 0 || most > 0 && len(whole.Records) >= most {
			return whole, nil
		}
		query.Set("from", strconv.FormatUint(uint64(page.Next), 10))
	}
}
