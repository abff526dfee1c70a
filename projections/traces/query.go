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
		return *line, true, nil
	}
	return p.stored(trace)
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
			lines = append(lines, *line)
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(b.First, a.First) })
	return lines[:min(limit, len(lines))], nil
}

// listStored leaves out what has changed since: memory knows better.
func (p *Projection) listStored(before domain.Position, limit int) ([]Line, error) {
	var out []Line
	var failure error
	err := p.store.Range([]byte{listPrefix}, listKey(before), true, func(_, value []byte) bool {
		var trace domain.TraceID
		copy(trace.ID[:], value)
		if p.dirty[trace] != nil {
			return true
		}
		// Not through p.stored: a save that is not over yet is readable already.
		value, found, err := p.store.Get(lineKey(trace))
		if err == nil && !found {
			err = errDamaged
		}
		var line Line
		if err == nil {
			line, err = decode(trace, value)
		}
		if failure = err; failure != nil {
			return false
		}
		out = append(out, line)
		return len(out) < limit
	})
	if err == nil {
		err = failure
	}
	return out, err
}
