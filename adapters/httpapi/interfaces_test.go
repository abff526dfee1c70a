package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/domain"
)

// key is a fresh pairing key.
func (b *bench) key() string {
	b.t.Helper()
	var out struct {
		PairingKey string `json:"pairing_key"`
	}
	b.socket("POST", "/api/interfaces/pairing-key", "").wants(200).read(&out)
	return out.PairingKey
}

func pairingBody(key string) string {
	return `{"pairing_key":"` + key + `","name":"Hospital","host":"127.0.0.1","port":9001}`
}

func TestPairingKey(t *testing.T) {
	known := func(_ *bench, cfg *httpapi.Config) { cfg.Address = func() string { return "127.0.0.1:8081" } }
	b := newBench(t, settings{change: known})
	session := b.settled()
	for _, c := range []struct {
		name, reached string
		opts          []with
		host          string
		port          int
	}{
		{"with a port", "192.168.1.5:8081", nil, "192.168.1.5", 8081},
		{"by name", "chalie.lan:80", nil, "chalie.lan", 80},
		{"without a port", "chalie.lan", nil, "chalie.lan", 80},
		{"behind TLS", "chalie.example", []with{header("X-Forwarded-Proto", "https")}, "chalie.example", 443},
		{"IPv6", "[::1]:8081", nil, "::1", 8081},
		{"IPv6 without a port", "[::1]", nil, "::1", 80},
		{"nothing said", "", nil, "127.0.0.1", 8081},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := *b
			b.t = t
			reached := func(r *http.Request) { r.Host = c.reached }
			var out map[string]any
			b.call("POST", "/api/interfaces/pairing-key", "", append(c.opts, cookie(session), reached)...).wants(200).read(&out)
			if out["host"] != c.host || out["port"] != float64(c.port) || out["expires_in_seconds"] != 600.0 || len(out) != 4 {
				t.Errorf("told %v", out)
			}
		})
	}
	b.socket("POST", "/api/interfaces/pairing-key", "").wants(200, `"host":"127.0.0.1","port":8081`)
}

