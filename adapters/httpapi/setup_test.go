package httpapi_test

import (
	"net/http"
	"testing"

	"chalie/adapters/httpapi"
)

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
