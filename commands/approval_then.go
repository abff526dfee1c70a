package commands

import (
	"context"
	"math"
	"slices"

	"chalie/domain"
)

// PendingThen are the proposals that could be decided at a moment, oldest first,
// when book is the fold of the invocations through it. They have no tokens: what
// was can't be decided.
func PendingThen(ctx context.Context, reader domain.Reader, book View[domain.Invocations], at domain.Millis) ([]Proposal, error) {
	records, err := proposed(ctx, reader, book)
	if err != nil {
		return nil, err
	}
	out := make([]Proposal, 0, len(records))
	for _, rec := range records {
		p, err := proposalOf(ctx, reader, rec, at)
		if err != nil {
			return nil, err
		}
		if p.ExpiresAt > at {
			out = append(out, p)
		}
	}
	return out, nil
}

// proposed are the proposals that a fold of the invocations knows as open, oldest
// first.
func proposed(ctx context.Context, reader domain.Reader, book View[domain.Invocations]) ([]domain.Record, error) {
	var at []domain.Position
	book.Read(func(s *domain.Invocations) {
		for _, o := range s.Open {
			if o.Pending > 0 {
				at = append(at, o.Pending)
			}
		}
	})
	slices.Sort(at)
	out := []domain.Record{}
	for _, pos := range at {
		records, err := reader.Select(ctx, domain.Selector{}, pos, 1)
		if err != nil {
			return nil, err
		}
		if len(records) == 0 || records[0].Position != pos {
			continue // the log doesn't keep it any more
		}
		out = append(out, records[0])
	}
	return out, nil
}

// proposalOf reads a proposal, without a token, as it is at now. One that was erased
// has expired: nobody can say any more what it is about.
func proposalOf(ctx context.Context, log domain.Reader, rec domain.Record, now domain.Millis) (Proposal, error) {
	notice, err := domain.ApprovalNotice(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return Proposal{}, err
	}
	notice.ExpiresAt, err = expiry(ctx, log, rec, notice.ExpiresAt, now)
	return Proposal{Notification: notice, Position: rec.Position}, err
}

// expiry is when a proposal expires, which was to expire at a moment. One that was
// made by a clock that was ahead isn't open for as much longer.
func expiry(ctx context.Context, log domain.Reader, rec domain.Record, at, now domain.Millis) (domain.Millis, error) {
	since, err := domain.CountsSince(ctx, log, rec, math.MaxInt64, now)
	return at - (rec.Clock() - since), err
}
