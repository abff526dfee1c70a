package httpapi_test

import (
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
		p := b.call("GET", "/", "")
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

func TestPagesNameCommandsAsTheyAreStarted(t *testing.T) {
	b := newBench(t, settings{change: elsewhere})
	if p := b.call("GET", "/setup", ""); !strings.Contains(p.body, "./chalie serve --data /srv/") {
		t.Errorf("a link that is not current: %s", p.body)
	}
	form := url.Values{"key": {setupKey}, "username": {"ada"}, "password": {password}}
	welcome := b.call("POST", "/setup", form.Encode(), header("Content-Type", "application/x-www-form-urlencoded"))
	for _, args := range []string{"token issue weather", "world", "log --follow"} {
		if !strings.Contains(welcome.body, "./chalie "+args+" --data /srv/") {
			t.Errorf("the welcome has no %q as it is started: %s", args, welcome.body)
		}
	}
}
