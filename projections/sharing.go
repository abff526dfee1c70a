package projections

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"chalie/domain"
)

const (
	// sharedBatches is how many batches stay in memory for readers that are behind: at most so
	// many times batchBytes.
	sharedBatches = 16
	// sharedPatience is how long the first of the readers waits, per batch, for
	// one that is sharedBatches behind. It bounds what a slow projection costs
	// the others: a batch takes about a millisecond to read.
	sharedPatience = 2 * time.Millisecond
)

// share lets the runners that read one feed read each batch once: decoding the
// log costs more than most folds.
func share(runners []*Runner) {
	feeds := map[Feed]*sharedFeed{}
	for _, r := range runners {
		if !reflect.TypeOf(r.feed).Comparable() {
			continue
		}
		f := feeds[r.feed]
		if f == nil {
			f = &sharedFeed{Feed: r.feed, taken: make(chan struct{})}
			feeds[r.feed] = f
		}
		v := &sharedReader{sharedFeed: f}
		f.readers = append(f.readers, v)
		r.feed = v
	}
}

// sharedFeed keeps the full batches that were read until every reader had them. One is
// full that has as many records as were asked for, or as many bytes as a batch may have.
// Of those that end at the tail it keeps the last: at the tail every reader
// wakes for the same few records. Records are never changed, so they can be
// shared.
type sharedFeed struct {
	Feed

	mu      sync.Mutex
	readers []*sharedReader
	batches []*sharedBatch // oldest read first, at most sharedBatches
	last    *sharedBatch   // the last that was not full; nil before there is one
	taken   chan struct{}  // closed and replaced when a batch was taken
}

// sharedReader is one runner's way to the feed.
type sharedReader struct {
	*sharedFeed
	next domain.Position // what it will ask for next, or before that; guarded by the feed's mu
}

type sharedBatch struct {
	from  domain.Position
	limit int
	done  chan struct{} // closed when recs and whole are set
	recs  []domain.Record
	cut   bool // as large as a batch may be
	whole bool // recs are the same whenever they are read
}

// is reports whether the batch is what a reader asks for.
func (b *sharedBatch) is(from domain.Position, limit int) bool {
	return b.from == from && b.limit == limit
}

// current reports whether reading again would give the same.
func (b *sharedBatch) current(tail domain.Position) bool {
	return b.whole || len(b.recs) > 0 && b.recs[len(b.recs)-1].Position >= tail
}

// SelectWithin reads a batch, or takes what another reader has read or is reading.
func (v *sharedReader) SelectWithin(ctx context.Context, s domain.Selector, from domain.Position, limit, bytes int) ([]domain.Record, bool, error) {
	if s != (domain.Selector{}) || limit < 2 || bytes != batchBytes {
		return domain.SelectWithin(ctx, v.Feed, s, from, limit, bytes)
	}
	recs, cut, err := v.take(ctx, from, limit)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.next = from + domain.Position(len(recs))
	return recs, cut, err
}

func (v *sharedReader) take(ctx context.Context, from domain.Position, limit int) ([]domain.Record, bool, error) {
	b, mine := v.claim(from, limit)
	if mine {
		v.waitForOthers(ctx, b)
		return v.read(ctx, b)
	}
	select {
	case <-ctx.Done():
		return nil, false, ctx.Err()
	case <-b.done:
	}
	if b.current(v.Tail()) {
		return b.recs, b.cut, nil
	}
	return domain.SelectWithin(ctx, v.Feed, domain.Selector{}, from, limit, batchBytes)
}

// claim finds a batch, or makes one that the caller has to read.
func (v *sharedReader) claim(from domain.Position, limit int) (b *sharedBatch, mine bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i := slices.IndexFunc(v.batches, func(b *sharedBatch) bool { return b.is(from, limit) }); i >= 0 {
		b = v.batches[i]
	} else if v.last != nil && v.last.is(from, limit) && v.last.current(v.Tail()) {
		b = v.last
	} else {
		b, mine = &sharedBatch{from: from, limit: limit, done: make(chan struct{})}, true
		v.batches = append(v.batches, b)
	}
	v.next = from + 1 // or later: the batch may turn out short
	v.tidy()
	return b, mine
}

// tidy drops the batches that every reader has taken; the caller holds mu.
func (f *sharedFeed) tidy() {
	f.batches = slices.DeleteFunc(f.batches, func(b *sharedBatch) bool {
		return !slices.ContainsFunc(f.readers, func(v *sharedReader) bool { return v.next <= b.from })
	})
	close(f.taken)
	f.taken = make(chan struct{})
}

// waitForOthers gives readers that are behind some time to take the oldest batch, and
// then drops it: they read it themselves. A reader whose batch b nobody
// else needs is behind itself and goes on.
func (f *sharedFeed) waitForOthers(ctx context.Context, b *sharedBatch) {
	var patience <-chan time.Time
	for {
		f.mu.Lock()
		over, taken := len(f.batches) > sharedBatches && slices.Contains(f.batches, b), f.taken
		f.mu.Unlock()
		if !over {
			return
		}
		if patience == nil {
			patience = time.After(sharedPatience)
		}
		select {
		case <-taken:
			continue
		case <-ctx.Done():
		case <-patience:
		}
		f.mu.Lock()
		f.batches = f.batches[max(0, len(f.batches)-sharedBatches):]
		f.mu.Unlock()
		return
	}
}

// read fills a batch. One that is not full is kept only as the last, and one
// that was not read is forgotten: another read may find more.
func (f *sharedFeed) read(ctx context.Context, b *sharedBatch) ([]domain.Record, bool, error) {
	defer close(b.done)
	defer func() {
		if b.whole {
			return
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.batches = slices.DeleteFunc(f.batches, func(o *sharedBatch) bool { return o == b })
		if len(b.recs) > 0 {
			f.last = b
		}
	}()
	recs, cut, err := domain.SelectWithin(ctx, f.Feed, domain.Selector{}, b.from, b.limit, batchBytes)
	if err == nil {
		b.recs, b.cut, b.whole = recs, cut, cut || len(recs) == b.limit
	}
	return recs, cut, err
}

// join is called by a runner that begins. A runner that shares a feed is among
// its readers from the start, so that it misses no batch; one that comes back joins again.
func (v *sharedReader) join() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.Contains(v.readers, v) {
		v.readers = append(v.readers, v)
	}
}

// leave is called by a runner that has ended: nobody waits for it.
func (v *sharedReader) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.readers = slices.DeleteFunc(v.readers, func(o *sharedReader) bool { return o == v })
	v.tidy()
}
