package memlog

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

// Log is a log in memory: one that begins with nothing, made by New, or a branch of
// another one, made by Branch. A branch shows its base through a position and goes on
// by itself. What is appended to it never reaches the base: a branch of a log is what
// would have been, and the log is what was.
//
// Positions go on from the base's without a gap. Records of the base behind the
// fork can be taken over with Keep, in their order: they get the next position here
// and keep everything else. One that is appended unchanged is taken over, too.
//
// # Memory
//
// A record that was taken over costs 32 bytes, and is read from the base again.
// One that was appended is held, with its index: its payload and about a KiB. So
// what a branch takes grows with what is new in it: a million records taken over
// are 32 MB.
//
// It is safe for concurrent use, as long as the base isn't cut. Reading passes on the
// errors of the base. Records that were read share memory with the log: leave them as
// they are.
type Log struct {
	base    Base            // nil without one
	through domain.Position // the last position that is the base's own

	mu          sync.RWMutex
	clock       domain.Clock
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

// slot says where the record of a position is: in the base or among the own ones.
type slot struct {
	at domain.Millis // recorded_at
	in int64         // its position in the base, or -1 - its index among own
}

// keptAt is a record of the base behind the fork that the branch shows.
type keptAt struct{ base, here domain.Position }

var _ domain.Log = (*Log)(nil)

// New begins with nothing. The clock gives recorded_at.
func New(clock domain.Clock) *Log {
	return &Log{clock: clock, counts: map[domain.TypeVersion]uint64{}, checkpoints: map[string]domain.Position{}}
}

// Branch shows base through a position, which is at most its tail: 0 begins with
// nothing. The clock gives recorded_at to what is appended.
func Branch(ctx context.Context, base Base, through domain.Position, clock domain.Clock) (*Log, error) {
	if tail := base.Tail(); through > tail {
		return nil, domain.Invalid("branch off", "position", fmt.Sprintf("the log ends at position %d: branch off there at the latest, not at %d", tail, through))
	}
	l := New(clock)
	l.base, l.through = base, through
	if through == 0 {
		return l, nil
	}
	var err error
	l.newest, err = newestOf(ctx, base, through)
	return l, err
}

// newestOf is when the last record through a position was recorded; 0 of none. The records there,
// and before it, may have gone.
func newestOf(ctx context.Context, base Base, through domain.Position) (at domain.Millis, err error) {
	holds := func(from domain.Position) bool {
		records, failed := base.Select(ctx, domain.Selector{}, from, 1)
		err = cmp.Or(err, failed)
		found := len(records) > 0 && records[0].Position <= through
		if found {
			at = max(at, records[0].RecordedAt)
		}
		return found
	}
	if !holds(through) {
		sort.Search(int(through), func(back int) bool { return err != nil || holds(through-domain.Position(back)) })
	}
	return at, err
}

// Fork is the last position that the branch has in common with its base.
func (l *Log) Fork() domain.Position { return l.through }

// Keep takes a record of the base over, and returns its position here. Errors:
// validation, of one that isn't behind the one that was taken over last.
func (l *Log) Keep(rec domain.Record) (domain.Position, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return 0, shut("take over")
	case rec.Position <= l.lastKept():
		return 0, domain.Invalid("take over", "position", fmt.Sprintf("position %d is not behind %d, which is there already: take records over in their order", rec.Position, l.lastKept()))
	}
	l.keep(rec)
	l.wake()
	return l.tail(), nil
}

func (l *Log) keep(rec domain.Record) domain.Position {
	l.newest = max(l.newest, rec.RecordedAt)
	l.slots = append(l.slots, slot{l.newest, int64(rec.Position)})
	l.kept = append(l.kept, keptAt{rec.Position, l.tail()})
	l.count(rec.Envelope)
	return l.tail()
}

// lastKept is the last position of the base that is shown.
func (l *Log) lastKept() domain.Position {
	if len(l.kept) == 0 {
		return l.through
	}
	return l.kept[len(l.kept)-1].base
}

