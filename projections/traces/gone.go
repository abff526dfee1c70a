package traces

import (
	"slices"

	"chalie/domain"
)

// gone are traces whose records went, by where they began: whole traces go, or nothing of one.
type gone map[domain.TraceID]domain.Position

// has reports whether the trace that began at a position went.
func (g gone) has(trace domain.TraceID, first domain.Position) bool {
	at, ok := g[trace]
	return ok && at == first
}

// blocks are those that their lines are in, without any change yet.
func (g gone) blocks() map[uint64][]*entry {
	out := make(map[uint64][]*entry, len(g))
	for _, first := range g {
		out[blockOf(first)] = nil
	}
	return out
}

// retire forgets the traces that began where records went. One that went and is erased, or that
// this version can't read, changes nothing.
func (p *Projection) retire(e domain.Envelope) error {
	span, err := domain.Decode[domain.SpanRetired](e)
	if err != nil {
		return nil //nolint:nilerr // as with the other payloads that are read here
	}
	runs, err := span.Positions()
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	went := gone{}
	for _, run := range runs {
		for number := blockOf(run.From); number <= min(blockOf(run.Through), p.disk.newest); number++ {
			lines, err := p.disk.block(number)
			if err != nil {
				return err
			}
			for i := range lines {
				if first := lines[i].First; first >= run.From && first <= run.Through {
					went[lines[i].Trace] = first
				}
			}
		}
	}
	if p.gone == nil {
		p.gone = gone{}
	}
	for trace, first := range went {
		p.gone[trace] = first
		delete(p.saved, trace)
	}
	p.order = slices.DeleteFunc(p.order, func(l *entry) bool {
		_, began := runs.Covering(l.First)
		if began {
			delete(p.dirty, l.Trace)
		}
		return began
	})
	for trace, l := range p.saved { // saved by the last save, and perhaps not readable yet
		if _, began := runs.Covering(l.First); began {
			p.gone[trace] = l.First
			delete(p.saved, trace)
		}
	}
	return nil
}