func TestPairing(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.call("GET", "/api/interfaces", "", cookie(session)).wants(200)
	key := b.key()
	var made map[string]any
	b.call("POST", "/api/interfaces/pair", pairingBody(key)).wants(201).read(&made)
	id, _ := made["interface_id"].(string)
	token, _ := made["signal_token"].(string)
	if len(made) != 4 || len(id) != 36 || token == "" || made["status"] != "online" || fmt.Sprint(made["capabilities"]) != "[cancel_appointment]" {
		t.Fatalf("answered %v", made)
	}
	var list []map[string]any
	b.call("GET", "/api/interfaces", "", cookie(session)).wants(200).read(&list)
	if len(list) != 1 || len(list[0]) != 9 || list[0]["id"] != id || list[0]["name"] != "Hospital" || list[0]["host"] != "127.0.0.1" ||
		list[0]["port"] != 9001.0 || list[0]["status"] != "online" || list[0]["tool_count"] != 1.0 || fmt.Sprint(list[0]["metadata"]) != "map[version:2.0]" {
		t.Errorf("the list is %v", list)
	}
	for _, field := range []string{"paired_at", "last_seen_at"} {
		if at, err := time.Parse(time.RFC3339, fmt.Sprint(list[0][field])); err != nil || !at.Equal(b.clock.Now().Truncate(time.Millisecond)) {
			t.Errorf("%s is %v", field, list[0][field])
		}
	}
	var one struct {
		ID    string
		Tools []struct {
			Name     string
			Manifest domain.Tool
		}
	}
	b.call("GET", "/api/interfaces/"+id, "", cookie(session)).wants(200, `"tool_count":1`).read(&one)
	if one.ID != id || len(one.Tools) != 1 || one.Tools[0].Name != "cancel_appointment" || one.Tools[0].Manifest.Parameters[0].Name != "id" {
		t.Errorf("one is %+v", one)
	}
	// What it sends with its token is its own.
	b.call("POST", "/api/signals", `{"signal_type":"emergency","content":"Wing B is closed"}`, bearer(token)).wants(202)
	if e := b.records(domain.TopicSignals)[0].Envelope; string(e.Principal) != id {
		t.Errorf("the signal is %s's", e.Principal)
	}
	b.call("POST", "/api/messages", moved, bearer(token)).wants(202)
	b.call("POST", "/api/signals", rain, bearer(token)).wants(403, "weather_forecast", "emergency")
	b.call("GET", "/api/world", "", bearer(token)).wants(403, "operator")

	before := b.log.Tail()
	b.call("POST", "/api/interfaces/"+id+"/refresh", "", cookie(session)).wants(200, `{"capabilities":["cancel_appointment"],"count":1}`)
	if b.log.Tail() != before {
		t.Error("a refresh that found nothing new was recorded")
	}
	b.far.set(func(f *far) { f.tools = nil })
	b.call("POST", "/api/interfaces/"+id+"/refresh", "", cookie(session)).wants(200, `{"capabilities":[],"count":0}`)
	b.far.set(func(f *far) { f.fail = away(commands.CodePeerUnreachable) })
	b.call("POST", "/api/interfaces/"+id+"/refresh", "", cookie(session)).wants(502, `"code":"unreachable"`)

	b.call("DELETE", "/api/interfaces/"+id, "", cookie(session)).wants(200, `{"ok":true}`)
	b.call("POST", "/api/signals", `{"signal_type":"emergency","content":"x"}`, bearer(token)).wants(401)
	b.call("GET", "/api/interfaces", "", cookie(session)).wants(200, "[]")
	for _, route := range []string{"GET /api/interfaces/" + id, "POST /api/interfaces/" + id + "/refresh", "DELETE /api/interfaces/" + id, "DELETE /api/apps/" + id, "GET /api/apps/" + id, "POST /api/apps/" + id + "/refresh"} {
		method, path, _ := strings.Cut(route, " ")
		b.call(method, path, "", cookie(session)).wants(404, id)
	}
	b.call("GET", "/api/interfaces/x", "", cookie(session)).wants(400, "ULID")
	b.call("DELETE", "/api/interfaces/x", "", cookie(session)).wants(400, "ULID")
	// Nothing in the log tells a secret.
	for _, rec := range b.records(domain.TopicAll) {
		text, err := json.Marshal(rec)
		b.must(err)
		if strings.Contains(string(text), key) || strings.Contains(string(text), token) {
			t.Errorf("%s tells a secret: %s", rec.Envelope.Type, text)
		}
	}
}

