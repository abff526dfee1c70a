package httpapi

import (
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/account"
	"chalie/domain"
)

func authHandlers() handlers {
	return handlers{
		"authStatus": (*exchange).authStatus, "aSession": (*exchange).aSession, "setup": (*exchange).setup,
		"register": (*exchange).register, "logIn": (*exchange).logIn, "logOut": (*exchange).logOut,
	}
}

// authStatus is GET /auth/status.
func (x *exchange) authStatus() error {
	return x.answer(http.StatusOK, api.AuthStatus{
		HasAccount: x.api.cfg.Accounts.HasOperator(), HasProviders: len(x.api.cfg.Models) > 0,
		HasSession: x.trusted || x.hasSession() && x.noted(domain.Opening) == nil,
	})
}

// aSession is GET /auth/session: whether the cookie belongs to a session.
func (x *exchange) aSession() error { return x.answer(http.StatusOK, api.OK{OK: true}) }

// register is POST /auth/register.
func (x *exchange) register() error {
	in, err := x.credentials()
	if err != nil {
		return err
	}
	via, err := x.mayRegister(in.SetupKey)
	if err != nil {
		return err
	}
	login, err := x.api.cfg.Accounts.Register(x.r.Context(), in.Username, in.Password, via, account.Door{Visitor: x.visitor(), Keyed: in.Key})
	if err != nil {
		return err
	}
	return x.answerSession(http.StatusCreated, login)
}

// mayRegister returns the right by which the caller may make the account. It first checks
// that there is none yet.
func (x *exchange) mayRegister(setupKey string) (via string, err error) {
	switch {
	case x.api.cfg.Accounts.HasOperator():
		return "", &domain.Error{Op: "register", Category: domain.Conflict, Code: "account_exists",
			Message: "this Chalie already has its account: log in instead"}
	case x.trusted:
		return "socket", nil
	case setupKey != "" && commands.SameSecret(x.api.cfg.SetupKey, setupKey):
		return "setup_link", nil
	case setupKey != "":
		return "", &domain.Error{Op: "register", Category: domain.Policy, Code: "wrong_setup_key", Field: "setup_key",
			Message: "this set-up key is not the current one: open the set-up link that chalie serve printed when it last started"}
	}
	return "", &domain.Error{Op: "register", Category: domain.Policy, Code: "setup_link_needed",
		Message: "an account can be made only with the set-up link that chalie serve printed when it started (/setup?key=…): " +
			"open it, or send its key as setup_key; the Unix socket in the data directory needs none"}
}

// logIn is POST /auth/login.
func (x *exchange) logIn() error {
	in, err := x.credentials()
	if err != nil {
		return err
	}
	if err := x.accountKnown(); err != nil {
		return err
	}
	var login account.Login
	err = x.guessing(func() (err error) {
		login, err = x.api.cfg.Accounts.LogIn(x.r.Context(), in.Username, in.Password, account.Door{Visitor: x.visitor(), Keyed: in.Key})
		return err
	})
	if err != nil {
		return err
	}
	// The browser gives up its old cookie here, so a later use of it comes from
	// elsewhere.
	if before := x.sessionSecret(); before != "" {
		if err := x.api.cfg.Accounts.LogOut(x.r.Context(), before); err != nil {
			return err
		}
		x.api.sessionsEnded()
	}
	return x.answerSession(http.StatusOK, login)
}

// answerSession answers with a new session: its secret as a cookie, and its key, which only this
// origin may have, in the body.
func (x *exchange) answerSession(status int, login account.Login) error {
	x.setCookie(login.Secret, login.ExpiresAt)
	x.knowDevice()
	return x.answer(status, api.LoggedIn{OK: true, Key: login.Key})
}

// accountKnown waits until the account is folded after a start: a person with the right
// password must not read that it is wrong.
func (x *exchange) accountKnown() error {
	if x.api.cfg.SetupKey != "" || x.api.cfg.Accounts.HasOperator() {
		return nil
	}
	return x.untilKnown()
}

// logOut is POST /auth/logout. Without a session it is done already.
func (x *exchange) logOut() error {
	if cookie, err := x.r.Cookie(api.SessionCookie); err == nil {
		if err := x.api.cfg.Accounts.LogOut(x.r.Context(), cookie.Value); err != nil {
			return err
		}
		x.api.sessionsEnded()
	}
	x.setCookie("", 0)
	return x.answer(http.StatusOK, api.OK{OK: true})
}

// hasSession reports whether the cookie belongs to a session, and sets it again when the
// session was extended.
func (x *exchange) hasSession() bool {
	cookie, err := x.r.Cookie(api.SessionCookie)
	if err != nil {
		return false
	}
	extended, ok := x.api.cfg.Accounts.Session(x.r.Context(), cookie.Value)
	if extended > 0 {
		x.setCookie(cookie.Value, extended)
	}
	return ok
}

