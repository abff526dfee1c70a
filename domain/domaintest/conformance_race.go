package domaintest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"chalie/domain"
)

// testRace lets appends with the same condition race, with unconditional ones
// between them that may share a group commit.
func testRace(b *bench) {
	const rounds, racers, neighbours = 20, 4, 4
	for round := range rounds {
		key := domain.Key(fmt.Sprintf("seat-%d", round))
		after := b.log.Tail()
		var won, lost, failed atomic.Int32
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range racers + neighbours {
			batch := domain.Batch{Entries: NewEntries(b.ids, "a", 2)}
			if i < racers {
				batch.Entries[1].Envelope.Keys = []domain.Key{key}
				batch.Conditions = []domain.Condition{{Key: key, After: after}}
			}
			wg.Go(func() {
				<-start
				_, err := b.log.Append(context.Background(), batch)
				switch {
				case i < racers && err == nil:
					won.Add(1)
				case i < racers && domain.CodeOf(err) == domain.CodeConditionFailed:
					lost.Add(1)
				case err != nil:
					failed.Add(1)
					b.Errorf("racer or neighbour %d: %v", i, err)
				}
			})
		}
		close(start)
		wg.Wait()
		if won.Load() != 1 || lost.Load() != racers-1 || failed.Load() != 0 {
			b.Fatalf("round %d: %d won, %d lost and %d failed of %d racers and %d neighbours",
				round, won.Load(), lost.Load(), failed.Load(), racers, neighbours)
		}
		if recs := b.selected(domain.Selector{Key: key}, 1, 10); len(recs) != 1 {
			b.Fatalf("round %d: %d envelopes carry the key", round, len(recs))
		}
		if tail := b.log.Tail(); tail != after+2*(1+neighbours) {
			b.Fatalf("round %d: the tail moved by %d, want %d", round, tail-after, 2*(1+neighbours))
		}
	}
}

// testWhole reads while batches of three are appended: whatever is seen is
// whole, in order, and stays.
func testWhole(b *bench) {
	const writers, batches, size = 4, 25, 3
	done := make(chan struct{})
	var writing, reading sync.WaitGroup
	for range writers {
		writing.Go(func() {
			for range batches {
				entries := NewEntries(b.ids, "a", size)
				entries[1].Topic = "b"
				if _, err := b.log.Append(context.Background(), domain.Batch{Entries: entries}); err != nil {
					b.Errorf("Append: %v", err)
				}
			}
		})
	}
	for range 2 {
		reading.Go(func() {
			for last := b.base; ; {
				select {
				case <-done:
					return
				default:
				}
				last = b.readWhole(last, size)
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	if last := b.readWhole(b.base, size); last != b.base+writers*batches*size {
		b.Errorf("%d positions were written, %d read", writers*batches*size, last-b.base)
	}
}

// readWhole reads everything after last, checks it and returns where it ends.
func (b *bench) readWhole(last domain.Position, size int) domain.Position {
	tail := b.log.Tail()
	recs, err := b.log.Select(context.Background(), domain.Selector{}, last+1, 1000)
	if err != nil {
		b.Errorf("Select: %v", err)
		return last
	}
	if len(recs)%size != 0 {
		b.Errorf("after position %d a read saw %d records of batches of %d", last, len(recs), size)
	}
	if end := last + domain.Position(len(recs)); end < tail {
		b.Errorf("the tail was %d and a read ended at %d", tail, end)
	}
	for i, rec := range recs {
		if rec.Position != last+1 {
			b.Errorf("position %d follows %d", rec.Position, last)
		}
		last = rec.Position
		if i%size != 0 && rec.Envelope.Trace != recs[i-1].Envelope.Trace {
			b.Errorf("position %d stands inside a batch of another", rec.Position)
		}
	}
	if len(recs) > 0 {
		last := recs[len(recs)-1]
		trace, err := b.log.Select(context.Background(), domain.Selector{Trace: last.Envelope.Trace}, 1, 10)
		if err != nil || len(trace) != size {
			b.Errorf("the trace index shows %d of %d records of a batch that was seen, %v", len(trace), size, err)
		}
	}
	return last
}
