package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"chalie/commands"
	"chalie/domain"

	"github.com/julienschmidt/httprouter"
)

// exchange is one request and its answer.
type exchange struct {
	api     *API
	w       http.ResponseWriter
	r       *http.Request
	params  httprouter.Params
	trusted bool
	caller  commands.Caller // once admitted

	buffer *bytes.Buffer // the body, until release
	begun  bool          // the answer's header is out
}

// harden sets what protects every answer. The set-up page adds to it.
func (x *exchange) harden() {
	h := x.w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Frame-Options", "DENY")
}

// admit finds out who asks and whether they may.
func (x *exchange) admit(need access) error {
	if need == anyone {
		return nil
	}
	caller, ok := x.identify()
	if !ok {
		x.w.Header().Set("WWW-Authenticate", "Bearer")
		return unauthenticated()
	}
	if need == operator && !caller.Operator {
		return &domain.Error{Op: "authorise", Category: domain.Policy, Code: "operator_only",
			Message: "only the operator may do this, and a token may not: log in with POST /auth/login and send the session cookie"}
	}
	x.caller = caller
	return nil
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
		return x.api.cfg.Accounts.Token(strings.TrimSpace(token))
	}
	return commands.OperatorCaller("api"), x.hasSession()
}

func unauthenticated() error {
	return &domain.Error{Op: "authenticate", Code: domain.CodeUnauthenticated, Message: "Authentication required"}
}

// answer writes a JSON answer.
func (x *exchange) answer(status int, body any) error {
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
