// Package plans is the projection of plans: reminders, tasks and lists,
// by reference. The words are in the log.
//
// The fold is package domain's; this package keeps it, saves it, lets it be read
// and says when it changes.
package plans

import (
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the plans. It is saved whole: the state is references and
// numbers, and a plan that has ended is remembered for a while only.
type Projection struct {
	*projections.InMemory[domain.Plans]

	mu      sync.Mutex
	changed chan struct{}
}

var (
	_ projections.Committer  = (*Projection)(nil)
	_ projections.HotSwapper = (*Projection)(nil)
)

// New knows of none.
func New() *Projection {
	return &Projection{InMemory: projections.NewInMemory("plans", 2, isPlan, (*domain.Plans).Evolve), changed: make(chan struct{})}
}

func isPlan(rec *domain.Record) bool {
	return rec.Topic == domain.TopicCommitments || rec.Envelope.Type == domain.TimerDueType
}

// Apply folds one record, and then wakes those that wait for a change.
func (p *Projection) Apply(rec domain.Record) error {
	if err := p.InMemory.Apply(rec); err != nil {
		return err
	}
	if isPlan(&rec) {
		p.tell()
	}
	return nil
}

// Load replaces the state with the stored one, which is a change.
func (p *Projection) Load(s projections.Snapshot) error {
	defer p.tell()
	return p.InMemory.Load(s)
}

// Adopt goes on as another version of itself, which is a change.
func (p *Projection) Adopt(next projections.Projection, s projections.Snapshot) error {
	defer p.tell()
	return p.InMemory.Adopt(next, s)
}

// Changed is closed at the next change after the call. It is safe for concurrent
// use.
func (p *Projection) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

func (p *Projection) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}
