package web

import (
	"net/http"
	"net/url"
	"strings"
)

// standing is how the browser stands with Chalie, as GET /auth/status says it.
type standing struct {
	HasAccount bool `json:"has_master_account"`
	HasSession bool `json:"has_session"`
}

func (v *visit) standing() (standing, error) {
	var out standing
	return out, v.ask("/auth/status", nil, &out)
}

// home is GET /. Before there is an account the API's own page says how to make
// one.
func (v *visit) home() error {
	s, err := v.standing()
	switch {
	case err != nil:
		return err
	case s.HasSession:
		return v.goTo("/chat")
	case s.HasAccount:
		return v.goTo("/login")
	}
	v.site.cfg.API.ServeHTTP(v.w, v.r)
	return nil
}

// login is the login page.
type login struct {
	Username string
	Next     string // where to go then, on this site
	Error    string
}

func (v *visit) loginPage() error {
	s, err := v.standing()
	if err != nil {
		return err
	}
	next := local(v.r.URL.Query().Get("next"))
	switch {
	case s.HasSession:
		return v.goTo(next)
	case !s.HasAccount:
		return v.goTo("/")
	}
	return v.showLogin(http.StatusOK, login{Next: next})
}

func (v *visit) showLogin(status int, page login) error {
	return v.show(status, "login", frame{Title: "Log in", Bare: true, Page: page})
}

// maxForm bounds what a form sends, in bytes.
const maxForm = 16 << 10

// logIn is what the login's form sends.
func (v *visit) logIn() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		return &refusal{http.StatusBadRequest, "The form could not be read: open the login page and try again."}
	}
	page := login{Username: v.r.PostForm.Get("username"), Next: local(v.r.PostForm.Get("next"))}
	a, err := v.send(http.MethodPost, "/auth/login", nil, map[string]string{"username": page.Username, "password": v.r.PostForm.Get("password")})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		page.Error = a.refused().message
		if a.status == http.StatusUnauthorized {
			page.Error = "Name or password is not right."
		}
		return v.showLogin(a.status, page)
	}
	v.w.Header()["Set-Cookie"] = a.header["Set-Cookie"]
	return v.goTo(page.Next)
}

// logOut is the button in the navigation.
func (v *visit) logOut() error {
	a, err := v.send(http.MethodPost, "/auth/logout", nil, struct{}{})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return a.refused()
	}
	v.w.Header()["Set-Cookie"] = a.header["Set-Cookie"]
	return v.goTo("/login")
}

// local is a path on this site, for a link that came from outside: it must lead
// nowhere else.
func local(next string) string {
	to, err := url.Parse(next)
	if err != nil || to.IsAbs() || to.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) {
		return "/chat"
	}
	return next
}
