package domaintest

import (
	"context"

	"chalie/domain"
)

// Gaps is a log from which the records at some positions went, as a log's retention leaves it:
// their positions stay taken.
type Gaps struct {
	domain.Log
	Went domain.Runs
}

var _ domain.Log = Gaps{}

// Select implements domain.Reader.
func (g Gaps) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) (out []domain.Record, err error) {
	for len(out) < limit {
		records, err := g.Log.Select(ctx, s, from, limit)
		for _, rec := range records {
			from = rec.Position + 1
			if _, went := g.Went.Covering(rec.Position); !went && len(out) < limit {
				out = append(out, rec)
			}
		}
		if err != nil || len(records) < limit {
			return out, err
		}
	}
	return out, nil
}

// Find implements domain.Reader.
func (g Gaps) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := g.Log.Find(ctx, id)
	if _, went := g.Went.Covering(rec.Position); err == nil && went {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: "it went"}
	}
	return rec, err
}

// Since implements domain.Reader.
func (g Gaps) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	pos, err := g.Log.Since(ctx, t)
	if run, went := g.Went.Covering(pos); err == nil && went {
		pos = run.Through + 1
	}
	return pos, err
}

// Counts implements domain.Counter.
func (g Gaps) Counts(ctx context.Context) (map[domain.TypeVersion]uint64, error) {
	out, err := g.Log.Counts(ctx)
	for _, run := range g.Went {
		records, failed := g.Log.Select(ctx, domain.Selector{}, run.From, int(run.Through-run.From)+1)
		if failed != nil {
			return out, failed
		}
		for _, rec := range records {
			out[domain.TypeVersion{Type: rec.Envelope.Type, Version: rec.Envelope.Version}]--
		}
	}
	return out, err
}
