package commands

import (
	"context"
	"sync"
	"time"

	"chalie/domain"
)

// refusalEvery is how often refused logins are recorded at most.
const refusalEvery = time.Minute

// refusals counts failed logins between two records of them.
type refusals struct {
	mu       sync.Mutex
	recorded domain.Millis // when the last record was made, 0 for never
	count    int           // refused since
	since    domain.Millis // the first of those
}

// take counts n refusals and returns what is to be recorded now, if anything.
func (r *refusals) take(n int, now domain.Millis, always bool) (domain.OperatorLoginRefused, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > 0 && r.count == 0 {
		r.since = now
	}
	r.count += n
	if r.count == 0 || !always && r.recorded != 0 && now.Sub(r.recorded) < refusalEvery {
		return domain.OperatorLoginRefused{}, false
	}
	e := domain.OperatorLoginRefused{Count: r.count, Since: r.since}
	r.count, r.recorded = 0, now
	return e, true
}

// giveBack keeps a count whose record failed for the next one.
func (r *refusals) giveBack(e domain.OperatorLoginRefused) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 || e.Since < r.since {
		r.since = e.Since
	}
	r.count += e.Count
}

// refuse records a failed login, at once or in the next minute's count, and
// returns the answer to it.
func (a *Accounts) refuse(ctx context.Context) error {
	refused := &domain.Error{Op: "log in", Code: domain.CodeUnauthenticated, Message: "Invalid credentials"}
	if e, due := a.refusals.take(1, a.now(), false); due {
		// A failure keeps the count; the stranger is refused all the same.
		_ = a.recordRefusals(ctx, e)
	}
	return refused
}

func (a *Accounts) recordRefusals(ctx context.Context, e domain.OperatorLoginRefused) error {
	entry, err := entryOf(a, a.begin(domain.PrincipalCore), "api", e)
	if err == nil {
		_, err = a.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil && domain.CodeOf(err) != domain.CodeOutcomeUnknown {
		a.refusals.giveBack(e)
	}
	return err
}

// Run records once a minute how many logins were refused, until ctx ends, and
// then what is left. It returns the error of that last record. Run it before
// the log closes, and wait for it to return.
func (a *Accounts) Run(ctx context.Context) error {
	tick := time.NewTicker(refusalEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if e, due := a.refusals.take(0, a.now(), false); due {
				// A failure keeps the count for the next minute.
				_ = a.recordRefusals(ctx, e)
			}
		case <-ctx.Done():
			e, due := a.refusals.take(0, a.now(), true)
			if !due {
				return nil
			}
			return a.recordRefusals(context.WithoutCancel(ctx), e)
		}
	}
}
