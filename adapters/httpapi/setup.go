package httpapi

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// setupPage is GET /setup?key=.
func (x *exchange) setupPage() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	switch key := q.values.Get("key"); {
	case x.api.cfg.Accounts.HasOperator():
		return x.page(http.StatusOK, pageView{Exists: true})
	case commands.SameSecret(x.api.cfg.SetupKey, key):
		return x.page(http.StatusOK, pageView{Key: key})
	}
	return x.page(http.StatusForbidden, pageView{})
}

// setUp is POST /setup, what the page's form sends.
func (x *exchange) setUp() error {
	body, err := x.body()
	if err != nil {
		return err
	}
	media, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return domain.Invalid("set up", "Content-Type", "this is for the set-up page's form: open /setup with the link's key, or POST JSON to /auth/register")
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return domain.Invalid("set up", "", "the form can't be read: send it from the set-up page")
	}
	view := pageView{Key: form.Get("key"), Username: strings.ToValidUTF8(form.Get("username"), "\uFFFD")}
	switch {
	case x.api.cfg.Accounts.HasOperator():
		return x.page(http.StatusConflict, pageView{Exists: true})
	case !commands.SameSecret(x.api.cfg.SetupKey, view.Key):
		return x.page(http.StatusForbidden, pageView{})
	}
	login, err := x.api.cfg.Accounts.Register(x.r.Context(), view.Username, form.Get("password"), "setup_link", x.r.UserAgent())
	if err != nil {
		return x.setupRefused(view, err)
	}
	x.setCookie(login.Secret, login.ExpiresAt)
	return x.page(http.StatusCreated, pageView{Done: true, Username: view.Username})
}

// setupRefused shows the form again with what to change.
func (x *exchange) setupRefused(view pageView, err error) error {
	e, ok := errors.AsType[*domain.Error](err)
	switch {
	case !ok || e.Category == domain.Dependency:
		return err
	case e.Category == domain.Conflict:
		return x.page(http.StatusConflict, pageView{Exists: true})
	}
	view.Error = e.Message
	return x.page(statusOf(err), view)
}
