package replay

import (
	"context"
	"fmt"
	"maps"
	"sort"

	"chalie/domain"
)

// Select implements domain.Reader.
func (b *Branch) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "select"); err != nil {
		return nil, err
	}
	from, limit = max(from, 1), max(limit, 0)
	own, all, err := b.postings.Picked(s)
	switch {
	case err != nil:
		return nil, err
	case all:
		return b.inOrder(ctx, from, limit)
	}
	return b.picked(ctx, s, own, from, limit)
}

// inOrder is every record from a position on.
func (b *Branch) inOrder(ctx context.Context, from domain.Position, limit int) ([]domain.Record, error) {
	var out []domain.Record
	if from <= b.through && limit > 0 {
		records, err := b.base.Select(ctx, domain.Selector{}, from, int(min(domain.Position(limit), b.through-from+1)))
		if err != nil {
			return records, err
		}
		out = append(out, records...)
	}
	for pos := max(from, b.through+1); pos <= b.tail() && len(out) < limit; pos = b.through + 1 + domain.Position(b.next(pos)) {
		first := b.slots[pos-b.through-1]
		if first.in < 0 {
			out = append(out, b.own[-1-first.in])
			continue
		}
		run := min(b.next(pos)-int(pos-b.through-1), limit-len(out))
		records, err := b.base.Select(ctx, domain.Selector{}, domain.Position(first.in), run)
		for i, rec := range records {
			out = append(out, b.shown(rec, pos+domain.Position(i)))
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// next is the index of the slot behind those that can be read together with the one
// at a position: records that stand together in the base, too.
func (b *Branch) next(pos domain.Position) int {
	i := int(pos - b.through - 1)
	for ; i+1 < len(b.slots) && b.slots[i].in >= 0 && b.slots[i+1].in == b.slots[i].in+1; i++ {
		continue
	}
	return i + 1
}

// shown is a record of the base as the branch has it.
func (b *Branch) shown(rec domain.Record, here domain.Position) domain.Record {
	rec.Position = here
	if here > b.through {
		clock := rec.Clock()
		rec.RecordedAt = b.slots[here-b.through-1].at
		rec.Ahead = rec.RecordedAt - clock
	}
	return rec
}

// picked is what a selector picks: of the base what is shown, and the own records
// at the positions given, in order of position.
func (b *Branch) picked(ctx context.Context, s domain.Selector, own []domain.Position, from domain.Position, limit int) ([]domain.Record, error) {
	own = own[sort.Search(len(own), func(i int) bool { return own[i] >= from }):]
	out := make([]domain.Record, 0, min(limit, len(own)+1))
	take := func() {
		out = append(out, b.own[-1-b.slots[own[0]-b.through-1].in])
		own = own[1:]
	}
	at := b.inBase(from)
	for at > 0 && len(out) < limit {
		n := limit - len(out)
		records, err := b.base.Select(ctx, s, at, n)
		for _, rec := range records {
			here, ok := b.here(rec.Position)
			if !ok {
				continue
			}
			for len(own) > 0 && own[0] < here && len(out) < limit {
				take()
			}
			if len(out) < limit {
				out = append(out, b.shown(rec, here))
			}
		}
		if err != nil {
			return out, err
		}
		if len(records) < n || records[n-1].Position >= b.lastKept() {
			break
		}
		at = records[n-1].Position + 1
	}
	for len(own) > 0 && len(out) < limit {
		take()
	}
	return out, nil
}

// inBase is where in the base what the branch shows from a position on begins; 0
// when nothing of it does.
func (b *Branch) inBase(from domain.Position) domain.Position {
	if from <= b.through {
		return from
	}
	i := sort.Search(len(b.kept), func(i int) bool { return b.kept[i].here >= from })
	if i == len(b.kept) {
		return 0
	}
	return b.kept[i].base
}

// Find implements domain.Reader.
func (b *Branch) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "find envelope"); err != nil {
		return domain.Record{}, err
	}
	return b.find(ctx, id)
}

func (b *Branch) find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if pos, ok := b.postings.Find(id); ok {
		return b.own[-1-b.slots[pos-b.through-1].in], nil
	}
	rec, err := b.base.Find(ctx, id)
	if err != nil {
		return domain.Record{}, err
	}
	here, ok := b.here(rec.Position)
	if !ok {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("envelope %s isn't in this branch: it is only in the log that the branch is of", id)}
	}
	return b.shown(rec, here), nil
}

// Since implements domain.Reader.
func (b *Branch) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "find a time"); err != nil {
		return 0, err
	}
	pos, err := b.base.Since(ctx, t)
	if err != nil || pos <= b.through {
		return pos, err
	}
	return b.through + 1 + domain.Position(sort.Search(len(b.slots), func(i int) bool { return b.slots[i].at >= t })), nil
}

// Counts implements domain.Counter. What lies before the fork is counted when it is
// asked for, which reads all of it.
func (b *Branch) Counts(ctx context.Context) (map[domain.TypeVersion]uint64, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.readable(ctx, "count records"); err != nil {
		return nil, err
	}
	out := maps.Clone(b.counts)
	if out == nil {
		out = map[domain.TypeVersion]uint64{}
	}
	const page = 512
	for from := domain.Position(1); from <= b.through; {
		records, _, err := domain.SelectWithin(ctx, b.base, domain.Selector{}, from, int(min(page, b.through-from+1)), domain.PageBytes)
		if err != nil || len(records) == 0 {
			return out, err
		}
		for _, rec := range records {
			out[schemaOf(rec.Envelope)]++
		}
		from = records[len(records)-1].Position + 1
	}
	return out, nil
}

func (b *Branch) count(env domain.Envelope) {
	if b.counts == nil {
		b.counts = map[domain.TypeVersion]uint64{}
	}
	b.counts[schemaOf(env)]++
}

func schemaOf(env domain.Envelope) domain.TypeVersion {
	return domain.TypeVersion{Type: env.Type, Version: env.Version}
}
