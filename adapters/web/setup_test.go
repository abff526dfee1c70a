package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// unset is an API without an account: a key makes it.
type unset struct {
	*fakeAPI

	state  string // when the key is not the one; "" is waiting
	status int    // of what registering answers; 0 is done as asked
	answer string
	made   string // the name that was registered
	key    string // that came with it
}

func (u *unset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/auth/setup":
		state := u.state
		if state == "" {
			state = "waiting"
		}
		if r.URL.Query().Get("key") == "the-key" && u.state == "" {
			state = "open"
		}
		_, _ = fmt.Fprintf(w, `{"state":%q,"command":"./chalie {} --data /srv/<mind>"}`, state)
	case "/auth/register":
		var in struct {
			Username string `json:"username"`
			Key      string `json:"setup_key"`
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		u.made, u.key = in.Username, in.Key
		if u.status != 0 {
			w.WriteHeader(u.status)
			_, _ = io.WriteString(w, u.answer)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "chalie_session", Value: "new", HttpOnly: true})
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"ok":true,"key":"the new key"}`)
	default:
		u.fakeAPI.ServeHTTP(w, r)
	}
}

func TestSetupLink(t *testing.T) {
	for _, c := range []struct {
		name, path, state string
		status            int
		says              string
		form              bool
	}{
		{"the link", "/setup?key=the-key", "", http.StatusOK, "<h1>Set up Chalie</h1>", true},
		{"another key", "/setup?key=guess", "", http.StatusForbidden, "not current", false},
		{"no key", "/setup", "", http.StatusForbidden, "<code>./chalie serve --data /srv/&lt;mind&gt;</code>", false},
		{"used", "/setup?key=the-key", "done", http.StatusOK, `href="/login"`, false},
		{"the front page", "/", "", http.StatusOK, "<h1>Chalie waits for its account</h1>", false},
		{"the front page of one that starts", "/", "done", http.StatusServiceUnavailable, "<h1>Chalie is starting</h1>", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, newSite(t, &unset{fakeAPI: &fakeAPI{}, state: c.state}), c.path)
			body := w.Body.String()
			if w.Code != c.status || !strings.Contains(body, c.says) || strings.Contains(body, `action="/setup"`) != c.form {
				t.Errorf("%d: %s", w.Code, body)
			}
			if strings.HasPrefix(c.path, "/setup") && w.Header().Get("Referrer-Policy") != "same-origin" {
				t.Errorf("the key may be told: %v", w.Header())
			}
			if bad := strings.Contains(body, "<mind>"); bad {
				t.Error("a path stands in the page as HTML")
			}
		})
	}
}

func TestSetUp(t *testing.T) {
	for _, c := range []struct {
		name, key, username, state string
		refused                    int
		answer                     string
		status                     int
		says                       string
		made                       bool
	}{
		{"right", "the-key", "ada <3", "", 0, "", http.StatusCreated, "<h1>Welcome, <bdi>ada &lt;3</bdi></h1>", true},
		{"a wrong key", "guess", "ada", "", 0, "", http.StatusForbidden, "not current", false},
		{"no key", "", "ada", "", 0, "", http.StatusForbidden, "not current", false},
		{"there is an account", "the-key", "ada", "done", 0, "", http.StatusConflict, "Already set up", false},
		{"somebody was faster", "the-key", "ada", "", http.StatusConflict, `{"error":"taken"}`, http.StatusConflict, "Already set up", false},
		{"a short password", "the-key", `"><script>`, "", http.StatusBadRequest, `{"error":"password is too short","field":"password"}`,
			http.StatusBadRequest, `id="wrong">Password is too short.</p>`, false},
		{"no UTF-8", "the-key", "\xcd", "", 0, "", http.StatusBadRequest, "can&#39;t be read", false},
		{"a full disk", "the-key", "ada", "", http.StatusServiceUnavailable, `{"error":"the disk is full"}`, http.StatusServiceUnavailable, "Chalie can&#39;t answer now", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := &unset{fakeAPI: &fakeAPI{}, state: c.state, status: c.refused, answer: c.answer}
			form := url.Values{"key": {c.key}, "username": {c.username}, "password": {"never told"}}
			w := post(t, newSite(t, api), "/setup", form, "same-origin")
			body := w.Body.String()
			if w.Code != c.status || !strings.Contains(body, c.says) || strings.Contains(body, "never told") || strings.Contains(body, "<script>") {
				t.Errorf("%d: %s", w.Code, body)
			}
			if in := strings.Contains(w.Header().Get("Set-Cookie"), "chalie_session=new"); in != c.made {
				t.Errorf("the cookie is %q", w.Header().Get("Set-Cookie"))
			}
			if handed := strings.Contains(body, `data-session-key="the new key"`); handed != c.made {
				t.Errorf("the key is handed over: %v, in %s", handed, body)
			}
			if c.made && (api.made != c.username || api.key != c.key) {
				t.Errorf("%q was registered with %q", api.made, api.key)
			}
			if c.status == http.StatusBadRequest && (!strings.Contains(body, `action="/setup"`) || !strings.Contains(body, `value="the-key"`)) {
				t.Errorf("the form is gone: %s", body)
			}
		})
	}
}
