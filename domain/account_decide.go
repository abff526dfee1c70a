package domain

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// How long a session lasts without being used, and how often being used is
// recorded.
const (
	SessionLifetime    = 30 * 24 * time.Hour
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
	return CheckPassword(password)
}

// CheckPassword judges a new password, before any hashing.
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

// SessionAt reports whether hash is a session that is valid at now.
func (a *Accounts) SessionAt(hash SecretHash, now Millis) (Session, bool) {
	s, ok := a.Sessions[hash]
	if ok {
		s.ExpiresAt = a.endOf(s, now)
	}
	return s, ok && now < s.ExpiresAt
}

// endOf is when a session ends, as seen from now: a lifetime after it was used last,
// also when the clock was ahead then, and never more than that from now.
func (a *Accounts) endOf(s Session, now Millis) Millis {
	used := a.Setbacks.Since(s.Position, s.ExpiresAt.Add(-SessionLifetime), now)
	return min(used, now).Add(SessionLifetime)
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

// IssueToken lets a program in under a name that no active token has. The
// errors are validation errors and a conflict.
func (a *Accounts) IssueToken(name string, hash SecretHash, signals []string) (TokenIssued, error) {
	if err := CheckTokenName(name); err != nil {
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

// CheckTokenName judges a name: it becomes a source and a principal, so it must
// not be one that means somebody else.
func CheckTokenName(name string) error {
	const op = "check token name"
	if name == string(PrincipalOperator) || name == string(PrincipalCore) {
		return Invalid(op, "name", fmt.Sprintf("name %q is reserved: choose another", name))
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
