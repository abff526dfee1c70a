// Package surroundings is the projection of what is known of where and how the
// person is: the latest of each field that a client of theirs reported.
//
// Unlike other folds it keeps the content, not a reference: what counts is put
// together from several records. It is as small as one of them, and what is
// erased leaves it with the next fold from the start.
package surroundings

import (
	"encoding/json"
	"fmt"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the surroundings. Its queries are safe for concurrent use.
type Projection struct {
	mu    sync.RWMutex
	state domain.ContextUpdated

	changed bool // since the last Save that was kept; guarded by the runner's goroutine
}

var _ projections.Committer = (*Projection)(nil)

// New knows nothing.
func New() *Projection { return &Projection{changed: true} }

// Now is the latest of each field; nil where nobody said anything.
func (p *Projection) Now() domain.ContextUpdated {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.state
}

// Name is "surroundings".
func (p *Projection) Name() string { return "surroundings" }

// Version is that of the stored state and of its fold.
func (p *Projection) Version() int { return 1 }

// Apply folds one record. An erased one tells nothing. The error has
// CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	if rec.Envelope.Type != "context.updated" {
		return nil
	}
	update, err := domain.Decode[domain.ContextUpdated](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return nil
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = update.Over(p.state)
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
	var state domain.ContextUpdated
	if found {
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("read the stored surroundings: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.changed = state, !found
	return nil
}

// Save writes the state when it changed.
func (p *Projection) Save(b projections.Batch) error {
	if !p.changed {
		return nil
	}
	text, err := json.Marshal(p.Now())
	if err != nil {
		return fmt.Errorf("write the surroundings: %w", err)
	}
	return b.Set(stateKey, text)
}

// Saved notes that nothing is left to write.
func (p *Projection) Saved() { p.changed = false }
