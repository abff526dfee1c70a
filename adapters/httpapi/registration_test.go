package httpapi_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

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
	b.socket("POST", "/register", `{"name":"Socket","port":9008}`).wants(201, "/gw/")
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