// here is the position that a record of the base has in the branch; false when it isn't
// shown.
func (l *Log) here(base domain.Position) (domain.Position, bool) {
	if base <= l.through {
		return base, true
	}
	i, ok := slices.BinarySearchFunc(l.kept, base, func(k keptAt, at domain.Position) int { return cmp.Compare(k.base, at) })
	if !ok {
		return 0, false
	}
	return l.kept[i].here, true
}

// Newest is recorded_at of the tail; 0 where there is none.
func (l *Log) Newest() domain.Millis {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.newest
}

// Tail implements domain.Tailer.
func (l *Log) Tail() domain.Position {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.tail()
}

func (l *Log) tail() domain.Position { return l.through + domain.Position(len(l.slots)) }

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
func (l *Log) wake() {
	if l.moved != nil {
		close(l.moved)
		l.moved = nil
	}
}

// Checkpoint implements domain.Checkpoints. What the base has isn't shown.
func (l *Log) Checkpoint(ctx context.Context, name string) (domain.Position, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.readable(ctx, "read checkpoint"); err != nil {
		return 0, err
	}
	return min(l.checkpoints[name], l.tail()), nil
}

// SaveCheckpoint implements domain.Checkpoints. It is gone with the log.
func (l *Log) SaveCheckpoint(ctx context.Context, name string, pos domain.Position) error {
	if name == "" || len(name) > domain.MaxKeyBytes {
		return domain.Invalid("save checkpoint", "name", fmt.Sprintf("a consumer's name takes 1 to %d bytes", domain.MaxKeyBytes))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.readable(ctx, "save checkpoint"); err != nil {
		return err
	}
	l.checkpoints[name] = pos
	return nil
}

// Close makes every later call fail with CodeClosed. The base stays open.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.wake()
	return nil
}

// readable returns why nothing can be read now; nil when it can.
func (l *Log) readable(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.closed {
		return shut(op)
	}
	return nil
}

func shut(op string) error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
		Message: "the log is shut; open it again"}
}

// Shares reports whether the record at a position is the base's, unchanged.
func (l *Log) Shares(pos domain.Position) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return pos <= l.through || pos <= l.tail() && l.slots[pos-l.through-1].in >= 0
}

// Select implements domain.Reader.
func (l *Log) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.readable(ctx, "select"); err != nil {
		return nil, err
	}
	from, limit = max(from, 1), max(limit, 0)
	own, all, err := l.postings.Picked(s)
	switch {
	case err != nil:
		return nil, err
	case all:
		return l.inOrder(ctx, from, limit)
	}
	return l.picked(ctx, s, own, from, limit)
}

