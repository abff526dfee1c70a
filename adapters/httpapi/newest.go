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

// newest reads up to limit records that pass every filter, the newest first. Next is
// what to give as before to go on: 0 at the beginning.
//
// The log reads forward, so it is read in stretches from the end. However rare what
// is looked for may be in an index, it is found in a few of them.
func newest(ctx context.Context, log Log, q logQuery) (page, error) {
	out := page{records: make([]domain.Record, 0, min(q.limit, 128))}
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
		records, cut, err := domain.SelectWithin(ctx, log, q.selector, begin, windowful, domain.PageBytes)
		if err != nil {
			return page{}, err
		}
		// There may be more in it than was read.
		if n := len(records); n > 0 && records[n-1].Position < end-1 {
			switch {
			case cut:
				width = max(min(width, end-begin)/4, 1)
				continue
			case n == windowful:
				width = max(width/4, windowful)
				continue
			}
		}
		records = through(records, end)
		for _, rec := range slices.Backward(records) {
			full := q.matches(rec) && out.add(rec)
			if looked++; len(out.records) == q.limit || looked == q.look {
				return out.ends(onwards(rec.Position, q.from), false), nil
			}
			if next := onwards(rec.Position, q.from); full && next > 0 {
				return out.ends(next, true), nil
			}
		}
		end = begin
		if width < stretch {
			width = min(2*width, stretch) // it was narrow for large records
		} else if indexed && len(records) < windowful/4 {
			width *= 4
		}
	}
	return out, nil
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
