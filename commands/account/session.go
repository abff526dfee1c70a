package account

import (
	"context"
	"slices"

	"chalie/commands"
	"chalie/domain"
)

// Session reports whether a cookie's secret is a valid session.
//
// A session lives 30 days from its last use, and 90 at most. The first use a day moves its
// expiry in the log, and extended then is the new one; 0 otherwise. When that
// append fails the session goes on as it was: reading must not depend on writing.
func (a *Accounts) Session(ctx context.Context, secret string) (extended domain.Millis, ok bool) {
	if secret == "" {
		return 0, false
	}
	hash, now := domain.HashSecret(secret), a.cfg.Now()
	var open domain.Session
	var move domain.SessionExtended
	var due bool
	var through domain.Position
	a.cfg.Book.Read(func(s *domain.Accounts) {
		if open, ok = s.SessionAt(hash, now); ok {
			move, due = s.Extend(hash, now)
			through = s.Through
		}
	})
	if !due || !a.startExtending(hash) {
		return 0, ok
	}
	defer a.stopExtending(hash)
	entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", move)
	if err != nil {
		return 0, ok
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: move.Keys()[0], After: through}},
	})
	if err != nil {
		return 0, ok
	}
	open.ExpiresAt = move.ExpiresAt
	return open.EndsAt(), ok
}

// Fresh reports whether a cookie's session was opened just now: within domain.SessionFresh.
func (a *Accounts) Fresh(secret string) (fresh bool) {
	a.cfg.Book.Read(func(s *domain.Accounts) { fresh = s.FreshAt(domain.HashSecret(secret), a.cfg.Now()) })
	return fresh
}

// SessionOpen reports whether a session is valid now. Unlike Session it counts as
// no use: it extends nothing and writes nothing.
func (a *Accounts) SessionOpen(hash domain.SecretHash) (open bool) {
	a.cfg.Book.Read(func(s *domain.Accounts) { _, open = s.SessionAt(hash, a.cfg.Now()) })
	return open
}

// HasKey reports whether a key is that of a cookie's session.
func (a *Accounts) HasKey(secret, key string) (has bool) {
	a.cfg.Book.Read(func(s *domain.Accounts) { has = s.Sessions[domain.HashSecret(secret)].HasKey(key) })
	return has
}

// startExtending is false while another request extends the same session.
func (a *Accounts) startExtending(hash domain.SecretHash) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, busy := a.extending[hash]; busy {
		return false
	}
	a.extending[hash] = struct{}{}
	return true
}

func (a *Accounts) stopExtending(hash domain.SecretHash) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.extending, hash)
}

// Sessions are the open sessions, the latest first. It counts as no use of them.
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
			entry, err := commands.EntryOf(a.cfg.Env, lineage, "api", end)
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
