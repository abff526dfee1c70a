// Package aliases is the projection of what programs call their commands by.
//
// A program that names its envelopes itself makes random ids. Those would scatter the log's
// index, so a command is recorded under an id of Chalie's, and what the program calls it by
// stands in its payload. This projection finds one by the other: the envelope, the trace and
// the invocation. What one sender calls something means nothing for another: each has names of
// its own, of which the first keeps its meaning.
//
// The names are in the projection's store, not in memory: there are as many as commands. What
// was not saved yet is in memory, too.
package aliases

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Space is what a name is of.
type Space byte

// The spaces.
const (
	Envelopes   Space = 'e' // to the command's envelope
	Traces      Space = 't' // to the trace's id
	Invocations Space = 'i' // to the invocation's id
)

// name is a key of the store: a space, and 16 bytes of the sender and what it calls something.
type name [17]byte

func nameOf(space Space, sender domain.Principal, foreign string) name {
	id := domain.ForeignID(foreign)
	sum := sha256.Sum256(append(id[:], sender...))
	return name(append([]byte{byte(space)}, sum[:16]...))
}

// Projection folds the names. Its queries are safe for concurrent use.
type Projection struct {
	projections.Watermark

	mu    sync.RWMutex
	store projections.Snapshot
	fresh map[name]domain.ID // since the last save that was kept
}

var (
	_ projections.Committer = (*Projection)(nil)
	_ projections.Filter    = (*Projection)(nil)
)

// New knows no name. Load gives it a store to read from.
func New() *Projection {
	return &Projection{store: projections.NewMemStore(), fresh: map[name]domain.ID{}}
}

// Envelope is the envelope of a command by what its sender calls it; false when there is none.
func (p *Projection) Envelope(sender domain.Principal, foreign string) (domain.ID, bool, error) {
	return p.Find(Envelopes, sender, foreign)
}

// Trace is the trace that a sender calls so.
func (p *Projection) Trace(sender domain.Principal, foreign string) (domain.ID, bool, error) {
	return p.Find(Traces, sender, foreign)
}

// Invocation is the invocation that a sender calls so.
func (p *Projection) Invocation(sender domain.Principal, foreign string) (domain.ID, bool, error) {
	return p.Find(Invocations, sender, foreign)
}

// anybody is the sender of what nobody in particular calls something.
const anybody domain.Principal = ""

// Meant is what the person may mean by a name that some sender has for something: what they call so
// themselves, or else what anybody called so first. Nothing is decided by it.
func (p *Projection) Meant(space Space, foreign string) (domain.ID, bool, error) {
	id, known, err := p.Find(space, domain.PrincipalOperator, foreign)
	if known || err != nil {
		return id, known, err
	}
	return p.Find(space, anybody, foreign)
}

// Find is what a sender has a name for; false when it means nothing. The name is any spelling of an id,
// or another text. Errors are those of the store.
func (p *Projection) Find(space Space, sender domain.Principal, foreign string) (domain.ID, bool, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.find(nameOf(space, sender, foreign))
}

func (p *Projection) find(key name) (domain.ID, bool, error) {
	if id, ok := p.fresh[key]; ok {
		return id, true, nil
	}
	value, found, err := p.store.Get(key[:])
	if err != nil || !found {
		return domain.ID{}, false, err
	}
	if len(value) != len(domain.ID{}) {
		return domain.ID{}, false, fmt.Errorf("the stored alias %x has %d bytes, not %d", key, len(value), len(domain.ID{}))
	}
	return domain.ID(value), true, nil
}

// Name is "aliases".
func (p *Projection) Name() string { return "aliases" }

// Version is that of the stored names and of their fold.
func (p *Projection) Version() int { return 2 }

// Load forgets what is in memory and reads from s from now on.
func (p *Projection) Load(s projections.Snapshot) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.store, p.fresh = s, map[name]domain.ID{}
	return nil
}

// Wants reports whether a record is a command.
func (p *Projection) Wants(rec *domain.Record) bool {
	return rec.Envelope.Type == domain.CommandReceivedType
}

// Apply folds one record. An erased command has no name any more. It fails with
// CodeUndecodable, or when the store can't be read.
func (p *Projection) Apply(rec domain.Record) error {
	if !p.Wants(&rec) {
		return nil
	}
	c, err := domain.Decode[domain.CommandReceived](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return nil
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Change(rec.Position)
	fresh := map[name]domain.ID{}
	for _, one := range []struct {
		space   Space
		foreign string
		id      domain.ID
	}{{Envelopes, c.EnvelopeID, rec.Envelope.ID}, {Traces, c.TraceID, rec.Envelope.Trace.ID}, {Invocations, c.InvocationID, c.Invocation}} {
		if one.foreign == "" || one.id.IsZero() {
			continue
		}
		for _, sender := range []domain.Principal{c.Sender, anybody} {
			key := nameOf(one.space, sender, one.foreign)
			if _, taken, err := p.find(key); err != nil {
				return err
			} else if !taken {
				fresh[key] = one.id
			}
		}
	}
	maps.Copy(p.fresh, fresh)
	return nil
}

// Save writes the names that came since the last one.
func (p *Projection) Save(b projections.Batch) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for key, id := range p.fresh {
		if err := b.Set(bytes.Clone(key[:]), bytes.Clone(id[:])); err != nil {
			return err
		}
	}
	return nil
}

// Saved drops what was written: from now on it is read back.
func (p *Projection) Saved() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = map[name]domain.ID{}
}