func TestBadPairings(t *testing.T) {
	for _, c := range []struct {
		name, body string
		far        func(*far)
		says       string
	}{
		{"nothing", "", nil, "empty"},
		{"broken", `{`, nil, "not JSON"},
		{"an array", `[]`, nil, "must be an object"},
		{"no key", `{"name":"a","host":"h","port":1}`, nil, "pairing_key is required"},
		{"a number for the key", `{"pairing_key":7,"name":"a","host":"h","port":1}`, nil, "pairing_key must be a string"},
		{"a wrong key", pairingBody("guess"), nil, "not known"},
		{"no name", `{"pairing_key":"KEY","host":"h","port":1}`, nil, "name is required"},
		{"a blank name", `{"pairing_key":"KEY","name":" ","host":"h","port":1}`, nil, "name is required"},
		{"no host", `{"pairing_key":"KEY","name":"a","port":1}`, nil, "host is required"},
		{"a URL for the host", `{"pairing_key":"KEY","name":"a","host":"http://h","port":1}`, nil, "host"},
		{"no port", `{"pairing_key":"KEY","name":"a","host":"h"}`, nil, "port is required"},
		{"a string for the port", `{"pairing_key":"KEY","name":"a","host":"h","port":"1"}`, nil, "port must be a number"},
		{"half a port", `{"pairing_key":"KEY","name":"a","host":"h","port":1.5}`, nil, "whole number"},
		{"port 0", `{"pairing_key":"KEY","name":"a","host":"h","port":0}`, nil, "65535"},
		{"port 65536", `{"pairing_key":"KEY","name":"a","host":"h","port":65536}`, nil, "65535"},
		{"a string for the signals", `{"pairing_key":"KEY","name":"a","host":"h","port":1,"signals":"x"}`, nil, "signals must be an array"},
		{"an interface that is away", pairingBody("KEY"), func(f *far) { f.fail = away(commands.CodePeerUnreachable) }, "used up"},
		{"one that hangs up", pairingBody("KEY"), func(f *far) { f.fail = away(commands.CodePeerUnknown) }, "used up"},
		{"one that redirects", pairingBody("KEY"), func(f *far) { f.fail = away(commands.CodePeerStatus) }, "used up"},
		{"one at a forbidden address", pairingBody("KEY"), func(f *far) { f.fail = away(commands.CodePeerForbidden) }, "used up"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			key := b.key()
			if c.far != nil {
				b.far.set(c.far)
			}
			b.call("POST", "/api/interfaces/pair", strings.ReplaceAll(c.body, "KEY", key)).wants(400, c.says)
			b.socket("GET", "/api/interfaces", "").wants(200, "[]")
			b.far.set(func(f *far) { f.fail = nil })
			// The key is burnt by the attempt that used it, and by no other.
			answer := b.call("POST", "/api/interfaces/pair", pairingBody(key))
			if c.far != nil {
				answer.wants(400, "used already")
			} else {
				answer.wants(201)
			}
		})
	}
	b := newBench(t, settings{})
	key := b.key()
	b.clock.Advance(domain.PairingKeyLifetime)
	b.call("POST", "/api/interfaces/pair", pairingBody(key)).wants(400, "expired")
	b.door.shut(&domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "the disk is unwell"})
	b.call("POST", "/api/interfaces/pair", pairingBody("guess")).wants(400)
	b.door.shut(nil)
	key = b.key()
	b.door.shut(&domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "the disk is unwell"})
	b.call("POST", "/api/interfaces/pair", pairingBody(key)).wants(503, "the disk is unwell")
	b.door.shut(nil)
	b.call("POST", "/api/interfaces/pair", pairingBody(key)).wants(201)
}

func TestFourPairWithOneKey(t *testing.T) {
	b := newBench(t, settings{})
	key := b.key()
	answers := make([]told, 4)
	var wg sync.WaitGroup
	for i := range answers {
		body := strings.Replace(pairingBody(key), "9001", fmt.Sprint(9001+i), 1)
		wg.Go(func() { answers[i] = b.call("POST", "/api/interfaces/pair", body) })
	}
	wg.Wait()
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.status]++
	}
	if counts[201] != 1 || counts[400] != 3 {
		t.Errorf("the answers are %v", counts)
	}
}

// TestPairedToken holds an interface's token to the rules of any token.
func TestPairedToken(t *testing.T) {
	b := newBench(t, settings{perMinute: 2})
	_, token := b.paired("Hospital", 9001, `["price"]`)
	emergency, price := `{"signal_type":"emergency","content":"x"}`, `{"signal_type":"price","content":"x"}`
	b.call("POST", "/api/signals", emergency, bearer(token+"x")).wants(401)
	b.call("POST", "/api/signals", rain, bearer(token)).wants(403)
	b.call("POST", "/api/signals", emergency, bearer(token)).wants(202)
	b.call("POST", "/api/signals/batch", "["+price+","+rain+"]", bearer(token)).wants(200, `"accepted":1,"rejected":1`)
	b.call("POST", "/api/signals", price, bearer(token)).wants(429)

	// One that declares nothing may send anything.
	b.far.set(func(f *far) { f.meta = nil })
	_, free := b.paired("Anything", 9002, `[]`)
	b.call("POST", "/api/signals", rain, bearer(free)).wants(202)
	// And after a restart nothing is different.
	b.start(settings{perMinute: 2})
	b.call("POST", "/api/signals", rain, bearer(free)).wants(202)
	b.call("POST", "/api/signals", rain, bearer(free)).wants(429)
	b.call("POST", "/api/signals", rain, bearer(token)).wants(403)
}

