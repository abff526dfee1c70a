package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/julienschmidt/httprouter"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/message"
	"chalie/commands/tool"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/guest"
)

// exchange is one request and its answer.
type exchange struct {
	api     *API
	w       http.ResponseWriter
	r       *http.Request
	params  httprouter.Params
	out     counted // w, which counts answers
	trusted bool
	who     api.Who         // callers that may use the route
	route   *api.Route      // without a name when no route matches
	caller  commands.Caller // once admitted
	cookie  string          // the session's secret, where a cookie let the caller in
	keyed   bool            // and the session's key was shown

	buffer   *bytes.Buffer // the body, until release
	room     int64         // bytes counted in bodies, until release
	stranger bool          // a page for a caller without credentials
	begun    bool          // the answer's header is out
	line     func(any)     // writes a line of an answer that has begun as lines of JSON

	invocation domain.ID // of the invoked tool, for a refusal
}

// harden sets the security headers of every answer. Pages add more.
func (x *exchange) harden() {
	h := x.w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()")
}

// dataPolicy is the Content-Security-Policy of an answer that is no page: nothing in it loads
// or runs, whatever a browser takes it for.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// admit identifies the caller and refuses one that may not use the route.
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
	if !ok && x.who == api.Consoles && x.unkeyed() {
		caller, ok = commands.ConsoleCaller(), true
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
	if !x.who.Tokens() && !caller.Operator {
		return &domain.Error{Op: "authorise", Category: domain.Policy, Code: "operator_only",
			Message: "only the operator may do this, and a token may not: " + x.login()}
	}
	x.caller = caller
	x.caller.Zone = x.r.Header.Get(api.TimezoneHeader)
	if caller.Operator && !x.trusted {
		x.api.cfg.Hosts.Came(x.r.Host)
	}
	return nil
}

// rule decides which links an answer may have for a browser.
func (x *exchange) rule() guest.Host { return x.api.cfg.Hosts.Rule() }

// tellWaiting sets the headers with the numbers of proposals and of interfaces that wait for the
// person, so that no page has to request them.
func (x *exchange) tellWaiting() {
	if !x.caller.Operator || x.api.cfg.Approvals == nil || x.r.Method != http.MethodGet {
		return
	}
	if x.cookie != "" && !x.keyed {
		return
	}
	x.tellElsewhere()
	if x.api.cfg.Interfaces != nil {
		x.w.Header().Set(api.AskingHeader, strconv.Itoa(x.api.cfg.Interfaces.Asking()))
	}
	// On an error the answer itself will say why.
	if waiting, err := x.api.cfg.Approvals.Pending(x.r.Context()); err == nil {
		x.w.Header().Set(api.WaitingHeader, strconv.Itoa(len(waiting)))
	}
}

// identify checks the token when there is one, and the cookie otherwise: a good cookie
// doesn't make up for a bad token.
func (x *exchange) identify() (commands.Caller, bool) {
	if x.trusted {
		return commands.OperatorCaller("socket"), true
	}
	if token, shown := x.token(); shown {
		return x.tokenHolder(token)
	}
	if !x.hasSession() {
		return commands.Caller{}, false
	}
	x.cookie = x.sessionSecret()
	return commands.OperatorCaller("api"), true
}

