package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

func (v *visit) standing() (api.AuthStatus, error) {
	var out api.AuthStatus
	return out, v.ask("/auth/status", nil, &out)
}

// home is GET /. Without an account it says how to make one.
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
	Next     string // the path to open afterwards, on this site
	Error    string
	Out      bool // they logged out just now
	Sent     bool // they were redirected from a page that needs it
	Again    bool // the cookie is valid, but the browser has no key
	Ended    bool // the cookie isn't valid any more
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

// maxForm bounds a form, in bytes.
const maxForm = 16 << 10

// form reads a form.
func (v *visit) form() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		return &refusal{status: http.StatusBadRequest, message: "The form could not be read. Go back, open the page again, and send it once more."}
	}
	return nil
}

// logIn handles the login form.
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

// entered is the page after a login.
type entered struct {
	Key  string // the session's key, which only the page's module keeps
	Next string
}

// takeSession sets the cookie from the API's answer, and returns the key.
func (v *visit) takeSession(a *answer) (key string, err error) {
	var in api.LoggedIn
	if err := json.Unmarshal(a.body.Bytes(), &in); err != nil {
		return "", fmt.Errorf("read the answer to a login: %w", err)
	}
	v.w.Header()["Set-Cookie"] = a.header["Set-Cookie"]
	return in.Key, nil
}

// notLetIn words the refusal of a login.
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

// inAWhile writes a waiting time.
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

// logOut handles the button in the navigation.
func (v *visit) logOut() error {
	a, err := v.send(http.MethodPost, "/auth/logout", nil, struct{}{})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return a.refused()
	}
	v.w.Header()["Set-Cookie"] = a.header["Set-Cookie"]
	// What the browser keeps for these pages goes, since the person leaves. What they had begun stays where a
	// session ends otherwise. Not the cookies: a browser would take those of every port of this host.
	v.w.Header().Set("Clear-Site-Data", `"storage"`)
	return v.goTo("/login?out")
}

// local is a path on this site from an untrusted link, which must not lead elsewhere.
func local(next string) string {
	to, err := url.Parse(next)
	if err != nil || to.IsAbs() || to.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) {
		return "/chat"
	}
	return next
}

// settingUp is the answer of GET /auth/setup.
type settingUp struct{ api.SetupState }

// setupPage is the page behind the set-up link, and the front page as long as there
// is no account.
type setupPage struct {
	settingUp

	Front    bool   // opened without a set-up link
	Key      string // of the link
	Username string
	Made     bool   // the account was just made
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

// setUp handles the set-up form. It requires the link's key: a local address is not
// enough, because any page in a browser has it.
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

// setupRefused shows the form again with the error.
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

// showSetup shows the page. Its address contains the key, which no Referer passes on.
func (v *visit) showSetup(status int, page setupPage) error {
	title := "Set up"
	if page.Made {
		title = "Welcome"
	}
	return v.show(status, "setup", frame{Title: title, Bare: true, Scripts: []string{"entry.js"}, Page: page})
}

// keyHeader is the header in which modules send the session's key. See assets/key.js.
const keyHeader = "Chalie-Key"

// sessionCookie is sent with every request, to every server of this host.
const sessionCookie = "chalie_session"

// opensByKey reports whether the request has the session's cookie alone, as for a
// followed link: it gets the opening document instead of the page.
func (v *visit) opensByKey() bool {
	if v.r.Header.Get(keyHeader) != "" || v.r.Header.Get("Authorization") != "" {
		return false
	}
	_, err := v.r.Cookie(sessionCookie)
	return err == nil && v.ask("/auth/session", nil, &struct{}{}) == nil
}

// opening is the same document for every page, without data: its module requests the page
// with the key, which only this origin has, and puts it in its place.
func (v *visit) opening() error {
	return v.show(http.StatusOK, "opening", frame{Title: "Opening", Bare: true, Opening: true, Scripts: []string{"opening.js"}})
}

// accountPage is the sessions, and the programs' tokens.
type accountPage struct {
	api.Account

	Sessions []session
	Total    int // number of sessions, including those beyond the list
	Tokens   []api.Token

	Elsewhere []elsewhere
}

// Others reports whether there are other sessions.
func (p accountPage) Others() bool { return p.Total > 1 }

// More is the number of sessions beyond the list.
func (p accountPage) More() int { return p.Total - len(p.Sessions) }

// session is a session, as GET /api/sessions has it.
type session struct{ api.Session }

// elsewhere is a use of a session, as GET /api/sessions-elsewhere has it.
type elsewhere struct{ api.Elsewhere }

// Device names the client of the use by its User-Agent.
func (e elsewhere) Device() string { return session{api.Session{Client: e.Client}}.Device() }

// CameFrom tells the address of the use.
func (e elsewhere) CameFrom() string {
	return session{api.Session{From: e.From, Relayed: e.Relayed}}.CameFrom()
}

// account is GET /account. With part=tokens or part=sessions it is only those, for the
// page's module.
func (v *visit) account() error {
	var page accountPage
	switch part := v.r.URL.Query().Get("part"); part {
	case "tokens":
		if err := page.askTokens(v); err != nil {
			return err
		}
		return v.part("account", part, page)
	case "sessions":
		if err := page.askSessions(v); err != nil {
			return err
		}
		return v.part("account", part, page)
	}
	if err := v.ask("/api/account", nil, &page); err != nil {
		return err
	}
	if err := page.askTokens(v); err != nil {
		return err
	}
	if err := page.askSessions(v); err != nil {
		return err
	}
	return v.show(http.StatusOK, "account", frame{Title: "Account", Here: "/account", Scripts: []string{"act.js", "entry.js", "account.js"}, Page: page})
}

func (p *accountPage) askTokens(v *visit) error {
	var tokens api.Tokens
	err := v.ask("/api/tokens", nil, &tokens)
	p.Tokens = tokens.Tokens
	return err
}

func (p *accountPage) askSessions(v *visit) error {
	var open struct {
		Sessions []session `json:"sessions"`
		Total    int       `json:"total"`
	}
	if err := v.ask("/api/sessions", nil, &open); err != nil {
		return err
	}
	p.Sessions, p.Total = open.Sessions, open.Total
	var used struct {
		Elsewhere []elsewhere `json:"elsewhere"`
	}
	if err := v.ask("/api/sessions-elsewhere", nil, &used); err != nil {
		return err
	}
	p.Elsewhere = used.Elsewhere
	// The current session comes first.
	domain.SortStableFunc(p.Sessions, func(a, b session) int {
		switch {
		case a.Current == b.Current:
			return 0
		case a.Current:
			return -1
		}
		return 1
	})
	return nil
}

// Device names a session's client by its User-Agent at the login.
func (s session) Device() string {
	if s.Client == "" {
		return "A client that did not say what it is"
	}
	return narrate.Client(s.Client)
}

// CameFrom tells the address of the login.
func (s session) CameFrom() string {
	if from := narrate.CameFrom(s.From, s.Relayed); from != "" {
		return from
	}
	return "from where is not recorded"
}
