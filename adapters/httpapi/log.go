package httpapi

import (
	"context"
	"math"
	"net/http"
	"time"

	"chalie/domain"
)

// logBody is the answer of GET /api/log. Next is the position to go on from.
type logBody struct {
	Records []domain.Record `json:"records"`
	Next    domain.Position `json:"next"`
}

// logQuery is which records are asked for.
type logQuery struct {
	selector  domain.Selector
	topic     domain.Topic     // "" for any
	eventType domain.EventType // "" for any
	from      domain.Position
	limit     int
	wait      time.Duration
}

// log is GET /api/log?from=&limit=&topic=&type=&trace=&since=&wait=. With wait
// it answers as soon as there is anything, and otherwise when the time is up.
func (x *exchange) log() error {
	q, err := x.logQuery()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), q.wait)
	defer cancel()
	for {
		records, next, err := x.api.matching(x.r.Context(), q)
		if err != nil {
			return err
		}
		if len(records) > 0 || q.wait == 0 {
			return x.answer(http.StatusOK, logBody{records, next})
		}
		if _, err := x.api.cfg.Log.Wait(ctx, next-1); err != nil {
			if ctx.Err() == nil {
				return err
			}
			return x.answer(http.StatusOK, logBody{records, next})
		}
		q.from = next
	}
}

func (x *exchange) logQuery() (logQuery, error) {
	var q logQuery
	in, err := x.query()
	if err != nil {
		return q, err
	}
	from, err := in.count("from", 1, 0, math.MaxInt64)
	if err != nil {
		return q, err
	}
	limit, err := in.count("limit", 100, 1, 1000)
	if err != nil {
		return q, err
	}
	trace, err := in.id("trace")
	if err != nil {
		return q, err
	}
	if q.wait, err = in.span("wait", x.api.cfg.MaxWait); err != nil {
		return q, err
	}
	q.from, q.limit = max(1, domain.Position(from)), int(limit)
	q.topic, q.eventType = domain.Topic(in.values.Get("topic")), domain.EventType(in.values.Get("type"))
	q.selector = selectorOf(q.topic, q.eventType, trace)
	if in.values.Get("since") == "" {
		return q, nil
	}
	since, err := in.moment("since", ago)
	if err != nil {
		return q, err
	}
	first, err := x.api.cfg.Log.Since(x.r.Context(), since)
	q.from = max(q.from, first)
	return q, err
}

// selectorOf picks the narrowest index. A type that is in the catalogue lives in
// its topic's; any other may stand anywhere.
func selectorOf(topic domain.Topic, eventType domain.EventType, trace domain.ID) domain.Selector {
	switch {
	case !trace.IsZero():
		return domain.Selector{Trace: domain.TraceID{ID: trace}}
	case topic != "":
		return domain.Selector{Topic: topic}
	}
	if d, ok := domain.Events().Lookup(eventType); ok && eventType != domain.ForeignType {
		return domain.Selector{Topic: d.Topic}
	}
	return domain.Selector{}
}

// matching reads up to limit records that pass every filter, and where to go on.
func (api *API) matching(ctx context.Context, q logQuery) ([]domain.Record, domain.Position, error) {
	out := make([]domain.Record, 0, min(q.limit, 128))
	for {
		// The tail is read first: what the select then doesn't find up to it
		// isn't there, and need not be looked at again.
		tail := api.cfg.Log.Tail()
		records, err := api.cfg.Log.Select(ctx, q.selector, q.from, q.limit)
		if err != nil {
			return nil, 0, err
		}
		for _, rec := range records {
			q.from = rec.Position + 1
			if q.matches(rec) {
				if out = append(out, rec); len(out) == q.limit {
					return out, q.from, nil
				}
			}
		}
		if len(records) < q.limit {
			return out, max(q.from, tail+1), nil
		}
	}
}

func (q logQuery) matches(rec domain.Record) bool {
	return (q.topic == "" || q.topic == domain.TopicAll || rec.Topic == q.topic) &&
		(q.eventType == "" || rec.Envelope.Type == q.eventType)
}
