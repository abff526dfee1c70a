package projections

import (
	"context"
	"fmt"

	"chalie/domain"
)

// Fold applies the log, behind a position through another one, to projections that
// are loaded and stand at the first. It saves nothing.
//
// A position beyond the tail is a validation error. A record that can't be applied
// ends it with CodeStopped and names the position and the projection; what can't be
// read ends it with the log's error, and ctx with its own. The projections are of
// no use then.
func Fold(ctx context.Context, feed Feed, after, through domain.Position, ps ...Projection) error {
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
			if n, err := applyAll(p, b.after, b.records); err != nil {
				rec := &b.records[n]
				return foldFailed(p, fmt.Sprintf("at position %d (%s v%d)", rec.Position, rec.Envelope.Type, rec.Envelope.Version), err)
			}
		}
	}
	return ctx.Err()
}

// foldBatchSize is the number of records read at a time, up to batchBytes. Two batches
// are in memory.
const foldBatchSize = 2048

type foldBatch struct {
	after   domain.Position
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
		case batches <- foldBatch{next - 1, records, err}:
		case <-ctx.Done():
			return
		}
		if err != nil || len(records) == 0 {
			return
		}
		next = records[len(records)-1].Position + 1
	}
}

// applyAll folds a batch that comes after a position into one projection. It returns
// how many records it applied, and why it didn't apply the next.
func applyAll(p Projection, after domain.Position, records []domain.Record) (n int, err error) {
	err = guard(func() error {
		for ; n < len(records); n++ {
			rec := &records[n]
			if rec.Position <= after {
				return fmt.Errorf("the log returned it after position %d", after)
			}
			if err := Apply(p, rec); err != nil {
				return err
			}
			after = rec.Position
		}
		return nil
	})
	return n, err
}

func foldFailed(p Projection, where string, cause error) error {
	return &domain.Error{Op: "fold " + p.Name(), Category: domain.Dependency, Code: CodeStopped, Err: cause,
		Message: fmt.Sprintf("%s can't be folded %s; run a build that can read the record, or `chalie verify` to see whether it is damaged", p.Name(), where)}
}
