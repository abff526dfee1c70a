package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"chalie/domain"
)

// Recent returns up to limit exchanges of a conversation after skipping the offset latest
// ones, oldest first, and how many there are in all. It reads no more than it returns,
// however far back that is. It fails when the store can't be read.
func (p *Projection) Recent(of domain.ConversationID, limit, offset int) ([]domain.Exchange, int, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	known, err := p.of(of)
	if err != nil {
		return nil, 0, err
	}
	total := int(known.Total)
	high := total - min(max(offset, 0), total)
	low := high - min(max(limit, 0), high)
	out, err := p.between(of, known, number(low), number(high))
	return out, total, err
}

// between returns the exchanges after low through high.
func (p *Projection) between(of domain.ConversationID, known facts, low, high number) ([]domain.Exchange, error) {
	out := make([]domain.Exchange, high-low)
	if low == high {
		return out, nil
	}
	err := p.disk.each(of, low+1, high, func(n number, x domain.Exchange) { out[n-low-1] = x })
	if err != nil {
		return nil, err
	}
	for i := range out {
		n := low + 1 + number(i)
		if x, changed := p.dirty[place{of, n}]; changed {
			out[i] = x
		}
		if out[i].Position == 0 {
			return nil, missing(n)
		}
		out[i].InWorkingMemory = slices.Contains(known.Memory, n)
	}
	return out, nil
}

func missing(n number) error { return fmt.Errorf("stored exchange %d is missing", n) }

// Thread returns the id of a conversation's first exchange; false before it. All exchanges of
// a conversation are in one thread.
func (p *Projection) Thread(of domain.ConversationID) (domain.ID, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	known, err := p.of(of)
	return known.Thread, err == nil && known.Total > 0
}

// Conversations are all that anything was said in, the latest first.
func (p *Projection) Conversations() ([]domain.Conversation, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	all := map[domain.ConversationID]facts{}
	if err := p.disk.conversations(func(in domain.ConversationID, known facts) { all[in] = known }); err != nil {
		return nil, err
	}
	maps.Copy(all, p.facts)
	out := make([]domain.Conversation, 0, len(all))
	for in, known := range all {
		if known.Total > 0 {
			out = append(out, domain.Conversation{ID: in, Thread: known.Thread, Exchanges: int(known.Total), Last: known.Last})
		}
	}
	domain.SortFunc(out, func(a, b domain.Conversation) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), bytes.Compare(b.Thread[:], a.Thread[:]))
	})
	return out, nil
}
