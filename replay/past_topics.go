package replay

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"chalie/domain"
)

// topicFeed is a log of some topics: what no projection of a view wants is passed over
// by the index, faster than it would be read. What is read of a topic ahead of the
// others is kept for the next batch.
type topicFeed struct {
	Log
	topics []domain.Topic

	mu    sync.Mutex
	next  domain.Position   // that the next batch begins at, if it goes on
	ahead [][]domain.Record // by topic, from next on
}

func onTopics(log Log, topics ...domain.Topic) *topicFeed {
	return &topicFeed{Log: log, topics: topics}
}

// Select reads the topics, in the order of the log.
func (f *topicFeed) Select(ctx context.Context, _ domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if len(f.topics) == 1 {
		return f.Log.Select(ctx, domain.Selector{Topic: f.topics[0]}, from, limit)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if from != f.next || f.ahead == nil {
		f.next, f.ahead = from, make([][]domain.Record, len(f.topics))
	}
	through, more := f.Tail(), false
	for i, topic := range f.topics {
		last := from - 1
		if n := len(f.ahead[i]); n > 0 {
			last = f.ahead[i][n-1].Position
		}
		if lacks := limit - len(f.ahead[i]); lacks > 0 {
			got, err := f.Log.Select(ctx, domain.Selector{Topic: topic}, last+1, lacks)
			if err != nil {
				f.ahead = nil
				return nil, err
			}
			f.ahead[i] = append(f.ahead[i], got...)
			if len(got) < lacks {
				continue // it has no more
			}
		}
		more = true
		through = min(through, f.ahead[i][len(f.ahead[i])-1].Position)
	}
	return f.take(through, limit, more), nil
}

// take is what was read through a position, up to limit.
func (f *topicFeed) take(through domain.Position, limit int, more bool) []domain.Record {
	var out []domain.Record
	for _, records := range f.ahead {
		for _, rec := range records {
			if rec.Position > through {
				break
			}
			out = append(out, rec)
		}
	}
	slices.SortFunc(out, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	if len(out) > limit {
		out, more = out[:limit], true
	}
	if !more || len(out) == 0 {
		f.ahead = nil
		return out
	}
	f.next = out[len(out)-1].Position + 1
	for i, records := range f.ahead {
		taken, _ := slices.BinarySearchFunc(records, f.next, func(r domain.Record, pos domain.Position) int { return cmp.Compare(r.Position, pos) })
		f.ahead[i] = slices.Clone(records[taken:])
	}
	return out
}