// inOrder is every record from a position on.
func (l *Log) inOrder(ctx context.Context, from domain.Position, limit int) ([]domain.Record, error) {
	if from > l.tail() || limit == 0 {
		return nil, nil
	}
	out := make([]domain.Record, 0, min(domain.Position(limit), l.tail()-from+1))
	if from <= l.through {
		records, err := l.base.Select(ctx, domain.Selector{}, from, int(min(domain.Position(limit), l.through-from+1)))
		for len(records) > 0 && records[len(records)-1].Position > l.through { // some before it went
			records = records[:len(records)-1]
		}
		if err != nil {
			return records, err
		}
		out = append(out, records...)
	}
	for pos := max(from, l.through+1); pos <= l.tail() && len(out) < limit; pos = l.through + 1 + domain.Position(l.next(pos)) {
		first := l.slots[pos-l.through-1]
		if first.in < 0 {
			out = append(out, l.own[-1-first.in])
			continue
		}
		run := min(l.next(pos)-int(pos-l.through-1), limit-len(out))
		records, err := l.base.Select(ctx, domain.Selector{}, domain.Position(first.in), run)
		for i, rec := range records {
			out = append(out, l.shown(rec, pos+domain.Position(i)))
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// next is the index of the slot behind those that can be read together with the one
// at a position: records that stand together in the base, too.
func (l *Log) next(pos domain.Position) int {
	i := int(pos - l.through - 1)
	for ; i+1 < len(l.slots) && l.slots[i].in >= 0 && l.slots[i+1].in == l.slots[i].in+1; i++ {
		continue
	}
	return i + 1
}

// shown is a record of the base as the branch has it.
func (l *Log) shown(rec domain.Record, here domain.Position) domain.Record {
	rec.Position = here
	if here > l.through {
		clock := rec.Clock()
		rec.RecordedAt = l.slots[here-l.through-1].at
		rec.Ahead = rec.RecordedAt - clock
	}
	return rec
}

// picked is what a selector picks: of the base what is shown, and the own records
// at the positions given, in order of position.
func (l *Log) picked(ctx context.Context, s domain.Selector, own []domain.Position, from domain.Position, limit int) ([]domain.Record, error) {
	own = own[sort.Search(len(own), func(i int) bool { return own[i] >= from }):]
	out := make([]domain.Record, 0, min(limit, len(own)+1))
	take := func() {
		out = append(out, l.own[-1-l.slots[own[0]-l.through-1].in])
		own = own[1:]
	}
	at := l.inBase(from)
	for at > 0 && len(out) < limit {
		n := limit - len(out)
		records, err := l.base.Select(ctx, s, at, n)
		for _, rec := range records {
			here, ok := l.here(rec.Position)
			if !ok {
				continue
			}
			for len(own) > 0 && own[0] < here && len(out) < limit {
				take()
			}
			if len(out) < limit {
				out = append(out, l.shown(rec, here))
			}
		}
		if err != nil {
			return out, err
		}
		if len(records) < n || records[n-1].Position >= l.lastKept() {
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
func (l *Log) inBase(from domain.Position) domain.Position {
	if from <= l.through {
		return from
	}
	i := sort.Search(len(l.kept), func(i int) bool { return l.kept[i].here >= from })
	if i == len(l.kept) {
		return 0
	}
	return l.kept[i].base
}

// Find implements domain.Reader.
func (l *Log) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.readable(ctx, "find envelope"); err != nil {
		return domain.Record{}, err
	}
	return l.find(ctx, id)
}

func (l *Log) find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, there, err := l.lookup(ctx, id)
	if err == nil && !there {
		err = &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}

// lookup is the record of an envelope; false where there is none, or where only the
// base has it, behind the fork.
func (l *Log) lookup(ctx context.Context, id domain.ID) (domain.Record, bool, error) {
	if pos, ok := l.postings.Find(id); ok {
		return l.own[-1-l.slots[pos-l.through-1].in], true, nil
	}
	if l.base == nil {
		return domain.Record{}, false, nil
	}
	rec, err := l.base.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Record{}, false, nil
	}
	if err != nil {
		return domain.Record{}, false, err
	}
	here, ok := l.here(rec.Position)
	if !ok {
		return domain.Record{}, false, nil
	}
	return l.shown(rec, here), true, nil
}

// Since implements domain.Reader.
func (l *Log) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.readable(ctx, "find a time"); err != nil {
		return 0, err
	}
	if l.base != nil {
		if pos, err := l.base.Since(ctx, t); err != nil || pos <= l.through {
			return pos, err
		}
	}
	return l.through + 1 + domain.Position(sort.Search(len(l.slots), func(i int) bool { return l.slots[i].at >= t })), nil
}

// Counts implements domain.Counter. What lies before the fork is counted when it is
// asked for, which reads all of it.
func (l *Log) Counts(ctx context.Context) (map[domain.TypeVersion]uint64, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.readable(ctx, "count records"); err != nil {
		return nil, err
	}
	out := maps.Clone(l.counts)
	const page = 512
	for from := domain.Position(1); from <= l.through; {
		records, _, err := domain.SelectWithin(ctx, l.base, domain.Selector{}, from, int(min(page, l.through-from+1)), domain.PageBytes)
		if err != nil || len(records) == 0 {
			return out, err
		}
		for _, rec := range records {
			if rec.Position <= l.through {
				out[schemaOf(rec.Envelope)]++
			}
		}
		from = records[len(records)-1].Position + 1
	}
	return out, nil
}

func (l *Log) count(env domain.Envelope) {
	l.counts[schemaOf(env)]++
}

func schemaOf(env domain.Envelope) domain.TypeVersion {
	return domain.TypeVersion{Type: env.Type, Version: env.Version}
}

// Append implements domain.Appender. What it appends is as durable as the process.
func (l *Log) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	if err := batch.Check(); err != nil {
		return domain.Receipt{}, err
	}
	if err := ctx.Err(); err != nil {
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err,
			Message: "it was given up before its turn: nothing was appended, append it again"}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return domain.Receipt{}, shut("append")
	}
	if receipt, known, err := l.known(ctx, batch.Entries); known || err != nil {
		return receipt, err
	}
	for _, c := range batch.Conditions {
		last, err := l.last(ctx, c)
		if err != nil {
			return domain.Receipt{}, err
		}
		if last > c.After {
			return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeConditionFailed,
				Message: fmt.Sprintf("position %d has key %q and is behind position %d: read it and decide anew", last, c.Key, c.After)}
		}
	}
	twins, err := l.twins(ctx, batch.Entries)
	if err != nil {
		return domain.Receipt{}, err
	}
	receipt := domain.Receipt{Positions: make([]domain.Position, len(batch.Entries))}
	clock := domain.MillisOf(l.clock.Now())
	receipt.RecordedAt = max(clock, l.newest)
	receipt.Ahead = receipt.RecordedAt - clock
	for i, e := range batch.Entries {
		if twins != nil {
			if twin := twins[i]; twin.Position > l.lastKept() && twin.RecordedAt == receipt.RecordedAt && twin.Ahead == receipt.Ahead {
				receipt.Positions[i] = l.keep(twin)
				continue
			}
		}
		receipt.Positions[i] = l.add(e, receipt.RecordedAt, receipt.Ahead)
	}
	l.wake()
	return receipt, nil
}

