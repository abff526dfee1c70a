package replay

import (
	"context"
	"fmt"

	"chalie/domain"
)

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
