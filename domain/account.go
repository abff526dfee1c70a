package domain

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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

// SessionExtended moves a session's expiry, which SessionMost bounds. It is appended at most
// once a day for each session, so that being used doesn't grow the log.
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
func (e TokenIssued) Keys() []Key { return []Key{TokenKey(e.Name)} }

// Keys go onto the event's envelope.
func (e TokenRevoked) Keys() []Key { return []Key{TokenKey(e.Name)} }

// Operator is the one account.
type Operator struct {
	Username     string `json:"username"`
	PasswordHash string `json:"password_hash"`
	RegisteredAt Millis `json:"registered_at"`
}

// Session is one logged-in browser or app.
type Session struct {
	OpenedAt  Millis     `json:"opened_at"`
	ExpiresAt Millis     `json:"expires_at"` // when it isn't used until then; see EndsAt
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
	Issued   ID       `json:"issued"` // the envelope that issued it
	Position Position `json:"pos"`    // of that
}

// Principal is accountable for what the program sends. It is the token's, not the name's.
func (t Token) Principal() Principal { return ProgramPrincipal(t.Issued) }

// TokenKey is carried by all that happens to the tokens of a name.
func TokenKey(name string) Key { return tokenPrefix + Key(name) }

// Principals are those of the program whose token an envelope issued: its own, and the name by
// which earlier builds knew it, unless somebody else goes by that.
func (e TokenIssued) Principals(issued ID) []Principal {
	out := []Principal{ProgramPrincipal(issued)}
	if CheckTokenName(e.Name) == nil {
		out = append(out, Principal(e.Name))
	}
	return out
}

