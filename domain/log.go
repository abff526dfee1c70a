package domain

import (
	"context"
	"fmt"
	"time"
)

// TopicAll is not a topic but all of them, in log order.
const TopicAll Topic = "$all"

// MaxBatchBytes bounds one append by what every log takes. A cluster takes 1 MiB in one
// call, and may count the name of each type twice.
const MaxBatchBytes = 1 << 20

// ClusterBytes is what a cluster may count of an envelope besides its record's bytes.
func ClusterBytes(t EventType) int { return 2 * len(t) }

// Sealed is a record as it is stored: the bytes, and what people are shown of it who look
// at them elsewhere.
type Sealed struct {
	Topic    Topic
	Envelope *Envelope
	Bytes    []byte
}

// Upstream is a log on other machines, of which the log on this machine is a copy: what
// is appended here is committed there first.
type Upstream interface {
	// Commit appends the records at position first and those that follow it, all or none.
	// It returns when they are committed, and finds out by itself about attempts of which
	// it heard nothing: so it may take as long as the others are away. An error, as
	// Appender has them, says that the records aren't there and won't be.
	Commit(ctx context.Context, first Position, records []Sealed) error
	// Away is why a Commit is waiting; nil when none is, or nothing is known.
	Away() error
}

// Entry is an envelope on its way into the log.
type Entry struct {
	Topic    Topic
	Envelope Envelope
}

// Condition holds when nothing with Key was appended after position After.
// Conditions are judged in append order, batches ahead in the same group commit
// included.
type Condition struct {
	Key   Key
	After Position
}

// Batch is appended whole or not at all.
type Batch struct {
	Entries    []Entry
	Conditions []Condition
}

// Receipt says where a batch is in the log.
type Receipt struct {
	Positions  []Position // one per entry, in order
	RecordedAt Millis
	Ahead      Millis // as the records have it
	Duplicate  bool   // every entry was already there, byte for byte
}

// Appended is an append that has ended, for whoever observes them.
type Appended struct {
	Batch   Batch
	Receipt Receipt // zero where Err isn't nil
	Err     error
	Began   time.Time
	Took    time.Duration
}

// Clock is the writer's clock at the append.
func (r Receipt) Clock() Millis { return r.RecordedAt - r.Ahead }

// Appender writes to the log.
//
// Append returns once the batch is durable: synced to disk, or replicated. It
// is safe for concurrent use, and every reader sees batches whole and in the
// order of their positions.
//
// Appending the same batch again returns the first receipt with Duplicate set,
// whatever its conditions say, so every failure may be retried with the same
// ids. Errors, all *Error:
//
//   - Validation: an envelope fails its Check, or the batch is empty or over MaxBatchBytes.
//   - Conflict, CodeIDReused: an id is known with other bytes, or only part of the batch is known.
//   - Conflict, CodeConditionFailed: a condition does not hold; nothing was appended.
//   - Dependency, CodeDiskLow or CodeDiskFailed or CodeClosed or CodeClusterAway: nothing was
//     appended; retriable.
//   - Conflict, CodeWriterLost: another program writes this log now; nothing was appended.
//   - Dependency, CodeOutcomeUnknown: the write failed midway or ctx ended while
//     it was under way; the batch may be in the log. Retry with the same ids to find out.
type Appender interface {
	Append(ctx context.Context, b Batch) (Receipt, error)
}

// Tailer tells how far the log is durable. Nothing beyond Tail is visible to
// any reader.
type Tailer interface {
	Tail() Position
	// Wait blocks until Tail is greater than after and returns it, or returns
	// ctx's error, or a Dependency error with CodeClosed.
	Wait(ctx context.Context, after Position) (Position, error)
}

// Selector picks the records of one index. Exactly one field is set; all zero,
// or Topic: TopicAll, picks every record.
type Selector struct {
	Topic  Topic
	Trace  TraceID
	Parent ID
	Key    Key
}

