package httpapi

import (
	"context"

	"chalie/domain"
)

// matching reads up to limit records that pass every filter, and where to go on.
func (api *API) matching(ctx context.Context, q logQuery) ([]domain.Record, domain.Position, error) {
	out := make([]domain.Record, 0, min(q.limit, 128))
	for looked := 0; ; {
		// The tail is read first: what the select then doesn't find up to it
		// isn't there, and need not be looked at again.
		tail := api.cfg.Log.Tail()
		records, err := api.cfg.Log.Select(ctx, q.selector, q.from, q.whole())
		if err != nil {
			return nil, 0, err
		}
		for _, rec := range records {
			if q.before > 0 && rec.Position >= q.before {
				return out, max(q.from, q.before), nil
			}
			q.from = rec.Position + 1
			if q.matches(rec) {
				out = append(out, rec)
			}
			if looked++; len(out) == q.limit || looked == q.look {
				return out, q.from, nil
			}
		}
		if len(records) < q.whole() {
			end := tail + 1
			if q.before > 0 {
				end = min(end, q.before)
			}
			return out, max(q.from, end), nil
		}
	}
}
