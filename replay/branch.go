package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"chalie/domain"
)

// Base is the log that a branch begins in.
type Base interface {
	domain.Reader
	domain.Tailer
}

// Branch is a log that shows another one through a position and goes on by itself.
// What is appended to it stays in memory, and never reaches the base: a branch of
// a log is what would have been, and the log is what was.
//
// Positions go on from the base's without a gap. Records of the base behind the
// fork can be taken over with Keep, in their order: they get the next position here
// and keep everything else. One that is appended just as it stands in the base is
// taken over, too.
//
// # Memory
//
// A record that was taken over costs 32 bytes, and is read from the base again.
// One that was appended is held, with its index: its payload and about a KiB. So
// what a branch takes grows with what is new in it: a million records taken over
// are 32 MB.
//
// It is safe for concurrent use, as long as the base isn't cut. Reading passes on
// the errors of the base. To test with it, give it a log in memory as base.
type Branch struct {
	base    Base
	through domain.Position // the last position that is the base's own

	mu          sync.RWMutex
	now         func() domain.Millis
	closed      bool
	slots       []slot // of the position through+1 and those behind it
	kept        []keptAt
	own         []domain.Record
	postings    domain.Postings // of own records
	newest      domain.Millis   // recorded_at of the tail
	counts      map[domain.TypeVersion]uint64
	checkpoints map[string]domain.Position
	moved       chan struct{} // closed when the log grows or closes; nil without waiters
}

// slot is where the record of one position is.
type slot struct {
	at domain.Millis // recorded_at
	in int64         // its position in the base, or -1 - its index among own
}

// keptAt is a record of the base behind the fork that the branch shows.
type keptAt struct{ base, here domain.Position }

var _ domain.Log = (*Branch)(nil)

// NewBranch shows base through a position, which is at most its tail: 0 begins
// with nothing. now is the clock of what is appended.
func NewBranch(ctx context.Context, base Base, through domain.Position, now func() domain.Millis) (*Branch, error) {
	if tail := base.Tail(); through > tail {
		return nil, domain.Invalid("branch off", "position", fmt.Sprintf("the log ends at position %d: branch off there at the latest, not at %d", tail, through))
	}
	b := &Branch{
		base: base, through: through, now: now, checkpoints: map[string]domain.Position{},
	}
	if through == 0 {
		return b, nil
	}
	last, err := base.Select(ctx, domain.Selector{}, through, 1)
	if err != nil {
		return nil, err
	}
	if len(last) > 0 {
		b.newest = last[0].RecordedAt
	}
	return b, nil
}

// Fork is the last position that the branch has in common with its base.
func (b *Branch) Fork() domain.Position { return b.through }

// Keep takes a record of the base over, and returns its position here. Errors:
// validation, of one that isn't behind the one that was taken over last.
func (b *Branch) Keep(rec domain.Record) (domain.Position, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return 0, shut("take over")
	case rec.Position <= b.lastKept():
		return 0, domain.Invalid("take over", "position", fmt.Sprintf("position %d is not behind %d, which is there already: take records over in their order", rec.Position, b.lastKept()))
	}
	b.keep(rec)
	b.wake()
	return b.tail(), nil
}

func (b *Branch) keep(rec domain.Record) domain.Position {
	b.newest = max(b.newest, rec.RecordedAt)
	b.slots = append(b.slots, slot{b.newest, int64(rec.Position)})
	b.kept = append(b.kept, keptAt{rec.Position, b.tail()})
	b.count(rec.Envelope)
	return b.tail()
}

// lastKept is the last position of the base that is shown.
func (b *Branch) lastKept() domain.Position {
	if len(b.kept) == 0 {
		return b.through
	}
	return b.kept[len(b.kept)-1].base
}

// here is where a record of the base stands in the branch; false when it isn't
// shown.
func (b *Branch) here(base domain.Position) (domain.Position, bool) {
	if base <= b.through {
		return base, true
	}
	i, ok := slices.BinarySearchFunc(b.kept, base, func(k keptAt, at domain.Position) int { return cmp.Compare(k.base, at) })
	if !ok {
		return 0, false
	}
	return b.kept[i].here, true
}

// Tail implements domain.Tailer.
func (b *Branch) Tail() domain.Position {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.tail()
}

func (b *Branch) tail() domain.Position { return b.through + domain.Position(len(b.slots)) }

// Wait implements domain.Tailer.
func (b *Branch) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	for {
		b.mu.Lock()
		tail, closed := b.tail(), b.closed
		if b.moved == nil {
			b.moved = make(chan struct{})
		}
		moved := b.moved
		b.mu.Unlock()
		switch {
		case closed:
			return 0, shut("wait")
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
func (b *Branch) wake() {
	if b.moved != nil {
		close(b.moved)
		b.moved = nil
	}
}

// Checkpoint implements domain.Checkpoints. What the base has isn't shown.
func (b *Branch) Checkpoint(ctx context.Context, name string) (domain.Position, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "read checkpoint"); err != nil {
		return 0, err
	}
	return min(b.checkpoints[name], b.tail()), nil
}

// SaveCheckpoint implements domain.Checkpoints. It is gone with the branch.
func (b *Branch) SaveCheckpoint(ctx context.Context, name string, pos domain.Position) error {
	if name == "" || len(name) > domain.MaxKeyBytes {
		return domain.Invalid("save checkpoint", "name", fmt.Sprintf("a consumer's name takes 1 to %d bytes", domain.MaxKeyBytes))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.readable(ctx, "save checkpoint"); err != nil {
		return err
	}
	b.checkpoints[name] = pos
	return nil
}

// Close makes every later call fail with CodeClosed. The base stays open.
func (b *Branch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.wake()
	return nil
}

// readable returns why nothing can be read now; nil when it can.
func (b *Branch) readable(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.closed {
		return shut(op)
	}
	return nil
}

func shut(op string) error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
		Message: "the branch is shut: make another one"}
}

// isKept reports whether the record at a position is the base's, unchanged.
func (b *Branch) isKept(pos domain.Position) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return pos <= b.through || pos <= b.tail() && b.slots[pos-b.through-1].in >= 0
}
