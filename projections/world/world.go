// Package world is the projection of the world state: what Chalie has overheard,
// what is planned, and what of it matters at a moment.
//
// It remembers references and numbers, never texts; scores are computed when
// asked, from the moment asked for. The rules are package domain's.
package world

import (
	"encoding/json"
	"fmt"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the world state. Its queries are safe for concurrent use.
type Projection struct {
	mu      sync.RWMutex
	version int
	rules   domain.WorldRules
	state   domain.World
	pos     domain.Position // of the last record applied
}

var (
	_ projections.Committer  = (*Projection)(nil)
	_ projections.HotSwapper = (*Projection)(nil)
)

// version is that of the stored state and of the rules it is folded by.
const version = 4

// New is an empty world that is scored by rules.
func New(rules domain.WorldRules) *Projection { return Of(version, rules) }

// Of is an empty world of another version: one that is folded by other rules.
func Of(version int, rules domain.WorldRules) *Projection {
	return &Projection{version: version, rules: rules}
}

// At is the world state at a moment, and the position it was folded through,
// without how its items bear on one another: that takes their texts. A moment
// before a signal was recorded counts, for it, as that moment.
func (p *Projection) At(now domain.Millis) (domain.Assembly, domain.Position) {
	p.mu.RLock()
	state, pos, rules := p.state.Clone(), p.pos, p.rules
	p.mu.RUnlock()
	return state.Assemble(rules, nil, now), pos
}

// State is a copy of the world, and the position it was folded through.
func (p *Projection) State() (domain.World, domain.Position) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.state.Clone(), p.pos
}

// Rules score the items.
func (p *Projection) Rules() domain.WorldRules {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.rules
}

// Name is "world".
func (p *Projection) Name() string { return "world" }

// Version is that of the stored state and of the rules it is folded by.
func (p *Projection) Version() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.version
}

// Apply folds one record. Its error has CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.state.Evolve(p.rules, rec); err != nil {
		return err
	}
	p.pos = rec.Position
	return nil
}

// stored is the whole state, under one key.
type stored struct {
	Position domain.Position    `json:"position"`
	Signals  []signal           `json:"signals"`
	Dropped  []signal           `json:"dropped"`
	Plans    domain.Commitments `json:"plans"`
	Setbacks domain.Setbacks    `json:"setbacks"`
}

type signal struct {
	EnvelopeID domain.ID       `json:"id"`
	Position   domain.Position `json:"pos"`
	RecordedAt domain.Millis   `json:"at"`
	Ahead      domain.Millis   `json:"ahead,omitempty"`
	Energy     domain.PPM      `json:"energy"`
}

var stateKey = []byte("state")

// Load replaces the state with the stored one.
func (p *Projection) Load(s projections.Snapshot) error {
	return p.load(s, p)
}

// Adopt takes over the version and the rules of next, and the state in s.
func (p *Projection) Adopt(next projections.Projection, s projections.Snapshot) error {
	other, ok := next.(*Projection)
	if !ok {
		return fmt.Errorf("the world can't become a %T", next)
	}
	return p.load(s, other)
}

// load takes the state from s, to be folded on as by does it.
func (p *Projection) load(s projections.Snapshot, by *Projection) error {
	text, found, err := s.Get(stateKey)
	if err != nil {
		return err
	}
	var in stored
	if found {
		if err := json.Unmarshal(text, &in); err != nil {
			return fmt.Errorf("read the stored world state: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.version, p.rules = by.version, by.rules
	p.pos = in.Position
	p.state = domain.World{Signals: candidates(in.Signals), Dropped: candidates(in.Dropped), Plans: in.Plans, Setbacks: in.Setbacks}
	return nil
}

// Save writes the whole state: it is small, and changes all over.
func (p *Projection) Save(b projections.Batch) error {
	p.mu.RLock()
	text, err := json.Marshal(stored{p.pos, signals(p.state.Signals), signals(p.state.Dropped), p.state.Plans, p.state.Setbacks})
	p.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the world state: %w", err)
	}
	return b.Set(stateKey, text)
}

// Saved does nothing: the next Save writes everything again.
func (p *Projection) Saved() {}

func candidates(in []signal) []domain.Candidate {
	out := make([]domain.Candidate, len(in))
	for i, s := range in {
		out[i] = domain.Candidate{Kind: domain.ItemSignal, EnvelopeID: s.EnvelopeID, Position: s.Position, RecordedAt: s.RecordedAt, Ahead: s.Ahead, Energy: s.Energy}
	}
	return out
}

func signals(in []domain.Candidate) []signal {
	out := make([]signal, len(in))
	for i, c := range in {
		out[i] = signal{c.EnvelopeID, c.Position, c.RecordedAt, c.Ahead, c.Energy}
	}
	return out
}
