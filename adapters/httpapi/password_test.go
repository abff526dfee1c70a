package httpapi_test

import (
	"net/http"
	"testing"

	"chalie/domain"
)

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
