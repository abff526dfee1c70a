package web

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"chalie/adapters/api"
)

// settingUp is how setting up stands, as GET /auth/setup says it.
type settingUp struct{ api.SetupState }

// setupPage is the page behind the set-up link, and the front page as long as there
// is no account.
type setupPage struct {
	settingUp

	Front    bool   // nobody came with a link
	Key      string // of the link
	Username string
	Made     bool   // the account was made just now
	Session  string // the key of the session that was opened with it
	Error    string // what to change
	Field    string // where; "" when it is no field's
}

// Run is a command line that has this program do something.
func (s settingUp) Run(args string) string { return strings.Replace(s.Command, "{}", args, 1) }

// setUpPage is GET /setup?key=.
func (v *visit) setUpPage() error {
	page := setupPage{Key: v.r.URL.Query().Get("key")}
	if err := v.ask("/auth/setup", url.Values{"key": {page.Key}}, &page.settingUp); err != nil {
		return err
	}
	status := http.StatusOK
	if page.State == "waiting" {
		status = http.StatusForbidden
	}
	return v.showSetup(status, page)
}

// setUp is what the set-up page's form sends. Only the link's key makes an account
// here: being on this machine does not, because any page of a browser is.
func (v *visit) setUp() error {
	if err := v.form(); err != nil {
		return err
	}
	in := v.r.PostForm
	page := setupPage{Key: in.Get("key"), Username: in.Get("username")}
	if err := v.ask("/auth/setup", url.Values{"key": {page.Key}}, &page.settingUp); err != nil {
		return err
	}
	switch {
	case page.State == "done":
		return v.showSetup(http.StatusConflict, page)
	case page.State != "open":
		return v.showSetup(http.StatusForbidden, page)
	case !utf8.ValidString(page.Username):
		page.Username = strings.ToValidUTF8(page.Username, "\uFFFD")
		page.Error, page.Field = "This name has characters that can't be read: type it again.", "username"
		return v.showSetup(http.StatusBadRequest, page)
	}
	a, err := v.send(http.MethodPost, "/auth/register", nil, map[string]any{"username": page.Username, "password": in.Get("password"), "setup_key": page.Key, "key": true})
	if err != nil {
		return err
	}
	if a.status != http.StatusCreated {
		return v.setupRefused(page, a.refused())
	}
	if page.Session, err = v.takeSession(a); err != nil {
		return err
	}
	page.Made = true
	return v.showSetup(http.StatusCreated, page)
}

// setupRefused shows the form again with what to change, and where.
func (v *visit) setupRefused(page setupPage, refused *refusal) error {
	switch refused.status {
	case http.StatusConflict:
		page.State = "done"
	case http.StatusForbidden:
		page.State = "waiting"
	case http.StatusBadRequest:
		page.Error, page.Field = sentence(refused.message), refused.field
	default:
		return refused
	}
	return v.showSetup(refused.status, page)
}

// showSetup shows the page. Its address holds the key: like every page it tells no other
// site where it was.
func (v *visit) showSetup(status int, page setupPage) error {
	title := "Set up"
	if page.Made {
		title = "Welcome"
	}
	return v.show(status, "setup", frame{Title: title, Bare: true, Scripts: []string{"entry.js"}, Page: page})
}
