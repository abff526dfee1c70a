package player

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
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

// Select implements domain.Reader.
func (b *Branch) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "select"); err != nil {
		return nil, err
	}
	from, limit = max(from, 1), max(limit, 0)
	own, all, err := b.postings.Picked(s)
	switch {
	case err != nil:
		return nil, err
	case all:
		return b.inOrder(ctx, from, limit)
	}
	return b.picked(ctx, s, own, from, limit)
}

// inOrder is every record from a position on.
func (b *Branch) inOrder(ctx context.Context, from domain.Position, limit int) ([]domain.Record, error) {
	var out []domain.Record
	if from <= b.through && limit > 0 {
		records, err := b.base.Select(ctx, domain.Selector{}, from, int(min(domain.Position(limit), b.through-from+1)))
		if err != nil {
			return records, err
		}
		out = append(out, records...)
	}
	for pos := max(from, b.through+1); pos <= b.tail() && len(out) < limit; pos = b.through + 1 + domain.Position(b.next(pos)) {
		first := b.slots[pos-b.through-1]
		if first.in < 0 {
			out = append(out, b.own[-1-first.in])
			continue
		}
		run := min(b.next(pos)-int(pos-b.through-1), limit-len(out))
		records, err := b.base.Select(ctx, domain.Selector{}, domain.Position(first.in), run)
		for i, rec := range records {
			out = append(out, b.shown(rec, pos+domain.Position(i)))
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// next is the index of the slot behind those that can be read together with the one
// at a position: records that stand together in the base, too.
func (b *Branch) next(pos domain.Position) int {
	i := int(pos - b.through - 1)
	for ; i+1 < len(b.slots) && b.slots[i].in >= 0 && b.slots[i+1].in == b.slots[i].in+1; i++ {
		continue
	}
	return i + 1
}

// shown is a record of the base as the branch has it.
func (b *Branch) shown(rec domain.Record, here domain.Position) domain.Record {
	rec.Position = here
	if here > b.through {
		clock := rec.Clock()
		rec.RecordedAt = b.slots[here-b.through-1].at
		rec.Ahead = rec.RecordedAt - clock
	}
	return rec
}

// picked is what a selector picks: of the base what is shown, and the own records
// at the positions given, in order of position.
func (b *Branch) picked(ctx context.Context, s domain.Selector, own []domain.Position, from domain.Position, limit int) ([]domain.Record, error) {
	own = own[sort.Search(len(own), func(i int) bool { return own[i] >= from }):]
	out := make([]domain.Record, 0, min(limit, len(own)+1))
	take := func() {
		out = append(out, b.own[-1-b.slots[own[0]-b.through-1].in])
		own = own[1:]
	}
	at := b.inBase(from)
	for at > 0 && len(out) < limit {
		n := limit - len(out)
		records, err := b.base.Select(ctx, s, at, n)
		for _, rec := range records {
			here, ok := b.here(rec.Position)
			if !ok {
				continue
			}
			for len(own) > 0 && own[0] < here && len(out) < limit {
				take()
			}
			if len(out) < limit {
				out = append(out, b.shown(rec, here))
			}
		}
		if err != nil {
			return out, err
		}
		if len(records) < n || records[n-1].Position >= b.lastKept() {
			break
		}
		at = records[n-1].Position + 1
	}
	for len(own) > 0 && len(out) < limit {
		take()
	}
	return out, nil
}

// inBase is where in the base what the branch shows from a position on begins; 0
// when nothing of it does.
func (b *Branch) inBase(from domain.Position) domain.Position {
	if from <= b.through {
		return from
	}
	i := sort.Search(len(b.kept), func(i int) bool { return b.kept[i].here >= from })
	if i == len(b.kept) {
		return 0
	}
	return b.kept[i].base
}

// Find implements domain.Reader.
func (b *Branch) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "find envelope"); err != nil {
		return domain.Record{}, err
	}
	return b.find(ctx, id)
}

func (b *Branch) find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if pos, ok := b.postings.Find(id); ok {
		return b.own[-1-b.slots[pos-b.through-1].in], nil
	}
	rec, err := b.base.Find(ctx, id)
	if err != nil {
		return domain.Record{}, err
	}
	here, ok := b.here(rec.Position)
	if !ok {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("envelope %s isn't in this branch: it is only in the log that the branch is of", id)}
	}
	return b.shown(rec, here), nil
}

// Since implements domain.Reader.
func (b *Branch) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "find a time"); err != nil {
		return 0, err
	}
	pos, err := b.base.Since(ctx, t)
	if err != nil || pos <= b.through {
		return pos, err
	}
	return b.through + 1 + domain.Position(sort.Search(len(b.slots), func(i int) bool { return b.slots[i].at >= t })), nil
}

