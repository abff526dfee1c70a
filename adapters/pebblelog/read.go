package pebblelog

import (
	"context"
	"fmt"
	"maps"
	"math"
	"sort"

	"chalie/domain"
)

// Select implements domain.Reader.
func (l *Log) Select(ctx context.Context, sel domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	records, _, err := l.SelectWithin(ctx, sel, from, limit, math.MaxInt)
	return records, err
}

// SelectWithin implements domain.WithinReader.
func (l *Log) SelectWithin(ctx context.Context, sel domain.Selector, from domain.Position, limit, bytes int) (records []domain.Record, cut bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	s, err := l.pin()
	if err != nil {
		return nil, false, err
	}
	defer s.release()
	from, tail := max(from, 1), l.Tail()
	all := sel == (domain.Selector{}) || sel.Topic == domain.TopicAll
	if limit <= 0 || from > tail || !all && sel.Topic != "" && l.topics.quiet(sel.Topic, from) {
		return nil, false, nil
	}
	var positions []domain.Position
	if !all {
		if positions, err = selected(s.db, sel, from, tail, limit); err != nil || len(positions) == 0 {
			return nil, false, err
		}
	}
	r, err := newRecordReader(s.db, tail)
	if err != nil {
		return nil, false, err
	}
	defer r.close()
	r.room = bytes
	if all {
		records, err = r.run(ctx, from, limit)
	} else {
		records, err = r.pick(positions)
	}
	return records, r.room <= 0 && len(records) < limit, err
}

// Find implements domain.Reader.
func (l *Log) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if err := ctx.Err(); err != nil {
		return domain.Record{}, err
	}
	s, err := l.pin()
	if err != nil {
		return domain.Record{}, err
	}
	defer s.release()
	tail := l.Tail()
	pos, err := positionOfID(s.db, id)
	if err != nil {
		return domain.Record{}, unreadableIndex(err)
	}
	if pos == 0 || pos > tail {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "unknown_envelope",
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return recordAt(s.db, pos)
}

// Since implements domain.Reader: recorded_at never decreases, so a binary
// search over positions finds the first at t or later. One that was retired counts as
// recorded with the last of its run.
func (l *Log) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	s, err := l.pin()
	if err != nil {
		return 0, err
	}
	defer s.release()
	tail := l.Tail()
	if tail == 0 {
		return 1, nil
	}
	r, err := newRecordReader(s.db, tail)
	if err != nil {
		return 0, err
	}
	defer r.close()
	first, err := r.run(ctx, 1, 1)
	if err != nil {
		return 0, err
	}
	low := first[0].Position
	var failed error
	n := sort.Search(int(tail-low)+1, func(i int) bool {
		if failed != nil {
			return true
		}
		at, err := r.timeAt(s.db, low+domain.Position(i))
		if err != nil {
			failed = err
			return true
		}
		return at >= t
	})
	return low + domain.Position(n), failed
}

// Counts implements domain.Counter.
func (l *Log) Counts(context.Context) (map[domain.TypeVersion]uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil, closedError()
	}
	out := maps.Clone(l.counts)
	for tv, n := range l.retired {
		if out[tv] -= min(out[tv], n); out[tv] == 0 {
			delete(out, tv)
		}
	}
	return out, nil
}