func TestRegistration(t *testing.T) {
	b := newBench(t, settings{})
	var first, again map[string]any
	b.call("POST", "/register", portal, fromHere).wants(201).read(&first)
	id, _ := first["interface_id"].(string)
	if len(first) != 3 || first["gateway_url"] != "http://localhost:8081/gw/"+id || first["status"] != "pending" {
		t.Fatalf("answered %v", first)
	}
	before := b.log.Tail()
	b.call("POST", "/register", portal, fromHere, from("[::1]:5000"), to("[::1]:8081")).wants(200).read(&again)
	if again["interface_id"] != id || again["gateway_url"] != "http://[::1]:8081/gw/"+id || b.log.Tail() != before {
		t.Errorf("again it is %v, and the log grew by %d", again, b.log.Tail()-before)
	}
	// The daemon was not spoken to.
	if b.far.at.Port != 0 {
		t.Errorf("%v was asked", b.far.at)
	}
	b.socket("PUT", "/api/apps/"+id+"/scopes", `{"approved_scopes":{"signals":{"weather_forecast":true}}}`).wants(200, `{"ok":true,"status":"online"}`)
	b.start(settings{})
	b.call("POST", "/register", portal, fromHere).wants(200, id, `"status":"online"`)
	b.call("POST", "/gw/"+id+"/signals", rain, fromHere).wants(202)
	// Under another name it is judged anew.
	b.call("POST", "/register", strings.Replace(portal, "Portal", "Other", 1), fromHere).wants(200, id, `"status":"pending"`)
	b.call("POST", "/gw/"+id+"/signals", rain, fromHere).wants(403)

	b.call("POST", "/register", `{"name":"Least","port":9005}`, fromHere).wants(201)
	b.call("POST", "/register", `{"name":"Nulls","version":null,"description":null,"author":null,"scopes":null,"port":9006}`, fromHere).wants(201)
	b.call("POST", "/register", `{"name":"Some","scopes":{"signals":{"a":null,"b":"x"},"other":7},"port":9007}`, fromHere).wants(201)
	b.socket("POST", "/register", `{"name":"Pipe","port":9008}`).wants(201, "/gw/")
	var apps []struct{ Host, Name string }
	b.socket("GET", "/api/apps", "").wants(200).read(&apps)
	if len(apps) != 5 || apps[0].Host != "127.0.0.1" || apps[4].Host != "127.0.0.1" {
		t.Errorf("the apps are %+v", apps)
	}
	b.paired("Hospital", 9010, "[]")
	b.call("POST", "/register", `{"name":"Thief","port":9010}`, fromHere).wants(409, "Hospital is paired")
}

func TestRegistrationFromANetwork(t *testing.T) {
	b := newBench(t, settings{change: letIn("192.168.1.0/24")})
	b.call("POST", "/register", portal, fromHere, from("[::ffff:192.168.1.7]:5000"), to("chalie.lan")).wants(201, "http://chalie.lan/gw/")
	b.socket("GET", "/api/apps", "").wants(200, `"host":"192.168.1.7"`)
	b.call("POST", "/register", portal, fromHere).wants(201)
}

