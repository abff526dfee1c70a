package domaintest

import (
	"context"
	"fmt"

	"chalie/domain"
)

// Append implements domain.Appender.
func (l *Log) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	if err := b.Check(); err != nil {
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
		if last := l.postings.Last(c.Key); last > c.After {
			return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeConditionFailed,
				Message: fmt.Sprintf("something with key %q was appended at position %d, after position %d; read it and decide again", c.Key, last, c.After)}
		}
	}
	receipt := domain.Receipt{Positions: make([]domain.Position, len(b.Entries))}
	receipt.RecordedAt, receipt.Ahead = l.present()
	for i, e := range b.Entries {
		receipt.Positions[i] = l.add(e, receipt.RecordedAt, receipt.Ahead)
	}
	l.wake()
	return receipt, nil
}

// present is the clock's time, or the last record's when the clock went back,
// and how far that is ahead of the clock.
func (l *Log) present() (at, ahead domain.Millis) {
	now := domain.MillisOf(l.clock.Now())
	at = now
	if n := len(l.records); n > 0 {
		at = max(at, l.records[n-1].RecordedAt)
	}
	return at, at - now
}

// known tells whether the batch is in the log already: whole and the same is a
// duplicate, anything else but not at all is a conflict.
func (l *Log) known(entries []domain.Entry) (domain.Receipt, bool, error) {
	receipt := domain.Receipt{Duplicate: true}
	for _, e := range entries {
		pos, ok := l.postings.Find(e.Envelope.ID)
		if !ok {
			continue
		}
		rec := l.records[pos-1]
		if rec.Topic != e.Topic || !rec.Envelope.Equal(e.Envelope) {
			return domain.Receipt{}, false, idReused(e.Envelope.ID, fmt.Sprintf("is in the log at position %d with other content", pos))
		}
		receipt.Positions = append(receipt.Positions, pos)
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
	return domain.Receipt{}, false, idReused(entries[0].Envelope.ID, "stands in a batch of which only a part is in the log")
}

func (l *Log) add(e domain.Entry, at, ahead domain.Millis) domain.Position {
	rec := domain.Record{Position: l.tail() + 1, Topic: e.Topic, RecordedAt: at, Ahead: ahead, Envelope: e.Envelope.Clone()}
	l.records = append(l.records, rec)
	l.postings.Add(rec)
	l.counts[domain.TypeVersion{Type: rec.Envelope.Type, Version: rec.Envelope.Version}]++
	return rec.Position
}

func idReused(id domain.ID, what string) error {
	return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeIDReused,
		Message: fmt.Sprintf("envelope %s %s; give a new envelope a new id", id, what)}
}
