package httpapi_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

func from(addr string) with    { return func(r *http.Request) { r.RemoteAddr = addr } }
func to(host string) with      { return func(r *http.Request) { r.Host = host } }
func without(name string) with { return func(r *http.Request) { r.Header.Del(name) } }

// TestWhoIsANeighbour asks each route that wants one, from everywhere.
func TestWhoIsANeighbour(t *testing.T) {
	for _, c := range []struct {
		name    string
		opts    []with
		let     string // a network that was let in
		in      bool
		getToo  bool   // what is true of a POST is true of a GET
		refused string // what the refusal says
	}{
		{"this machine", nil, "", true, true, ""},
		{"by address", []with{to("127.0.0.1:8081")}, "", true, true, ""},
		{"by another loopback address", []with{from("127.3.2.1:5000"), to("127.0.0.2")}, "", true, true, ""},
		{"IPv6", []with{from("[::1]:5000"), to("[::1]:8081")}, "", true, true, ""},
		{"IPv4 in IPv6", []with{from("[::ffff:127.0.0.1]:5000")}, "", true, true, ""},
		{"JSON with a charset", []with{header("Content-Type", "application/json; charset=utf-8")}, "", true, true, ""},
		{"our own page", []with{header("Origin", "http://localhost:8081"), header("Sec-Fetch-Site", "same-origin")}, "", true, true, ""},

		{"no content type", []with{without("Content-Type")}, "", false, false, "application/json"},
		{"a form", []with{header("Content-Type", "text/plain")}, "", false, false, "application/json"},
		{"another machine", []with{from("192.168.1.7:5000")}, "", false, true, "--allow-gateway"},
		{"another machine that says localhost", []with{from("203.0.113.9:5000"), to("localhost:8081")}, "", false, true, "--allow-gateway"},
		{"a name that was rebound", []with{to("evil.example:8081")}, "", false, true, "localhost"},
		{"a name that begins right", []with{to("localhost.evil.example")}, "", false, true, "localhost"},
		{"no host", []with{to("")}, "", false, true, "localhost"},
		{"no address", []with{from("@")}, "", false, true, "--allow-gateway"},
		{"X-Forwarded-For", []with{header("X-Forwarded-For", "127.0.0.1")}, "", false, true, "proxy"},
		{"Forwarded", []with{header("Forwarded", "for=127.0.0.1")}, "", false, true, "proxy"},
		{"X-Real-IP", []with{header("X-Real-IP", "127.0.0.1")}, "", false, true, "proxy"},
		{"Via", []with{header("Via", "1.1 x")}, "", false, true, "proxy"},
		{"CF-Connecting-IP", []with{header("CF-Connecting-IP", "127.0.0.1")}, "", false, true, "proxy"},
		{"Tailscale-User-Login", []with{header("Tailscale-User-Login", "x")}, "", false, true, "proxy"},

		{"a network that was let in", []with{from("192.168.1.7:5000"), to("192.168.1.5:8081")}, "192.168.1.0/24", true, true, ""},
		{"the same, by name", []with{from("192.168.1.7:5000"), to("chalie.lan")}, "192.168.1.0/24", true, true, ""},
		{"the same, IPv4 in IPv6", []with{from("[::ffff:192.168.1.7]:5000"), to("chalie.lan")}, "192.168.1.0/24", true, true, ""},
		{"an IPv6 network", []with{from("[fd00::7%eth0]:5000"), to("chalie.lan")}, "fd00::/8", true, true, ""},
		{"a container", []with{to("host.docker.internal:8081"), from("127.0.0.1:5000")}, "127.0.0.0/8", true, true, ""},
		{"a machine beside that network", []with{from("192.168.2.7:5000"), to("192.168.1.5:8081")}, "192.168.1.0/24", false, true, "--allow-gateway"},
		{"a proxy in that network", []with{from("192.168.1.7:5000"), to("192.168.1.5:8081"), header("X-Forwarded-For", "203.0.113.9")}, "192.168.1.0/24", false, true, "proxy"},
		{"a form from that network", []with{from("192.168.1.7:5000"), to("192.168.1.5:8081"), without("Content-Type")}, "192.168.1.0/24", false, false, "application/json"},
		{"a page in that network", []with{from("192.168.1.7:5000"), to("chalie.lan"), header("Origin", "http://chalie.lan")}, "192.168.1.0/24", false, true, "session"},
		{"a page in that network, by a GET", []with{from("192.168.1.7:5000"), to("chalie.lan"), header("Sec-Fetch-Site", "same-origin")}, "192.168.1.0/24", false, true, "session"},
		{"a rebound name in that network", []with{from("192.168.1.7:5000"), to("evil.example")}, "192.168.1.0/24", false, true, "names a host"},
		{"a rebound name at a container", []with{from("127.0.0.1:5000"), to("evil.example:8081")}, "127.0.0.0/8", false, true, "names a host"},
		{"a name without a dot", []with{from("192.168.1.7:5000"), to("chalie:8081")}, "192.168.1.0/24", true, true, ""},
		{"a rebound name beside a network", []with{to("evil.example")}, "192.168.1.0/24", false, true, "localhost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
				if c.let != "" {
					cfg.Gateways = []netip.Prefix{netip.MustParsePrefix(c.let)}
				}
			}})
			id := b.registered(`{"context":{"timezone":true},"signals":{"weather_forecast":true},"messages":{"health":true}}`)
			before := b.log.Tail()
			for route, body := range map[string]string{
				"POST /register": strings.ReplaceAll(portal, "9001", "9002"), "POST /gw/" + id + "/signals": rain,
				"POST /gw/" + id + "/messages": `{"text":"a"}`, "GET /gw/" + id + "/context": "",
				"GET /gw/" + id + "/render": "", "POST /gw/" + id + "/execute": `{"capability":"x","params":{}}`,
			} {
				method, path, _ := strings.Cut(route, " ")
				answer := b.call(method, path, body, append([]with{fromHere}, c.opts...)...)
				if c.in || method == "GET" && !c.getToo {
					if answer.status >= 400 {
						t.Errorf("%s is refused: %d %s", route, answer.status, answer.body)
					}
					continue
				}
				if answer.wants(403, c.refused); !strings.Contains(answer.body, "not_nearby") {
					t.Errorf("%s is refused for something else: %s", route, answer.body)
				}
			}
			if !c.in && b.log.Tail() != before {
				t.Error("what was refused left something in the log")
			}
		})
	}
}

// TestTheOperatorLooksFromAfar needs no place: a session sees what an interface
// shows and presses its buttons, and speaks for no interface.
func TestTheOperatorLooksFromAfar(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	id := b.registered(`{"signals":{"weather_forecast":true}}`)
	b.call("GET", "/gw/"+id+"/render", "", cookie(session)).wants(200)
	b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, cookie(session)).wants(200)
	b.call("GET", "/gw/"+id+"/context", "", cookie(session)).wants(403)
	b.call("POST", "/gw/"+id+"/signals", rain, cookie(session)).wants(403)
	b.call("GET", "/gw/"+id+"/render", "", bearer(b.token("station", "[]"))).wants(403)
	b.call("GET", "/gw/"+id+"/render", "", cookie("forged")).wants(403)
	b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, cookie(session), header("Sec-Fetch-Site", "cross-site")).wants(403, "another site")
}

func TestGatewayBounds(t *testing.T) {
	cfg := newBench(t, settings{}).cfg
	cfg.Gateways = []netip.Prefix{{}}
	if _, err := httpapi.New(cfg); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("the error is %v", err)
	}
}
