package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// maxShown bounds the clients of a session that are remembered to have shown its key.
// They are not recorded: after a start a page shows it again before it loads anything.
const maxShown = 16

// Used takes note of how a valid session's cookie came, and from whom. Where the person
// is to be told of it, it stands in the log when this returns; an error means that it
// doesn't, and is told again at the next use.
func (a *Accounts) Used(ctx context.Context, secret string, use domain.Use, who domain.Visitor) error {
	hash := domain.HashSecret(secret)
	if use == domain.Keyed {
		a.shows(hash, who.Client())
		return nil
	}
	var found domain.SessionUsedElsewhere
	var told bool
	var through domain.Position
	known := a.shownBy(hash)
	a.cfg.Book.Read(func(s *domain.Accounts) {
		found, told = s.Elsewhere(hash, use, who, known)
		through = s.Through
	})
	if !told {
		return nil
	}
	entry, err := EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalCore), "api", found)
	if err != nil {
		return err
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: found.Keys()[0], After: through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // at the same moment something else was recorded of it; the next use finds out
	}
	return err
}

// shows remembers that a client showed the key of a session.
func (a *Accounts) shows(session domain.SecretHash, who domain.Client) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.shown[session]
	if len(known) > 0 && known[len(known)-1] == who {
		return
	}
	if known == nil {
		a.forgetEnded()
	}
	known = append(slices.DeleteFunc(slices.Clone(known), func(c domain.Client) bool { return c == who }), who)
	a.shown[session] = known[max(0, len(known)-maxShown):]
}

// forgetEnded drops what was remembered of sessions that are over.
func (a *Accounts) forgetEnded() {
	a.cfg.Book.Read(func(s *domain.Accounts) {
		for session := range a.shown {
			if _, open := s.Sessions[session]; !open {
				delete(a.shown, session)
			}
		}
	})
}

func (a *Accounts) shownBy(session domain.SecretHash) []domain.Client {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shown[session]
}

// Unseen are the uses of sessions elsewhere that the person hasn't seen, the oldest first.
func (a *Accounts) Unseen() (unseen []domain.UsedElsewhere) {
	a.cfg.Book.Read(func(s *domain.Accounts) { unseen = slices.Clone(s.Unseen) })
	return unseen
}

// EndElsewhere shuts out the session that was used so, if it is still open, and notes
// that the person knows of every such use of it. Errors as of SeeElsewhere.
func (a *Accounts) EndElsewhere(ctx context.Context, id domain.ID) error {
	unseen := a.Unseen()
	i := slices.IndexFunc(unseen, func(u domain.UsedElsewhere) bool { return u.EnvelopeID == id })
	if i < 0 {
		return a.SeeElsewhere(ctx, id) // which says so
	}
	session := unseen[i].Session
	if a.SessionOpen(session) {
		// When something ended it at this moment, that is what was wanted.
		err := a.EndSession(ctx, domain.OpenSession{Hash: session}.ID())
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
	}
	for _, u := range unseen {
		if u.Session != session {
			continue
		}
		if err := a.SeeElsewhere(ctx, u.EnvelopeID); err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
	}
	return nil
}

// SeeElsewhere notes that the person knows of one. Errors: not found when it doesn't
// wait, and what domain.Appender returns.
func (a *Accounts) SeeElsewhere(ctx context.Context, id domain.ID) error {
	var seen domain.SessionElsewhereSeen
	var err error
	a.cfg.Book.Read(func(s *domain.Accounts) { seen, err = s.SeeElsewhere(id) })
	if err != nil {
		return err
	}
	entry, err := EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", seen)
	if err != nil {
		return err
	}
	return a.append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
}
