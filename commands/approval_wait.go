package commands

import (
	"context"
	"time"

	"chalie/domain"
)

// Run records the expiry of proposals, each when it falls due, also of those that
// fell due while no process ran. It sleeps until the next does. It ends with ctx,
// or when the fold of the open invocations can't be read.
func (a *Approvals) Run(ctx context.Context) error {
	if err := a.cfg.Applied.WaitFor(ctx, a.cfg.Tail.Tail()); err != nil {
		return err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		case <-a.again:
		}
		timer.Stop()
		if wait, some := a.expire(ctx); some {
			timer.Reset(wait)
		}
	}
}

// expiryRetry is the pause before an expiry that can't be recorded now is tried
// again. Nothing depends on it: what has expired can't be granted.
const expiryRetry = 5 * time.Second

// expiryLook is how long it sleeps at most: a clock that is put right moves what
// expires, and nobody tells.
const expiryLook = time.Minute

// expire ends what is due, and says how long it is until the next is.
func (a *Approvals) expire(ctx context.Context) (wait time.Duration, some bool) {
	open, err := a.open(ctx, a.cfg.Now())
	if err != nil {
		return expiryRetry, true
	}
	for _, p := range open {
		left := p.ExpiresAt.Sub(a.cfg.Now())
		if left <= 0 && a.end(ctx, p) == nil {
			continue
		}
		if left <= 0 {
			left = expiryRetry
		}
		if !some || left < wait {
			wait, some = min(left, expiryLook), true
		}
	}
	return wait, some
}

// end lets an invocation whose proposal has expired come to its end.
func (a *Approvals) end(ctx context.Context, p Proposal) error {
	first, err := a.cfg.Reader.Find(ctx, p.InvocationID)
	if err != nil {
		return err
	}
	_, err = a.cfg.Tools.goOn(ctx, first)
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // it was decided at the last moment
	}
	return err
}

// Follow is to be given every record of topic tools, in order, and one that it
// returns a retriable error for again. It goes on with what was granted outside an
// episode, and takes note of what has to expire.
//
// A record given again, after a crash, does nothing a second time.
func (a *Approvals) Follow(ctx context.Context, rec domain.Record) error {
	switch rec.Envelope.Type {
	case domain.ApprovalProposedType:
		if err := a.cfg.Applied.WaitFor(ctx, rec.Position); err != nil {
			return err
		}
		select {
		case a.again <- struct{}{}:
		default:
		}
	case domain.ApprovalGrantedType:
		id, ok := domain.InvocationOf(rec.Envelope)
		if !ok {
			return nil
		}
		first, err := a.cfg.Reader.Find(ctx, id)
		if err != nil {
			return err
		}
		if _, _, called := domain.CallOf(first.Envelope); called {
			return nil // its episode goes on with it
		}
		_, err = a.cfg.Tools.goOn(ctx, first)
		return err
	}
	return nil
}
