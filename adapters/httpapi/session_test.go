package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

type sessionList struct {
	Sessions []struct {
		ID        string `json:"id"`
		Current   bool   `json:"current"`
		OpenedAt  int64  `json:"opened_at"`
		UsedAt    int64  `json:"used_at"`
		ExpiresAt int64  `json:"expires_at"`
		Client    string `json:"client"`
	} `json:"sessions"`
	Total int `json:"total"`
}

func TestSessions(t *testing.T) {
	b := newBench(t, settings{})
	laptop := b.settled()
	b.clock.Advance(time.Hour)
	const login = `{"username":"ada","password":"` + password + `","key":true}`
	phone := b.call("POST", "/auth/login", login, header("User-Agent", "a phone")).wants(200).login()
	list := func(session string) (out sessionList) {
		b.call("GET", "/api/sessions", "", cookie(session)).wants(200).read(&out)
		return out
	}
	seen := list(phone)
	if seen.Total != 2 || len(seen.Sessions) != 2 || !seen.Sessions[0].Current || seen.Sessions[1].Current || seen.Sessions[0].Client != "a phone" ||
		seen.Sessions[0].OpenedAt-seen.Sessions[1].OpenedAt != time.Hour.Milliseconds() {
		t.Fatalf("the phone sees %+v", seen)
	}
	text := b.call("GET", "/api/sessions", "", cookie(laptop)).wants(200).body
	for _, secret := range append(strings.Fields(phone), strings.Fields(laptop)...) {
		if strings.Contains(text, secret) {
			t.Error("the list tells a secret")
		}
	}
	b.clock.Advance(25 * time.Hour)
	if after := list(laptop); after.Sessions[1].UsedAt-after.Sessions[1].OpenedAt != (26 * time.Hour).Milliseconds() {
		t.Errorf("after a day of use it is %+v", after.Sessions[1])
	}

	for id, status := range map[string]int{"x": 400, strings.Repeat("0", 31) + "1": 404} {
		b.call("DELETE", "/api/sessions/"+id, "", cookie(laptop)).wants(status)
	}
	b.call("DELETE", "/api/sessions/"+seen.Sessions[0].ID, "", cookie(laptop)).wants(200)
	b.call("GET", "/api/sessions", "", cookie(phone)).wants(401)
	b.call("DELETE", "/api/sessions/"+seen.Sessions[0].ID, "", cookie(laptop)).wants(404, "ended already")
	b.call("GET", "/api/sessions", "", cookie(laptop)).wants(200, `"total":1`)
}

// All others end, and the one that asks stays.
func TestEndOtherSessions(t *testing.T) {
	b := newBench(t, settings{})
	laptop := b.settled()
	const login = `{"username":"ada","password":"` + password + `","key":true}`
	var others []string
	for range 3 {
		others = append(others, b.call("POST", "/auth/login", login).wants(200).login())
	}
	b.call("DELETE", "/api/sessions", "", cookie(laptop)).wants(200, `"ended":3`)
	for _, other := range others {
		b.call("GET", "/api/world", "", cookie(other)).wants(401)
	}
	b.call("GET", "/api/world", "", cookie(laptop)).wants(200)
	b.call("DELETE", "/api/sessions", "", cookie(laptop)).wants(200, `"ended":0`)
	if made := b.socket("GET", "/api/sessions", "").wants(200); strings.Contains(made.body, `"current":true`) {
		t.Errorf("the Unix socket is a session: %s", made.body)
	}
	b.socket("DELETE", "/api/sessions", "").wants(200, `"ended":1`)
	b.call("GET", "/api/world", "", cookie(laptop)).wants(401)
}

// Who ends the session they are in has no cookie any more.
func TestEndOwnSession(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	var seen sessionList
	b.call("GET", "/api/sessions", "", cookie(session)).wants(200).read(&seen)
	ended := b.call("DELETE", "/api/sessions/"+seen.Sessions[0].ID, "", cookie(session)).wants(200)
	if cleared := ended.header.Get("Set-Cookie"); !strings.Contains(cleared, "chalie_session=;") {
		t.Errorf("the cookie is %q", cleared)
	}
	b.call("GET", "/api/world", "", cookie(session)).wants(401)
}

