package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"chalie/adapters/api"
)

func (v *visit) standing() (api.AuthStatus, error) {
	var out api.AuthStatus
	return out, v.ask("/auth/status", nil, &out)
}

// home is GET /. Before there is an account it says how to make one.
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
	page := setupPage{Front: true}
	if err := v.ask("/auth/setup", nil, &page.settingUp); err != nil {
		return err
	}
	// The start found an account that isn't folded yet.
	if page.State == "done" {
		return &refusal{status: http.StatusServiceUnavailable, code: codeStarting, message: "Chalie is still reading its log."}
	}
	return v.showSetup(http.StatusOK, page)
}

// login is the login page.
type login struct {
	Username string
	Next     string // where to go then, on this site
	Error    string
	Out      bool // they logged out just now
	Sent     bool // they wanted to go somewhere that needs it
	Again    bool // their cookie is good, and the browser has no key to it
	Ended    bool // their cookie isn't good any more
}

func (v *visit) loginPage() error {
	s, err := v.standing()
	if err != nil {
		return err
	}
	query := v.r.URL.Query()
	next := local(query.Get("next"))
	switch {
	case s.HasSession && !query.Has("again"):
		return v.goTo(next)
	case !s.HasAccount:
		return v.goTo("/")
	}
	_, none := v.r.Cookie(sessionCookie)
	return v.showLogin(http.StatusOK, login{Next: next, Out: query.Has("out"), Sent: query.Has("next"), Again: s.HasSession, Ended: none == nil && !s.HasSession})
}

func (v *visit) showLogin(status int, page login) error {
	return v.show(status, "login", frame{Title: "Log in", Bare: true, Scripts: []string{"entry.js"}, Page: page})
}

// maxForm bounds what a form sends, in bytes.
const maxForm = 16 << 10

// form reads what a form sent.
func (v *visit) form() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		return &refusal{status: http.StatusBadRequest, message: "The form could not be read. Go back, open the page again, and send it once more."}
	}
	return nil
}

// logIn is what the login's form sends.
func (v *visit) logIn() error {
	if err := v.form(); err != nil {
		return err
	}
	page := login{Username: strings.ToValidUTF8(v.r.PostForm.Get("username"), "\uFFFD"), Next: local(v.r.PostForm.Get("next"))}
	a, err := v.send(http.MethodPost, "/auth/login", nil, api.Credentials{Username: page.Username, Password: v.r.PostForm.Get("password"), Key: true})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		page.Error = notLetIn(a.refused())
		return v.showLogin(a.status, page)
	}
	in := entered{Next: page.Next}
	if in.Key, err = v.takeSession(a); err != nil {
		return err
	}
	return v.show(http.StatusOK, "entered", frame{Title: "Logged in", Bare: true, Scripts: []string{"entry.js"}, Page: in})
}

// entered is who was let in just now.
type entered struct {
	Key  string // of the session: the page's module keeps it, and nothing else is told it
	Next string
}

// takeSession hands the browser the cookie that the API gave, and returns the key.
func (v *visit) takeSession(a *answer) (key string, err error) {
	var in api.LoggedIn
	if err := json.Unmarshal(a.body.Bytes(), &in); err != nil {
		return "", fmt.Errorf("read the answer to a login: %w", err)
	}
	v.w.Header()["Set-Cookie"] = a.header["Set-Cookie"]
	return in.Key, nil
}

// notLetIn is why, for who stands at the door.
func notLetIn(r *refusal) string {
	switch {
	case r.status == http.StatusUnauthorized:
		return "Name or password is not right."
	case r.status == http.StatusTooManyRequests:
		return "There were too many attempts. Wait " + inAWhile(r.retryAfter) + ", then try again: nothing is locked."
	case r.code == codeStarting:
		return "Chalie is still starting. Try again in a moment."
	case r.status == http.StatusServiceUnavailable:
		return "Chalie is too busy to check the password now. Try again in a moment."
	}
	return sentence(r.message)
}

// inAWhile is how long to wait.
func inAWhile(d time.Duration) string {
	switch seconds := int(d / time.Second); {
	case seconds <= 0:
		return "a minute"
	case seconds == 1:
		return "a second"
	case seconds < 120:
		return fmt.Sprintf("%d seconds", seconds)
	}
	return fmt.Sprintf("%d minutes", (d+time.Minute-1)/time.Minute)
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
	return v.goTo("/login?out")
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
