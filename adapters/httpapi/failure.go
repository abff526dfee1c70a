package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/message"
	"chalie/commands/tool"
	"chalie/domain"
)

// statusOf is the one table from errors to statuses. A code that has a status
// of its own goes before its category.
func statusOf(err error) int {
	switch domain.CodeOf(err) {
	case domain.CodeUnauthenticated, api.CodeKeyNeeded:
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
	case domain.CodeErased, message.CodeImageGone:
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

// fromInterface reports whether an interface is what failed.
func fromInterface(err error) bool {
	switch domain.CodeOf(err) {
	case commands.CodePeerUnreachable, commands.CodePeerForbidden, commands.CodePeerUnknown, commands.CodePeerStatus,
		commands.CodePeerBadJSON, commands.CodePeerBadShape, commands.CodePeerTooLarge, commands.CodePeerUnhealthy:
		return domain.CategoryOf(err) == domain.Dependency
	}
	return false
}

const codeWrongMethod domain.Code = "method_not_allowed"

// refuse answers with an error. Where an answer of lines is already under way it is the
// last one; any other is broken off, or the peer would take it for complete.
func (x *exchange) refuse(err error) { x.refuseAs(statusOf(err), err) }

// refuseAs is refuse where a route has a status of its own for what went wrong.
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

// outward is what a stranger may read of an error: never its cause.
func outward(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return e.Message
	}
	if statusOf(err) == http.StatusServiceUnavailable {
		return "Chalie is too busy or shutting down: try again in a moment"
	}
	return "something went wrong inside Chalie: its log says what"
}

// notRunning refuses what needs more than a log to be read.
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

// recovered answers a request whose handler panicked.
func (a *API) recovered(w http.ResponseWriter, r *http.Request, cause any) {
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	a.cfg.Logger.Error("a request panicked", slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))
	x := &exchange{api: a, w: w, r: r}
	_ = x.answer(http.StatusInternalServerError, api.Refusal{Error: "something went wrong inside Chalie: its log says what", Code: "internal"})
}
