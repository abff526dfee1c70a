package httpapi_test

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

func TestSessionCookie(t *testing.T) {
	find := func(a told) *http.Cookie {
		for _, c := range (&http.Response{Header: a.header}).Cookies() {
			if c.Name == "chalie_session" {
				return c
			}
		}
		return nil
	}
	b := newBench(t, settings{})
	registered := b.call("POST", "/auth/register", `{"username":"ada","password":"`+password+`","setup_key":"`+setupKey+`","key":true}`, fromHere).wants(201)
	made, own := find(registered), cookie(registered.login())
	if made == nil || !made.HttpOnly || made.SameSite != http.SameSiteLaxMode || made.Path != "/" || made.Secure || made.MaxAge != 30*24*3600 {
		t.Fatalf("the cookie is %+v", made)
	}
	login := `{"username":"ada","password":"` + password + `"}`
	for name, opt := range map[string]with{
		"TLS":                func(r *http.Request) { r.TLS = &tls.ConnectionState{} },
		"TLS before a proxy": header("X-Forwarded-Proto", "https"),
	} {
		if c := find(b.call("POST", "/auth/login", login, opt).wants(200)); c == nil || !c.Secure {
			t.Errorf("%s: the cookie is %+v", name, c)
		}
	}
	b.clock.Advance(23 * time.Hour)
	if c := find(b.call("GET", "/api/world", "", own).wants(200)); c != nil {
		t.Errorf("within a day the cookie was set again: %v", c)
	}
	b.clock.Advance(time.Hour)
	if c := find(b.call("GET", "/api/world", "", own).wants(200)); c == nil || c.Value != made.Value || c.MaxAge != 30*24*3600 {
		t.Errorf("after a day the cookie is %v", c)
	}
	if c := find(b.call("POST", "/auth/logout", "", cookie(made.Value)).wants(200)); c == nil || c.MaxAge >= 0 || c.Value != "" {
		t.Errorf("logging out leaves the cookie %v", c)
	}
	b.call("POST", "/auth/logout", "").wants(200, `{"ok":true}`)
}

func TestLogIn(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	for _, c := range []struct {
		name, body string
		status     int
		says       string
	}{
		{"right", `{"username":"ada","password":"` + password + `"}`, 200, `"ok":true`},
		{"wrong password", `{"username":"ada","password":"wrong horse"}`, 401, `"error":"Invalid credentials"`},
		{"wrong name", `{"username":"eve","password":"` + password + `"}`, 401, `"error":"Invalid credentials"`},
		{"no password", `{"username":"ada"}`, 400, "password is required"},
		{"no name", `{"password":"x"}`, 400, "username is required"},
		{"wrong type", `{"username":7,"password":"x"}`, 400, "username must be a string"},
		{"broken", `{`, 400, "not JSON"},
		{"no body", ``, 400, "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := b.call("POST", "/auth/login", c.body)
			answer.t = t
			answer.wants(c.status, c.says)
			if _, set := answer.header["Set-Cookie"]; set != (c.status == 200) {
				t.Errorf("the cookie is set: %v", set)
			}
		})
	}
}

func TestWhoMayRegister(t *testing.T) {
	const body = `{"username":"ada","password":"` + password + `"}`
	const withKey = `{"username":"ada","password":"` + password + `","setup_key":"` + setupKey + `"}`
	const wrongKey = `{"username":"ada","password":"` + password + `","setup_key":"guess"}`
	for _, c := range []struct {
		name, body string
		opts       []with
		status     int
	}{
		{"this machine", body, []with{fromHere}, 403},
		{"this machine, IPv6", body, []with{fromHere, func(r *http.Request) { r.RemoteAddr, r.Host = "[::1]:5000", "[::1]:8081" }}, 403},
		{"this machine with the key", withKey, []with{fromHere}, 201},
		{"another machine", body, []with{fromHere, func(r *http.Request) { r.RemoteAddr = "192.168.1.7:5000" }}, 403},
		{"a proxy", body, []with{fromHere, header("X-Forwarded-For", "127.0.0.1")}, 403},
		{"from afar with the key", withKey, nil, 201},
		{"from afar with a wrong key", wrongKey, nil, 403},
		{"this machine with a wrong key", wrongKey, []with{fromHere}, 403},
		{"from afar", body, nil, 403},
		{"a short password without the key", `{"username":"ada","password":"1234567"}`, []with{fromHere}, 403},
		{"a short password with the key", `{"username":"ada","password":"1234567","setup_key":"` + setupKey + `"}`, nil, 400},
		{"no name", `{"password":"` + password + `"}`, []with{fromHere}, 400},
		{"a number for a password", `{"username":"ada","password":12345678}`, []with{fromHere}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			answer := b.call("POST", "/auth/register", c.body, c.opts...).wants(c.status)
			if c.status == 201 {
				b.call("POST", "/auth/register", c.body, c.opts...).wants(409, "already")
				b.holds(domain.TopicAccounts, 2)
				return
			}
			b.holds(domain.TopicAll, 0)
			if c.status == 403 && !strings.Contains(answer.body, "set-up link") {
				t.Errorf("the refusal doesn't name the set-up link: %s", answer.body)
			}
		})
	}
}

