package httpapi

import (
	"log/slog"
	"net/http"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
)

// Where a session's key is shown. A browser lets a page send no header with a socket, so
// there it stands among the names of protocols, behind the one that is answered.
const (
	socketProtocol = "chalie"
	socketKey      = "chalie.key."
)

// shownKey is the key that the request shows; "" when it shows none.
func shownKey(h http.Header) string {
	if key := h.Get(api.KeyHeader); key != "" {
		return key
	}
	for _, line := range h.Values("Sec-Websocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			if key, ok := strings.CutPrefix(strings.TrimSpace(name), socketKey); ok {
				return key
			}
		}
	}
	return ""
}

// keyOf finds out whether the session's key was shown, notes how its cookie came, and
// refuses what the cookie alone may not do.
func (x *exchange) keyOf() error {
	x.keyed = x.hasKey() || x.hasPass()
	use := domain.Alone
	switch {
	case x.who == api.Openers:
		use = domain.Opening
	case x.who == api.Loaders || x.who == api.Viewers && x.r.Method != http.MethodPost:
		use = domain.Passing
	}
	if err := x.noted(use); err != nil {
		return err
	}
	if x.keyed || x.who.Alone() {
		return nil
	}
	x.challenge()
	return &domain.Error{Op: "authorise", Code: api.CodeKeyNeeded,
		Message: "the session's cookie alone may not do this, because every server of this machine may be sent it: open Chalie's own pages and log in there, or " + x.login()}
}

// hasKey reports whether the key of the cookie's session was shown.
func (x *exchange) hasKey() bool {
	return x.api.cfg.Accounts.HasKey(x.sessionSecret(), shownKey(x.r.Header))
}

// noted tells the log of a session's cookie that came from elsewhere: use is how it came
// if not with the key. It has to stand there before anything is answered, or whoever
// fills the disk first would go untold.
func (x *exchange) noted(use domain.Use) error {
	if x.keyed || x.hasKey() {
		use = domain.Keyed
	}
	err := x.api.cfg.Accounts.Used(x.r.Context(), x.sessionSecret(), use, x.visitor())
	if err != nil {
		x.api.cfg.Logger.ErrorContext(x.r.Context(), "the use of a session elsewhere could not be recorded", slog.Any("error", err))
	}
	return err
}
