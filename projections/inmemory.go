package projections

import (
	"encoding/json"
	"fmt"
	"sync"

	"chalie/domain"
)

// InMemory is a projection whose whole state is small and changes seldom: it is kept
// in memory and saved as one JSON text when it changed. What is asked of it often can
// be a query of a type that embeds it.
//
// It is an [HotSwapper]: a package whose fold changes keeps the old one as a function
// beside the new one for as long as the old version may still serve.
//
// S must hold all of its state in what JSON writes of it.
type InMemory[S any] struct {
	Watermark

	name string

	mu    sync.RWMutex // guards all but name for queries; only the runner's goroutine writes
	law   foldVersion[S]
	state S

	changed bool          // since the last Save that was kept; guarded by the runner's goroutine
	next    chan struct{} // closed at the next change; nil while nobody waits for one
}

// foldVersion is the fold of one version of a projection.
type foldVersion[S any] struct {
	version int
	empty   func() S
	wants   func(*domain.Record) bool // nil for every record
	evolve  func(*S, domain.Record) error
}

// NewInMemory is a fold by evolve of the records that are wanted, and only of those:
// wants is asked for every record of the log, without a lock, so it should look at
// topic or type and nothing else; nil wants all. An error of evolve must have changed
// nothing.
func NewInMemory[S any](name string, version int, wants func(*domain.Record) bool, evolve func(*S, domain.Record) error) *InMemory[S] {
	return NewInMemoryFrom(func() (zero S) { return zero }, name, version, wants, evolve)
}

// NewInMemoryFrom is NewInMemory with a state that empty makes before the first record:
// with what the fold goes by, which isn't stored.
func NewInMemoryFrom[S any](empty func() S, name string, version int, wants func(*domain.Record) bool, evolve func(*S, domain.Record) error) *InMemory[S] {
	return &InMemory[S]{name: name, law: foldVersion[S]{version, empty, wants, evolve}, state: empty(), changed: true}
}

// Read calls fn with the state as it is now. fn must be quick, and must neither
// change the state nor keep it. It is safe for concurrent use.
func (p *InMemory[S]) Read(fn func(*S)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	fn(&p.state)
}

// Changed is closed at the next change after the call. It is safe for concurrent use.
func (p *InMemory[S]) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.next
}

// tell wakes those that wait for a change. The caller holds the lock.
func (p *InMemory[S]) tell() {
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}

// Name is the name given to NewInMemory.
func (p *InMemory[S]) Name() string { return p.name }

// Version is that of the stored state and of its fold.
func (p *InMemory[S]) Version() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.law.version
}

// Wants reports whether the fold is of such records.
func (p *InMemory[S]) Wants(rec *domain.Record) bool {
	return p.law.wants == nil || p.law.wants(rec)
}

// Apply folds one record.
func (p *InMemory[S]) Apply(rec domain.Record) error {
	if wants := p.law.wants; wants != nil {
		// A copy, because what an unknown function is given the address of goes to the heap:
		// a fold of every record would pay for it with each.
		if header := rec; !wants(&header) {
			return nil
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Change(rec.Position)
	if err := p.law.evolve(&p.state, rec); err != nil {
		return err
	}
	p.changed = true
	p.tell()
	return nil
}

var wholeKey = []byte("state")

// Load replaces the state with the stored one, which is a change.
func (p *InMemory[S]) Load(s Snapshot) error { return p.load(s, p.law) }

// Adopt takes over the version and the fold of next, and the state in s, which is a
// change.
func (p *InMemory[S]) Adopt(next Projection, s Snapshot) error {
	other, ok := next.(interface{ itself() *InMemory[S] })
	if !ok {
		return fmt.Errorf("%s can't become a %T", p.name, next)
	}
	return p.load(s, other.itself().law)
}

// itself finds the InMemory in a projection that embeds it.
func (p *InMemory[S]) itself() *InMemory[S] { return p }

func (p *InMemory[S]) load(s Snapshot, by foldVersion[S]) error {
	text, found, err := s.Get(wholeKey)
	if err != nil {
		return err
	}
	state := by.empty()
	if found {
		if err := json.Unmarshal(text, &state); err != nil {
			return fmt.Errorf("read the stored state of %s: %w", p.name, err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.law, p.state, p.changed = by, state, !found
	p.tell()
	return nil
}

// Save writes the whole state when it changed.
func (p *InMemory[S]) Save(b Batch) error {
	if !p.changed {
		return nil
	}
	p.mu.RLock()
	text, err := json.Marshal(p.state)
	p.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the state of %s: %w", p.name, err)
	}
	return b.Set(wholeKey, text)
}

// Saved notes that nothing is left to write.
func (p *InMemory[S]) Saved() { p.changed = false }