// Reader reads what is durable, in order of position.
type Reader interface {
	// Select returns up to limit records at from or later. Fewer than limit
	// means that there are no more now. The records own their memory. A record
	// that fails its checksum is a Dependency error with CodeCorrupt that names
	// the position; the records before it are returned with it.
	Select(ctx context.Context, s Selector, from Position, limit int) ([]Record, error)
	// Find returns the record of an envelope, or a NotFound error.
	Find(ctx context.Context, id ID) (Record, error)
	// Since returns the first position recorded at t or later; Tail()+1 when
	// there is none.
	Since(ctx context.Context, t Millis) (Position, error)
}

// TypeVersion names one stored payload schema.
type TypeVersion struct {
	Type    EventType
	Version uint16
}

// Counter tells how many records of each schema the log holds, without a scan.
type Counter interface {
	Counts(ctx context.Context) (map[TypeVersion]uint64, error)
}

// Checkpoints keeps consumers' positions beside the log. A position beyond the
// tail is one the log lost: Checkpoint then returns the tail.
type Checkpoints interface {
	// Checkpoint returns the last position saved under name, 0 when there is none.
	Checkpoint(ctx context.Context, name string) (Position, error)
	// SaveCheckpoint makes pos the position of name. It survives a restart at
	// once and a power loss soon: Close and every later append sync it too.
	SaveCheckpoint(ctx context.Context, name string, pos Position) error
}

// Log is all of it. Close stops intake, drains what was accepted, syncs, and
// then fails every later call with CodeClosed.
type Log interface {
	Appender
	Tailer
	Reader
	Counter
	Checkpoints
	Close() error
}

// Check judges what every log refuses of a batch, whatever is in it: that it is
// empty or too large, a topic that can't be written to, an unsound envelope, or one
// that is there twice. The size is about what a log on a disk takes; such a log
// measures it anew. The errors are validations.
func (b Batch) Check() error {
	if len(b.Entries) == 0 {
		return Invalid("append", "entries", "the batch is empty: append at least one envelope")
	}
	seen := make(map[ID]struct{}, len(b.Entries))
	size := 0
	for _, e := range b.Entries {
		if e.Topic == "" || e.Topic == TopicAll || len(e.Topic) > MaxNameBytes {
			return Invalid("append", "topic", fmt.Sprintf("topic %q can't be written to: give a name of 1 to %d bytes other than %s", e.Topic, MaxNameBytes, TopicAll))
		}
		if err := e.Envelope.Check(); err != nil {
			return err
		}
		if _, twice := seen[e.Envelope.ID]; twice {
			return Invalid("append", "envelope_id", fmt.Sprintf("envelope %s is in the batch twice", e.Envelope.ID))
		}
		seen[e.Envelope.ID] = struct{}{}
		size += e.size() + ClusterBytes(e.Envelope.Type)
	}
	if size > MaxBatchBytes {
		return &Error{Op: "append", Category: Validation, Code: CodeTooLarge,
			Message: fmt.Sprintf("the batch has %d bytes, the bound is %d: append it in parts", size, MaxBatchBytes)}
	}
	return nil
}

// size is about what the entry takes in a log on a disk.
func (e Entry) size() int {
	const fixed = 80 // ids, times, lengths, checksum
	env := e.Envelope
	n := fixed + len(e.Topic) + len(env.Type) + len(env.Source) + len(env.Principal) +
		len(env.Payload.KeyID) + len(env.Payload.Nonce) + len(env.Payload.Bytes)
	for _, k := range env.Keys {
		n += len(k)
	}
	for _, s := range env.Subjects {
		n += len(s)
	}
	for _, f := range env.Errors {
		n += len(f.Code) + len(f.Message)
	}
	return n
}

// PageBytes is how much is read of a log at once where records may be many: a thousand
// of ordinary size.
const PageBytes = 2 << 20

// Selecter reads the records of one index, as Reader says.
type Selecter interface {
	Select(ctx context.Context, s Selector, from Position, limit int) ([]Record, error)
}

// WithinReader is a reader that looks at the bytes it has read, too.
type WithinReader interface {
	// SelectWithin is Select that stops behind the record with which all of them take
	// bytes or more: so it returns one at least when there is one, and cut says that what
	// is missing to the limit was left out for its size. The same call cuts at the same
	// record, whenever it is made.
	SelectWithin(ctx context.Context, s Selector, from Position, limit, bytes int) (records []Record, cut bool, err error)
}

