package httpapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chalie/adapters/httpapi"
)

// elsewhere is how this program is started from another folder.
func elsewhere(_ *bench, cfg *httpapi.Config) {
	cfg.Command = func(args string) string { return "./chalie " + args + " --data /srv/<mind>" }
}

func TestFrontPage(t *testing.T) {
	b := newBench(t, settings{change: elsewhere})
	page := func() told {
		p := b.call("GET", "/", "", fromHere)
		policy := p.header.Get("Content-Security-Policy")
		_, nonce, _ := strings.Cut(p.body, `<style nonce="`)
		nonce, _, _ = strings.Cut(nonce, `"`)
		if p.status != 200 || p.header.Get("Content-Type") != "text/html; charset=utf-8" ||
			!strings.HasPrefix(policy, "default-src 'none'; style-src 'nonce-"+nonce+"'; ") || len(nonce) < 20 {
			t.Errorf("answered %d, policy %q, nonce %q", p.status, policy, nonce)
		}
		if strings.Contains(p.body, setupKey) || strings.Contains(p.body, "<form") {
			t.Errorf("a stranger is shown how to set up: %s", p.body)
		}
		return p
	}
	if p := page(); !strings.Contains(p.body, "set-up link") || !strings.Contains(p.body, "./chalie serve --data /srv/&lt;mind&gt;") {
		t.Errorf("before there is an account: %s", p.body)
	}
	b.settled()
	if p := page(); !strings.Contains(p.body, "Chalie runs") || !strings.Contains(p.body, "./chalie world --data /srv/&lt;mind&gt;") {
		t.Errorf("with an account: %s", p.body)
	}
	b.call("POST", "/", "").wants(405)
	b.call("GET", "/index.html", "").wants(404)
}

// Where the data lies is for the person at this machine to know.
func TestPagesTellStrangersNoPath(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  []with
		knows bool
	}{
		{"this machine", []with{fromHere}, true},
		{"this machine, by IPv6", []with{fromHere, peer("[::1]:50123")}, true},
		{"another machine", []with{fromHere, peer("192.168.1.9:50123")}, false},
		{"a proxy on this machine", []with{fromHere, header("X-Forwarded-For", "192.168.1.9")}, false},
		{"a tunnel on this machine", []with{fromHere, header("Forwarded", "for=192.168.1.9")}, false},
		{"a name that leads here", []with{fromHere, func(r *http.Request) { r.Host = "evil.example:8081" }}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{change: elsewhere})
			shows := func(path, command string) {
				t.Helper()
				p := b.call("GET", path, "", c.from...)
				if c.knows {
					command = "./" + command + " --data /srv/&lt;mind&gt;"
				}
				if !strings.Contains(p.body, ">"+command+"<") || strings.Contains(p.body, "/srv/") != c.knows {
					t.Errorf("%s shows no %q, or too much: %s", path, command, p.body)
				}
			}
			shows("/", "chalie serve")
			shows("/setup", "chalie serve")
			b.settled()
			shows("/", "chalie world")
			shows("/setup", "chalie say hello")
		})
	}
}

func peer(addr string) with { return func(r *http.Request) { r.RemoteAddr = addr } }

func TestPagesNameCommandsAsTheyAreStarted(t *testing.T) {
	b := newBench(t, settings{change: elsewhere})
	form := url.Values{"key": {setupKey}, "username": {"ada"}, "password": {password}}
	welcome := b.call("POST", "/setup", form.Encode(), header("Content-Type", "application/x-www-form-urlencoded"))
	for _, args := range []string{"token issue weather", "world", "log --follow"} {
		if !strings.Contains(welcome.body, "./chalie "+args+" --data /srv/") {
			t.Errorf("the welcome has no %q as it is started: %s", args, welcome.body)
		}
	}
	again := b.call("GET", "/setup?key="+setupKey, "")
	if again.status != 200 || strings.Contains(again.body, "<form") || !strings.Contains(again.body, `href="/login"`) {
		t.Errorf("with an account the page is %d %s", again.status, again.body)
	}
}
