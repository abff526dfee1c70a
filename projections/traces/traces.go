package traces

import (
	"slices"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Projection folds the lines. Its queries are safe for concurrent use.
type Projection struct {
	mu    sync.RWMutex
	disk  disk
	dirty map[domain.TraceID]*entry // changed since the last save
	order []*entry                  // the same, as they changed first: nearly by where they began
	saved map[domain.TraceID]*entry // saved by it, and kept for the next records
	slab  []entry                   // to allocate by the hundred
	gone  gone                      // retired since the last save, by where they began
}

// entry is a line in memory.
type entry struct {
	Line
	fresh bool // the store doesn't know the trace
}

var (
	_ projections.Committer  = (*Projection)(nil)
	_ projections.Comparable = (*Projection)(nil)
)

// New knows no trace. Load gives it a store to read from.
func New() *Projection {
	return &Projection{disk: disk{store: projections.NewMemStore()}, dirty: map[domain.TraceID]*entry{}}
}

// Name is "traces".
func (p *Projection) Name() string { return "traces" }

// Version is that of the stored lines and of the rule for outcomes.
func (p *Projection) Version() int { return 3 }

// Load forgets what is in memory and reads from s from now on.
func (p *Projection) Load(s projections.Snapshot) error {
	d, err := openDisk(s)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.disk, p.dirty, p.order, p.saved, p.gone = d, map[domain.TraceID]*entry{}, nil, nil, nil
	return nil
}

// Apply counts one record, and forgets the traces that one says went. It fails only when the
// store can't be read.
func (p *Projection) Apply(rec domain.Record) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rec.Envelope.Type == domain.SpanRetiredType {
		if err := p.retire(rec.Envelope); err != nil {
			return err
		}
	}
	trace := rec.Envelope.Trace
	line := p.dirty[trace]
	if line == nil {
		var err error
		if line, err = p.recall(trace); err != nil {
			return err
		}
		if line.fresh {
			line.begin(&rec)
		}
		p.dirty[trace] = line
		p.order = append(p.order, line)
	}
	line.add(&rec)
	return nil
}

// recall finds the line of a trace that has not changed since the last save, or
// makes an empty one.
func (p *Projection) recall(trace domain.TraceID) (*entry, error) {
	if line := p.saved[trace]; line != nil {
		return line, nil
	}
	stored, found, err := p.disk.get(trace)
	if err != nil {
		return nil, err
	}
	if found && p.gone.has(trace, stored.First) {
		stored, found = Line{}, false
	}
	if len(p.slab) == 0 {
		p.slab = make([]entry, 128)
	}
	line := &p.slab[0]
	p.slab = p.slab[1:]
	line.Line, line.fresh = stored, !found
	return line, nil
}

// Save writes the lines that changed.
func (p *Projection) Save(b projections.Batch) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.disk.write(b, slices.Clone(p.order), p.gone)
}

// Saved drops the lines that the save before the last one wrote.
func (p *Projection) Saved() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.order {
		p.disk.wrote(&line.Line)
		line.fresh = false
	}
	p.order = p.order[:0]
	p.saved, p.dirty, p.gone = p.dirty, make(map[domain.TraceID]*entry, len(p.dirty)), nil
}
