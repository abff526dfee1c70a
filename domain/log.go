package domain

import "context"

// TopicAll is not a topic but all of them, in log order.
const TopicAll Topic = "$all"

// MaxBatchBytes bounds one append: a group of appends is one write to the disk,
// and readers of other logs (a cluster's included) take 1 MiB at most.
const MaxBatchBytes = 1 << 20

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
//   - Dependency, CodeDiskLow or CodeDiskFailed or CodeClosed: nothing was appended; retriable.
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
