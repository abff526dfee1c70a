package httpapi

import (
	"context"
	"slices"

	"chalie/domain"
)

// newest are up to limit records of an index at positions below before, the newest
// first. An index is read forward only, so this goes back in windows: wider while
// they hold little, narrower where they hold more than was asked for. What it reads
// is bounded by limit and the logarithm of the log's length.
func newest(ctx context.Context, log Log, s domain.Selector, before domain.Position, limit int) ([]domain.Record, error) {
	out := make([]domain.Record, 0, limit)
	end, window := min(before, log.Tail()+1), domain.Position(limit)
	for end > 1 && len(out) < limit {
		start := max(1, end-min(window, end-1))
		found, err := log.Select(ctx, s, start, limit+1)
		if err != nil {
			return nil, err
		}
		whole := len(found) <= limit || found[limit].Position >= end
		if !whole {
			window = max(1, window/4) // positions are unique: a window of limit holds no more than that
			continue
		}
		found = slices.DeleteFunc(found, func(r domain.Record) bool { return r.Position >= end })
		slices.Reverse(found)
		out = append(out, found[:min(len(found), limit-len(out))]...)
		end, window = start, window*4
	}
	return out, nil
}