// known tells whether the batch is there already: whole and the same is a
// duplicate, anything else but not at all is a conflict.
func (l *Log) known(ctx context.Context, entries []domain.Entry) (domain.Receipt, bool, error) {
	receipt := domain.Receipt{Duplicate: true}
	for _, e := range entries {
		rec, there, err := l.lookup(ctx, e.Envelope.ID)
		if err != nil {
			return domain.Receipt{}, false, err
		}
		if !there {
			continue
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
func (l *Log) last(ctx context.Context, c domain.Condition) (domain.Position, error) {
	if own := l.postings.Last(c.Key); own > c.After {
		return own, nil
	}
	records, err := l.picked(ctx, domain.Selector{Key: c.Key}, nil, c.After+1, 1)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	return records[0].Position, nil
}

// twins are the records behind the fork of the base that say just what the entries
// do; the zero one for an entry without. Nil where there is no base.
func (l *Log) twins(ctx context.Context, entries []domain.Entry) ([]domain.Record, error) {
	if l.base == nil {
		return nil, nil
	}
	out := make([]domain.Record, len(entries))
	for i, e := range entries {
		rec, err := l.base.Find(ctx, e.Envelope.ID)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return nil, err
		}
		if err == nil && rec.Topic == e.Topic && rec.Envelope.Equal(e.Envelope) {
			out[i] = rec
		}
	}
	return out, nil
}

func (l *Log) add(e domain.Entry, at, ahead domain.Millis) domain.Position {
	l.newest = at
	l.slots = append(l.slots, slot{at, -1 - int64(len(l.own))})
	rec := domain.Record{Position: l.tail(), Topic: e.Topic, RecordedAt: at, Ahead: ahead, Envelope: e.Envelope.Clone()}
	l.own = append(l.own, rec)
	l.postings.Add(rec)
	l.count(rec.Envelope)
	return rec.Position
}

func reused(id domain.ID, what string) error {
	return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeIDReused,
		Message: fmt.Sprintf("envelope %s %s: mint an id for what is new", id, what)}
}