// Counts implements domain.Counter. What lies before the fork is counted when it is
// asked for, which reads all of it.
func (b *Branch) Counts(ctx context.Context) (map[domain.TypeVersion]uint64, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "count records"); err != nil {
		return nil, err
	}
	out := maps.Clone(b.counts)
	if out == nil {
		out = map[domain.TypeVersion]uint64{}
	}
	const page = 512
	for from := domain.Position(1); from <= b.through; {
		records, _, err := domain.SelectWithin(ctx, b.base, domain.Selector{}, from, int(min(page, b.through-from+1)), domain.PageBytes)
		if err != nil || len(records) == 0 {
			return out, err
		}
		for _, rec := range records {
			out[schemaOf(rec.Envelope)]++
		}
		from = records[len(records)-1].Position + 1
	}
	return out, nil
}

func (b *Branch) count(env domain.Envelope) {
	if b.counts == nil {
		b.counts = map[domain.TypeVersion]uint64{}
	}
	b.counts[schemaOf(env)]++
}

func schemaOf(env domain.Envelope) domain.TypeVersion {
	return domain.TypeVersion{Type: env.Type, Version: env.Version}
}

// Append implements domain.Appender. What it appends is as durable as the branch.
func (b *Branch) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	if err := batch.Check(); err != nil {
		return domain.Receipt{}, err
	}
	if err := ctx.Err(); err != nil {
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err,
			Message: "it was given up before its turn: nothing was appended, append it again"}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return domain.Receipt{}, shut("append")
	}
	if receipt, known, err := b.known(ctx, batch.Entries); known || err != nil {
		return receipt, err
	}
	for _, c := range batch.Conditions {
		last, err := b.last(ctx, c)
		if err != nil {
			return domain.Receipt{}, err
		}
		if last > c.After {
			return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeConditionFailed,
				Message: fmt.Sprintf("position %d has key %q and is behind position %d: read it and decide anew", last, c.Key, c.After)}
		}
	}
	twins, err := b.twins(ctx, batch.Entries)
	if err != nil {
		return domain.Receipt{}, err
	}
	receipt := domain.Receipt{Positions: make([]domain.Position, len(batch.Entries))}
	clock := b.now()
	receipt.RecordedAt = max(clock, b.newest)
	receipt.Ahead = receipt.RecordedAt - clock
	for i, e := range batch.Entries {
		if twin := twins[i]; twin.Position > b.lastKept() && twin.RecordedAt == receipt.RecordedAt && twin.Ahead == receipt.Ahead {
			receipt.Positions[i] = b.keep(twin)
			continue
		}
		receipt.Positions[i] = b.add(e, receipt.RecordedAt, receipt.Ahead)
	}
	b.wake()
	return receipt, nil
}

// known tells whether the batch is there already: whole and the same is a
// duplicate, anything else but not at all is a conflict.
func (b *Branch) known(ctx context.Context, entries []domain.Entry) (domain.Receipt, bool, error) {
	receipt := domain.Receipt{Duplicate: true}
	for _, e := range entries {
		rec, err := b.find(ctx, e.Envelope.ID)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return domain.Receipt{}, false, err
		}
		if rec.Topic != e.Topic || !rec.Envelope.Equal(e.Envelope) {
			return domain.Receipt{}, false, reused(e.Envelope.ID, fmt.Sprintf("stands at position %d already, with other content", rec.Position))
		}
		receipt.Positions = append(receipt.Positions, rec.Position)
		if rec.RecordedAt >= receipt.RecordedAt {
			receipt.RecordedAt, receipt.Ahead = rec.RecordedAt, rec.Ahead
		}
	}
	switch len(receipt.Positions) {
	case 0:
		return domain.Receipt{}, false, nil
	case len(entries):
		return receipt, true, nil
	}
	return domain.Receipt{}, false, reused(entries[0].Envelope.ID, "is in a batch that is there in part")
}

// last is the last position with a condition's key, as far as it matters.
func (b *Branch) last(ctx context.Context, c domain.Condition) (domain.Position, error) {
	if own := b.postings.Last(c.Key); own > c.After {
		return own, nil
	}
	records, err := b.picked(ctx, domain.Selector{Key: c.Key}, nil, c.After+1, 1)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	return records[0].Position, nil
}

// twins are the records behind the fork of the base that say just what the entries
// do; the zero one for an entry without.
func (b *Branch) twins(ctx context.Context, entries []domain.Entry) ([]domain.Record, error) {
	out := make([]domain.Record, len(entries))
	for i, e := range entries {
		rec, err := b.base.Find(ctx, e.Envelope.ID)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return nil, err
		}
		if err == nil && rec.Topic == e.Topic && rec.Envelope.Equal(e.Envelope) {
			out[i] = rec
		}
	}
	return out, nil
}

func (b *Branch) add(e domain.Entry, at, ahead domain.Millis) domain.Position {
	b.newest = at
	b.slots = append(b.slots, slot{at, -1 - int64(len(b.own))})
	rec := domain.Record{Position: b.tail(), Topic: e.Topic, RecordedAt: at, Ahead: ahead, Envelope: e.Envelope.Clone()}
	b.own = append(b.own, rec)
	b.postings.Add(rec)
	b.count(rec.Envelope)
	return rec.Position
}

func reused(id domain.ID, what string) error {
	return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeIDReused,
		Message: fmt.Sprintf("envelope %s %s: mint an id for what is new", id, what)}
}
