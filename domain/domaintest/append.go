package domaintest

import (
	"context"
	"fmt"
	"slices"

	"chalie/domain"
)

// Append implements domain.Appender.
func (l *Log) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	if err := checkBatch(b); err != nil {
		return domain.Receipt{}, err
	}
	if err := ctx.Err(); err != nil {
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err,
			Message: "the append was given up before its turn; nothing was appended"}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return domain.Receipt{}, closedError("append")
	}
	if receipt, known, err := l.known(b.Entries); known || err != nil {
		return receipt, err
	}
	for _, c := range b.Conditions {
		if last := lastOf(l.keys[c.Key]); last > c.After {
			return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeConditionFailed,
				Message: fmt.Sprintf("something with key %q was appended at position %d, after position %d; read it and decide again", c.Key, last, c.After)}
		}
	}
	receipt := domain.Receipt{Positions: make([]domain.Position, len(b.Entries)), RecordedAt: l.present()}
	for i, e := range b.Entries {
		receipt.Positions[i] = l.add(e, receipt.RecordedAt)
	}
	l.wake()
	return receipt, nil
}

// present is the clock's time, or the last record's when the clock went back.
func (l *Log) present() domain.Millis {
	now := domain.MillisOf(l.clock.Now())
	if n := len(l.records); n > 0 {
		now = max(now, l.records[n-1].RecordedAt)
	}
	return now
}

// known tells whether the batch is in the log already: whole and the same is a
// duplicate, anything else but not at all is a conflict.
func (l *Log) known(entries []domain.Entry) (domain.Receipt, bool, error) {
	receipt := domain.Receipt{Duplicate: true}
	for _, e := range entries {
		pos, ok := l.ids[e.Envelope.ID]
		if !ok {
			continue
		}
		rec := l.records[pos-1]
		if rec.Topic != e.Topic || !rec.Envelope.Equal(e.Envelope) {
			return domain.Receipt{}, false, idReused(e.Envelope.ID, fmt.Sprintf("is in the log at position %d with other content", pos))
		}
		receipt.Positions = append(receipt.Positions, pos)
		receipt.RecordedAt = max(receipt.RecordedAt, rec.RecordedAt)
	}
	switch len(receipt.Positions) {
	case 0:
		return domain.Receipt{}, false, nil
	case len(entries):
		return receipt, true, nil
	}
	return domain.Receipt{}, false, idReused(entries[0].Envelope.ID, "stands in a batch of which only a part is in the log")
}

func (l *Log) add(e domain.Entry, at domain.Millis) domain.Position {
	env := clone(e.Envelope)
	l.records = append(l.records, domain.Record{Position: l.tail() + 1, Topic: e.Topic, RecordedAt: at, Envelope: env})
	pos := l.tail()
	l.ids[env.ID] = pos
	l.topics[e.Topic] = append(l.topics[e.Topic], pos)
	l.traces[env.Trace] = append(l.traces[env.Trace], pos)
	if !env.Parent.IsZero() {
		l.parents[env.Parent] = append(l.parents[env.Parent], pos)
	}
	for _, k := range env.Keys {
		// A key that an envelope carries twice picks it once.
		if lastOf(l.keys[k]) != pos {
			l.keys[k] = append(l.keys[k], pos)
		}
	}
	l.counts[domain.TypeVersion{Type: env.Type, Version: env.Version}]++
	return pos
}

func lastOf(postings []domain.Position) domain.Position {
	if len(postings) == 0 {
		return 0
	}
	return postings[len(postings)-1]
}

// clone gives the envelope memory of its own: callers may use theirs again.
func clone(e domain.Envelope) domain.Envelope {
	e.Keys = slices.Clone(e.Keys)
	e.Subjects = slices.Clone(e.Subjects)
	e.Payload.Nonce = slices.Clone(e.Payload.Nonce)
	e.Payload.Bytes = slices.Clone(e.Payload.Bytes)
	e.Errors = slices.Clone(e.Errors)
	return e
}

func checkBatch(b domain.Batch) error {
	if len(b.Entries) == 0 {
		return domain.Invalid("append", "entries", "the batch is empty: append at least one envelope")
	}
	seen := make(map[domain.ID]struct{}, len(b.Entries))
	size := 0
	for _, e := range b.Entries {
		if e.Topic == "" || e.Topic == domain.TopicAll || len(e.Topic) > domain.MaxNameBytes {
			return domain.Invalid("append", "topic", fmt.Sprintf("topic %q can't be written to: give a name of 1 to %d bytes other than %s", e.Topic, domain.MaxNameBytes, domain.TopicAll))
		}
		if err := e.Envelope.Check(); err != nil {
			return err
		}
		if _, twice := seen[e.Envelope.ID]; twice {
			return domain.Invalid("append", "envelope_id", fmt.Sprintf("envelope %s is in the batch twice", e.Envelope.ID))
		}
		seen[e.Envelope.ID] = struct{}{}
		size += sizeOf(e)
	}
	if size > domain.MaxBatchBytes {
		return &domain.Error{Op: "append", Category: domain.Validation, Code: domain.CodeTooLarge,
			Message: fmt.Sprintf("the batch has %d bytes, the bound is %d: append it in parts", size, domain.MaxBatchBytes)}
	}
	return nil
}

// sizeOf is about what the entry takes in a real log.
func sizeOf(e domain.Entry) int {
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

func idReused(id domain.ID, what string) error {
	return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeIDReused,
		Message: fmt.Sprintf("envelope %s %s; give a new envelope a new id", id, what)}
}
