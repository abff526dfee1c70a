package commands

import (
	"context"
	"errors"
	"slices"
	"sync"

	"chalie/domain"
)

// ErrPreempted is the cause with which the context of a background cycle ends when
// somebody has said something to Chalie.
var ErrPreempted = errors.New("somebody waits for an answer")

// Preemption is ErrPreempted with the message that waits.
type Preemption struct{ By domain.ID }

// Error says so.
func (p *Preemption) Error() string { return ErrPreempted.Error() }

// Unwrap makes it ErrPreempted.
func (p *Preemption) Unwrap() error { return ErrPreempted }

// Background takes up what services noticed, one signal at a time.
type Background interface {
	// Cycle goes on with the episode that the spine signal rec opens, from where the
	// log says it is.
	//
	// done means that the episode has ended, durably. Without done and without an
	// error it has made room: it is called again, with the same record, once nobody
	// waits any more. When ctx ends with the cause ErrPreempted it makes room within
	// one step. An error says that it couldn't go on; one that is retriable, or a
	// dependency's, is tried again later, any other three times at most.
	Cycle(ctx context.Context, rec domain.Record) (done bool, err error)
}

// Priority knows whether somebody waits for an answer. It is *Foreground.
type Priority interface {
	// Waiting reports whether a message is being answered, or waits to be.
	Waiting() bool
	// First is the message that has waited longest; none when nobody waits.
	First() domain.ID
	// Changed is closed when Waiting may be something else than it was.
	Changed() <-chan struct{}
}

// Foreground counts those who wait for an answer. Who hears of a message enters it
// at once, and leaves when its episode is over: then there is no gap between two
// that wait, and background work doesn't go on in between. The zero Foreground is
// ready, and is safe for concurrent use.
type Foreground struct {
	mu      sync.Mutex
	waiting []*domain.ID  // in the order in which they came
	changed chan struct{} // nil until somebody asks
}

var _ Priority = (*Foreground)(nil)

// Enter says that somebody waits for the answer to a message, until leave is
// called. Calling leave again does nothing.
func (f *Foreground) Enter(message domain.ID) (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = append(f.waiting, &message)
	f.tell(len(f.waiting) == 1)
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.waiting = slices.DeleteFunc(f.waiting, func(m *domain.ID) bool { return m == &message })
		f.tell(len(f.waiting) == 0)
	})
}

// tell wakes those who asked whether anybody waits.
func (f *Foreground) tell(changed bool) {
	if changed && f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// First is the message that has waited longest.
func (f *Foreground) First() domain.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.waiting) == 0 {
		return domain.ID{}
	}
	return *f.waiting[0]
}

// Waiting reports whether anybody waits.
func (f *Foreground) Waiting() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting) > 0
}

// Changed is closed when the first comes or the last has left. Ask for it before
// asking whether anybody waits: then nothing is missed.
func (f *Foreground) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}
