package httpapi

import (
	"context"
	"slices"

	"chalie/domain"
)

// stretch is how many positions are read back at once, and windowful how many of
// them may match an index. A stretch of a rare topic grows fourfold each time that
// little is found in it.
const (
	stretch   = 512
	windowful = 512
)

// newest reads up to limit records that pass every filter, the newest first, and
// what to give as before to go on: 0 at the beginning.
//
// The log reads forward, so it is read in stretches from the end. However rare what
// is looked for may be in an index, it is found in a few of them.
func newest(ctx context.Context, log Log, q logQuery) ([]domain.Record, domain.Position, error) {
	out := make([]domain.Record, 0, min(q.limit, 128))
	end := log.Tail() + 1
	if q.before > 0 {
		end = min(end, q.before)
	}
	indexed := q.selector != (domain.Selector{}) && q.selector.Topic != domain.TopicAll
	looked := 0
	for width := domain.Position(stretch); end > q.from; {
		begin := q.from
		if end-q.from > width {
			begin = end - width
		}
		records, err := log.Select(ctx, q.selector, begin, windowful)
		if err != nil {
			return nil, 0, err
		}
		if n := len(records); n == windowful && records[n-1].Position < end-1 {
			width = max(width/4, windowful) // there is more in it than was read
			continue
		}
		records = through(records, end)
		for _, rec := range slices.Backward(records) {
			if q.matches(rec) {
				out = append(out, rec)
			}
			if looked++; len(out) == q.limit || looked == q.look {
				return out, onwards(rec.Position, q.from), nil
			}
		}
		end = begin
		if indexed && len(records) < windowful/4 {
			width *= 4
		}
	}
	return out, 0, nil
}

// through leaves out the records that stand at end or later.
func through(records []domain.Record, end domain.Position) []domain.Record {
	for len(records) > 0 && records[len(records)-1].Position >= end {
		records = records[:len(records)-1]
	}
	return records
}

// onwards is where to go on back from a position: 0 when nothing is left.
func onwards(pos, first domain.Position) domain.Position {
	if pos <= first {
		return 0
	}
	return pos
}
