package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// pickpocket is a server on another port of this machine, which the person's browser is led
// to: it keeps what it is sent.
type pickpocket struct {
	*httptest.Server
	mu   sync.Mutex
	sent http.Header
}

func newPickpocket(t *testing.T) *pickpocket {
	t.Helper()
	s := &pickpocket{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.URL.Path == "/" {
			s.sent = r.Header.Clone()
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<link rel="icon" href="data:,"><h1>Lamp</h1>`)
	}))
	t.Cleanup(s.Close)
	return s
}

// uses what was sent, all of it, for a request to Chalie.
func (s *pickpocket) uses(t *testing.T, v *victim, method, path, body string) (status int, answer string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := http.NewRequestWithContext(t.Context(), method, v.address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = s.sent.Clone()
	r.Header.Del("Accept-Encoding")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// raw waits for what isn't a page to show a text.
func (r *reader) raw(text string) {
	r.t.Helper()
	if _, err := awaits[bool](r, `(text) => document.querySelector("body > pre")?.textContent.includes(text)`, text); err != nil {
		r.t.Fatalf("there is no %s: %v; %s", text, err, r.shown())
	}
}

// A browser that has a login is led to another port of this machine, which is sent its
// cookie. With that, and with everything else the browser sent, little can be done, and
// the person is told.
func TestStolenCookie(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line.open, #standing", "Connected")
	s := newPickpocket(t)
	r.does(chromedp.Navigate(s.URL))
	r.sees("h1", "Lamp")
	if cookie := s.sent.Get("Cookie"); !strings.Contains(cookie, "chalie_session=") {
		t.Fatalf("the other port was sent %q: this test needs a browser that does as browsers do", cookie)
	}

	for route, body := range map[string]string{
		"GET /api/account": "", "POST /api/tokens": `{"name":"evil","signals":[]}`, "GET /api/tokens": "", "GET /api/policy": "", "PUT /api/policy": "{}",
		"GET /api/approvals": "", "POST /api/approvals/apr_x": `{"decision":"grant"}`, "GET /api/export": "", "GET /api/log": "", "GET /api/world": "",
		"PUT /api/account/password": `{"present":"longenough1","password":"another one 2"}`, "POST /api/interfaces/pairing-key": "", "DELETE /api/sessions": "",
		"POST /api/tools/x/invoke": "{}", "POST /api/passes": `{"path":"/api/export"}`, "GET /api/sessions-elsewhere": "",
	} {
		method, path, _ := strings.Cut(route, " ")
		// A browser that follows a link gets what opens a page, and so does who says that.
		status, answer := s.uses(t, v, method, path, body)
		if opening := method == http.MethodGet && status == http.StatusOK && strings.Contains(answer, "opening.js"); !opening && (status != http.StatusUnauthorized || !strings.Contains(answer, "key_needed")) {
			t.Errorf("%s with a stolen cookie is answered %d %s", route, status, answer)
		}
	}
	for _, path := range []string{"/account", "/now", "/system/policy", "/system/approvals", "/system/log", "/traces"} {
		if status, answer := s.uses(t, v, http.MethodGet, path, ""); status != http.StatusOK || strings.Contains(answer, "ada") || !strings.Contains(answer, "opening.js") {
			t.Errorf("%s with a stolen cookie is %d %s", path, status, answer)
		}
	}
	if status, answer := s.uses(t, v, http.MethodGet, "/conversation/recent?limit=12&offset=0", ""); status != http.StatusOK || !json.Valid([]byte(answer)) {
		t.Errorf("what a web chat asks first is answered %d %s", status, answer)
	}

	r.does(chromedp.Navigate(v.address + "/now"))
	r.sees("#used", "Your login was used by something that isn't one of Chalie's pages")
	r.checks("stolen-told")
	r.presses("#used a")
	r.sees("#elsewhere", "Your login was used elsewhere")
	r.sees("#open .items", "with the login of this device")
	r.checks("stolen-account")
	r.pressesAndWaits(`#open [data-call^="DELETE /api/sessions-elsewhere"]:not([data-confirm])`)
	r.lacks("main", "Your login was used elsewhere")
	if hidden, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](`document.querySelector("#used").hidden`)); err != nil || !hidden {
		t.Errorf("it is told on, after it was seen: %v", err)
	}
	// Its own pages have told of none meanwhile, nor do they now.
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line.open, #standing", "Connected")
	r.does(chromedp.Reload())
	r.sees("#line.open, #standing", "Connected")
	r.does(chromedp.Navigate(v.address + "/system/log#main"))
	r.sees("h1", "Log")
	r.lacks("body", "Your login was used")

	// What a link leads to besides pages opens by the key, too.
	r.does(chromedp.Navigate(v.address + "/api/log?type=operator.registered"))
	r.raw(`"operator.registered"`)

	// A browser whose data was cleared logs in again, and the login before is over.
	r.does(chromedp.Evaluate[chromedp.Void](`localStorage.clear(); undefined`), chromedp.Navigate(v.address+"/account?x=1"))
	r.sees("[role=status]", "not the key that opens Chalie's pages")
	r.checks("stolen-again")
	r.types("#username", "ada")
	r.types("#password", "longenough1\r")
	r.sees("h1", "Account")
	if status, _ := s.uses(t, v, http.MethodGet, "/conversation/recent", ""); status != http.StatusUnauthorized {
		t.Errorf("the cookie of the login before is answered %d", status)
	}
	// Where the login ended meanwhile, the next page says why it has to be made anew.
	if status, answer, err := v.ask(http.MethodDelete, "socket:/api/sessions", ""); err != nil || status != http.StatusOK {
		t.Fatalf("ending every login is answered %d %s, %v", status, answer, err)
	}
	r.does(chromedp.Navigate(v.address + "/now"))
	r.sees("#ended", "that login has ended")
	r.checks("stolen-ended")
	r.complaints()
	v.stop()
}
