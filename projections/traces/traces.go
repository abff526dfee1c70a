package traces

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the lines. Its queries are safe for concurrent use.
type Projection struct {
	mu      sync.RWMutex
	store   projections.Snapshot
	dirty   map[domain.TraceID]*Line // changed since the last save
	saved   map[domain.TraceID]*Line // saved by it, and kept for the next records
	highest domain.TraceID           // greatest id in the store: what is greater is new
	slab    []Line                   // to allocate lines by the hundred
}

var _ projections.Committer = (*Projection)(nil)

// New knows no trace. Load gives it a store to read from.
func New() *Projection {
	return &Projection{store: projections.NewMemStore(), dirty: map[domain.TraceID]*Line{}}
}

// Name is "traces".
func (p *Projection) Name() string { return "traces" }

// Version is that of the stored lines.
func (p *Projection) Version() int { return 1 }

const (
	linePrefix = 't'
	listPrefix = 'l'
)

func lineKey(trace domain.TraceID) []byte {
	return append(append(make([]byte, 0, 17), linePrefix), trace.ID[:]...)
}

func listKey(first domain.Position) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 9), listPrefix), uint64(first))
}

// Load forgets what is in memory and reads from s from now on.
func (p *Projection) Load(s projections.Snapshot) error {
	var highest domain.TraceID
	err := s.Scan([]byte{linePrefix}, true, func(key, _ []byte) bool {
		copy(highest.ID[:], key[1:])
		return false
	})
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.store, p.highest = s, highest
	p.dirty, p.saved = map[domain.TraceID]*Line{}, nil
	return nil
}

// Apply counts one record. It fails only when the store can't be read.
func (p *Projection) Apply(rec domain.Record) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	trace := rec.Envelope.Trace
	line := p.dirty[trace]
	if line == nil {
		var err error
		if line, err = p.recall(trace); err != nil {
			return err
		}
		if line.Envelopes() == 0 {
			line.begin(&rec)
		}
		p.dirty[trace] = line
	}
	line.add(&rec)
	return nil
}

// recall finds the line of a trace that has not changed since the last save, or
// makes an empty one.
func (p *Projection) recall(trace domain.TraceID) (*Line, error) {
	if line := p.saved[trace]; line != nil {
		return line, nil
	}
	stored, found, err := p.stored(trace)
	if err != nil {
		return nil, err
	}
	if len(p.slab) == 0 {
		p.slab = make([]Line, 128)
	}
	line := &p.slab[0]
	p.slab = p.slab[1:]
	if found {
		*line = stored
	}
	return line, nil
}

// stored reads a line from the store. Trace ids mostly rise with time, so most
// new ones need no look.
func (p *Projection) stored(trace domain.TraceID) (Line, bool, error) {
	if bytes.Compare(trace.ID[:], p.highest.ID[:]) > 0 {
		return Line{}, false, nil
	}
	value, found, err := p.store.Get(lineKey(trace))
	if err != nil || !found {
		return Line{}, false, err
	}
	line, err := decode(trace, value)
	if err != nil {
		return Line{}, false, fmt.Errorf("read the line of trace %s: %w", trace, err)
	}
	return line, true, nil
}

// Save writes the lines that changed.
func (p *Projection) Save(b projections.Batch) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var value []byte
	for trace, line := range p.dirty {
		value = line.encode(value[:0])
		if err := b.Set(lineKey(trace), value); err != nil {
			return err
		}
		if err := b.Set(listKey(line.First), trace.ID[:]); err != nil {
			return err
		}
	}
	return nil
}

// Saved lets go of what the save before the last one wrote.
func (p *Projection) Saved() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for trace := range p.dirty {
		if bytes.Compare(trace.ID[:], p.highest.ID[:]) > 0 {
			p.highest = trace
		}
	}
	p.saved, p.dirty = p.dirty, make(map[domain.TraceID]*Line, len(p.dirty))
}