func TestAccount(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/account", "").wants(404, "set-up link")
	session := b.settled()
	b.call("GET", "/api/account", "", cookie(session)).wants(200, `"username":"ada"`, `"registered_at":1`)
	b.call("GET", "/api/account", "").wants(401)
}

// By which host a session was logged in is known for as long as it is open, over a start:
// its cookie is sent to all ports of that host.
func TestHostsOfSessions(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("POST", "/auth/register", `{"username":"ada","password":"`+password+`"}`).wants(201)
	by := func(host string) with { return func(r *http.Request) { r.Host = host } }
	logIn := func(host string) string {
		return b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`, by(host)).wants(200).login()
	}
	own := logIn("127.0.0.1:8081")
	other := logIn("Box.lan:8081")
	logIn(strings.Repeat("x", 400))
	want := func(want ...string) {
		t.Helper()
		b.start(settings{})
		ways := b.cfg.Accounts.Ways()
		slices.Sort(ways)
		if !slices.Equal(ways, want) {
			t.Errorf("known are %q, want %q", ways, want)
		}
	}
	want("127.0.0.1:8081", "box.lan:8081")
	b.call("POST", "/auth/logout", "", cookie(other), by("box.lan:8081")).wants(200)
	want("127.0.0.1:8081")
	b.call("GET", "/api/world", "", cookie(own)).wants(200)
}

func TestChangePassword(t *testing.T) {
	const path, another = "/api/account/password", "battery staple"
	const change = `{"present":"` + password + `","password":"` + another + `"}`
	const login = `{"username":"ada","password":"` + password + `"}`
	b, _ := newGuarded(t)
	b.socket("PUT", path, change).wants(404, `"code":"no_account"`)
	own := b.settled()
	phone := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`).wants(200).login()
	token := b.token("station", "[]")
	for body, says := range map[string]string{
		`{`:                              "not JSON",
		`{"password":"long enough"}`:     `"field":"present"`,
		`{"present":"` + password + `"}`: `"field":"password"`,
		`{"present":"` + password + `","password":"short"}`: "at least 8 characters",
		`{"present":7,"password":"long enough"}`:            "present must be a string",
	} {
		b.call("PUT", path, body, cookie(own)).wants(400, says)
	}
	b.call("PUT", path, `{"present":"wrong horse","password":"`+another+`"}`, cookie(own)).wants(403, `"code":"wrong_password"`, `"field":"present"`)
	if refused := b.records(domain.TopicAccounts); refused[len(refused)-1].Envelope.Type != "operator.login_refused" {
		t.Error("a wrong present password isn't counted")
	}
	b.call("PUT", path, change).wants(401)
	b.call("PUT", path, change, bearer(token)).wants(403, "operator")
	b.call("GET", "/api/world", "", cookie(phone)).wants(200)

	checks := b.plug.again
	device := b.call("PUT", path, change, cookie(own)).wants(200, `"ended":1`).device()
	if b.plug.again != checks+1 {
		t.Error("the sockets of ended sessions go on")
	}
	// The browser is known by it: others from the same address don't hold it up.
	b.call("POST", "/auth/logout", "", alone(own)).wants(200)
	for range 15 {
		b.call("POST", "/auth/login", `{"username":"ada","password":"wrong horse"}`, peer("203.0.113.9:1"))
	}
	own = b.call("POST", "/auth/login", `{"username":"ada","password":"`+another+`","key":true}`, peer("203.0.113.9:1"), asDevice(device)).wants(200).login()
	b.call("GET", "/api/world", "", cookie(own)).wants(200)
	b.call("GET", "/api/world", "", cookie(phone)).wants(401)
	b.call("POST", "/api/signals", rain, bearer(token)).wants(202)
	b.call("POST", "/auth/login", login).wants(401)
	b.call("POST", "/auth/login", `{"username":"ada","password":"`+another+`"}`).wants(200)

	// The machine's owner shows none.
	b.socket("PUT", path, `{"password":"a third one"}`).wants(200, `"ended":2`)
	b.call("GET", "/api/world", "", cookie(own)).wants(401)
	b.call("POST", "/auth/login", `{"username":"ada","password":"a third one"}`).wants(200)
}

