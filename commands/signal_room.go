package commands

import (
	"context"

	"chalie/domain"
)

// besideAnswers is how many appends of signals may be under way while somebody
// waits for an answer. One would leave the log idle between two of them; with two,
// a flood of signals slows an answer to twice what it takes alone at worst, and
// without a bound to three or four times.
const besideAnswers = 2

// room is what signals make for who waits for an answer: what is overheard can
// wait for some milliseconds, who asked something notices them.
type room struct {
	priority Priority      // nil: nobody ever waits
	slots    chan struct{} // each element is an append under way
}

func newRoom(p Priority) *room {
	return &room{priority: p, slots: make(chan struct{}, besideAnswers)}
}

// enter waits for a place while there is somebody to make room for; leave gives it
// back. The error is retriable: nothing was appended.
func (r *room) enter(ctx context.Context) (leave func(), err error) {
	if r.priority == nil || !r.priority.Waiting() {
		return func() {}, nil
	}
	select {
	case r.slots <- struct{}{}:
		return func() { <-r.slots }, nil
	case <-ctx.Done():
		return nil, &domain.Error{Op: "submit signal", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: context.Cause(ctx),
			Message: "it was given up while it waited for an answer to be finished; nothing was recorded: send it again"}
	}
}
