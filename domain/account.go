package domain

import (
	"slices"
	"strings"
)

// OperatorRegistered makes the one account of this Chalie.
type OperatorRegistered struct {
	Username     string `json:"username"`
	PasswordHash string `json:"password_hash"` // argon2id, PHC string
	Via          string `json:"via"`           // setup_link or socket; loopback in older logs
}

// PasswordChanged puts another password in the place of the account's. The sessions
// that were open end with it, but for the one that it was changed in.
type PasswordChanged struct {
	PasswordHash string `json:"password_hash"`          // argon2id, PHC string
	Via          string `json:"via"`                    // session, which showed the present password, or socket
	SessionHash  string `json:"session_hash,omitempty"` // SHA-256, hex, of the session that goes on
}

// OperatorLoggedIn opens a session. The cookie's secret and the session's key are known
// by their hashes only. Version 1 didn't record where the login came from, version 2 knew
// no keys.
type OperatorLoggedIn struct {
	SessionHash string `json:"session_hash"`       // SHA-256, hex
	KeyHash     string `json:"key_hash,omitempty"` // SHA-256, hex; missing when the session has no key
	UserAgent   string `json:"user_agent"`
	ExpiresAt   Millis `json:"expires_at"`
	From        string `json:"from,omitempty"`    // as of Visitor
	Relayed     bool   `json:"relayed,omitempty"` // as of Visitor
	Host        string `json:"host,omitempty"`    // as of Visitor, in small letters
}

// SessionExtended moves a session's expiry. It is appended at most once a day
// for each session, so that being used doesn't grow the log.
type SessionExtended struct {
	SessionHash string `json:"session_hash"`
	ExpiresAt   Millis `json:"expires_at"`
}

// OperatorLoginRefused counts failed logins. Strangers must not grow the log:
// the first is recorded at once, the rest as one count a minute.
type OperatorLoginRefused struct {
	Count int    `json:"count"`
	Since Millis `json:"since"`
}

// OperatorLoggedOut ends a session.
type OperatorLoggedOut struct {
	SessionHash string `json:"session_hash"`
}

// SessionUsedElsewhere says that a session's cookie came alone, from a client that the
// session isn't known to belong to. It is appended once for each such client, and for at
// most MaxElsewhere of them, so a holder of the cookie can't grow the log.
type SessionUsedElsewhere struct {
	SessionHash string `json:"session_hash"` // SHA-256, hex
	Client      Client `json:"client"`
	UserAgent   string `json:"user_agent"`
	From        string `json:"from"`    // as of Visitor
	Relayed     bool   `json:"relayed"` // as of Visitor
}

// SessionElsewhereSeen says that the person knows of one use of a session elsewhere.
type SessionElsewhereSeen struct {
	EnvelopeID ID `json:"envelope_id"` // of SessionUsedElsewhere
}

// TokenIssued lets a program speak as Name with the signal types listed; an
// empty list permits every type. The token is known by its hash only.
type TokenIssued struct {
	Name      string   `json:"name"`
	TokenHash string   `json:"token_hash"` // SHA-256, hex
	Signals   []string `json:"signals"`
}

// TokenRevoked ends a token at once.
type TokenRevoked struct {
	Name string `json:"name"`
}

// Keys of the account events. They make the one account, each token name and
// each session the subject of conditions, and let a fold end a token or session
// whose ending lost its payload.
const (
	operatorKey     = "operator"
	tokenPrefix     = "token/"
	sessionPrefix   = "session/"
	elsewherePrefix = "elsewhere/"
)

// Keys go onto the event's envelope.
func (OperatorRegistered) Keys() []Key { return []Key{operatorKey} }

// Keys go onto the event's envelope. The session's lets it go on when the
// payload is lost.
func (e PasswordChanged) Keys() []Key {
	keys := []Key{operatorKey}
	if e.SessionHash != "" {
		keys = append(keys, sessionPrefix+Key(e.SessionHash))
	}
	return keys
}

// Keys go onto the event's envelope.
func (e OperatorLoggedIn) Keys() []Key { return []Key{sessionPrefix + Key(e.SessionHash)} }

// Keys go onto the event's envelope.
func (e SessionExtended) Keys() []Key { return []Key{sessionPrefix + Key(e.SessionHash)} }

// Keys go onto the event's envelope.
func (OperatorLoginRefused) Keys() []Key { return nil }

// Keys go onto the event's envelope.
func (e OperatorLoggedOut) Keys() []Key { return []Key{sessionPrefix + Key(e.SessionHash)} }

// Keys go onto the event's envelope.
func (e SessionUsedElsewhere) Keys() []Key { return []Key{sessionPrefix + Key(e.SessionHash)} }

// Keys go onto the event's envelope. They let the fold know which one it was when
// the payload is lost.
func (e SessionElsewhereSeen) Keys() []Key {
	return []Key{elsewherePrefix + Key(e.EnvelopeID.String())}
}

// Keys go onto the event's envelope.
func (e TokenIssued) Keys() []Key { return []Key{tokenPrefix + Key(e.Name)} }

