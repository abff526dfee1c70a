package domain

import "context"

// PageBytes is how much is read of a log at once where records may be many: a thousand
// of ordinary size.
const PageBytes = 2 << 20

// Selecter reads the records of one index, as Reader says.
type Selecter interface {
	Select(ctx context.Context, s Selector, from Position, limit int) ([]Record, error)
}

// WithinReader is a reader that looks at the bytes it has read, too.
type WithinReader interface {
	// SelectWithin is Select that stops behind the record with which all of them take
	// bytes or more: so it returns one at least when there is one, and cut says that what
	// is missing to the limit was left out for its size. The same call cuts at the same
	// record, whenever it is made.
	SelectWithin(ctx context.Context, s Selector, from Position, limit, bytes int) (records []Record, cut bool, err error)
}

// SelectWithin is a reader's own SelectWithin, and Selects of a few records each of one
// that has none. Whoever reads many records reads them so: a thousand of the largest
// are half a gigabyte.
func SelectWithin(ctx context.Context, r Selecter, s Selector, from Position, limit, bytes int) (records []Record, cut bool, err error) {
	if own, ok := r.(WithinReader); ok {
		return own.SelectWithin(ctx, s, from, limit, bytes)
	}
	size := 0
	for len(records) < limit {
		step := min(limit-len(records), selectStep)
		some, err := r.Select(ctx, s, from, step)
		for i := range some {
			size += some[i].Size()
		}
		records = append(records, some...)
		switch {
		case err != nil || len(some) < step:
			return records, false, err
		case size >= bytes:
			return records, len(records) < limit, nil
		}
		from = some[step-1].Position + 1
	}
	return records, false, nil
}

// Look calls fn for up to limit records from a position on, and returns how many there
// were. It has PageBytes of them in memory at a time.
func Look(ctx context.Context, r Selecter, s Selector, from Position, limit int, fn func(Record)) (looked int, err error) {
	for looked < limit {
		records, cut, err := SelectWithin(ctx, r, s, from, limit-looked, PageBytes)
		for _, rec := range records {
			fn(rec)
			from = rec.Position + 1
		}
		looked += len(records)
		if err != nil || !cut {
			return looked, err
		}
	}
	return looked, nil
}

// selectStep bounds one Select of SelectWithin: some of the largest records are read in
// vain then, and no more.
const selectStep = 64

// Size is about what the record takes: in a log on a disk, and in memory.
func (r *Record) Size() int { return Entry{r.Topic, r.Envelope}.size() }