func TestBadRegistrations(t *testing.T) {
	b := newBench(t, settings{})
	var many []string
	for i := range domain.MaxScopes + 1 {
		many = append(many, fmt.Sprintf(`"k%d":""`, i))
	}
	for body, says := range map[string]string{
		"":                                   "empty",
		`{"port":`:                           "not JSON",
		`[]`:                                 "must be an object",
		`{"port":9001}`:                      "name is required",
		`{"name":"","port":9001}`:            "name is required",
		`{"name":null,"port":9001}`:          "name is required",
		`{"name":7,"port":9001}`:             "name must be a string",
		`{"name":"a"}`:                       "port is required",
		`{"name":"a","port":null}`:           "port is required",
		`{"name":"a","port":"9001"}`:         "port must be a number",
		`{"name":"a","port":9001.5}`:         "whole number",
		`{"name":"a","port":1e300}`:          "whole number",
		`{"name":"a","port":1e999}`:          "too large",
		`{"name":"a","port":0}`:              "65535",
		`{"name":"a","port":70000}`:          "65535",
		`{"name":"a","port":1,"version":7}`:  "version must be a string",
		`{"name":"a","port":1,"author":{}}`:  "author must be a string",
		`{"name":"a","port":1,"scopes":[]}`:  "scopes must be an object",
		`{"name":"a","port":1,"scopes":"x"}`: "scopes must be an object",
		`{"name":"a","port":1,"scopes":{"signals":["a"]}}`:                              "scopes.signals must be an object",
		`{"name":"a","port":1,"scopes":{"context":{"location":true}}}`:                  "scopes.context.location must be a string",
		`{"name":"a","port":1,"scopes":{"messages":{"":"x"}}}`:                          "scopes.messages",
		`{"name":"a","port":1,"scopes":{"messages":{` + strings.Join(many, ",") + `}}}`: "256",
		`{"name":"` + strings.Repeat("x", 200) + `","port":1}`:                          "128",
	} {
		b.call("POST", "/register", body, fromHere).wants(400, says)
	}
	b.holds(domain.TopicAll, 0)
	b.call("POST", "/register", strings.Repeat(" ", 5<<20), fromHere).wants(413)
	b.call("GET", "/register", "", fromHere).wants(405)
}

// TestUnknownWhileFolding comes back before the interfaces are known.
func TestUnknownWhileFolding(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Applied = behind{} }})
	b.call("GET", "/gw/"+b.ids.NewID().UUID()+"/context", "", fromHere).wants(503, `"code":"starting"`)
	b.call("GET", "/gw/x/context", "", fromHere).wants(404, "Unknown interface")
}

func letIn(network string) func(*bench, *httpapi.Config) {
	return func(_ *bench, cfg *httpapi.Config) { cfg.Gateways = []netip.Prefix{netip.MustParsePrefix(network)} }
}

// What starts a program or reads Chalie's environment is said from a terminal only; bounds of
// a server arrive as they were given.
func TestWhatOnlyATerminalSays(t *testing.T) {
	added := &adding{}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		added.Interfaces = cfg.Interfaces
		cfg.Interfaces = added
	}})
	session := b.settled()
	for _, c := range []struct{ body, field string }{
		{`{"name":"x","command":["/bin/true"]}`, "command"},
		{`{"name":"x","command":["/bin/true"],"env":["HOME"]}`, "command"},
		{`{"name":"x","url":"http://127.0.0.1:9/mcp","env":["HOME"]}`, "env"},
		{`{"name":"x","url":"http://127.0.0.1:9/mcp","headers":[{"name":"X","value":"$HOME"}]}`, "headers"},
		{`{"name":"x","url":"http://127.0.0.1:9/mcp","headers":[{"name":"A","value":"b"},{"name":"X","value":"Bearer ${HOME}"}]}`, "headers"},
	} {
		b.call("POST", "/api/mcp", c.body, cookie(session)).wants(403, "terminal_only", `"field":"`+c.field+`"`, "chalie tool add mcp")
		if added.server != nil {
			t.Fatalf("%s was taken: %+v", c.body, added.server)
		}
	}
	b.call("POST", "/api/mcp", `{"name":"x","url":"http://127.0.0.1:9/mcp","headers":[{"name":"A","value":"b"}]}`, cookie(session)).wants(201)
	b.socket("POST", "/api/mcp", `{"name":"x","url":"http://127.0.0.1:9/mcp","headers":[{"name":"A","value":"$HOME"}]}`).wants(201)
	b.socket("POST", "/api/mcp", `{"name":"x","command":["/bin/true"],"memory":4294967296,"processes":7}`).wants(201)
	if added.server == nil || added.server.Memory != 4<<30 || added.server.Processes != 7 {
		t.Errorf("added was %+v", added.server)
	}
}

// adding keeps the MCP server that was added last.
type adding struct {
	httpapi.Interfaces
	server *domain.MCPServer
}

func (a *adding) AddMCP(_ context.Context, _ commands.Caller, _ string, server domain.MCPServer) (pairing.AddedMCP, error) {
	a.server = &server
	return pairing.AddedMCP{ID: domain.ID{1}, New: true}, nil
}