// Keys go onto the event's envelope.
func (e TokenRevoked) Keys() []Key { return []Key{tokenPrefix + Key(e.Name)} }

// Operator is the one account.
type Operator struct {
	Username     string `json:"username"`
	PasswordHash string `json:"password_hash"`
	RegisteredAt Millis `json:"registered_at"`
}

// Session is one logged-in browser or app.
type Session struct {
	OpenedAt  Millis     `json:"opened_at"`
	ExpiresAt Millis     `json:"expires_at"` // valid before it, not at it
	Position  Position   `json:"pos"`        // of the record that says so
	KeyHash   SecretHash `json:"key_hash"`   // zero when it has none
	Client    Client     `json:"client"`     // that logged in
	Host      string     `json:"host"`       // by which that came, and to which the cookie is sent; "" when it isn't known
	Elsewhere []Client   `json:"elsewhere"`  // that came with the cookie alone and were told of, at most MaxElsewhere
}

// UsedElsewhere is a use of a session's cookie that the person hasn't seen yet. What the
// client called itself, and where it was, is in the envelope.
type UsedElsewhere struct {
	EnvelopeID ID         `json:"envelope_id"`
	Session    SecretHash `json:"session"`
	At         Millis     `json:"at"`
}

// Token lets a program in. Signals are the types it may send, sorted; none
// means any.
type Token struct {
	Name     string   `json:"name"`
	Signals  []string `json:"signals"`
	IssuedAt Millis   `json:"issued_at"`
}

// Accounts is the fold of topic accounts: the operator, sessions and tokens. The zero
// Accounts has none.
type Accounts struct {
	Through  Position               `json:"through"`  // the last account record folded
	Operator *Operator              `json:"operator"` // nil until somebody registered
	Sessions map[SecretHash]Session `json:"sessions"`
	Tokens   map[SecretHash]Token   `json:"tokens"` // active ones only

	// Unseen outlives the sessions: the holder of a stolen cookie could hide
	// its use by ending the session. The oldest first, at most maxUnseen.
	Unseen []UsedElsewhere `json:"unseen"`

	Setbacks Setbacks `json:"setbacks"` // of the writer's clock, by which the sessions age
}

// TokenNamed is the hash of the active token of that name.
func (a *Accounts) TokenNamed(name string) (SecretHash, bool) {
	for hash, token := range a.Tokens {
		if token.Name == name {
			return hash, true
		}
	}
	return SecretHash{}, false
}

// Evolve folds one record; of other topics only those that are behind matter.
//
// Of erased payloads, one that opens a session or issues a token opens nothing,
// one that ends them ends them by its key, a use elsewhere is told of without a client, and an erased registration or password
// leaves an account that nobody can log in to. The error is CodeUndecodable, and then
// nothing has changed.
func (a *Accounts) Evolve(rec Record) error {
	if rec.Topic == TopicAccounts {
		err := a.evolve(rec)
		if CodeOf(err) == CodeErased {
			a.evolveErased(rec)
			err = nil
		}
		if err != nil {
			return err
		}
		a.Through = rec.Position
	}
	a.Setbacks.Evolve(&rec)
	return nil
}

func (a *Accounts) evolve(rec Record) error {
	switch rec.Envelope.Type {
	case OperatorRegisteredType:
		return fold(rec, a.registered)
	case PasswordChangedType:
		return fold(rec, a.passwordChanged)
	case OperatorLoggedInType:
		return fold(rec, a.loggedIn)
	case SessionExtendedType:
		return fold(rec, a.extended)
	case SessionUsedElsewhereType:
		return fold(rec, a.usedElsewhere)
	case SessionElsewhereSeenType:
		return fold(rec, a.elsewhereSeen)
	case OperatorLoggedOutType:
		return fold(rec, a.loggedOut)
	case TokenIssuedType:
		return fold(rec, a.issued)
	case TokenRevokedType:
		return fold(rec, a.revoked)
	}
	return nil
}

// fold decodes a record's payload and hands it on.
func fold[P any](rec Record, apply func(Record, P) error) error {
	p, err := Decode[P](rec.Envelope)
	if err != nil {
		return err
	}
	return apply(rec, p)
}

func (a *Accounts) registered(rec Record, p OperatorRegistered) error {
	a.Operator = &Operator{Username: p.Username, PasswordHash: p.PasswordHash, RegisteredAt: rec.RecordedAt}
	return nil
}

func (a *Accounts) passwordChanged(rec Record, p PasswordChanged) error {
	var spared SecretHash
	if p.SessionHash != "" {
		var err error
		if spared, err = ParseSecretHash(p.SessionHash); err != nil {
			return undecodable(rec.Envelope, "its session hash can't be read", err)
		}
	}
	a.setPassword(p.PasswordHash, spared)
	return nil
}

// setPassword ends every session but one. A part of a log may hold no registration:
// then there is no account to log in to.
func (a *Accounts) setPassword(hash string, spared SecretHash) {
	if a.Operator != nil {
		a.Operator.PasswordHash = hash
	}
	for h := range a.Sessions {
		if h != spared {
			delete(a.Sessions, h)
		}
	}
}

