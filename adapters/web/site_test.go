package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/web"
)

// fakeAPI answers as the API does: paths to what they answer, and what it was sent.
type fakeAPI struct {
	account, session bool
	answers          map[string]string // JSON by path and query
	refusals         map[string]int    // status by path
	refused          string            // what a refusal's body is; "" for one that says little
	asked            []*http.Request
	sent             []string // the bodies
	needsKey         bool     // no key is right
}

func (a *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.asked = append(a.asked, r)
	if r.URL.Path != "/auth/login" && r.Body != nil {
		body, _ := io.ReadAll(r.Body)
		a.sent = append(a.sent, string(body))
	}
	say := func(status int, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
	switch status := a.refusals[r.URL.Path]; {
	case a.needsKey && strings.HasPrefix(r.URL.Path, "/api/"):
		say(http.StatusUnauthorized, `{"error":"the cookie alone may not","code":"key_needed"}`)
		return
	case status != 0 && a.refused != "":
		say(status, a.refused)
		return
	case status != 0:
		say(status, `{"error":"it can't be had: try later","code":"invalid"}`)
		return
	case r.URL.Path == "/auth/status":
		text, _ := json.Marshal(map[string]bool{"has_master_account": a.account, "has_session": a.session})
		say(http.StatusOK, string(text))
		return
	case r.URL.Path == "/auth/login":
		var in struct{ Username, Password string }
		if json.NewDecoder(r.Body).Decode(&in) != nil || in.Username != "ada" || in.Password != "right" {
			say(http.StatusUnauthorized, `{"error":"Invalid credentials"}`)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "chalie_session", Value: "new", HttpOnly: true})
		say(http.StatusOK, `{"ok":true,"key":"the new <key>"}`)
		return
	case (r.URL.Path == "/auth/session" || r.URL.Path == "/api/account" && a.answers[r.URL.Path] == "") && a.session:
		say(http.StatusOK, `{"ok":true}`)
		return
	}
	if _, ok := a.answers[r.URL.Path]; !ok && r.URL.Path == "/api/sessions-elsewhere" {
		say(http.StatusOK, `{"elsewhere":[]}`)
		return
	}
	if text, ok := a.answers[r.URL.RequestURI()]; ok {
		say(http.StatusOK, text)
		return
	}
	if text, ok := a.answers[r.URL.Path]; ok {
		say(http.StatusOK, text)
		return
	}
	say(http.StatusNotFound, `{"error":"the API has no such path"}`)
}

func newSite(t *testing.T, api http.Handler) http.Handler {
	t.Helper()
	return newSiteOver(t, api)
}

func newSiteOver(t *testing.T, api http.Handler) http.Handler {
	t.Helper()
	site, err := web.New(web.Config{API: api, Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	return site.Handler()
}

func get(t *testing.T, site http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.AddCookie(&http.Cookie{Name: "chalie_session", Value: "mine"})
	r.Header.Set("Chalie-Key", "my key")
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

func TestHome(t *testing.T) {
	for _, c := range []struct {
		name             string
		account, session bool
		status           int
		to               string
	}{
		{"nobody yet", false, false, http.StatusOK, ""},
		{"not logged in", true, false, http.StatusSeeOther, "/login"},
		{"logged in", true, true, http.StatusSeeOther, "/chat"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, newSite(t, &fakeAPI{account: c.account, session: c.session, answers: map[string]string{"/auth/setup": `{"state":"waiting","command":"chalie {}"}`}}), "/")
			if w.Code != c.status || w.Header().Get("Location") != c.to {
				t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
			}
		})
	}
}

func TestLogIn(t *testing.T) {
	for _, c := range []struct {
		name, password, next string
		limited              bool
		status               int
		to, says             string
	}{
		{"right", "right", "/now", false, http.StatusOK, "/now", ""},
		{"wrong", "wrong", "/now", false, http.StatusUnauthorized, "", "not right"},
		{"too often", "right", "", true, http.StatusTooManyRequests, "", "too many attempts"},
		{"a way out of the site", "right", "//evil.example/now", false, http.StatusOK, "/chat", ""},
		{"an address", "right", "https://evil.example/", false, http.StatusOK, "/chat", ""},
		{"a backslash", "right", `/\evil.example`, false, http.StatusOK, "/chat", ""},
		{"a script", "right", "javascript:alert(1)", false, http.StatusOK, "/chat", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := &fakeAPI{account: true, refusals: map[string]int{}}
			if c.limited {
				api.refusals["/auth/login"] = http.StatusTooManyRequests
			}
			form := url.Values{"username": {"ada"}, "password": {c.password}, "next": {c.next}}
			w := post(t, newSite(t, api), "/login", form, "same-origin")
			if w.Code != c.status || w.Header().Get("Location") != "" || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%d to %q: %s", w.Code, w.Header().Get("Location"), w.Body)
			}
			handed := `data-session-key="the new &lt;key&gt;" data-next="` + c.to + `"`
			if c.to != "" && (!strings.Contains(w.Body.String(), handed)) {
				t.Errorf("no %s in %s", handed, w.Body)
			}
			if in := strings.Contains(w.Header().Get("Set-Cookie"), "chalie_session=new"); in != (c.to != "") {
				t.Errorf("the cookie is %q", w.Header().Get("Set-Cookie"))
			}
		})
	}
}

