package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
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

func accountOf(sessions, tokens string) map[string]string {
	return map[string]string{
		"/api/account":  `{"username":"ada <3","registered_at":1700000000000}`,
		"/api/sessions": sessions, "/api/tokens": tokens,
	}
}

func TestAccount(t *testing.T) {
	const here = `{"id":"00000000-0000-0000-0000-000000000001","current":true,"opened_at":1700000000000,"used_at":1700000000000,"expires_at":1702592000000,"client":"Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0"}`
	const phone = `{"id":"00000000-0000-0000-0000-000000000002","opened_at":1700000000000,"used_at":1700000000000,"expires_at":1702592000000,"client":"<script>Mozilla (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1"}`
	answers := accountOf(`{"sessions":[`+here+`,`+phone+`],"total":130}`, `{"tokens":[{"name":"station","signals":["rain","wind"],"issued_at":1700000000000},{"name":"any","signals":[],"issued_at":1700000000000}]}`)
	site := newSite(t, &fakeAPI{account: true, session: true, answers: answers})
	body := get(t, site, "/account").Body.String()
	for _, want := range []string{"ada &lt;3", "Firefox on Linux", "this device", "Safari on iPhone", `data-call="DELETE /api/sessions/00000000-0000-0000-0000-000000000002"`, `data-call="DELETE /api/sessions"`,
		"128 older ones", "may send rain, wind", "may send signals of every type", `data-call="DELETE /api/tokens/station"`, `aria-current="page">Account`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	for _, bad := range []string{`data-call="DELETE /api/sessions/00000000-0000-0000-0000-000000000001"`, "<script>Mozilla"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is in %s", bad, body)
		}
	}
	if part := get(t, site, "/account?part=tokens").Body.String(); strings.Contains(part, "<html") || !strings.Contains(part, "station") {
		t.Errorf("the part is %s", part)
	}

	alone := maps.Clone(answers)
	maps.Copy(alone, accountOf(`{"sessions":[`+here+`],"total":1}`, `{"tokens":[]}`))
	w := get(t, newSite(t, &fakeAPI{account: true, session: true, answers: alone}), "/account")
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Log out all others") || !strings.Contains(w.Body.String(), "No program has a token yet") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// Where somebody logged in from is said in words, and what isn't known is said, too.
func TestWhereSessionsComeFrom(t *testing.T) {
	for told, want := range map[string]string{
		`"from":"this machine","relayed":false`: "from this machine ·",
		`"from":"192.168.1.7","relayed":false`:  "from 192.168.1.7 ·",
		`"from":"192.168.1.7","relayed":true`:   "through a proxy at 192.168.1.7 ·",
		`"from":"this machine","relayed":true`:  "through a proxy on this machine ·",
		`"from":"<b>","relayed":false`:          "from &lt;b&gt; ·",
		`"from":"","relayed":false`:             "from where is not recorded ·",
	} {
		answers := accountOf(`{"sessions":[{"id":"00000000-0000-0000-0000-000000000001","client":"curl/8",`+told+`}],"total":1}`, `{"tokens":[]}`)
		if body := get(t, newSite(t, &fakeAPI{account: true, session: true, answers: answers}), "/account").Body.String(); !strings.Contains(body, "</time> "+want) {
			t.Errorf("%s is not told as %q: %s", told, want, body)
		}
	}
}

func TestDevices(t *testing.T) {
	for client, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0": "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36":              "Chrome on Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15": "Safari on macOS",
		"curl/8.5.0": "curl", "chalie-watch 2": "chalie-watch", "": "A client that did not say what it is", "(?)": "another client",
	} {
		answers := accountOf(`{"sessions":[{"id":"00000000-0000-0000-0000-000000000001","client":"`+client+`"}],"total":1}`, `{"tokens":[]}`)
		if body := get(t, newSite(t, &fakeAPI{account: true, session: true, answers: answers}), "/account").Body.String(); !strings.Contains(body, `class="name">`+want+"<") {
			t.Errorf("%q is no %q", client, want)
		}
	}
}

// Logging out on a page clears what the browser keeps for Chalie's pages.
func TestLoggingOutClears(t *testing.T) {
	site := newSite(t, &fakeAPI{account: true, session: true, answers: map[string]string{"/auth/logout": `{"ok":true}`}})
	w := post(t, site, "/logout", url.Values{}, "same-origin")
	if w.Code != http.StatusSeeOther || w.Header().Get("Clear-Site-Data") != `"storage"` {
		t.Errorf("%d, its headers are %v", w.Code, w.Header())
	}
}

// Why somebody has to log in again is said to who was logged in, and to nobody else.
func TestLoginSaysWhatEnded(t *testing.T) {
	const says, hidden = "that login has ended", `id="ended" hidden>`
	site := newSite(t, &fakeAPI{account: true})
	if page := get(t, site, "/login?next=/now").Body.String(); !strings.Contains(page, says) || strings.Contains(page, hidden) || !strings.Contains(page, "opens when you have logged in") {
		t.Errorf("with a cookie that is no good any more it says\n%s", page)
	}
	if page := get(t, site, "/login?out").Body.String(); strings.Contains(page, says) || !strings.Contains(page, "You are logged out on this device") {
		t.Errorf("after logging out it says\n%s", page)
	}
	stranger := httptest.NewRecorder()
	site.ServeHTTP(stranger, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/login", nil))
	wantsAll(t, stranger, hidden) // the page's module shows it where the browser has a key
}

// What used a login is told as long as that wasn't seen, and that it can do no more once
// the login has ended.
func TestPagesTellWhatUsedALogin(t *testing.T) {
	const open, ended = `data-used="open" hidden>`, `data-used="ended" hidden>`
	for used, hides := range map[string]string{"1": ended, "0": open} {
		api := interfacesOf(`[]`, `{"records":[]}`)
		site := newSiteOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Chalie-Sessions-Elsewhere", "2")
			w.Header().Set("Chalie-Sessions-Elsewhere-Open", used)
			api.ServeHTTP(w, r)
		}))
		w := get(t, site, "/interfaces")
		page := w.Body.String()
		if !strings.Contains(page, hides) || strings.Contains(page, open) == strings.Contains(page, ended) || strings.Contains(page, `id="used" role="status" hidden`) {
			t.Errorf("with %s of 2 in use the page says\n%s", used, page)
		}
		if got := w.Header().Get("Chalie-Sessions-Elsewhere-Open"); got != used {
			t.Errorf("it passes on that %q of %s are in use", got, used)
		}
	}
}
