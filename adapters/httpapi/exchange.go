package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guest"

	"github.com/julienschmidt/httprouter"
)

// exchange is one request and its answer.
type exchange struct {
	api     *API
	w       http.ResponseWriter
	r       *http.Request
	params  httprouter.Params
	out     counted // what w is, where answers are counted
	trusted bool
	who     api.Who         // may use the route
	route   *api.Route      // without a name for what matches none
	caller  commands.Caller // once admitted
	cookie  string          // the session's secret, where a cookie let the caller in
	keyed   bool            // and the session's key was shown

	buffer   *bytes.Buffer // the body, until release
	room     int64         // of the bodies' memory, taken until release
	stranger bool          // it is for a page that nobody has let in
	begun    bool          // the answer's header is out
	line     func(any)     // writes a line of an answer that has begun as lines of JSON

	invocation domain.ID // of the tool that was invoked, for a refusal to name
}

// harden sets what protects every answer. Pages add to it.
func (x *exchange) harden() {
	h := x.w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Frame-Options", "DENY")
}

// admit finds out who asks and whether they may.
func (x *exchange) admit() error {
	switch x.who {
	case api.Anyone:
		return nil
	case api.Neighbours:
		return x.nearby()
	case api.Local:
		if x.here() {
			return nil
		}
	}
	caller, ok := x.identify()
	if !ok && x.shows() {
		if err := x.untilKnown(); err != nil {
			return err
		}
		caller, ok = x.identify()
	}
	if x.who == api.Viewers && !caller.Operator {
		return x.nearby()
	}
	if ok && x.cookie != "" {
		if err := x.keyOf(); err != nil {
			return err
		}
	}
	if !ok {
		x.challenge()
		return unauthenticated()
	}
	if x.who != api.Callers && !caller.Operator {
		return &domain.Error{Op: "authorise", Category: domain.Policy, Code: "operator_only",
			Message: "only the operator may do this, and a token may not: " + x.login()}
	}
	x.caller = caller
	if caller.Operator && !x.trusted {
		x.api.cfg.Hosts.Came(x.r.Host)
	}
	return nil
}

// rule judges where what is answered may lead a browser.
func (x *exchange) rule() guest.Host { return x.api.cfg.Hosts.Rule() }

// tellWaiting says beside whatever the person is answered how many things wait for
// their approval, so that no page has to ask for that alone.
func (x *exchange) tellWaiting() {
	if !x.caller.Operator || x.api.cfg.Approvals == nil || x.r.Method != http.MethodGet {
		return
	}
	if x.cookie != "" && !x.keyed {
		return
	}
	x.tellElsewhere()
	// Where it can't be known the answer itself will say why.
	if waiting, err := x.api.cfg.Approvals.Pending(x.r.Context()); err == nil {
		x.w.Header().Set(api.WaitingHeader, strconv.Itoa(len(waiting)))
	}
}

// identify takes the bearer token when there is one, and the cookie otherwise:
// a bad token isn't saved by a good cookie.
func (x *exchange) identify() (commands.Caller, bool) {
	if x.trusted {
		return commands.OperatorCaller("socket"), true
	}
	if auth := x.r.Header.Get("Authorization"); auth != "" {
		scheme, token, _ := strings.Cut(auth, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return commands.Caller{}, false
		}
		return x.tokenHolder(strings.TrimSpace(token))
	}
	if !x.hasSession() {
		return commands.Caller{}, false
	}
	x.cookie = x.sessionSecret()
	return commands.OperatorCaller("api"), true
}

// tokenHolder is the program or paired interface a token lets in.
func (x *exchange) tokenHolder(token string) (commands.Caller, bool) {
	if caller, ok := x.api.cfg.Accounts.Token(token); ok || x.api.cfg.Interfaces == nil {
		return caller, ok
	}
	caller, ok := x.api.cfg.Interfaces.Token(token)
	if id, err := domain.ParseID(string(caller.Principal)); ok && err == nil {
		x.heard(id)
	}
	return caller, ok
}

// shows reports whether the request brings a token or a cookie.
func (x *exchange) shows() bool {
	if x.r.Header.Get("Authorization") != "" {
		return true
	}
	_, err := x.r.Cookie(api.SessionCookie)
	return err == nil
}

// untilKnown waits a moment for the accounts to be known. They are a fold of the
// log, which after a start may be on its way: a program with a good token that
// is told it is a stranger would give up for good.
func (x *exchange) untilKnown() error {
	ctx, cancel := context.WithTimeout(x.r.Context(), catchUpFor)
	defer cancel()
	// When it failed otherwise, what is known is all there will be.
	if err := x.api.cfg.Applied.WaitFor(ctx, x.api.cfg.Log.Tail()); errors.Is(err, context.DeadlineExceeded) {
		return &domain.Error{Op: "authenticate", Category: domain.Dependency, Code: "starting", Retriable: true, RetryAfter: catchUpFor,
			Message: "Chalie is still reading its log and can't tell yet who may do this: try again in a moment"}
	}
	return nil
}

// challenge names what would let the caller in. HTTP has no registered name for
// a cookie.
func (x *exchange) challenge() {
	scheme := "Bearer"
	if x.who != api.Callers {
		scheme = `Cookie realm="Chalie"`
	}
	x.w.Header().Set("WWW-Authenticate", scheme)
}

// login is how the operator comes to use this route.
func (x *exchange) login() string {
	if x.who.Alone() {
		return "log in with POST /auth/login and send the session cookie"
	}
	return "log in with POST /auth/login and \"key\":true, and send the session cookie and, as Chalie-Key, the key that it answers with"
}

// wayIn says the same to a person, only what works on this route.
func (x *exchange) wayIn() string {
	login := x.login()
	if x.who != api.Callers {
		return login + ", or ask over the Unix socket in the data directory, as the chalie command does"
	}
	return login + ", or send an active token as Authorization: Bearer"
}

func unauthenticated() error {
	return &domain.Error{Op: "authenticate", Code: domain.CodeUnauthenticated, Message: "Authentication required"}
}

// answer writes a JSON answer.
func (x *exchange) answer(status int, body any) error {
	x.tellWaiting()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return &domain.Error{Op: "write answer", Code: "internal", Message: "the answer could not be written", Err: err}
	}
	x.write(status, out.Bytes())
	return nil
}

// write sends JSON text. A peer that is gone is no error of ours.
func (x *exchange) write(status int, body []byte) {
	x.begun = true
	x.w.Header().Set("Content-Type", "application/json")
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body)
}