func post(t *testing.T, site http.Handler, path string, form url.Values, from string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", from)
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

// byLink is get as a browser does it that follows a link: it can show no key.
func byLink(t *testing.T, site http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.AddCookie(&http.Cookie{Name: "chalie_session", Value: "mine"})
	r.Header.Set("Sec-Fetch-Mode", "navigate")
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

// doors are the pages that need no key: those for who isn't in yet, and a frame of what
// the conversation holds.
var doors = []string{"/", "/setup", "/login", "/phone", "/cards/:seq"}

// Every page is the same to a session's cookie alone, and holds nothing: the API isn't
// even asked.
func TestPagesOpenByKey(t *testing.T) {
	const private = "Luigi's is closed"
	var same string
	for _, path := range append(web.Pages(), "/api/log/7", "/api/export?format=jsonl") {
		if slices.Contains(doors, path) {
			continue
		}
		api := &fakeAPI{account: true, session: true, answers: worldOf(t, private)}
		w := byLink(t, newSite(t, api), strings.NewReplacer(":id", "7").Replace(path))
		if same == "" {
			same = w.Body.String()
		}
		if w.Code != http.StatusOK || w.Body.String() != same || strings.Contains(same, private) || !strings.Contains(same, "opening.js") || !strings.Contains(same, "need JavaScript") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if len(api.asked) != 1 || api.asked[0].URL.Path != "/auth/session" {
			t.Errorf("%s asks the API for %v", path, api.asked)
		}
	}
	// With the key it is the page, and a pass is the API's to judge.
	api := &fakeAPI{account: true, session: true, answers: worldOf(t, private)}
	if w := get(t, newSite(t, api), "/now"); !strings.Contains(w.Body.String(), "Luigi&#39;s is closed") {
		t.Errorf("with the key: %s", w.Body)
	}
	byLink(t, newSite(t, api), "/api/export?pass=x")
	if last := api.asked[len(api.asked)-1]; last.URL.Path != "/api/export" {
		t.Errorf("a pass leads to %s", last.URL)
	}
}

// Who has a good cookie and no key is asked to log in, and not sent in a circle.
func TestLogInAgain(t *testing.T) {
	site := newSite(t, &fakeAPI{account: true, session: true})
	if w := byLink(t, site, "/login?next=/now"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/now" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if w := byLink(t, site, "/login?again&next=/now"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "not the key that opens") || !strings.Contains(w.Body.String(), `value="/now"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	api := &fakeAPI{account: true, session: true, needsKey: true}
	if w := get(t, newSite(t, api), "/now"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?again&next=%2Fnow" {
		t.Errorf("with the wrong key: %d to %q", w.Code, w.Header().Get("Location"))
	}
}

func TestWithoutASession(t *testing.T) {
	api := &fakeAPI{account: true, refusals: map[string]int{"/api/world": http.StatusUnauthorized}}
	if w := get(t, newSite(t, api), "/now?x=1"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?next=%2Fnow%3Fx%3D1" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
}

// What is no page is the API's, by any method.
func TestTheRestIsTheAPIs(t *testing.T) {
	api := &fakeAPI{}
	site := newSite(t, api)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		for _, path := range []string{"/api/world", "/chat/image/1", "/nowhere", "/now/"} {
			r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
			site.ServeHTTP(httptest.NewRecorder(), r)
			if last := api.asked[len(api.asked)-1]; last != r {
				t.Errorf("%s %s did not reach the API", method, path)
			}
		}
	}
}

// Who follows a link to nothing gets a page; who comes from a program doesn't.
func TestNothingThere(t *testing.T) {
	site := newSite(t, &fakeAPI{answers: map[string]string{"/api/world": `{"items":[]}`}})
	for _, c := range []struct {
		path, mode string
		status     int
		says       string
	}{
		{"/nope", "navigate", http.StatusNotFound, "<h1>There is no such page</h1>"},
		{"/<b>", "navigate", http.StatusNotFound, "Nothing is at /&lt;b&gt;."},
		{"/nope", "cors", http.StatusNotFound, `"error":"the API has no such path"`},
		{"/api/world", "navigate", http.StatusOK, `{"items":[]}`},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.URL.Path = c.path
		r.Header.Set("Sec-Fetch-Mode", c.mode)
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s by %s: %d %s", c.path, c.mode, w.Code, w.Body)
		}
	}
}

func TestAssets(t *testing.T) {
	site := newSite(t, &fakeAPI{})
	for path, kind := range map[string]string{"/assets/chalie.css": "text/css", "/assets/chat.js": "text/javascript", "/assets/mark.svg": "image/svg+xml"} {
		w := get(t, site, path)
		tag := w.Header().Get("ETag")
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) || tag == "" {
			t.Errorf("%s: %d, %v", path, w.Code, w.Header())
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Header.Set("If-None-Match", tag)
		again := httptest.NewRecorder()
		site.ServeHTTP(again, r)
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d with %d bytes", path, again.Code, again.Body.Len())
		}
	}
	if w := get(t, site, "/assets/../site.go"); w.Code == http.StatusOK {
		t.Error("a file that is no asset was given out")
	}
}
