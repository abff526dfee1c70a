package streams

import (
	"context"
	"sync"
	"time"

	"chalie/commands/signal"
	"chalie/domain"
)

// maxBatch bounds the signals of one append, whatever their size: who appends
// something else waits for the one under way.
const maxBatch = 1024

// intake takes what one stream says into the log, in order. One goroutine adds
// and one runs.
type intake struct {
	cfg    Config
	stream domain.Stream
	meter  *meter

	begun chan struct{} // there is something to take
	due   chan struct{} // there is enough of it
	room  chan struct{} // there is room again

	mu      sync.Mutex
	filling *signal.Overheard
	since   time.Time // when the first of filling was read
	storing time.Time // likewise of what is being appended; zero when nothing is
}

func newIntake(cfg Config, stream domain.Stream, m *meter) *intake {
	return &intake{
		cfg: cfg, stream: stream, meter: m, filling: &signal.Overheard{},
		begun: make(chan struct{}, 1), due: make(chan struct{}, 1), room: make(chan struct{}, 1),
	}
}

// add waits until there is room. When ctx ends first it returns its error, and
// the signal counts as lost.
func (in *intake) add(ctx context.Context, h signal.Heard) error {
	for {
		switch in.put(h) {
		case 0: // full
		case 1:
			notify(in.begun)
			return nil
		case in.cfg.Batch:
			notify(in.due)
			return nil
		default:
			return nil
		}
		select {
		case <-in.room:
		case <-ctx.Done():
			in.lose(1, ctx.Err())
			return ctx.Err()
		}
	}
}

// put returns how many there are now, and 0 when there is no room for one more.
func (in *intake) put(h signal.Heard) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.filling.Len() >= maxBatch || !in.filling.Add(h) {
		return 0
	}
	if in.filling.Len() == 1 {
		in.since = in.cfg.Clock.Now()
	}
	return in.filling.Len()
}

// run takes in until ended is closed, after which nothing may be added, and then
// what is left. It gives up what the log doesn't take before patience ends.
func (in *intake) run(patience context.Context, ended <-chan struct{}) {
	spare := &signal.Overheard{}
	p := pace{perSecond: in.cfg.PerSecond}
	for last := false; !last; {
		last = in.await(ended)
		batch := in.take(spare)
		next := p.take(batch.Len(), in.cfg.Clock.Now())
		pos, clean := in.store(patience, batch)
		in.stored()
		// Only a log that took it at once is known to have let go of it.
		if spare = batch; !clean {
			spare = &signal.Overheard{}
		}
		spare.Clear()
		if last {
			return
		}
		if pos > in.cfg.Behind && in.cfg.Applied != nil {
			// A fold that failed holds nobody up: it is reported elsewhere.
			_ = in.cfg.Applied.WaitFor(patience, pos-in.cfg.Behind)
		}
		if wait := next.Sub(in.cfg.Clock.Now()); wait > 0 {
			select {
			case <-ended:
			case <-time.After(wait):
			}
		}
	}
}

// await waits until there is something to take and it is time to; true when
// nothing can come any more.
func (in *intake) await(ended <-chan struct{}) (last bool) {
	select {
	case <-in.begun:
	case <-ended:
		return true
	}
	timer := time.NewTimer(in.cfg.BatchEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-in.due:
	case <-ended:
		return true
	}
	return false
}

// take hands over what there is, and has spare filled instead.
func (in *intake) take(spare *signal.Overheard) *signal.Overheard {
	in.mu.Lock()
	defer in.mu.Unlock()
	batch := in.filling
	in.filling = spare
	if batch.Len() > 0 {
		in.storing = in.since
	}
	notify(in.room)
	return batch
}

func (in *intake) stored() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.storing = time.Time{}
}

// lag is the age of the oldest signal that is not durable.
func (in *intake) lag(now time.Time) time.Duration {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case !in.storing.IsZero():
		return now.Sub(in.storing)
	case in.filling.Len() > 0:
		return now.Sub(in.since)
	}
	return 0
}
