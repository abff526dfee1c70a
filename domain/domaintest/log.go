package domaintest

import (
	"context"
	"fmt"
	"maps"
	"sort"
	"sync"

	"chalie/domain"
)

// Log is a domain.Log in memory. Make one with NewLog. It copies what is
// appended; records it returns share memory with it and must not be changed.
type Log struct {
	clock domain.Clock

	mu          sync.RWMutex
	closed      bool
	records     []domain.Record // the record at position p is records[p-1]
	postings    domain.Postings
	counts      map[domain.TypeVersion]uint64
	checkpoints map[string]domain.Position
	moved       chan struct{} // closed when the log grows or closes; nil without waiters
}

var _ domain.Log = (*Log)(nil)

// NewLog makes an empty log. The clock gives recorded_at.
func NewLog(clock domain.Clock) *Log {
	return &Log{
		clock:       clock,
		counts:      map[domain.TypeVersion]uint64{},
		checkpoints: map[string]domain.Position{},
	}
}

// Tail implements domain.Tailer.
func (l *Log) Tail() domain.Position {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.tail()
}

func (l *Log) tail() domain.Position { return domain.Position(len(l.records)) }

// Wait implements domain.Tailer.
func (l *Log) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	for {
		l.mu.Lock()
		tail, closed := l.tail(), l.closed
		if l.moved == nil {
			l.moved = make(chan struct{})
		}
		moved := l.moved
		l.mu.Unlock()
		switch {
		case closed:
			return 0, closedError("wait")
		case tail > after:
			return tail, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// wake tells everyone in Wait to look again.
func (l *Log) wake() {
	if l.moved != nil {
		close(l.moved)
		l.moved = nil
	}
}

// Select implements domain.Reader.
func (l *Log) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return nil, closedError("select")
	}
	from, limit = max(from, 1), max(limit, 0)
	postings, all, err := l.postings.Picked(s)
	switch {
	case err != nil:
		return nil, err
	case all && from > l.tail():
		return nil, nil
	case all:
		recs := l.records[from-1:]
		return append([]domain.Record(nil), recs[:min(limit, len(recs))]...), nil
	}
	postings = postings[sort.Search(len(postings), func(i int) bool { return postings[i] >= from }):]
	recs := make([]domain.Record, min(limit, len(postings)))
	for i := range recs {
		recs[i] = l.records[postings[i]-1]
	}
	return recs, nil
}

// Find implements domain.Reader.
func (l *Log) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if err := ctx.Err(); err != nil {
		return domain.Record{}, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return domain.Record{}, closedError("find envelope")
	}
	pos, ok := l.postings.Find(id)
	if !ok {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return l.records[pos-1], nil
}

// Since implements domain.Reader.
func (l *Log) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return 0, closedError("find a time")
	}
	return domain.Position(sort.Search(len(l.records), func(i int) bool { return l.records[i].RecordedAt >= t })) + 1, nil
}

// Counts implements domain.Counter.
func (l *Log) Counts(ctx context.Context) (map[domain.TypeVersion]uint64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return nil, closedError("count records")
	}
	return maps.Clone(l.counts), nil
}

// Checkpoint implements domain.Checkpoints.
func (l *Log) Checkpoint(ctx context.Context, name string) (domain.Position, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return 0, closedError("read checkpoint")
	}
	return min(l.checkpoints[name], l.tail()), nil
}

// SaveCheckpoint implements domain.Checkpoints.
func (l *Log) SaveCheckpoint(ctx context.Context, name string, pos domain.Position) error {
	if name == "" || len(name) > domain.MaxKeyBytes {
		return domain.Invalid("save checkpoint", "name", fmt.Sprintf("a consumer's name has 1 to %d bytes", domain.MaxKeyBytes))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return closedError("save checkpoint")
	}
	l.checkpoints[name] = pos
	return nil
}

// Close makes every later call fail with CodeClosed. It can be called again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.wake()
	return nil
}

func closedError(op string) error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
		Message: "the log is shut; open it again"}
}
