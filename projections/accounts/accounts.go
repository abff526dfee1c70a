// Package accounts is the projection of who may come in: the operator, the open
// sessions, the active tokens. Secrets are known by their hashes only.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read.
package accounts

import (
	"encoding/json"
	"fmt"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the accounts. Its queries are safe for concurrent use.
type Projection struct {
	mu    sync.RWMutex
	state domain.Accounts

	changed bool // since the last Save that was kept; guarded by the runner's goroutine
}

var _ projections.Committer = (*Projection)(nil)

// New knows nobody.
func New() *Projection { return &Projection{changed: true} }

// Read calls fn with the state as it is now. fn must be quick, and must neither
// change the state nor keep it.
func (p *Projection) Read(fn func(*domain.Accounts)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	fn(&p.state)
}

// Name is "accounts".
func (p *Projection) Name() string { return "accounts" }

// Version is that of the stored state and of its fold.
func (p *Projection) Version() int { return 1 }

// Apply folds one record. Its error has CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	if rec.Topic != domain.TopicAccounts {
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
	var state domain.Accounts
	if found {
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("read the stored accounts: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.changed = state, !found
	return nil
}

// Save writes the whole state when it changed: one person's accounts are few.
func (p *Projection) Save(b projections.Batch) error {
	if !p.changed {
		return nil
	}
	p.mu.RLock()
	text, err := json.Marshal(p.state)
	p.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the accounts: %w", err)
	}
	return b.Set(stateKey, text)
}

// Saved notes that nothing is left to write.
func (p *Projection) Saved() { p.changed = false }