func TestNoSetupKeyOpensNothing(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.SetupKey = "" }})
	b.call("POST", "/auth/register", `{"username":"ada","password":"`+password+`","setup_key":""}`).wants(403)
	b.call("GET", "/auth/setup?key=", "").wants(200, `"state":"done"`)
	b.holds(domain.TopicAll, 0)
}

func TestCrossOriginWrites(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	form := "key=" + setupKey
	for _, c := range []struct {
		name   string
		opts   []with
		status int
	}{
		{"a program", nil, 202},
		{"our own page", []with{header("Sec-Fetch-Site", "same-origin"), header("Origin", "http://example.com")}, 202},
		{"a page of another site", []with{header("Sec-Fetch-Site", "cross-site"), header("Origin", "http://evil.example")}, 403},
		{"an old browser, another site", []with{header("Origin", "http://evil.example")}, 403},
		{"a sandboxed page", []with{header("Origin", "null")}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := b.call("POST", "/api/signals", rain, append(c.opts, cookie(session))...)
			answer.t = t
			answer.wants(c.status)
			if c.status == 403 {
				for _, path := range []string{"/auth/login", "/auth/register", "/auth/logout", "/api/tokens"} {
					answer := b.call("POST", path, form, c.opts...)
					answer.t = t
					answer.wants(403, "another site")
				}
			}
		})
	}
	b.call("GET", "/health", "", header("Sec-Fetch-Site", "cross-site")).wants(200)
}

func TestTokenRoutes(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.call("GET", "/api/tokens", "", cookie(session)).wants(200, `"tokens":[]`)
	b.call("POST", "/api/tokens", `{"name":"station","signals":["b","a","b"]}`, cookie(session)).wants(201, `"signals":["a","b"]`, `"token":"chalie_`)
	b.call("POST", "/api/tokens", `{"name":"station"}`, cookie(session)).wants(409, "station", "revoke")
	b.call("POST", "/api/tokens", `{"name":"any"}`, cookie(session)).wants(201, `"signals":[]`)
	for body, says := range map[string]string{
		`{}`:                             "name is required",
		`{"name":7}`:                     "name must be a string",
		`{"name":"Bad Name"}`:            "a-z",
		`{"name":"operator"}`:            "reserved",
		`{"name":"core"}`:                "reserved",
		`{"name":"x","signals":"a"}`:     "signals must be an array",
		`{"name":"x","signals":["a",7]}`: "signals[1] must be a string",
		`{"name":"x","signals":[""]}`:    "signals",
		`[]`:                             "must be an object",
		`{"name":"x","signals":[` + strings.Repeat(`"a",`, 256) + `"b"]}`: "257",
	} {
		b.call("POST", "/api/tokens", body, cookie(session)).wants(400, says)
	}
	list := b.call("GET", "/api/tokens", "", cookie(session)).wants(200, `"name":"any"`, `"name":"station"`, `"issued_at":`)
	if strings.Contains(list.body, "chalie_") {
		t.Errorf("the list tells a token: %s", list.body)
	}
	b.call("DELETE", "/api/tokens/station", "", cookie(session)).wants(200)
	b.call("DELETE", "/api/tokens/station", "", cookie(session)).wants(404, "station")
}