// Where a login came from is what the connection shows, whatever headers say.
func TestWhereLoginsComeFrom(t *testing.T) {
	const login = `{"username":"ada","password":"` + password + `"}`
	for _, c := range []struct {
		name  string
		opts  []with
		shown string
	}{
		{"this machine", []with{fromHere}, `"from":"this machine","relayed":false`},
		{"this machine, IPv6", []with{fromHere, peer("[::1]:5000")}, `"from":"this machine","relayed":false`},
		{"another machine", []with{peer("192.168.1.7:5000")}, `"from":"192.168.1.7","relayed":false`},
		{"another machine, IPv6", []with{peer("[2001:db8::7]:5000")}, `"from":"2001:db8::7","relayed":false`},
		{"an address in two forms", []with{peer("[::ffff:192.168.1.7]:5000")}, `"from":"192.168.1.7","relayed":false`},
		{"a link with a zone", []with{peer("[fe80::1%eth0]:5000")}, `"from":"fe80::1","relayed":false`},
		{"a forged header", []with{peer("192.168.1.7:5000"), header("X-Forwarded-For", "127.0.0.1")}, `"from":"192.168.1.7","relayed":true`},
		{"a proxy here", []with{fromHere, header("Forwarded", "for=10.0.0.9")}, `"from":"this machine","relayed":true`},
		{"a tunnel here", []with{fromHere, func(r *http.Request) { r.Host = "home.example" }}, `"from":"this machine","relayed":true`},
		{"no peer", []with{peer("@")}, `"from":"","relayed":false`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			b.socket("POST", "/auth/register", login).wants(201)
			b.socket("DELETE", "/api/sessions", "").wants(200)
			b.call("POST", "/auth/login", login, c.opts...).wants(200)
			b.socket("GET", "/api/sessions", "").wants(200, c.shown, `"total":1`)
		})
	}
	b := newBench(t, settings{})
	b.socket("POST", "/auth/register", login).wants(201)
	b.socket("GET", "/api/sessions", "").wants(200, `"from":"this machine","relayed":false`)
}

// What hands out rights, or all that is known, takes a session of just now; the Unix socket
// needs none, and everything else goes on with the session as long as it lasts.
func TestALoginOfJustNow(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	fresh := map[string]bool{}
	for _, r := range api.Routes() {
		if r.Fresh {
			fresh[r.Method+" "+r.Path] = true
		}
	}
	for _, route := range []string{"POST /api/tokens", "POST /api/interfaces/pairing-key", "PUT /api/policy", "PUT /api/tools/{name}/manifest", "GET /api/export",
		"PUT /api/settings/{name}", "POST /api/settings/{name}/undo"} {
		if !fresh[route] {
			t.Errorf("%s takes a session of any age", route)
		}
	}
	needed := func(route string, opts ...with) bool {
		t.Helper()
		method, path, _ := strings.Cut(route, " ")
		a := b.call(method, placeholder.ReplaceAllString(path, "0199f8d1-2f3a-7000-8000-000000000001"), "{}", append(opts, fromHere)...)
		return a.status == http.StatusUnauthorized && strings.Contains(a.body, `"code":"login_needed"`) && strings.Contains(a.body, "15 minutes")
	}
	b.clock.Advance(domain.SessionFresh - time.Millisecond)
	for route := range fresh {
		if needed(route, cookie(session)) {
			t.Errorf("%s asks for another login at once", route)
		}
	}
	b.clock.Advance(time.Millisecond)
	for _, route := range routes() {
		if route == "POST /auth/logout" || route == "DELETE /api/sessions" {
			continue
		}
		if needed(route, cookie(session)) != fresh[route] {
			t.Errorf("%s asks for another login: %v", route, !fresh[route])
		}
	}
	for route := range fresh {
		method, path, _ := strings.Cut(route, " ")
		if a := b.socket(method, strings.Replace(path, "{name}", "remind", 1), "{}"); strings.Contains(a.body, "login_needed") {
			t.Errorf("%s over the Unix socket: %s", route, a.body)
		}
	}
	// A pass is no way around.
	b.call("POST", "/api/passes", `{"path":"/api/export?format=jsonl"}`, cookie(session)).wants(401, "login_needed")
	b.call("POST", "/api/passes", `{"path":"/api/world"}`, cookie(session)).wants(201)
	again := b.settledAgain()
	b.call("POST", "/api/tokens", `{"name":"lamp"}`, cookie(again)).wants(201)
	b.call("POST", "/api/passes", `{"path":"/api/export?format=jsonl"}`, cookie(again)).wants(201)
}
