package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// PendingThen are the proposals that could be decided at a moment, oldest first,
// when book is the fold of the invocations through it. They have no tokens: what
// was can't be decided.
func PendingThen(ctx context.Context, reader domain.Reader, book InvocationBook, at domain.Millis) ([]Proposal, error) {
	records, err := proposed(ctx, reader, book)
	if err != nil {
		return nil, err
	}
	out := make([]Proposal, 0, len(records))
	for _, rec := range records {
		p, err := proposalOf(rec)
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
func proposed(ctx context.Context, reader domain.Reader, book InvocationBook) ([]domain.Record, error) {
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

// proposalOf reads a proposal, without a token. One that was erased has expired:
// nobody can say any more what it is about.
func proposalOf(rec domain.Record) (Proposal, error) {
	notice, err := domain.ApprovalNotice(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return Proposal{}, err
	}
	return Proposal{Notification: notice, Position: rec.Position}, nil
}