// Accounts is the fold of topic accounts: the operator, sessions and tokens. The zero
// Accounts has none.
type Accounts struct {
	Through  Position               `json:"through"`  // the last account record folded
	Operator *Operator              `json:"operator"` // nil until somebody registered
	Sessions map[SecretHash]Session `json:"sessions"`
	Tokens   map[SecretHash]Token   `json:"tokens"` // active ones only
	// Names are those of all programs that ever had a token, by the envelope that issued it.
	// They are for people to read: what is counted, kept or allowed goes by the principal.
	Names map[ID]string `json:"names"`

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

// Program is the active token of a principal.
func (a *Accounts) Program(who Principal) (Token, bool) {
	for _, token := range a.Tokens {
		if token.Principal() == who {
			return token, true
		}
	}
	return Token{}, false
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
	for h := range a.Sessions {
		if _, open := a.SessionAt(h, rec.Clock()); !open {
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
		s.OpenedAt = a.openedOf(s, rec.Clock())
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
	if a.Names == nil {
		a.Names = map[ID]string{}
	}
	a.Tokens[hash] = Token{Name: p.Name, Signals: p.Signals, IssuedAt: rec.RecordedAt, Issued: rec.Envelope.ID, Position: rec.Position}
	a.Names[rec.Envelope.ID] = p.Name
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

// How long a session lasts: without being used, in all, and for what takes a login of just
// now. Being used is recorded every so often.
const (
	SessionLifetime    = 30 * 24 * time.Hour
	SessionMost        = 90 * 24 * time.Hour
	SessionFresh       = 15 * time.Minute
	SessionExtendEvery = 24 * time.Hour
)

// Bounds of what accounts are made of.
const (
	MaxUsernameBytes  = 64
	MinPasswordChars  = 8
	MaxPasswordBytes  = 1024 // a longer one would only buy an attacker work
	MaxTokenNameBytes = 64
	MaxTokenSignals   = 256
	maxUserAgentBytes = 256
)

// CheckCredentials judges what a new account is made of, before any hashing.
func CheckCredentials(username, password string) error {
	const op = "check credentials"
	switch {
	case username == "":
		return Invalid(op, "username", "username is required: choose the name you will log in with")
	case utf8.ValidString(username) && !strings.ContainsFunc(username, visible):
		return Invalid(op, "username", "username has nothing that can be seen: choose the name you will log in with")
	case len(username) > MaxUsernameBytes:
		return tooLong(op, "username", len(username), MaxUsernameBytes)
	case !utf8.ValidString(username) || hasControl(username):
		return Invalid(op, "username", "username has characters that can't be typed: use letters, digits, spaces and signs")
	}
	if strings.EqualFold(strings.TrimSpace(username), strings.TrimSpace(password)) {
		return Invalid(op, "password", "password is the name: choose another, such as a few words that don't belong together")
	}
	return CheckPassword(password)
}

// CheckPassword judges the length of a new password, before any hashing.
func CheckPassword(password string) error {
	const op = "check password"
	switch {
	case utf8.RuneCountInString(password) < MinPasswordChars:
		return Invalid(op, "password", fmt.Sprintf("password is too short: give at least %d characters", MinPasswordChars))
	case len(password) > MaxPasswordBytes:
		return tooLong(op, "password", len(password), MaxPasswordBytes)
	}
	return nil
}

// Username is a name without the spaces around it, which nobody sees.
func Username(typed string) string { return strings.TrimSpace(typed) }

func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

func hasControl(s string) bool {
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			return true
		}
	}
	return false
}

// Register makes the one account. Once there is one the answer is a conflict.
func (a *Accounts) Register(username, passwordHash, via string) (OperatorRegistered, error) {
	if a.Operator != nil {
		return OperatorRegistered{}, &Error{Op: "register", Category: Conflict, Code: "account_exists",
			Message: "this Chalie already has its account: log in instead"}
	}
	return OperatorRegistered{Username: Username(username), PasswordHash: passwordHash, Via: via}, nil
}

// ChangePassword puts another password in the place of the present one, and ends every
// session but one; the zero hash spares none. Whether the present password was right is
// not asked here. It is a not-found error before there is an account.
func (a *Accounts) ChangePassword(passwordHash, via string, spared SecretHash) (PasswordChanged, error) {
	if a.Operator == nil {
		return PasswordChanged{}, NoAccount("change password")
	}
	changed := PasswordChanged{PasswordHash: passwordHash, Via: via}
	if spared != (SecretHash{}) {
		changed.SessionHash = spared.String()
	}
	return changed, nil
}

// NoAccount refuses what needs the account before it was made.
func NoAccount(op string) error {
	return &Error{Op: op, Category: NotFound, Code: "no_account",
		Message: "there is no account yet: open the set-up link that chalie serve printed when it started"}
}

// LogIn opens a session known by hash, with a key known by its own; the zero hash gives
// it none. Whether the password was right is not asked here.
func (a *Accounts) LogIn(hash, key SecretHash, who Visitor, now Millis) OperatorLoggedIn {
	opened := OperatorLoggedIn{
		SessionHash: hash.String(), UserAgent: clip(who.UserAgent, maxUserAgentBytes), ExpiresAt: now.Add(SessionLifetime),
		From: who.From, Relayed: who.Relayed,
	}
	if len(who.Host) <= maxHostBytes {
		opened.Host = strings.ToLower(who.Host)
	}
	if key != (SecretHash{}) {
		opened.KeyHash = key.String()
	}
	return opened
}

// clip cuts a text that only informs to a bound, at a character's edge.
func clip(s string, bound int) string {
	if len(s) <= bound {
		return s
	}
	for bound > 0 && !utf8.RuneStart(s[bound]) {
		bound--
	}
	return s[:bound]
}

// SessionAt reports whether hash is a session that is valid at now. What it says of its
// times is as seen from now: none of them counts from a moment that the clock was ahead.
func (a *Accounts) SessionAt(hash SecretHash, now Millis) (Session, bool) {
	s, ok := a.Sessions[hash]
	if ok {
		used := a.Setbacks.Since(s.Position, s.ExpiresAt.Add(-SessionLifetime), now)
		s.OpenedAt, s.ExpiresAt = a.openedOf(s, now), min(used, now).Add(SessionLifetime)
	}
	return s, ok && now < s.EndsAt()
}

// openedOf is when a session was opened, as seen from now.
func (a *Accounts) openedOf(s Session, now Millis) Millis {
	return min(a.Setbacks.Since(s.Position, s.OpenedAt, now), now)
}

// FreshAt reports whether a session is valid at now, and its login of just now.
func (a *Accounts) FreshAt(hash SecretHash, now Millis) bool {
	s, ok := a.SessionAt(hash, now)
	return ok && now.Sub(s.OpenedAt) < SessionFresh
}

// Extend moves a session's expiry to a full lifetime from now; false when it is
// not valid, or was opened or extended within the last day.
func (a *Accounts) Extend(hash SecretHash, now Millis) (SessionExtended, bool) {
	s, ok := a.SessionAt(hash, now)
	until := now.Add(SessionLifetime)
	if !ok || until.Sub(s.ExpiresAt) < SessionExtendEvery {
		return SessionExtended{}, false
	}
	return SessionExtended{SessionHash: hash.String(), ExpiresAt: until}, true
}

// LogOut ends a session; false when there is none to end.
func (a *Accounts) LogOut(hash SecretHash) (OperatorLoggedOut, bool) {
	if _, ok := a.Sessions[hash]; !ok {
		return OperatorLoggedOut{}, false
	}
	return OperatorLoggedOut{SessionHash: hash.String()}, true
}

// IssueToken lets a program in under a name that no active token has, and that looks like none of
// those and of others' names. The errors are validation errors and a conflict.
func (a *Accounts) IssueToken(name string, hash SecretHash, signals []string, others ...string) (TokenIssued, error) {
	for _, t := range a.Tokens {
		if t.Name != name {
			others = append(others, t.Name)
		}
	}
	if err := CheckTokenName(name, others...); err != nil {
		return TokenIssued{}, err
	}
	signals, err := checkTokenSignals(signals)
	if err != nil {
		return TokenIssued{}, err
	}
	for _, s := range signals {
		if err := checkSignalName(s); err != nil {
			return TokenIssued{}, err
		}
	}
	if _, taken := a.TokenNamed(name); taken {
		return TokenIssued{}, &Error{Op: "issue token", Category: Conflict, Code: "token_exists", Field: "name",
			Message: fmt.Sprintf("a token named %q is active: revoke it first, or choose another name", name)}
	}
	return TokenIssued{Name: name, TokenHash: hash.String(), Signals: signals}, nil
}

// RevokeToken ends the active token of that name, or returns a not-found error.
func (a *Accounts) RevokeToken(name string) (TokenRevoked, error) {
	if _, ok := a.TokenNamed(name); !ok {
		return TokenRevoked{}, &Error{Op: "revoke token", Category: NotFound, Code: "no_token", Field: "name",
			Message: fmt.Sprintf("no active token is named %q: list the tokens to see which there are", clip(name, MaxTokenNameBytes))}
	}
	return TokenRevoked{Name: name}, nil
}

// CheckTokenName judges a name: it becomes a source, and people read it as the program's,
// so it must not be one that means somebody else, nor look like one of others' names.
func CheckTokenName(name string, others ...string) error {
	const op = "check token name"
	if err := CheckNaming(op, "name", name, others...); err != nil {
		return err
	}
	// A service is accountable, under its own name, for what its timers begin.
	if slices.ContainsFunc(Services(), func(s Service) bool { return s.Name == name }) {
		return Invalid(op, "name", fmt.Sprintf("name %q is reserved, because a part of Chalie is called so: choose another", name))
	}
	ok := name != "" && len(name) <= MaxTokenNameBytes
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		ok = ok && (letter || i > 0 && (c == '.' || c == '_' || c == '-'))
	}
	if !ok {
		return Invalid(op, "name", fmt.Sprintf("name must be 1 to %d of a-z, 0-9, dot, dash and underscore, beginning with a letter or digit", MaxTokenNameBytes))
	}
	return nil
}

// checkSignalName judges a type that the person writes down: what isn't a word is a slip of
// the hand, and would permit nothing that any program sends.
func checkSignalName(name string) error {
	for i, r := range name {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter && (i == 0 || !strings.ContainsRune("._-:/", r) && !unicode.IsMark(r)) {
			return Invalid("check token signals", "signals", fmt.Sprintf(
				"%q is no type of signal: a type is one word of letters, digits, dot, dash, underscore, colon and slash, beginning with a letter or digit, such as \"weather_update\"", name))
		}
	}
	return nil
}

// checkTokenSignals returns the types sorted and each once.
func checkTokenSignals(signals []string) ([]string, error) {
	const op = "check token signals"
	if len(signals) > MaxTokenSignals {
		return nil, Invalid(op, "signals", fmt.Sprintf("signals has %d types, the bound is %d: leave it empty to permit every type", len(signals), MaxTokenSignals))
	}
	for _, s := range signals {
		switch {
		case s == "" || hasControl(s) || !utf8.ValidString(s):
			return nil, Invalid(op, "signals", "signals holds an empty or unprintable type: name signal types such as \"weather_update\"")
		case len(s) > MaxSignalTypeBytes:
			return nil, tooLong(op, "signals", len(s), MaxSignalTypeBytes)
		}
	}
	out := slices.Clone(signals)
	slices.Sort(out)
	out = slices.Compact(out)
	if out == nil {
		out = []string{}
	}
	return out, nil
}
