package commands

import (
	"context"
	"sync"
	"time"

	"chalie/domain"
)

// refusalEvery is how often refusals of one kind are recorded at most: strangers
// must not grow the log.
const refusalEvery = time.Minute

// refusals counts what was refused between two records of it.
type refusals struct {
	mu       sync.Mutex
	recorded domain.Millis // when the last record was made, 0 for never
	count    int           // refused since
	since    domain.Millis // the first of those
}

// refused is how many there were, and since when.
type refused struct {
	count int
	since domain.Millis
}

// record counts n refusals and has write record what is due, if anything: the
// first at once, what follows as one count a minute, or now when always is set.
// What write could not record is kept for the next one.
func (r *refusals) record(n int, now domain.Millis, always bool, write func(refused) error) error {
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

func (r *refusals) take(n int, now domain.Millis, always bool) (refused, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > 0 && r.count == 0 {
		r.since = now
	}
	r.count += n
	if r.count == 0 || !always && r.recorded != 0 && now.Sub(r.recorded) < refusalEvery {
		return refused{}, false
	}
	e := refused{count: r.count, since: r.since}
	r.count, r.recorded = 0, now
	return e, true
}

func (r *refusals) giveBack(e refused) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 || e.since < r.since {
		r.since = e.since
	}
	r.count += e.count
}

// everyMinute calls record once a minute until ctx ends, and then once more, with
// always set and a context that goes on. It returns the error of that last call:
// what failed before was kept for it.
func everyMinute(ctx context.Context, record func(ctx context.Context, always bool) error) error {
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

// refuse records a failed login, at once or in the next minute's count, and
// returns the answer to it.
func (a *Accounts) refuse(ctx context.Context) error {
	// A failure keeps the count; the stranger is refused all the same.
	_ = a.countRefused(ctx, 1, false)
	return &domain.Error{Op: "log in", Code: domain.CodeUnauthenticated, Message: "Invalid credentials"}
}

func (a *Accounts) countRefused(ctx context.Context, n int, always bool) error {
	return a.refusals.record(n, a.cfg.Now(), always, func(r refused) error {
		entry, err := EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalCore), "api", domain.OperatorLoginRefused{Count: r.count, Since: r.since})
		if err != nil {
			return err
		}
		_, err = a.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
		return err
	})
}

// Run records once a minute how many logins were refused, until ctx ends, and
// then what is left. It returns the error of that last record. Run it before
// the log closes, and wait for it to return.
func (a *Accounts) Run(ctx context.Context) error {
	return everyMinute(ctx, func(ctx context.Context, always bool) error { return a.countRefused(ctx, 0, always) })
}
