package httpapi_test

import (
	"strings"
	"testing"
)

// What is refused says what to do about it, as a command where one helps.
func TestGatewayRefusals(t *testing.T) {
	const anything = `{"signal_type":"storm","content":"x","text":"x"}`
	for _, c := range []struct{ name, scopes, approved, call, says string }{
		{"Home Lamp", `{"signals":{"storm":"s"}}`, ``, "signals", `chalie interfaces approve 'Home Lamp'"`},
		{"Lamp-2.b", `{"signals":{"storm":"s"}}`, ``, "messages", `chalie interfaces approve Lamp-2.b"`},
		{"it's; rm", `{"signals":{"storm":"s"}}`, ``, "signals", `chalie interfaces approve ID"`},
		{"-x", `{"signals":{"storm":"s"}}`, ``, "execute", `chalie interfaces approve ID"`},
		{"Lamp", `{}`, `{}`, "signals", "asks for nothing: register again"},
		{"Lamp", `{"signals":{"storm":"s","rain":"r"}}`, `{"signals":{"rain":1}}`, "signals", "signal_type storm is not approved for Lamp: approve what it asks for with: chalie interfaces approve Lamp"},
		{"Lamp", `{"signals":{"rain":"r"}}`, `{"signals":{"rain":1}}`, "signals", "it doesn't ask for it: register again"},
		{"Lamp", `{"signals":{"rain":"r"}}`, `{"signals":{"rain":1}}`, "messages", "register again with a topic in scopes.messages"},
		{"Lamp", `{"signals":{"rain":"r"},"messages":{"oil":"o"}}`, `{"signals":{"rain":1}}`, "messages", "chalie interfaces approve Lamp"},
	} {
		t.Run(c.name+" "+c.call, func(t *testing.T) {
			b := newBench(t, settings{})
			var out struct {
				InterfaceID string `json:"interface_id"`
			}
			b.call("POST", "/register", `{"name":"`+c.name+`","port":9001,"scopes":`+c.scopes+`}`, fromHere).wants(201).read(&out)
			if c.approved != "" {
				b.socket("PUT", "/api/apps/"+out.InterfaceID+"/scopes", `{"approved_scopes":`+c.approved+`}`).wants(200)
			}
			body := anything
			if c.call == "execute" {
				body = `{"capability":"x"}`
			}
			b.call("POST", "/gw/"+out.InterfaceID+"/"+c.call, body, fromHere).wants(403, strings.ReplaceAll(c.says, "ID", out.InterfaceID))
		})
	}
}

// A paired interface has a token, which already lets it send.
func TestPairedThroughGateway(t *testing.T) {
	b := newBench(t, settings{})
	b.far.set(func(f *far) { f.meta.Scopes.Context = map[string]string{"energy": "e"} })
	id, _ := b.paired("Hospital", 9001, "[]")
	refused := func(says string) {
		t.Helper()
		for _, call := range []string{"signals", "messages"} {
			says := strings.ReplaceAll(says, "CALL", call)
			b.call("POST", "/gw/"+id+"/"+call, `{"signal_type":"storm","content":"x","text":"x"}`, fromHere).wants(403, "with its token", says)
		}
		b.call("POST", "/gw/"+id+"/messages", `{"text":"x","topic":"oil"}`, fromHere).wants(403, "/api/messages")
	}
	refused("/api/signals and /api/messages")
	b.socket("PUT", "/api/apps/"+id+"/scopes", `{"approved_scopes":{"context":{"energy":true}}}`).wants(200)
	refused("Bearer …, to /api/CALL")
}
