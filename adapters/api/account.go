package api

import "chalie/domain"

// Account is the person's account. An installation has one.
type Account struct {
	Username     string        `json:"username"`
	RegisteredAt domain.Millis `json:"registered_at"`
}

// PasswordChange is a request to change the password.
type PasswordChange struct {
	Present  string `json:"present,omitempty" doc:"The present password. The Unix socket asks for none."`
	Password string `json:"password" doc:"The new one."`
}

// Ended is the number of sessions that were ended.
type Ended struct {
	OK    bool `json:"ok"`
	Ended int  `json:"ended"`
}

// Session is a browser or app in which the person is logged in.
type Session struct {
	ID        UUID          `json:"id" doc:"Its name, which opens nothing."`
	Current   bool          `json:"current" doc:"It is the one that asks."`
	OpenedAt  domain.Millis `json:"opened_at"`
	UsedAt    domain.Millis `json:"used_at" doc:"When it was last used; up to a day too early."`
	ExpiresAt domain.Millis `json:"expires_at" doc:"Until when it lasts unless it is used."`
	Client    string        `json:"client" doc:"What it called itself when it logged in; empty once that was erased."`
	From      string        `json:"from" doc:"Where that was: this machine, or the address of the peer; empty when nobody knows, or it was erased."`
	Relayed   bool          `json:"relayed" doc:"Something stood between, such as a proxy or a tunnel; from is where that is."`
}

// Sessions are the open sessions.
type Sessions struct {
	Sessions []Session `json:"sessions" doc:"The latest 100."`
	Total    int       `json:"total"`
}

// Elsewhere is a use of a session's cookie by another browser or program than its own.
type Elsewhere struct {
	ID        UUID          `json:"id"`
	At        domain.Millis `json:"at"`
	SessionID UUID          `json:"session_id"`
	Open      bool          `json:"open" doc:"The session hasn't ended."`
	Current   bool          `json:"current" doc:"It is the one that asks."`
	Client    string        `json:"client" doc:"What it called itself; empty once that was erased."`
	From      string        `json:"from" doc:"As of a session."`
	Relayed   bool          `json:"relayed"`
}

// ElsewhereList are the uses that the person hasn't seen.
type ElsewhereList struct {
	Elsewhere []Elsewhere `json:"elsewhere"`
}

// PassRequest names the path that a browser is to open by itself.
type PassRequest struct {
	Path string `json:"path" doc:"Of a GET of this API, with its query."`
}

// Pass lets one GET through without the session's key.
type Pass struct {
	Path    string `json:"path" doc:"Where to go, once."`
	Expires int    `json:"expires_in_seconds"`
}

// Token is a program's access token, without its text.
type Token struct {
	Name     string        `json:"name"`
	Signals  []string      `json:"signals" nullable:"true" doc:"The types of signals that it may send; none means any."`
	IssuedAt domain.Millis `json:"issued_at"`

	LastSeenAt *Timestamp   `json:"last_seen_at" doc:"When its program was last heard; null when it wasn't since Chalie started."`
	MCP        []MCPSession `json:"mcp" doc:"Its open sessions of MCP."`
}

// MCPSession is an open session of a program that speaks MCP.
type MCPSession struct {
	Client  string `json:"client" doc:"As the program calls itself."`
	Version string `json:"version"`
	Over    string `json:"over" enum:"stdio|http"`
}

// Tokens are the access tokens in force.
type Tokens struct {
	Tokens []Token                     `json:"tokens"`
	Names  map[domain.Principal]string `json:"names" doc:"Of all programs that ever had a token, by their principals."`
}

// TokenRequest is a request for a program's access token.
type TokenRequest struct {
	Name    string   `json:"name"`
	Signals []string `json:"signals,omitzero" nullable:"true" most:"256" doc:"Each type is one word of letters, digits and . _ - : /"`
}

// IssuedToken is a new token with its text, which is shown this once.
type IssuedToken struct {
	Name    string   `json:"name"`
	Token   string   `json:"token" doc:"For Authorization: Bearer; it is shown here and never again."`
	Signals []string `json:"signals" nullable:"true"`
}

func accountRoutes() []Route {
	return []Route{
		{Name: "account", Method: get, Path: "/api/account", Who: Operator, Summary: "Whose Chalie this is", Answers: ok(Account{}), Refuses: []int{404, 409}},
		{Name: "changePassword", Method: put, Path: "/api/account/password", Who: Operator, Summary: "Set another password, and end every other session",
			Detail: "403 with wrong_password when present isn't the present one; that costs what a wrong login costs.",
			Body:   json(16*kib, PasswordChange{}), Answers: ok(Ended{}), Refuses: []int{404, 409, 429}},
		{Name: "sessions", Method: get, Path: "/api/sessions", Who: Operator, Summary: "Where the person is logged in", Answers: ok(Sessions{})},
		{Name: "endOtherSessions", Method: remove, Path: "/api/sessions", Who: Operator, Summary: "End all sessions but the one that asks", Answers: ok(Ended{})},
		{Name: "endSession", Method: remove, Path: "/api/sessions/{id}", Who: Operator, Summary: "End a session, and close its sockets", ID: "The session's.", Answers: ok(OK{})},
		{Name: "usedElsewhere", Method: get, Path: "/api/sessions-elsewhere", Who: Operator, Summary: "Uses of sessions elsewhere that the person hasn't seen", Answers: ok(ElsewhereList{})},
		{Name: "seeElsewhere", Method: remove, Path: "/api/sessions-elsewhere/{id}", Who: Operator, Summary: "Say that the person has seen a use of a session elsewhere",
			ID: "The use's.", Query: []Param{flag("end", false, "Ends the login that was used so, too; all its uses are seen then.")}, Answers: ok(OK{})},
		{Name: "issuePass", Method: post, Path: "/api/passes", Who: Operator, Summary: "Let a browser open something once that shows no key",
			Body: json(16*kib, PassRequest{}), Answers: withStatus(201, Pass{})},
		{Name: "tokens", Method: get, Path: "/api/tokens", Who: Operator, Summary: "The programs that are let in", Answers: ok(Tokens{})},
		{Name: "issueToken", Method: post, Path: "/api/tokens", Who: Operator, Fresh: true, Summary: "Let a program in",
			Body: json(128*kib, TokenRequest{}), Answers: withStatus(201, IssuedToken{}), Refuses: []int{409}},
		{Name: "revokeToken", Method: remove, Path: "/api/tokens/{name}", Who: Operator, Summary: "Shut a program out, for its very next request", ID: "The token's name.", Answers: ok(OK{})},
	}
}
