package pebblelog

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"chalie/domain"
)

// request is one batch on its way to the writer.
type request struct {
	entries    []prepared
	conditions []domain.Condition
	bytes      int
	follows    domain.Position // the position of the first entry, whose records are whole; 0 for an append

	state atomic.Int32 // queued, then taken or withdrawn
	done  chan answer  // holds one

	one [1]prepared // memory of entries when there is but one
}

const (
	queued int32 = iota
	taken
	withdrawn
)

type answer struct {
	receipt domain.Receipt
	err     error
}

// prepared is an entry whose record lacks only its trailer.
type prepared struct {
	topic    domain.Topic
	envelope *domain.Envelope
	record   []byte // body, then room for the trailer
}

// body is that of a record that has no trailer yet.
func (p prepared) body() []byte { return p.record[:len(p.record)-trailerBytes] }

// reply answers the request; a second answer is dropped.
func (r *request) reply(receipt domain.Receipt, err error) {
	select {
	case r.done <- answer{receipt, err}:
	default:
	}
}

// Append implements domain.Appender.
func (l *Log) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	if l.cfg.ReadOnly {
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Policy, Code: "read_only",
			Message: "the log was opened read-only; start `chalie serve` to write"}
	}
	req, err := prepare(b)
	if err != nil {
		return domain.Receipt{}, err
	}
	return l.await(ctx, req)
}

// await has the writer answer a request.
func (l *Log) await(ctx context.Context, req *request) (domain.Receipt, error) {
	if err := l.submit(ctx, req); err != nil {
		return domain.Receipt{}, err
	}
	select {
	case a := <-req.done:
		return a.receipt, a.err
	case <-ctx.Done():
	}
	if req.state.CompareAndSwap(queued, withdrawn) {
		return domain.Receipt{}, notAppended(ctx.Err())
	}
	select {
	case a := <-req.done: // the writer had taken it
		return a.receipt, a.err
	default:
		return domain.Receipt{}, outcomeUnknown(ctx.Err())
	}
}

// submit queues the request. Close waits for every submit to end, so nothing is queued
// after it.
func (l *Log) submit(ctx context.Context, req *request) error {
	l.intake.RLock()
	defer l.intake.RUnlock()
	if l.closed {
		return closedError()
	}
	select {
	case l.requests <- req:
		return nil
	case <-ctx.Done():
		return notAppended(ctx.Err())
	}
}

func prepare(b domain.Batch) (*request, error) {
	if len(b.Entries) == 0 {
		return nil, domain.Invalid("append", "entries", "the batch is empty: append at least one envelope")
	}
	req := &request{
		conditions: b.Conditions,
		done:       make(chan answer, 1),
	}
	if req.entries = req.one[:]; len(b.Entries) > 1 {
		req.entries = make([]prepared, len(b.Entries))
	}
	for i := range b.Entries {
		entry := &b.Entries[i]
		if entry.Topic == "" || entry.Topic == domain.TopicAll || len(entry.Topic) > domain.MaxNameBytes {
			return nil, domain.Invalid("append", "topic", fmt.Sprintf("topic %q can't be written to: give a name of 1 to %d bytes other than %s", entry.Topic, domain.MaxNameBytes, domain.TopicAll))
		}
		if err := entry.Envelope.Check(); err != nil {
			return nil, err
		}
		record, err := appendBody(make([]byte, 0, sizeHint(entry)), entry.Topic, &entry.Envelope)
		if err != nil {
			return nil, err
		}
		record = append(record, emptyTrailer[:]...)
		req.entries[i] = prepared{topic: entry.Topic, envelope: &entry.Envelope, record: record}
		req.bytes += len(record) + domain.ClusterBytes(entry.Envelope.Type)
	}
	if id, twice := repeatedID(req.entries); twice {
		return nil, domain.Invalid("append", "envelope_id", fmt.Sprintf("envelope %s is in the batch twice", id))
	}
	if req.bytes > domain.MaxBatchBytes {
		return nil, &domain.Error{Op: "append", Category: domain.Validation, Code: domain.CodeTooLarge,
			Message: fmt.Sprintf("the batch has %d bytes, the bound is %d: append it in parts", req.bytes, domain.MaxBatchBytes)}
	}
	return req, nil
}

// repeatedID finds an id that is twice in a batch. Minted ids ascend, and then no set of
// ids is needed.
func repeatedID(entries []prepared) (domain.ID, bool) {
	ascending := true
	for i := 1; i < len(entries) && ascending; i++ {
		ascending = bytes.Compare(entries[i-1].envelope.ID[:], entries[i].envelope.ID[:]) < 0
	}
	if ascending {
		return domain.ID{}, false
	}
	seen := make(map[domain.ID]struct{}, len(entries))
	for i := range entries {
		id := entries[i].envelope.ID
		if _, ok := seen[id]; ok {
			return id, true
		}
		seen[id] = struct{}{}
	}
	return domain.ID{}, false
}

// sizeHint is large enough that a usual record is allocated once.
func sizeHint(e *domain.Entry) int {
	n := 128 + len(e.Topic) + len(e.Envelope.Type) + len(e.Envelope.Source) + len(e.Envelope.Principal) + len(e.Envelope.Payload.Bytes)
	for _, k := range e.Envelope.Keys {
		n += len(k) + 2
	}
	return n
}

func notAppended(cause error) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: cause,
		Message: "the append was given up before its turn; nothing was appended"}
}

func outcomeUnknown(cause error) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true, Err: cause,
		Message: "the append may or may not be in the log; repeat it with the same ids to find out"}
}

func diskFailed(cause error) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: cause,
		Message: "the log's disk refuses writes and is tried again all the time; nothing was appended; check the disk and its free space"}
}

func closedError() error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
		Message: "the log is shut; nothing was appended"}
}
