package httpapi

import (
	"chalie/adapters/api"
	"chalie/domain"
)

// socket is GET /ws. The caller was admitted as on every route.
func (x *exchange) socket() error {
	sockets := x.api.cfg.Sockets
	if sockets == nil {
		return notRunning("open a socket")
	}
	return sockets.Upgrade(x.w, x.r, x.caller, x.stillHere())
}

// stillHere returns a function that reports whether the caller's session is still valid.
// Callers on the trusted socket always are.
func (x *exchange) stillHere() func() bool {
	if x.trusted {
		return func() bool { return true }
	}
	cookie, err := x.r.Cookie(api.SessionCookie)
	if err != nil {
		return func() bool { return false }
	}
	accounts, session := x.api.cfg.Accounts, domain.HashSecret(cookie.Value)
	return func() bool { return accounts.SessionOpen(session) }
}
