package streams

import (
	"context"
	"time"

	"chalie/commands/signal"
	"chalie/domain"
)

// Pauses before a batch that the log refused is repeated.
const (
	firstRepeat   = 50 * time.Millisecond
	longestRepeat = 5 * time.Second
)

// store repeats a batch until the log has it, and returns the position of its
// last signal; 0 when nothing was stored. clean is false when the log may still
// hold on to the batch's memory.
func (in *intake) store(patience context.Context, batch *signal.Overheard) (pos domain.Position, clean bool) {
	pause := backoff{first: firstRepeat, longest: longestRepeat}
	for clean = true; ; clean = false {
		pos, err := in.cfg.Signals.Take(patience, batch)
		if err == nil {
			in.meter.took(batch.Len(), in.cfg.Clock.Now())
			return pos, clean
		}
		in.meter.fail(err)
		switch {
		case patience.Err() != nil:
			in.lose(batch.Len(), err)
			return 0, false
		case !domain.IsRetriable(err):
			return in.storeParts(patience, batch, err), false
		}
		in.cfg.Logger.Warn("the log refuses what a stream says; reading waits for it", "stream", in.stream.ID.UUID(), "signals", batch.Len(), "err", err)
		select {
		case <-patience.Done():
		case <-time.After(pause.next()):
		}
	}
}

// storeParts finds the signal for whose sake the log will never take a batch: it
// is malformed in a way that nothing before has seen.
func (in *intake) storeParts(patience context.Context, batch *signal.Overheard, err error) domain.Position {
	if batch.Len() == 1 {
		in.meter.fault(err)
		return 0
	}
	first, second := batch.Halves()
	one, _ := in.store(patience, &first)
	two, _ := in.store(patience, &second)
	return max(one, two)
}

// lose says what the log did not take.
func (in *intake) lose(n int, err error) {
	if n == 0 {
		return
	}
	in.meter.lost.Add(uint64(n))
	in.cfg.Logger.Error("signals of a stream are lost: the log didn't take them in time", "stream", in.stream.ID.UUID(), "signals", n, "err", err)
}

// lasting is a context that goes on for a while when ctx ends.
func lasting(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(grace, cancel)
		context.AfterFunc(longer, func() { timer.Stop() })
	})
	return longer, func() {
		stop()
		cancel()
	}
}