// token is the request's token, "" for an Authorization of another kind; false without any.
func (x *exchange) token() (token string, shown bool) {
	if auth := x.r.Header.Get("Authorization"); auth != "" {
		scheme, token, _ := strings.Cut(auth, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", true
		}
		return strings.TrimSpace(token), true
	}
	key := x.r.Header.Get(api.APIKeyHeader)
	return key, key != ""
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

// shows reports whether the request has a token or a cookie.
func (x *exchange) shows() bool {
	if x.r.Header.Get("Authorization") != "" || x.r.Header.Get(api.APIKeyHeader) != "" {
		return true
	}
	_, err := x.r.Cookie(api.SessionCookie)
	return err == nil
}

// untilKnown waits a moment for the fold of accounts, which may be behind after a start:
// a program whose good token is refused would give up for good.
func (x *exchange) untilKnown() error {
	ctx, cancel := context.WithTimeout(x.r.Context(), catchUpFor)
	defer cancel()
	// After another error the fold won't get further.
	if err := x.api.cfg.Applied.WaitFor(ctx, x.api.cfg.Log.Tail()); errors.Is(err, context.DeadlineExceeded) {
		return &domain.Error{Op: "authenticate", Category: domain.Dependency, Code: "starting", Retriable: true, RetryAfter: catchUpFor,
			Message: "Chalie is still reading its log and can't tell yet who may do this: try again in a moment"}
	}
	return nil
}

// challenge sets WWW-Authenticate. HTTP has no registered scheme for a cookie.
func (x *exchange) challenge() {
	scheme := "Bearer"
	if !x.who.Tokens() {
		scheme = `Cookie realm="Chalie"`
	}
	x.w.Header().Set("WWW-Authenticate", scheme)
}

// login names the credentials with which the operator may use this route.
func (x *exchange) login() string {
	if x.who.Alone() {
		return "log in with POST /auth/login and send the session cookie"
	}
	return "log in with POST /auth/login and \"key\":true, and send the session cookie and, as Chalie-Key, the key that it answers with"
}

// wayIn says the same to a person.
func (x *exchange) wayIn() string {
	login := x.login()
	if !x.who.Tokens() {
		return login + ", or ask over the Unix socket in the data directory, as the chalie command does"
	}
	if x.who == api.Consoles {
		return login + ", or send an active token as " + api.APIKeyHeader + "; chalie serve --aistalk lets programs on this machine in without one"
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
	if h := x.w.Header(); h.Get("Content-Security-Policy") == "" {
		h.Set("Content-Security-Policy", dataPolicy)
	}
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body)
}

// statusOf is the one table from errors to statuses. A code that has a status
// of its own goes before its category.
func statusOf(err error) int {
	switch domain.CodeOf(err) {
	case domain.CodeUnauthenticated, api.CodeKeyNeeded, api.CodeLoginNeeded:
		return http.StatusUnauthorized
	case domain.CodeRateLimited:
		return http.StatusTooManyRequests
	case domain.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case codeWrongMethod:
		return http.StatusMethodNotAllowed
	case message.CodeUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case CodeUpgradeRequired:
		return http.StatusUpgradeRequired
	case api.CodeNobodyKnows:
		return http.StatusGatewayTimeout
	case tool.CodePolicyChanged:
		return http.StatusPreconditionFailed
	case domain.CodeErased, message.CodeImageGone, voice.CodeForgotten:
		return http.StatusGone
	}
	if fromInterface(err) {
		return http.StatusBadGateway
	}
	switch domain.CategoryOf(err) {
	case domain.Validation:
		return http.StatusBadRequest
	case domain.Policy:
		return http.StatusForbidden
	case domain.NotFound:
		return http.StatusNotFound
	case domain.Conflict:
		return http.StatusConflict
	case domain.Dependency:
		return http.StatusServiceUnavailable
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// fromInterface reports whether an error is an interface's failure.
func fromInterface(err error) bool {
	switch domain.CodeOf(err) {
	case commands.CodePeerUnreachable, commands.CodePeerForbidden, commands.CodePeerUnknown, commands.CodePeerStatus,
		commands.CodePeerBadJSON, commands.CodePeerBadShape, commands.CodePeerTooLarge, commands.CodePeerUnhealthy:
		return domain.CategoryOf(err) == domain.Dependency
	}
	return false
}

const codeWrongMethod domain.Code = "method_not_allowed"

// refuse answers with an error. In an answer of lines that has begun it is the last line;
// any other is cut off, so that the peer doesn't take it for complete.
func (x *exchange) refuse(err error) { x.refuseAs(statusOf(err), x.went(err)) }

// refuseAs is refuse with a status of the route's own.
func (x *exchange) refuseAs(status int, err error) {
	x.api.damage.note(err)
	if status >= http.StatusInternalServerError && x.r.Context().Err() == nil {
		level := slog.LevelError
		switch {
		case domain.CodeOf(err) == domain.CodeClosed:
			level = slog.LevelDebug // somebody stopped the program: that is no failure
		case status == http.StatusBadGateway || status == http.StatusGatewayTimeout:
			level = slog.LevelWarn // an interface failed, not Chalie
		}
		x.api.cfg.Logger.Log(x.r.Context(), level, "a request failed", slog.String("method", x.r.Method),
			slog.String("path", x.r.URL.Path), slog.Int("status", status), slog.Any("error", err))
	}
	if x.begun && x.line == nil {
		panic(http.ErrAbortHandler)
	}
	body := api.Refusal{Error: x.advice(outward(err)), Code: domain.CodeOf(err), InvocationID: x.invocation.UUID()}
	if e, ok := errors.AsType[*domain.Error](err); ok {
		body.Field = e.Field
		if e.RetryAfter > 0 && !x.begun {
			x.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
		}
	}
	if x.begun {
		x.line(body)
		return
	}
	if status == http.StatusUpgradeRequired {
		x.w.Header().Set("Connection", "Upgrade")
		x.w.Header().Set("Upgrade", "websocket")
	}
	if status == http.StatusUnauthorized && body.Error == "Authentication required" {
		body.Hint = x.wayIn()
	}
	// A refusal is made of texts, which can always be written.
	_ = x.answer(status, body)
}

// outward is an error's text for the outside, without its cause.
func outward(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return e.Message
	}
	if statusOf(err) == http.StatusServiceUnavailable {
		return "Chalie is too busy or shutting down: try again in a moment"
	}
	return "something went wrong inside Chalie: its log says what"
}

// notRunning refuses a request that needs a running Chalie, while the log is only read.
func notRunning(what string) error {
	return &domain.Error{Op: "route", Category: domain.Dependency, Code: "not_running",
		Message: "Chalie doesn't run, so it can't " + what + ": start it with chalie serve, and ask again"}
}

func noSuchRoute(r *http.Request) error {
	return &domain.Error{Op: "route", Category: domain.NotFound, Code: "no_route",
		Message: fmt.Sprintf("there is no %.100s here: check the path", r.URL.Path)}
}

func wrongMethod(r *http.Request) error {
	return &domain.Error{Op: "route", Category: domain.Validation, Code: codeWrongMethod,
		Message: fmt.Sprintf("%.20s is not a method of %.100s: use one the Allow header names", r.Method, r.URL.Path)}
}

func crossOrigin(*http.Request) error {
	return &domain.Error{Op: "route", Category: domain.Policy, Code: "cross_origin",
		Message: "a page of another site sent this: call it from Chalie's own pages, or from a program without an Origin header"}
}

// answerPanic answers a request whose handler panicked.
func (a *API) answerPanic(w http.ResponseWriter, r *http.Request, cause any) {
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	a.cfg.Logger.Error("a request panicked", slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))
	x := &exchange{api: a, w: w, r: r}
	_ = x.answer(http.StatusInternalServerError, api.Refusal{Error: "something went wrong inside Chalie: its log says what", Code: "internal"})
}
