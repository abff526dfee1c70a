package limit

import (
	"context"
	"sync"
	"time"

	"chalie/domain"
)

// refusalEvery is how often refusals of one kind are recorded at most: strangers
// must not grow the log.
const refusalEvery = time.Minute

// Refusals counts what was refused between two records of it.
type Refusals struct {
	mu       sync.Mutex
	recorded domain.Millis // when the last record was made, 0 for never
	count    int           // refused since
	since    domain.Millis // the first of those
}

// Refused is the number of refusals, and since when.
type Refused struct {
	Count int
	Since domain.Millis
}

// Record counts n refusals and has write record what is due, if anything: the
// first at once, what follows as one count a minute, or now when always is set.
// What write could not record is kept for the next one.
func (r *Refusals) Record(n int, now domain.Millis, always bool, write func(Refused) error) error {
	e, due := r.take(n, now, always)
	if !due {
		return nil
	}
	err := write(e)
	if err != nil && domain.CodeOf(err) != domain.CodeOutcomeUnknown {
		r.giveBack(e)
	}
	return err
}

func (r *Refusals) take(n int, now domain.Millis, always bool) (Refused, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > 0 && r.count == 0 {
		r.since = now
	}
	r.count += n
	if r.count == 0 || !always && r.recorded != 0 && now.Sub(r.recorded) < refusalEvery {
		return Refused{}, false
	}
	e := Refused{Count: r.count, Since: r.since}
	r.count, r.recorded = 0, now
	return e, true
}

func (r *Refusals) giveBack(e Refused) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 || e.Since < r.since {
		r.since = e.Since
	}
	r.count += e.Count
}

// EveryMinute calls record once a minute until ctx ends, and then once more, with
// always set and a context that goes on. It returns the error of that last call:
// what failed before was kept for it.
func EveryMinute(ctx context.Context, record func(ctx context.Context, always bool) error) error {
	tick := time.NewTicker(refusalEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = record(ctx, false)
		case <-ctx.Done():
			return record(context.WithoutCancel(ctx), true)
		}
	}
}
