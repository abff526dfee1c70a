package replay

import (
	"context"
	"fmt"
	"slices"
	"time"

	"chalie/domain"
)

// behind is the log as it could be seen at a position, with the clock and the ids of
// the act that moves. What is appended goes to that act.
type behind struct {
	base    Base
	through domain.Position
	recent  *recent
	acting  *acting // who moves now
}

var (
	_ SceneLog     = (*behind)(nil)
	_ domain.Clock = (*behind)(nil)
	_ domain.IDs   = (*behind)(nil)
)

// Append implements domain.Appender: it writes nothing.
func (l *behind) Append(_ context.Context, b domain.Batch) (domain.Receipt, error) {
	return l.acting.caught(b)
}

// Tail implements domain.Tailer.
func (l *behind) Tail() domain.Position { return l.through }

// Wait implements domain.Tailer. Nothing moves while the code does.
func (l *behind) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	if l.through > after {
		return l.through, nil
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// Select implements domain.Reader.
func (l *behind) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if from > l.through {
		return nil, ctx.Err()
	}
	if s == (domain.Selector{}) || s.Topic == domain.TopicAll {
		limit = min(limit, int(l.through-from)+1)
	}
	records, err := l.base.Select(ctx, s, from, limit)
	if over := slices.IndexFunc(records, func(r domain.Record) bool { return r.Position > l.through }); over >= 0 {
		return records[:over], nil
	}
	return records, err
}

// Find implements domain.Reader.
func (l *behind) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, known := l.recent.records[id]
	var err error
	if !known {
		rec, err = l.base.Find(ctx, id)
	}
	if err == nil && rec.Position > l.through {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}

// Since implements domain.Reader.
func (l *behind) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	pos, err := l.base.Since(ctx, t)
	return min(pos, l.through+1), err
}

// Now implements domain.Clock.
func (l *behind) Now() time.Time { return l.acting.now() }

// NewID implements domain.IDs.
func (l *behind) NewID() domain.ID { return l.acting.newID() }
