package projections

import (
	"context"

	"chalie/domain"
)

// Differing folds a log twice from its beginning: as it is, and without the records that are to
// go. Both end with the record that says which went. It returns the names of the projections
// that then know something else: none, or the records have to stay. What is the same there is the same for
// ever after, because what a projection makes of a record follows from what it knows.
//
// anew makes the projections, empty. Errors are Fold's.
func Differing(ctx context.Context, feed Feed, went domain.Runs, span domain.Record, anew func() []Projection) ([]string, error) {
	all, err := digests(ctx, ending{feed, nil, span}, span.Position, anew())
	if err != nil {
		return nil, err
	}
	left, err := digests(ctx, ending{feed, went, span}, span.Position, anew())
	if err != nil {
		return nil, err
	}
	var out []string
	for i := range all {
		if all[i] != left[i] {
			out = append(out, all[i].Name)
		}
	}
	return out, nil
}

// saveEvery is how many records are folded in memory before they are saved.
const saveEvery = 1 << 15

// digests are what projections know at a position, folded from the beginning.
func digests(ctx context.Context, feed Feed, through domain.Position, ps []Projection) ([]Stand, error) {
	stores := make([]Store, len(ps))
	for i, p := range ps {
		stores[i] = NewMemStore()
		if err := p.Load(stores[i]); err != nil {
			return nil, foldFailed(p, "from its beginning", err)
		}
	}
	for at := domain.Position(0); at < through; {
		next := min(through, at+saveEvery)
		if err := Fold(ctx, feed, at, next, ps...); err != nil {
			return nil, err
		}
		at = next
		for i, p := range ps {
			if err := stores[i].Update(at, p.Save); err != nil {
				return nil, foldFailed(p, "", err)
			}
			if c, ok := p.(Committer); ok {
				c.Saved()
			}
		}
	}
	out := make([]Stand, len(ps))
	for i, p := range ps {
		digest, err := Digest(p, stores[i])
		if err != nil {
			return nil, err
		}
		out[i] = Stand{p.Name(), p.Version(), through, digest}
	}
	return out, nil
}

// ending is a log that lacks the records at some positions and ends with one that the log
// behind it need not have.
type ending struct {
	Feed
	went domain.Runs
	last domain.Record
}

// Tail implements domain.Tailer.
func (e ending) Tail() domain.Position { return e.last.Position }

// Select implements Feed.
func (e ending) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	for from < e.last.Position {
		records, err := e.Feed.Select(ctx, s, from, limit)
		var out []domain.Record
		for _, rec := range records {
			from = rec.Position + 1
			if _, goes := e.went.Covering(rec.Position); !goes && rec.Position < e.last.Position {
				out = append(out, rec)
			}
		}
		if err != nil || len(out) > 0 {
			return out, err
		}
		if len(records) < limit {
			break // the log has no more
		}
	}
	if limit <= 0 || from > e.last.Position {
		return nil, nil
	}
	return []domain.Record{e.last}, nil
}
