package voice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chalie/domain"
)

// queue bounds the engines at work and the calls that wait for one. A full queue refuses.
type queue struct {
	what     string
	places   chan struct{} // of calls, at work and waiting
	engines  chan struct{}
	patience time.Duration
}

func newQueue(what string, atOnce, waiting int, patience time.Duration) *queue {
	return &queue{what, make(chan struct{}, atOnce+waiting), make(chan struct{}, atOnce), patience}
}

// enter takes a place, or refuses at once.
func (q *queue) enter(op string) (leave func(), err error) {
	select {
	case q.places <- struct{}{}:
		return func() { <-q.places }, nil
	default:
		return nil, q.busy(op, fmt.Sprintf("%d %s wait already", cap(q.places), q.what))
	}
}

// turn waits for an engine. The error is busy, or ctx's.
func (q *queue) turn(ctx context.Context, op string) (done func(), err error) {
	timer := time.NewTimer(q.patience)
	defer timer.Stop()
	select {
	case q.engines <- struct{}{}:
		return func() { <-q.engines }, nil
	case <-timer.C:
		return nil, q.busy(op, fmt.Sprintf("no engine was free for %d s", int(q.patience/time.Second)))
	case <-ctx.Done():
		return nil, &domain.Error{Op: op, Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(), Message: "the wait for an engine ended"}
	}
}

func (q *queue) busy(op, why string) error {
	const again = 5 * time.Second
	return &domain.Error{Op: op, Category: domain.Dependency, Code: CodeBusy, Retriable: true, RetryAfter: again,
		Message: fmt.Sprintf("%s: try again in %d s", why, int(again/time.Second))}
}

func asError(err error) (*domain.Error, bool) { return errors.AsType[*domain.Error](err) }
