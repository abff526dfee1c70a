package httpapi

import (
	"context"

	"chalie/domain"
)

// page is some records, and where to go on. cut says that there are fewer than were asked
// for because they are large.
type page struct {
	records []domain.Record
	next    domain.Position
	cut     bool
	size    int
}

// add takes a record in, and reports whether the page is as large as one may be.
func (p *page) add(rec domain.Record) (full bool) {
	p.records = append(p.records, rec)
	p.size += rec.Size()
	return p.size >= domain.PageBytes
}

// ends is the page where the next one begins at a position.
func (p page) ends(next domain.Position, cut bool) page {
	p.next, p.cut = next, cut
	return p
}

// matching reads up to limit records that pass every filter.
func (a *API) matching(ctx context.Context, q logQuery) (page, error) {
	out := page{records: make([]domain.Record, 0, min(q.limit, 128))}
	for looked := 0; ; {
		// The tail is read first: what the select then doesn't find up to it
		// isn't there, and need not be looked at again.
		tail := a.cfg.Log.Tail()
		records, cut, err := domain.SelectWithin(ctx, a.cfg.Log, q.selector, q.from, q.whole(), domain.PageBytes)
		if err != nil {
			return page{}, err
		}
		for _, rec := range records {
			if q.before > 0 && rec.Position >= q.before {
				return out.ends(max(q.from, q.before), false), nil
			}
			q.from = rec.Position + 1
			full := q.matches(rec) && out.add(rec)
			if looked++; len(out.records) == q.limit || looked == q.look {
				return out.ends(q.from, false), nil
			}
			if full {
				return out.ends(q.from, true), nil
			}
		}
		if !cut && len(records) < q.whole() {
			end := tail + 1
			if q.before > 0 {
				end = min(end, q.before)
			}
			return out.ends(max(q.from, end), false), nil
		}
	}
}
