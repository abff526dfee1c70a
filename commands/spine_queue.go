package commands

import (
	"slices"
	"sync"

	"chalie/domain"
)

// queued is a spine signal that waits for a consumer: a reference.
type queued struct {
	id       domain.ID
	header   domain.Envelope // without its payload
	position domain.Position
}

// spineQueue is what waits for one consumer. It holds what the log holds behind
// the consumer's checkpoint, so losing it costs reading that again.
type spineQueue struct {
	mu      sync.Mutex
	waiting []queued        // oldest first
	running queued          // zero while nothing is
	last    domain.Position // of the latest that was added
	through domain.Position // the topic was read
	state   ConsumerState
	arrived chan struct{} // holds one token when something came
}

func newSpineQueue() *spineQueue { return &spineQueue{arrived: make(chan struct{}, 1)} }

// add puts a signal at the end. Adding the last one again does nothing.
func (q *spineQueue) add(s queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if s.position <= q.last {
		return
	}
	q.last = s.position
	q.waiting = append(q.waiting, s)
	select {
	case q.arrived <- struct{}{}:
	default:
	}
}

// over is the oldest of those that wait when there are more than depth. The first
// of a start may have been in work when the process went, and counts as it then did.
func (q *spineQueue) over(depth int) (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state.Taken == 0 {
		depth++
	}
	if len(q.waiting) <= depth {
		return queued{}, false
	}
	return q.waiting[0], true
}

// drop takes a signal out that is not to be worked on.
func (q *spineQueue) drop(id domain.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := len(q.waiting)
	q.waiting = slices.DeleteFunc(q.waiting, func(s queued) bool { return s.id == id })
	if len(q.waiting) < before {
		q.state.Dropped++
	}
}

// empty reports whether nothing waits.
func (q *spineQueue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) == 0
}

// next takes the oldest out, to be worked on.
func (q *spineQueue) next() (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return queued{}, false
	}
	q.running, q.waiting = q.waiting[0], q.waiting[1:]
	q.state.Taken++
	return q.running, true
}

// done says that the one in work is through, and returns the position through
// which nothing is left to do.
func (q *spineQueue) done() domain.Position {
	q.mu.Lock()
	defer q.mu.Unlock()
	through := q.running.position
	q.running = queued{}
	if len(q.waiting) == 0 {
		through = max(through, q.through)
	}
	return through
}

// read notes how far the topic was read.
func (q *spineQueue) read(through domain.Position) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.through = max(q.through, through)
}

// tell changes what is said of the consumer.
func (q *spineQueue) tell(change func(*ConsumerState)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change(&q.state)
}

// now is what is to be said of the consumer.
func (q *spineQueue) now() ConsumerState {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.state
	s.Waiting, s.Running = len(q.waiting), q.running.id
	if s.Stuck == nil {
		s.Stuck = s.unread
	}
	return s
}
