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
	line, found, err := p.disk.get(trace)
	if found && p.gone.has(trace, line.First) {
		return Line{}, false, err
	}
	return line, found, err
}

// List returns up to limit lines, those that began last first, of traces that
// began before a position; 0 is the end of the log. To go on, pass the First of
// the last line. Fewer than limit means that there are no more.
func (p *Projection) List(before domain.Position, limit int) ([]Line, error) {
	lines, _, err := p.Search(before, limit, limit, nil)
	return lines, err
}

// Search is List of the lines that keep wants; nil wants all. It looks at no more than
// most of them, and says where it came to: pass reached as before to look further
// back. It is 0 when there is nothing further back. keep is called under a lock, and
// must not call the projection.
func (p *Projection) Search(before domain.Position, limit, most int, keep func(*Line) bool) (lines []Line, reached domain.Position, err error) {
	if limit <= 0 || most <= 0 {
		return nil, before, nil
	}
	looked, more := 0, false
	err = p.back(before, func(line *Line) bool {
		if len(lines) == limit || looked == most {
			more = true
			return false
		}
		looked++
		reached = line.First
		if keep == nil || keep(line) {
			lines = append(lines, *line)
		}
		return true
	})
	if !more {
		reached = 0
	}
	return lines, reached, err
}

// back tells each line of what began before a position, the newest first, until fn
// says no. What has changed since it was stored, memory knows better.
func (p *Projection) back(before domain.Position, fn func(*Line) bool) error {
	if before == 0 {
		before = ^domain.Position(0)
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	var recent []*Line
	for _, line := range p.dirty {
		if line.First < before {
			recent = append(recent, &line.Line)
		}
	}
	slices.SortFunc(recent, func(a, b *Line) int { return cmp.Compare(b.First, a.First) })
	// newer are the traces that began after a position.
	newer := func(than domain.Position) bool {
		for len(recent) > 0 && recent[0].First > than {
			if !fn(recent[0]) {
				return false
			}
			recent = recent[1:]
		}
		return true
	}
	var damaged error
	going := true
	err := p.disk.store.Range([]byte{blockPrefix}, append(blockKey(blockOf(before)), 0), true, func(_, value []byte) bool {
		var lines []Line
		if lines, damaged = decodeBlock(value); damaged != nil {
			return false
		}
		for i := len(lines) - 1; i >= 0 && going; i-- {
			line := &lines[i]
			if line.First < before && p.dirty[line.Trace] == nil && !p.gone.has(line.Trace, line.First) {
				going = newer(line.First) && fn(line)
			}
		}
		return going
	})
	if err == nil {
		err = damaged
	}
	if err == nil && going {
		newer(0)
	}
	return err
}
