package domain

import (
	"fmt"
	"slices"
)

// ThisMachine is where a Visitor comes from who sits at it.
const ThisMachine = "this machine"

// Visitor is who asks to be let in, as far as the connection tells. What headers say of
// other machines counts for nothing: anybody can write them.
type Visitor struct {
	UserAgent string // what the client calls itself
	From      string // ThisMachine, or the address of the peer; "" when nobody knows
	Relayed   bool   // something stands between, such as a proxy, and From is where that is
}

// OpenSession is a session with what it is known by.
type OpenSession struct {
	Hash SecretHash
	Session
}

// ID names a session to people and programs. It is made of the hash, so it opens
// nothing.
func (s OpenSession) ID() ID { return ID(s.Hash[:len(ID{})]) }

// Key is what the envelopes of the session carry.
func (s OpenSession) Key() Key { return sessionPrefix + Key(s.Hash.String()) }

// UsedAt is when it was last used, as far as that is recorded: up to
// SessionExtendEvery too early.
func (s Session) UsedAt() Millis { return max(s.OpenedAt, s.ExpiresAt.Add(-SessionLifetime)) }

// SessionsAt are those that are valid at now, the latest first.
func (a *Accounts) SessionsAt(now Millis) []OpenSession {
	var out []OpenSession
	for hash, s := range a.Sessions {
		if now < s.ExpiresAt {
			out = append(out, OpenSession{hash, s})
		}
	}
	slices.SortFunc(out, func(x, y OpenSession) int {
		if x.OpenedAt != y.OpenedAt {
			return int(y.OpenedAt - x.OpenedAt)
		}
		return slices.Compare(x.Hash[:], y.Hash[:])
	})
	return out
}

// EndSession ends the session of that id, valid at now, or returns a not-found
// error.
func (a *Accounts) EndSession(id ID, now Millis) (OperatorLoggedOut, error) {
	for _, s := range a.SessionsAt(now) {
		if s.ID() == id {
			return OperatorLoggedOut{SessionHash: s.Hash.String()}, nil
		}
	}
	return OperatorLoggedOut{}, &Error{Op: "end session", Category: NotFound, Code: "no_session", Field: "id",
		Message: fmt.Sprintf("no open session is %s: it may have ended already; list the sessions to see which there are", id.UUID())}
}

// EndOtherSessions ends those that are valid at now, but for one. The zero hash
// spares none.
func (a *Accounts) EndOtherSessions(spared SecretHash, now Millis) []OperatorLoggedOut {
	var out []OperatorLoggedOut
	for _, s := range a.SessionsAt(now) {
		if s.Hash != spared {
			out = append(out, OperatorLoggedOut{SessionHash: s.Hash.String()})
		}
	}
	return out
}