func TestOperatorOnly(t *testing.T) {
	b := newBench(t, settings{})
	session, token := b.settled(), b.token("station", "[]")
	for _, route := range []string{
		"GET /api/world", "GET /api/as-of", "GET /api/what-if", "GET /api/spine", "GET /api/models", "POST /api/models/check", "GET /api/log", "GET /api/traces", "GET /api/traces/x", "GET /api/traces/x/steps", "GET /api/why/last", "GET /api/why-not/last", "GET /api/tokens", "POST /api/tokens",
		"GET /api/account", "PUT /api/account/password", "GET /api/sessions", "DELETE /api/sessions/x",
		"DELETE /api/tokens/nobody", "GET /api/projections", "GET /api/verify", "POST /api/replay", "GET /api/export",
		"POST /api/messages/x/cancel", "GET /ws", "GET /conversation/recent", "GET /api/exchanges/x", "POST /chat/image", "GET /chat/image/x", "GET /chat/image/x/status",
		"GET /chat/vision-capable", "GET /voice/health", "GET /system/observability/tasks", "GET /scheduler", "GET /api/apps",
		"GET /api/apps/x", "PUT /api/apps/x/scopes", "POST /api/apps/x/refresh", "DELETE /api/apps/x",
		"POST /api/interfaces/pairing-key", "GET /api/interfaces", "GET /api/interfaces/x", "POST /api/interfaces/x/refresh", "DELETE /api/interfaces/x",
		"GET /api/tools", "PUT /api/tools/x/manifest", "GET /api/policy", "PUT /api/policy", "GET /api/approvals", "GET /api/streams", "POST /api/streams", "DELETE /api/streams/x",
	} {
		method, path, _ := strings.Cut(route, " ")
		before := b.log.Tail()
		stranger := b.call(method, path, "").wants(401, "Authentication required", "log in with POST /auth/login", "session cookie", "Unix socket")
		if strings.Contains(stranger.body, "Bearer") || strings.Contains(stranger.header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%s: a stranger is told to come with a token: %s", route, stranger.body)
		}
		b.call(method, path, "", bearer(token)).wants(403, "operator")
		b.call(method, path, "", cookie("forged")).wants(401)
		if b.log.Tail() != before {
			t.Errorf("%s: a refusal was recorded", route)
		}
		if a := b.call(method, path, "", cookie(session)); a.status == 401 || a.status == 403 {
			t.Errorf("%s: the operator got %d %s", route, a.status, a.body)
		}
	}
}

func TestTrustedPeer(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/auth/status", "").wants(200, `"has_session":true`, `"has_master_account":false`)
	b.socket("POST", "/api/signals", rain, header("Origin", "http://evil.example")).wants(202)
	b.socket("GET", "/api/world", "").wants(200, "Heavy rain")
	b.socket("POST", "/auth/register", `{"username":"ada","password":"`+password+`"}`).wants(201)
	e := b.records(domain.TopicSignals)[0].Envelope
	if e.Principal != domain.PrincipalOperator || e.Source != "socket" {
		t.Errorf("the envelope is %s's through %s", e.Principal, e.Source)
	}
	made, err := domain.Decode[domain.OperatorRegistered](b.records(domain.TopicAccounts)[0].Envelope)
	if err != nil || made.Via != "socket" {
		t.Errorf("the account was made %+v, %v", made, err)
	}
}

// elsewhere is how this program is started from another folder.
func elsewhere(_ *bench, cfg *httpapi.Config) {
	cfg.Command = func(args string) string { return "./chalie " + args + " --data /srv/mind" }
}

func TestSetup(t *testing.T) {
	b := newBench(t, settings{change: elsewhere})
	b.call("GET", "/auth/setup", "").wants(200, `"state":"waiting"`)
	b.call("GET", "/auth/setup?key=guess", "").wants(200, `"state":"waiting"`)
	b.call("GET", "/auth/setup?key="+setupKey, "").wants(200, `"state":"open"`, `"command":"./chalie {} --data /srv/mind"`)
	session := b.settled()
	b.call("GET", "/auth/setup?key="+setupKey, "").wants(200, `"state":"done"`, `"command":"chalie {}"`)
	b.call("GET", "/auth/setup", "", cookie(session)).wants(200, `"command":"./chalie {} --data /srv/mind"`)
}

// Where the data lies is for the person at this machine to know.
func TestSetupTellsStrangersNoPath(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  []with
		knows bool
	}{
		{"this machine", []with{fromHere}, true},
		{"this machine, by IPv6", []with{fromHere, peer("[::1]:50123")}, true},
		{"another machine", []with{fromHere, peer("192.168.1.9:50123")}, false},
		{"a strange peer", []with{fromHere, peer("@")}, false},
		{"a proxy on this machine", []with{fromHere, header("X-Forwarded-For", "192.168.1.9")}, false},
		{"a tunnel on this machine", []with{fromHere, header("Forwarded", "for=192.168.1.9")}, false},
		{"a name that leads here", []with{fromHere, func(r *http.Request) { r.Host = "evil.example:8081" }}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{change: elsewhere})
			want := `"command":"chalie {}"`
			if c.knows {
				want = `"command":"./chalie {} --data /srv/mind"`
			}
			b.call("GET", "/auth/setup", "", c.from...).wants(200, want)
			b.settled()
			b.call("GET", "/auth/setup", "", c.from...).wants(200, want)
		})
	}
}

func peer(addr string) with { return func(r *http.Request) { r.RemoteAddr = addr } }