// setCookie sets the cookie to a session's secret, or deletes it when the secret is "".
func (x *exchange) setCookie(secret string, expires domain.Millis) {
	c := &http.Cookie{
		Name: api.SessionCookie, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: x.secure(),
		MaxAge: -1,
	}
	if secret != "" {
		c.MaxAge = int(expires.Time().Sub(x.api.cfg.Clock.Now()) / time.Second)
	}
	http.SetCookie(x.w, c)
}

// secure reports whether the browser speaks TLS, to Chalie or to a proxy. A client that
// forges the header only gets a cookie that it can't use without TLS.
func (x *exchange) secure() bool {
	return x.r.TLS != nil || x.r.Header.Get("X-Forwarded-Proto") == "https"
}

// credentials reads the name and the password from the body.
func (x *exchange) credentials() (in api.Credentials, err error) {
	if err := x.read(&in); err != nil {
		return in, err
	}
	switch {
	case in.Username == "":
		return in, domain.Invalid("read credentials", "username", "username is required: send {\"username\": …, \"password\": …}")
	case in.Password == "":
		return in, domain.Invalid("read credentials", "password", "password is required: send {\"username\": …, \"password\": …}")
	}
	return in, nil
}

// The states of setting up.
const (
	setupOpen    = "open"    // the key is the current one: it makes the account
	setupWaiting = "waiting" // there is no account, and the key isn't the current one
	setupDone    = "done"    // there is an account
)

// setup is GET /auth/setup?key=: whether a set-up link is valid.
func (x *exchange) setup() error {
	q := x.query()
	if q.err != nil {
		return q.err
	}
	state := setupWaiting
	switch {
	// A start without a set-up key found an account, even if it isn't folded yet.
	case x.api.cfg.SetupKey == "" || x.api.cfg.Accounts.HasOperator():
		state = setupDone
	case commands.SameSecret(x.api.cfg.SetupKey, q.values.Get("key")):
		state = setupOpen
	}
	return x.answer(http.StatusOK, api.SetupState{State: state, Command: x.command(state == setupOpen)("{}")})
}

// command formats a command line for the caller: with this program's path and data folder
// for a person at this machine, with the set-up key or logged in; with the bare program's
// name for strangers.
func (x *exchange) command(known bool) func(args string) string {
	if known || x.trusted || x.here() || x.hasSession() && x.noted(domain.Opening) == nil {
		return x.api.cfg.Command
	}
	return func(args string) string { return "chalie " + args }
}

// here reports whether the request comes from this machine.
func (x *exchange) here() bool {
	return loopbackPeer(x.r.RemoteAddr) && loopbackHost(x.r.Host) && !forwarded(x.r.Header)
}

// advice rewrites the commands in a text as command does. A client on the socket knows by
// itself how it was started and where the data is.
func (x *exchange) advice(text string) string {
	if !x.trusted && (x.here() || x.caller.Operator) {
		return domain.Advice(text, x.api.cfg.Command)
	}
	return text
}

// tokens is GET /api/tokens.
func (x *exchange) tokens() error {
	tokens := x.api.cfg.Accounts.Tokens()
	out := api.Tokens{Tokens: make([]api.Token, len(tokens)), Names: map[domain.Principal]string{}}
	for id, name := range x.api.cfg.Accounts.Names() {
		out.Names[domain.ProgramPrincipal(id)] = name
	}
	for i, t := range tokens {
		out.Tokens[i] = api.Token{Name: t.Name, Signals: t.Signals, IssuedAt: t.IssuedAt, LastSeenAt: api.TimestampOf(x.api.cfg.Accounts.LastSeen(t.Principal())), MCP: []api.MCPSession{}}
		if x.api.cfg.MCP != nil {
			out.Tokens[i].MCP = x.api.cfg.MCP.Sessions(t.Principal())
		}
	}
	return x.answer(http.StatusOK, out)
}

// issueToken is POST /api/tokens. The token's text is in this answer only.
func (x *exchange) issueToken() error {
	var in api.TokenRequest
	if err := x.read(&in); err != nil {
		return err
	}
	if in.Name == "" {
		return domain.Invalid("read token", "name", "name is required: name the program the token is for")
	}
	issued, err := x.api.cfg.Accounts.IssueToken(x.r.Context(), x.caller, in.Name, in.Signals)
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, api.IssuedToken{Name: issued.Name, Token: issued.Text, Signals: issued.Signals})
}

// revokeToken is DELETE /api/tokens/:name.
func (x *exchange) revokeToken() error {
	if err := x.api.cfg.Accounts.RevokeToken(x.r.Context(), x.caller, x.params.ByName("name")); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}
