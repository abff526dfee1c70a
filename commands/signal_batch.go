package commands

import (
	"context"
	"fmt"

	"chalie/domain"
)

// Item is one element of a batch. Err is set when it could not even be read as
// a signal; it then counts as rejected for that reason.
type Item struct {
	Signal domain.SignalReceived
	Err    error
}

// Outcome says what became of a batch.
type Outcome struct {
	Accepted int
	IDs      []domain.ID // of the accepted ones, in order
	Rejected []Rejection // by index
}

// Rejection is one item that was not accepted, and why.
type Rejection struct {
	Index int
	Err   error
}

// envelopeOverhead is more than an envelope takes in a batch beside its payload.
const envelopeOverhead = 1024

// SubmitBatch judges each item on its own: validity, permission, rate. All
// accepted ones are appended together; with none, nothing is.
//
// Errors: validation when there are too many, CodeTooLarge when the accepted
// ones don't fit in one append, and what domain.Appender returns. Nothing is
// stored then.
func (s *Signals) SubmitBatch(ctx context.Context, c Caller, items []Item) (Outcome, error) {
	if err := checkBatch(items); err != nil {
		return Outcome{}, err
	}
	if err := s.seeded(ctx); err != nil {
		return Outcome{}, err
	}
	out, entries := s.judge(c, items)
	if len(entries) == 0 {
		return out, nil
	}
	if err := s.checkSize(c, entries); err != nil {
		return Outcome{}, err
	}
	return out, s.appendReserved(ctx, c, domain.Batch{Entries: entries}, len(entries), weight(entries...))
}

// SubmitBatchOnce is SubmitBatch for a request that carries an Idempotency-Key.
// A batch of which nothing was accepted leaves no trace, so it may be sent again.
func (s *Signals) SubmitBatchOnce(ctx context.Context, c Caller, items []Item, req Request, answer func(Outcome) Answer) (Answer, error) {
	if err := checkBatch(items); err != nil {
		return Answer{}, err
	}
	return s.requests.once(ctx, c, req, func(seal sealer) (Answer, error) {
		if err := s.seeded(ctx); err != nil {
			return Answer{}, err
		}
		out, entries := s.judge(c, items)
		a := answer(out)
		if len(entries) == 0 {
			return a, nil
		}
		if err := s.checkSize(c, entries); err != nil {
			return Answer{}, err
		}
		batch, err := seal(domain.Batch{Entries: entries}, a)
		if err != nil {
			s.limit.release(c.Principal, len(entries), weight(entries...))
			return Answer{}, err
		}
		return a, s.appendReserved(ctx, c, batch, len(entries), weight(entries...))
	})
}

func checkBatch(items []Item) error {
	if len(items) > domain.MaxSignalsPerBatch {
		return domain.Invalid("submit batch", "", fmt.Sprintf(
			"the batch has %d signals, the bound is %d: send several batches", len(items), domain.MaxSignalsPerBatch))
	}
	return nil
}

// judge sorts the items into entries, each with its place in the caller's
// window reserved, and rejections.
func (s *Signals) judge(c Caller, items []Item) (Outcome, []domain.Entry) {
	var out Outcome
	entries := make([]domain.Entry, 0, len(items))
	for i, item := range items {
		entry, err := domain.Entry{}, item.Err
		if err == nil {
			entry, err = s.entry(c, item.Signal)
		}
		if err == nil {
			err = s.limit.reserve("submit signal", c.Principal, 1, weight(entry), s.cfg.Now())
		}
		if err != nil {
			out.Rejected = append(out.Rejected, Rejection{i, err})
			continue
		}
		entries = append(entries, entry)
		out.IDs = append(out.IDs, entry.Envelope.ID)
	}
	out.Accepted = len(entries)
	return out, entries
}

// checkSize gives the places back when the entries don't fit in one append.
func (s *Signals) checkSize(c Caller, entries []domain.Entry) error {
	size := envelopeOverhead // for the remembered answer
	for _, e := range entries {
		size += len(e.Envelope.Payload.Bytes) + envelopeOverhead
	}
	if size <= domain.MaxBatchBytes {
		return nil
	}
	s.limit.release(c.Principal, len(entries), weight(entries...))
	return &domain.Error{Op: "submit batch", Category: domain.Validation, Code: domain.CodeTooLarge,
		Message: fmt.Sprintf("the batch takes %d bytes when stored, the bound is %d: send several smaller ones", size, domain.MaxBatchBytes)}
}
