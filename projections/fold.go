package projections

import (
	"context"
	"fmt"

	"chalie/domain"
)

// Fold applies the log, from its first record through a position, to projections
// that are new: it loads each with an empty store, and saves nothing. It returns
// once they stand where a program stood that had folded so far.
//
// A position beyond the tail is a validation error. A record that can't be applied
// ends it with CodeStopped and names the position and the projection; what can't be
// read ends it with the log's error, and ctx with its own. The projections are of
// no use then.
func Fold(ctx context.Context, feed Feed, through domain.Position, ps ...Projection) error {
	for _, p := range ps {
		if err := guard(func() error { return p.Load(NewMemStore()) }); err != nil {
			return foldFailed(p, "before its first record", err)
		}
	}
	return FoldOn(ctx, feed, 0, through, ps...)
}

// FoldOn is Fold for projections that are loaded and have applied everything
// through after.
func FoldOn(ctx context.Context, feed Feed, after, through domain.Position, ps ...Projection) error {
	if tail := feed.Tail(); through > tail {
		return domain.Invalid("fold", "position", fmt.Sprintf("position %d isn't there yet: the log ends at %d", through, tail))
	}
	reading, stop := context.WithCancel(ctx)
	batches := make(chan foldBatch, 1)
	go func() {
		defer close(batches)
		readAhead(reading, feed, after, through, batches)
	}()
	defer func() {
		stop()
		for range batches {
			continue // the reader has ended once its channel is closed
		}
	}()
	for b := range batches {
		if b.err != nil {
			return b.err
		}
		for _, p := range ps {
			if err := applyAll(p, b.records); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// foldBatchSize is how many records are read at a time, up to batchBytes. Two batches
// are in memory.
const foldBatchSize = 2048

type foldBatch struct {
	records []domain.Record
	err     error
}

// readAhead reads while the batch before is applied: decoding takes about as long
// as folding.
func readAhead(ctx context.Context, feed Feed, after, through domain.Position, batches chan<- foldBatch) {
	for next := after + 1; next <= through; {
		limit := int(min(through-next+1, foldBatchSize))
		records, _, err := domain.SelectWithin(ctx, feed, domain.Selector{}, next, limit, batchBytes)
		for len(records) > 0 && records[len(records)-1].Position > through {
			records = records[:len(records)-1] // the log begins later than was asked for
		}
		select {
		case batches <- foldBatch{records, err}:
		case <-ctx.Done():
			return
		}
		if err != nil || len(records) == 0 {
			return
		}
		next = records[len(records)-1].Position + 1
	}
}

// applyAll folds a batch into one projection.
func applyAll(p Projection, records []domain.Record) error {
	i := 0
	err := guard(func() error {
		for ; i < len(records); i++ {
			if err := Apply(p, &records[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return foldFailed(p, fmt.Sprintf("at position %d (%s v%d)", records[i].Position, records[i].Envelope.Type, records[i].Envelope.Version), err)
	}
	return nil
}

func foldFailed(p Projection, where string, cause error) error {
	return &domain.Error{Op: "fold " + p.Name(), Category: domain.Dependency, Code: CodeStopped, Err: cause,
		Message: fmt.Sprintf("%s can't be folded %s; run a build that can read the record, or `chalie verify` to see whether it is damaged", p.Name(), where)}
}