// SelectWithin is a reader's own SelectWithin, and Selects of a few records each of one
// that has none. Whoever reads many records reads them so: a thousand of the largest
// are half a gigabyte.
func SelectWithin(ctx context.Context, r Selecter, s Selector, from Position, limit, bytes int) (records []Record, cut bool, err error) {
	if own, ok := r.(WithinReader); ok {
		return own.SelectWithin(ctx, s, from, limit, bytes)
	}
	size := 0
	for len(records) < limit {
		step := min(limit-len(records), selectStep)
		some, err := r.Select(ctx, s, from, step)
		for i := range some {
			size += some[i].Size()
		}
		records = append(records, some...)
		switch {
		case err != nil || len(some) < step:
			return records, false, err
		case size >= bytes:
			return records, len(records) < limit, nil
		}
		from = some[step-1].Position + 1
	}
	return records, false, nil
}

// Look calls fn for up to limit records from a position on, and returns how many there
// were. It has PageBytes of them in memory at a time.
func Look(ctx context.Context, r Selecter, s Selector, from Position, limit int, fn func(Record)) (looked int, err error) {
	for looked < limit {
		records, cut, err := SelectWithin(ctx, r, s, from, limit-looked, PageBytes)
		for _, rec := range records {
			fn(rec)
			from = rec.Position + 1
		}
		looked += len(records)
		if err != nil || !cut {
			return looked, err
		}
	}
	return looked, nil
}

// selectStep bounds one Select of SelectWithin: some of the largest records are read in
// vain then, and no more.
const selectStep = 64

// Size is about what the record takes: in a log on a disk, and in memory.
func (r *Record) Size() int { return Entry{r.Topic, r.Envelope}.size() }

// Postings are the indexes of a log in memory: at which positions an id, a topic, a
// trace, a parent or a key stands, in order. The zero Postings is empty.
type Postings struct {
	ids     map[ID]Position
	topics  map[Topic][]Position
	traces  map[TraceID][]Position
	parents map[ID][]Position
	keys    map[Key][]Position
}

// Add notes a record. Positions only rise.
func (p *Postings) Add(rec Record) {
	if p.ids == nil {
		*p = Postings{map[ID]Position{}, map[Topic][]Position{}, map[TraceID][]Position{}, map[ID][]Position{}, map[Key][]Position{}}
	}
	pos, env := rec.Position, rec.Envelope
	p.ids[env.ID] = pos
	p.topics[rec.Topic] = append(p.topics[rec.Topic], pos)
	p.traces[env.Trace] = append(p.traces[env.Trace], pos)
	if !env.Parent.IsZero() {
		p.parents[env.Parent] = append(p.parents[env.Parent], pos)
	}
	for _, k := range env.Keys {
		// A key that an envelope carries twice picks it once.
		if p.Last(k) != pos {
			p.keys[k] = append(p.keys[k], pos)
		}
	}
}

// Find is the position of an envelope; false when it isn't there.
func (p *Postings) Find(id ID) (Position, bool) {
	pos, ok := p.ids[id]
	return pos, ok
}

// Last is the last position with a key; 0 without one.
func (p *Postings) Last(k Key) Position {
	if postings := p.keys[k]; len(postings) > 0 {
		return postings[len(postings)-1]
	}
	return 0
}

// Picked are the positions a selector picks, or all of them. The caller doesn't
// change them. A selector with more than one field is a validation error.
func (p *Postings) Picked(s Selector) (positions []Position, all bool, err error) {
	switch s {
	case Selector{}, Selector{Topic: TopicAll}:
		return nil, true, nil
	case Selector{Topic: s.Topic}:
		return p.topics[s.Topic], false, nil
	case Selector{Trace: s.Trace}:
		return p.traces[s.Trace], false, nil
	case Selector{Parent: s.Parent}:
		return p.parents[s.Parent], false, nil
	case Selector{Key: s.Key}:
		return p.keys[s.Key], false, nil
	}
	return nil, false, Invalid("select", "selector", "a selector has one field: set topic, trace, parent or key")
}
