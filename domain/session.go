package domain

import (
	"fmt"
	"slices"
	"strings"
)

// ThisMachine is the From of a Visitor on the machine that Chalie runs on.
const ThisMachine = "this machine"

// Visitor is the client of a request, as far as the connection tells. Headers about
// other machines don't count: anybody can write them.
type Visitor struct {
	UserAgent string // what the client calls itself
	From      string // ThisMachine, or the address of the peer; "" when nobody knows
	Relayed   bool   // something stands between, such as a proxy, and From is where that is
	Host      string // by which they came, with its port: the Host header of the request; "" over the Unix socket
}

// maxHostBytes bounds a host with its port. A longer one is no name.
const maxHostBytes = 300

// Client tells Visitors apart: a hash of the name it gives itself without the
// digits, which change with every version of a browser, and one of where it comes from.
type Client struct {
	Name  string `json:"name"`
	Place string `json:"place"`
}

// Client is the visitor's client.
func (v Visitor) Client() Client {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, clip(v.UserAgent, maxUserAgentBytes))
	place := placeOf(v.From)
	if v.Relayed {
		place = "through " + place
	}
	return Client{shortHash(name), shortHash(place)}
}

// placeOf is the place that an address counts for. A client with one IPv6 address has a
// whole network of them, which its first four groups name.
func placeOf(from string) string {
	const groups, told = 8, 4
	if !strings.Contains(from, ":") {
		return from
	}
	head, tail, short := strings.Cut(from, "::")
	all := strings.FieldsFunc(head, isColon)
	if short {
		after := strings.FieldsFunc(tail, isColon)
		for len(all)+len(after) < groups {
			all = append(all, "0")
		}
		all = append(all, after...)
	}
	return strings.Join(all[:min(told, len(all))], ":")
}

func isColon(r rune) bool { return r == ':' }

func shortHash(text string) string { return HashSecret(text).String()[:16] }

// Bounds of the uses elsewhere that are recorded.
const (
	MaxElsewhere = 8  // clients for each session; further ones are known to be more of the same
	maxUnseen    = 64 // that the person hasn't seen
)

// Use says whether a session's cookie came with its key.
type Use int

const (
	// Keyed came with the session's key: nothing but the login was told that.
	Keyed Use = iota
	// Alone came without the key, where a page of Chalie's would have shown it.
	Alone
	// Passing came without the key as a browser loads an image or a frame, where nothing
	// could show it. The page around it has shown it from the same place.
	Passing
	// Opening came without the key as a browser opens a page, before anything could show
	// it, also from a place that is new. What it is answered holds nothing.
	Opening
)

// Elsewhere decides whether a use of a session is one that the person is told of: the
// client isn't the one that the session belongs to, as far as can be told, and nobody
// was told of it before. The session has to be valid; known are the clients that have
// shown its key lately.
//
// A session with a key belongs to the clients that show it. A client without it is another
// one, whatever it calls itself: a thief of the cookie knows the browser's name, too. One without a key belongs to the client that logged in.
func (a *Accounts) Elsewhere(hash SecretHash, use Use, who Visitor, known []Client) (SessionUsedElsewhere, bool) {
	s, ok := a.Sessions[hash]
	client := who.Client()
	if !ok || use == Keyed || len(s.Elsewhere) >= MaxElsewhere || slices.Contains(s.Elsewhere, client) {
		return SessionUsedElsewhere{}, false
	}
	own := append(slices.Clone(known), s.Client)
	named := func(c Client) bool { return c.Name == client.Name }
	switch {
	case use == Passing && slices.Contains(own, client):
		return SessionUsedElsewhere{}, false
	case use == Opening && (slices.ContainsFunc(own, named) || slices.ContainsFunc(s.Elsewhere, named)):
		return SessionUsedElsewhere{}, false
	case use == Alone && s.KeyHash == (SecretHash{}) && client == s.Client:
		return SessionUsedElsewhere{}, false
	}
	return SessionUsedElsewhere{
		SessionHash: hash.String(), Client: client,
		UserAgent: clip(who.UserAgent, maxUserAgentBytes), From: who.From, Relayed: who.Relayed,
	}, true
}

// SeeElsewhere notes that the person knows of a use elsewhere, or returns a not-found
// error.
func (a *Accounts) SeeElsewhere(id ID) (SessionElsewhereSeen, error) {
	if !slices.ContainsFunc(a.Unseen, func(u UsedElsewhere) bool { return u.EnvelopeID == id }) {
		return SessionElsewhereSeen{}, &Error{Op: "see use elsewhere", Category: NotFound, Code: "no_elsewhere", Field: "id",
			Message: fmt.Sprintf("no use of a session elsewhere waits as %s: it may have been seen already; list them to see which there are", id.UUID())}
	}
	return SessionElsewhereSeen{EnvelopeID: id}, nil
}

// HasKey reports whether key is the session's. A session without one has none.
func (s Session) HasKey(key string) bool {
	return s.KeyHash != (SecretHash{}) && key != "" && s.KeyHash.Equal(HashSecret(key))
}

// OpenSession is a session with what it is known by.
type OpenSession struct {
	Hash SecretHash
	Session
}

// ID names a session to people and programs. It is made of the hash, so it opens
// nothing.
func (s OpenSession) ID() ID { return ID(s.Hash[:len(ID{})]) }

// Key goes onto the envelopes of the session.
func (s OpenSession) Key() Key { return sessionPrefix + Key(s.Hash.String()) }

// UsedAt is the time of its last recorded use: up to
// SessionExtendEvery too early.
func (s Session) UsedAt() Millis { return max(s.OpenedAt, s.ExpiresAt.Add(-SessionLifetime)) }

// EndsAt is when it ends: it is valid before it, not at it.
func (s Session) EndsAt() Millis { return min(s.ExpiresAt, s.OpenedAt.Add(SessionMost)) }

// SessionsAt are the sessions valid at now, the latest first.
func (a *Accounts) SessionsAt(now Millis) []OpenSession {
	var out []OpenSession
	for hash := range a.Sessions {
		if s, ok := a.SessionAt(hash, now); ok {
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
