// Package registry is the projection of who Chalie speaks with: the interfaces
// and what they offer and may do, the pairing keys that were issued, and the
// broadcasts that are listened to. Keys and tokens are known by their hashes only.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read. Every read sees the registry as it was after one record. The interfaces
// it points to are never changed once they can be read: a record that changes one
// puts a changed copy in its place, so they may be kept.
package registry

import (
	"encoding/json"
	"fmt"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the interfaces. Its queries are safe for concurrent use.
type Projection struct {
	mu    sync.RWMutex
	state domain.Registry

	changed bool // since the last Save that was kept; guarded by the runner's goroutine
}

var _ projections.Committer = (*Projection)(nil)

// New knows nobody.
func New() *Projection { return &Projection{changed: true} }

// Read calls fn with the registry as it is now. fn must be quick, and must neither
// change the registry nor keep it; the interfaces in it may be kept.
func (p *Projection) Read(fn func(*domain.Registry)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	fn(&p.state)
}

// Name is "registry".
func (p *Projection) Name() string { return "registry" }

// Version is that of the stored state and of its fold.
func (p *Projection) Version() int { return 1 }

// Apply folds one record. Its error has CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	if rec.Topic != domain.TopicInterfaces {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.state.Evolve(rec); err != nil {
		return err
	}
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
	var state domain.Registry
	if found {
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("read the stored registry: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.changed = state, !found
	return nil
}

// Save writes the whole registry when it changed. That is seldom: only the
// comings and goings of interfaces and streams change it.
func (p *Projection) Save(b projections.Batch) error {
	if !p.changed {
		return nil
	}
	p.mu.RLock()
	text, err := json.Marshal(p.state)
	p.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the registry: %w", err)
	}
	return b.Set(stateKey, text)
}

// Saved notes that nothing is left to write.
func (p *Projection) Saved() { p.changed = false }
