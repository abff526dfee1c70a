package replay

import (
	"context"
	"fmt"
	"slices"

	"chalie/domain"
)

// until is a log that ends at a position: what a running program appends meanwhile
// belongs to no answer, or a trace would be compared with a longer one.
type until struct {
	log     Log
	through domain.Position
}

var _ Log = until{}

// asItStands is the log without what is yet to come.
func asItStands(log Log) Log { return until{log, log.Tail()} }

// Tail implements domain.Tailer.
func (l until) Tail() domain.Position { return l.through }

// Wait implements domain.Tailer. Nothing comes any more.
func (l until) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	if l.through > after {
		return l.through, nil
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// Select implements domain.Reader.
func (l until) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	records, err := l.log.Select(ctx, s, from, limit)
	if over := slices.IndexFunc(records, func(r domain.Record) bool { return r.Position > l.through }); over >= 0 {
		records = records[:over]
	}
	return records, err
}

// Find implements domain.Reader.
func (l until) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := l.log.Find(ctx, id)
	if err == nil && rec.Position > l.through {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}

// Since implements domain.Reader.
func (l until) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	pos, err := l.log.Since(ctx, t)
	return min(pos, l.through+1), err
}
