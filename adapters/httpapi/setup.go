package httpapi

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"mime"
	"net/http"
	"net/url"

	"chalie/commands"
	"chalie/domain"
)

//go:embed setup.html
var setupFiles embed.FS

func parseSetupPage() (*template.Template, error) {
	return template.ParseFS(setupFiles, "setup.html")
}

// setupView is what the set-up page shows: the form, or where things stand.
type setupView struct {
	Nonce    string
	Key      string // "" for no form
	Username string
	Error    string
	Done     bool // the account was just made
	Exists   bool // it was made before
}

// setupPage is GET /setup?key=.
func (x *exchange) setupPage() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	switch key := q.values.Get("key"); {
	case x.api.cfg.Accounts.HasOperator():
		return x.page(http.StatusOK, setupView{Exists: true})
	case commands.SameSecret(x.api.cfg.SetupKey, key):
		return x.page(http.StatusOK, setupView{Key: key})
	}
	return x.page(http.StatusForbidden, setupView{})
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
	view := setupView{Key: form.Get("key"), Username: form.Get("username")}
	switch {
	case x.api.cfg.Accounts.HasOperator():
		return x.page(http.StatusConflict, setupView{Exists: true})
	case !commands.SameSecret(x.api.cfg.SetupKey, view.Key):
		return x.page(http.StatusForbidden, setupView{})
	}
	login, err := x.api.cfg.Accounts.Register(x.r.Context(), view.Username, form.Get("password"), "setup_link", x.r.UserAgent())
	if err != nil {
		return x.setupRefused(view, err)
	}
	x.setCookie(login.Secret, login.ExpiresAt)
	return x.page(http.StatusCreated, setupView{Done: true, Username: view.Username})
}

// setupRefused shows the form again with what to change.
func (x *exchange) setupRefused(view setupView, err error) error {
	e, ok := errors.AsType[*domain.Error](err)
	switch {
	case !ok || e.Category == domain.Dependency:
		return err
	case e.Category == domain.Conflict:
		return x.page(http.StatusConflict, setupView{Exists: true})
	}
	view.Error = e.Message
	return x.page(statusOf(err), view)
}

// page writes the set-up page. It may load nothing, send its form nowhere else,
// and tells no other site where it was: the link holds the key.
func (x *exchange) page(status int, view setupView) error {
	view.Nonce = commands.NewSecret()
	var out bytes.Buffer
	if err := x.api.setup.Execute(&out, view); err != nil {
		return &domain.Error{Op: "show set-up page", Code: "internal", Message: "the page could not be written", Err: err}
	}
	h := x.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'nonce-"+view.Nonce+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	x.begun = true
	x.w.WriteHeader(status)
	_, _ = x.w.Write(out.Bytes())
	return nil
}
