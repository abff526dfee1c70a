package domain

// OperatorRegistered makes the one account of this Chalie.
type OperatorRegistered struct {
	Username     string `json:"username"`
	PasswordHash string `json:"password_hash"` // argon2id, PHC string
	Via          string `json:"via"`           // setup_link, loopback or socket
}

// OperatorLoggedIn opens a session. The cookie's secret is known by its hash only.
type OperatorLoggedIn struct {
	SessionHash string `json:"session_hash"` // SHA-256, hex
	UserAgent   string `json:"user_agent"`
	ExpiresAt   Millis `json:"expires_at"`
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
