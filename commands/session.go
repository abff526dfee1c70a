package commands

import (
	"context"

	"chalie/domain"
)

// Session reports whether a cookie's secret is a valid session.
//
// A session lives 30 days from its last use. The first use a day moves its
// expiry in the log, and extended then is the new one; 0 otherwise. When that
// append fails the session goes on as it was: reading must not depend on writing.
func (a *Accounts) Session(ctx context.Context, secret string) (extended domain.Millis, ok bool) {
	if secret == "" {
		return 0, false
	}
	hash, now := domain.HashSecret(secret), a.cfg.Now()
	var move domain.SessionExtended
	var due bool
	var through domain.Position
	a.cfg.Book.Read(func(s *domain.Accounts) {
		if _, ok = s.SessionAt(hash, now); ok {
			move, due = s.Extend(hash, now)
			through = s.Through
		}
	})
	if !due || !a.startExtending(hash) {
		return 0, ok
	}
	defer a.stopExtending(hash)
	entry, err := EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", move)
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
	return move.ExpiresAt, ok
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
