// Package invocations is the projection of the tool invocations that have not
// ended: few at any time, and after a crash those that somebody has to end.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read.
package invocations

import (
	"encoding/json"
	"fmt"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the open invocations. Its queries are safe for concurrent use.
type Projection struct {
	mu    sync.RWMutex
	state domain.Invocations

	changed bool // since the last Save that was kept; guarded by the runner's goroutine
}

var _ projections.Committer = (*Projection)(nil)

// New knows of none.
func New() *Projection { return &Projection{changed: true} }

// Read calls fn with the state as it is now. fn must be quick, and must neither
// change the state nor keep it.
func (p *Projection) Read(fn func(*domain.Invocations)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	fn(&p.state)
}

// Name is "invocations".
func (p *Projection) Name() string { return "invocations" }

// Version is that of the stored state and of its fold.
func (p *Projection) Version() int { return 1 }

// Apply folds one record. It reads no payload, so there is none that stops it.
func (p *Projection) Apply(rec domain.Record) error {
	if rec.Topic != domain.TopicTools {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Evolve(rec)
	p.changed = true
	return nil
}

var stateKey = []byte("state")

// Load replaces the state with the stored one.
func (p *Projection) Load(s projections.Snapshot) error {
	text, found, err := s.Get(stateKey)
	if err != nil {
		return err
	}
	var state domain.Invocations
	if found {
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("read the stored invocations: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.changed = state, !found
	return nil
}

// Save writes the whole state when it changed: it holds only what is under way.
func (p *Projection) Save(b projections.Batch) error {
	if !p.changed {
		return nil
	}
	p.mu.RLock()
	text, err := json.Marshal(p.state)
	p.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the invocations: %w", err)
	}
	return b.Set(stateKey, text)
}

// Saved notes that nothing is left to write.
func (p *Projection) Saved() { p.changed = false }
