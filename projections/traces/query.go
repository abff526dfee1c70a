package traces

import (
	"cmp"
	"slices"

	"chalie/domain"
)

// Get returns the line of a trace; false when the trace is not known.
func (p *Projection) Get(trace domain.TraceID) (Line, bool, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if line := p.dirty[trace]; line != nil {
		return line.Line, true, nil
	}
	return p.disk.get(trace)
}

// List returns up to limit lines, those that began last first, of traces that
// began before a position; 0 is the end of the log. To go on, pass the First of
// the last line. Fewer than limit means that there are no more.
func (p *Projection) List(before domain.Position, limit int) ([]Line, error) {
	if before == 0 {
		before = ^domain.Position(0)
	}
	if limit <= 0 {
		return nil, nil
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	stored, err := p.listStored(before, limit)
	if err != nil {
		return nil, err
	}
	lines := stored
	for _, line := range p.dirty {
		if line.First < before {
			lines = append(lines, line.Line)
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(b.First, a.First) })
	return lines[:min(limit, len(lines))], nil
}

// listStored leaves out what has changed since: memory knows better.
func (p *Projection) listStored(before domain.Position, limit int) ([]Line, error) {
	var out []Line
	var damaged error
	err := p.disk.store.Range([]byte{blockPrefix}, append(blockKey(blockOf(before)), 0), true, func(_, value []byte) bool {
		var lines []Line
		if lines, damaged = decodeBlock(value); damaged != nil {
			return false
		}
		for _, line := range slices.Backward(lines) {
			if line.First < before && p.dirty[line.Trace] == nil && len(out) < limit {
				out = append(out, line)
			}
		}
		return len(out) < limit
	})
	if err == nil {
		err = damaged
	}
	return out, err
}
