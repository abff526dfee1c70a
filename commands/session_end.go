package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// Sessions are those that are open, the latest first. It counts as no use of them.
func (a *Accounts) Sessions() (open []domain.OpenSession) {
	a.cfg.Book.Read(func(s *domain.Accounts) { open = s.SessionsAt(a.cfg.Now()) })
	return open
}

// Ways are the hosts, with their ports, by which open sessions were logged in. A browser
// sends a session's cookie to no other.
func (a *Accounts) Ways() (ways []string) {
	now := a.cfg.Now()
	a.cfg.Book.Read(func(s *domain.Accounts) {
		for hash := range s.Sessions {
			if one, open := s.SessionAt(hash, now); open && one.Host != "" && !slices.Contains(ways, one.Host) {
				ways = append(ways, one.Host)
			}
		}
	})
	return ways
}

// Operator is the account; nil before it was made.
func (a *Accounts) Operator() (made *domain.Operator) {
	a.cfg.Book.Read(func(s *domain.Accounts) {
		if s.Operator != nil {
			copied := *s.Operator
			made = &copied
		}
	})
	return made
}

// EndSession shuts one session out, for its very next request. Errors: not found
// when it is not open, and what domain.Appender returns.
func (a *Accounts) EndSession(ctx context.Context, id domain.ID) error {
	var end domain.OperatorLoggedOut
	var err error
	a.cfg.Book.Read(func(s *domain.Accounts) { end, err = s.EndSession(id, a.cfg.Now()) })
	if err != nil {
		return err
	}
	return a.endAll(ctx, []domain.OperatorLoggedOut{end})
}

// EndOtherSessions shuts all sessions out but the one of a cookie's secret, "" for
// none, and tells how many that were.
func (a *Accounts) EndOtherSessions(ctx context.Context, secret string) (int, error) {
	var spared domain.SecretHash
	if secret != "" {
		spared = domain.HashSecret(secret)
	}
	var ends []domain.OperatorLoggedOut
	a.cfg.Book.Read(func(s *domain.Accounts) { ends = s.EndOtherSessions(spared, a.cfg.Now()) })
	return len(ends), a.endAll(ctx, ends)
}

// endsPerBatch keeps a batch far below domain.MaxBatchBytes.
const endsPerBatch = 500

// endAll records the ends in one trace: what follows the first was done with it.
func (a *Accounts) endAll(ctx context.Context, ends []domain.OperatorLoggedOut) error {
	lineage := a.cfg.Begin(domain.PrincipalOperator)
	for some := range slices.Chunk(ends, endsPerBatch) {
		var batch domain.Batch
		for _, end := range some {
			entry, err := EntryOf(a.cfg.Env, lineage, "api", end)
			if err != nil {
				return err
			}
			if lineage.Parent.IsZero() {
				lineage = domain.Continue(entry.Envelope)
			}
			batch.Entries = append(batch.Entries, entry)
		}
		if err := a.append(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}
