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
	whole   chan struct{} // closed when everything of before was read: only then it is known what was dropped
	once    sync.Once
}

func newSpineQueue() *spineQueue {
	return &spineQueue{arrived: make(chan struct{}, 1), whole: make(chan struct{})}
}

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

// over takes out the oldest of those that wait when there are more than depth: what
// is to be dropped can't be taken up meanwhile. The first of a start may have been in
// work when the process went, and counts as it then did.
func (q *spineQueue) over(depth int) (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state.Taken == 0 {
		depth++
	}
	if len(q.waiting) <= depth {
		return queued{}, false
	}
	oldest := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.state.Dropped++
	return oldest, true
}

// back puts in front again what was not dropped after all.
func (q *spineQueue) back(s queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.Insert(q.waiting, 0, s)
	q.state.Dropped--
}

// forget takes out a signal that was dropped before.
func (q *spineQueue) forget(id domain.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(s queued) bool { return s.id == id })
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
	q.once.Do(func() { close(q.whole) })
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
