package transcript

import (
	"fmt"
	"slices"

	"chalie/domain"
)

// Recent returns up to limit exchanges after skipping the offset latest ones,
// oldest first, and how many there are in all. It reads no more than it returns,
// however far back that is. It fails when the store can't be read.
func (p *Projection) Recent(limit, offset int) ([]domain.Exchange, int, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	total := int(p.facts.Total)
	high := total - min(max(offset, 0), total)
	low := high - min(max(limit, 0), high)
	out, err := p.between(number(low), number(high))
	return out, total, err
}

// between returns the exchanges after low through high.
func (p *Projection) between(low, high number) ([]domain.Exchange, error) {
	out := make([]domain.Exchange, high-low)
	if low == high {
		return out, nil
	}
	err := p.disk.each(low+1, high, func(n number, x domain.Exchange) { out[n-low-1] = x })
	if err != nil {
		return nil, err
	}
	for i := range out {
		n := low + 1 + number(i)
		if x, changed := p.dirty[n]; changed {
			out[i] = x
		}
		if out[i].Position == 0 {
			return nil, missing(n)
		}
		out[i].InWorkingMemory = slices.Contains(p.facts.Memory, n)
	}
	return out, nil
}

func missing(n number) error { return fmt.Errorf("stored exchange %d is missing", n) }

// Thread returns the id of the first exchange; false before it. There is one
// thread, and all exchanges are in it.
func (p *Projection) Thread() (domain.ID, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.facts.Thread, p.facts.Total > 0
}
