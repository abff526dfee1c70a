package apiclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// LogQuery narrows the log. The zero LogQuery is all of it, from the start.
type LogQuery struct {
	From  domain.Position // first position; 0 is the start
	Limit int             // records at most, up to api.MaxLogPage; 0 is as many
	Topic string
	Type  string
	Trace string        // an id in any spelling
	Since string        // a moment as the API takes it: 30m, 2d, RFC 3339
	Wait  time.Duration // how long an empty page may wait for a record
}

// LogPage is a run of records. Fewer than asked for means that there are no
// more now, unless it was cut.
type LogPage struct {
	api.LogPage
	Records []Object[domain.Record] `json:"records"`
}

// Log reads one page.
func (c *Client) Log(ctx context.Context, q LogQuery) (LogPage, error) {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	if q.From > 0 {
		set("from", strconv.FormatUint(uint64(q.From), 10))
	}
	if q.Limit == 0 {
		q.Limit = api.MaxLogPage
	}
	set("limit", strconv.Itoa(q.Limit))
	set("topic", q.Topic)
	set("type", q.Type)
	set("trace", q.Trace)
	set("since", q.Since)
	if q.Wait > 0 {
		set("wait", q.Wait.String())
	}
	return get[LogPage](ctx, c, "/api/log", query)
}

// Record is that of an envelope; false when there is none, or none that can be read.
func (c *Client) Record(ctx context.Context, id domain.ID) (domain.Record, bool) {
	why, err := Read(c.Why(ctx, id.String(), time.UTC))
	if err != nil || len(why.Nodes) == 0 || why.Nodes[0].ID != id {
		return domain.Record{}, false
	}
	rec, ok := c.first(ctx, LogQuery{From: why.Nodes[0].Position})
	return rec, ok && rec.Envelope.ID == id
}

// Opening is the record that opened the trace of this id; false when there is none, or
// none that can be read.
func (c *Client) Opening(ctx context.Context, id domain.ID) (domain.Record, bool) {
	return c.first(ctx, LogQuery{Trace: id.String()})
}

func (c *Client) first(ctx context.Context, q LogQuery) (domain.Record, bool) {
	q.Limit = 1
	page, err := c.Log(ctx, q)
	if err != nil || len(page.Records) == 0 {
		return domain.Record{}, false
	}
	rec, err := page.Records[0].Value()
	return rec, err == nil
}

// Move begins to move the log. How it goes is in Moving.
func (c *Client) Move(ctx context.Context, m api.MoveRequest) error {
	_, err := call[struct{}](ctx, c, http.MethodPost, "/api/move", nil, m)
	return err
}

// Moving tells how the move of the log stands.
func (c *Client) Moving(ctx context.Context) (api.Move, error) {
	out, err := get[Object[api.Move]](ctx, c, "/api/move", nil)
	if err != nil {
		return api.Move{}, err
	}
	return out.Value()
}