func (a *Accounts) loggedIn(rec Record, p OperatorLoggedIn) error {
	hash, err := ParseSecretHash(p.SessionHash)
	if err != nil {
		return undecodable(rec.Envelope, "its session hash can't be read", err)
	}
	var key SecretHash
	if p.KeyHash != "" {
		if key, err = ParseSecretHash(p.KeyHash); err != nil {
			return undecodable(rec.Envelope, "its key's hash can't be read", err)
		}
	}
	// Expired sessions leave here, by the writer's clock, so the fold stays small.
	for h, s := range a.Sessions {
		if a.endOf(s, rec.Clock()) <= rec.Clock() {
			delete(a.Sessions, h)
		}
	}
	if a.Sessions == nil {
		a.Sessions = map[SecretHash]Session{}
	}
	a.Sessions[hash] = Session{
		OpenedAt: rec.Clock(), ExpiresAt: p.ExpiresAt, Position: rec.Position, KeyHash: key,
		Client: Visitor{UserAgent: p.UserAgent, From: p.From, Relayed: p.Relayed}.Client(), Host: p.Host,
	}
	return nil
}

func (a *Accounts) extended(rec Record, p SessionExtended) error {
	hash, err := ParseSecretHash(p.SessionHash)
	if err != nil {
		return undecodable(rec.Envelope, "its session hash can't be read", err)
	}
	if s, ok := a.Sessions[hash]; ok {
		s.ExpiresAt, s.Position = p.ExpiresAt, rec.Position
		a.Sessions[hash] = s
	}
	return nil
}

func (a *Accounts) usedElsewhere(rec Record, p SessionUsedElsewhere) error {
	hash, err := ParseSecretHash(p.SessionHash)
	if err != nil {
		return undecodable(rec.Envelope, "its session hash can't be read", err)
	}
	a.foundElsewhere(rec, hash)
	if s, ok := a.Sessions[hash]; ok {
		s.Elsewhere = append(slices.Clone(s.Elsewhere), p.Client)
		a.Sessions[hash] = s
	}
	return nil
}

// foundElsewhere notes what the person is to be told. The oldest go when there are too
// many: what is told then stays the same.
func (a *Accounts) foundElsewhere(rec Record, session SecretHash) {
	a.Unseen = append(a.Unseen, UsedElsewhere{rec.Envelope.ID, session, rec.RecordedAt})
	a.Unseen = a.Unseen[max(0, len(a.Unseen)-maxUnseen):]
}

func (a *Accounts) elsewhereSeen(_ Record, p SessionElsewhereSeen) error {
	a.seen(p.EnvelopeID)
	return nil
}

func (a *Accounts) seen(id ID) {
	a.Unseen = slices.DeleteFunc(a.Unseen, func(u UsedElsewhere) bool { return u.EnvelopeID == id })
}

func (a *Accounts) loggedOut(rec Record, p OperatorLoggedOut) error {
	hash, err := ParseSecretHash(p.SessionHash)
	if err != nil {
		return undecodable(rec.Envelope, "its session hash can't be read", err)
	}
	delete(a.Sessions, hash)
	return nil
}

func (a *Accounts) issued(rec Record, p TokenIssued) error {
	hash, err := ParseSecretHash(p.TokenHash)
	if err != nil {
		return undecodable(rec.Envelope, "its token hash can't be read", err)
	}
	if a.Tokens == nil {
		a.Tokens = map[SecretHash]Token{}
	}
	a.Tokens[hash] = Token{Name: p.Name, Signals: p.Signals, IssuedAt: rec.RecordedAt}
	return nil
}

func (a *Accounts) revoked(_ Record, p TokenRevoked) error {
	if hash, ok := a.TokenNamed(p.Name); ok {
		delete(a.Tokens, hash)
	}
	return nil
}

func (a *Accounts) evolveErased(rec Record) {
	switch rec.Envelope.Type {
	case OperatorRegisteredType:
		a.Operator = &Operator{RegisteredAt: rec.RecordedAt}
	case PasswordChangedType:
		a.setPassword("", sessionOf(rec.Envelope))
	case SessionUsedElsewhereType:
		a.foundElsewhere(rec, sessionOf(rec.Envelope))
	case SessionElsewhereSeenType:
		for _, key := range rec.Envelope.Keys {
			if id, err := ParseID(strings.TrimPrefix(string(key), elsewherePrefix)); err == nil {
				a.seen(id)
			}
		}
	case OperatorLoggedOutType:
		delete(a.Sessions, sessionOf(rec.Envelope))
	case TokenRevokedType:
		for _, key := range rec.Envelope.Keys {
			if hash, ok := a.TokenNamed(strings.TrimPrefix(string(key), tokenPrefix)); ok {
				delete(a.Tokens, hash)
			}
		}
	}
}

// sessionOf is the session in an envelope's keys; the zero hash when none is.
func sessionOf(e Envelope) SecretHash {
	for _, key := range e.Keys {
		if text, ok := strings.CutPrefix(string(key), sessionPrefix); ok {
			if hash, err := ParseSecretHash(text); err == nil {
				return hash
			}
		}
	}
	return SecretHash{}
}
