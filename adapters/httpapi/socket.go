package httpapi

import (
	"chalie/adapters/api"
	"chalie/domain"
)

// socket is GET /ws. Who may not come in was refused by now, as on every route;
// the rest is the socket's own.
func (x *exchange) socket() error {
	sockets := x.api.cfg.Sockets
	if sockets == nil {
		return notRunning("open a socket")
	}
	return sockets.Upgrade(x.w, x.r, x.caller, x.stillHere())
}

// stillHere makes the question whether who asks may still be there. The peers of
// the trusted socket always may.
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
