package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

// How setting up stands.
const (
	setupOpen    = "open"    // the key is the current one: it makes the account
	setupWaiting = "waiting" // there is no account, and the key isn't the current one
	setupDone    = "done"    // there is an account
)

// setup is GET /auth/setup?key=: whether a set-up link is of use.
func (x *exchange) setup() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	state := setupWaiting
	switch {
	// A start without a set-up key found an account, though its fold may still be
	// on the way.
	case x.api.cfg.SetupKey == "" || x.api.cfg.Accounts.HasOperator():
		state = setupDone
	case commands.SameSecret(x.api.cfg.SetupKey, q.values.Get("key")):
		state = setupOpen
	}
	return x.answer(http.StatusOK, api.SetupState{State: state, Command: x.command(state == setupOpen)("{}")})
}

// command is how commands are named to who asks: as this program was started, for
// the person at this machine, with the set-up key or logged in. That tells where its
// data lies, so strangers see the bare program.
func (x *exchange) command(known bool) func(args string) string {
	if known || x.trusted || x.here() || x.hasSession() && x.noted(domain.Opening) == nil {
		return x.api.cfg.Command
	}
	return func(args string) string { return "chalie " + args }
}

// here reports whether it is somebody at this machine who asks.
func (x *exchange) here() bool {
	return loopbackPeer(x.r.RemoteAddr) && loopbackHost(x.r.Host) && !forwarded(x.r.Header)
}

// advice has the commands in a text as this program was started, for the same people.
// What asks over the socket knows itself how it was started, and by what path it finds
// the data.
func (x *exchange) advice(text string) string {
	if !x.trusted && (x.here() || x.caller.Operator) {
		return domain.Advice(text, x.api.cfg.Command)
	}
	return text
}
