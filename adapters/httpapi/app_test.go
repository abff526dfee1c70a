package httpapi_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestApps(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.call("GET", "/api/apps", "", cookie(session)).wants(200, "[]")
	id := b.registered("")
	var list []map[string]any
	b.call("GET", "/api/apps", "", cookie(session), to("chalie.lan:8081")).wants(200).read(&list)
	if len(list) != 1 {
		t.Fatalf("the list is %v", list)
	}
	var want map[string]any
	b.must(json.Unmarshal([]byte(`{"id":"`+id+`","name":"Portal","host":"127.0.0.1","port":9001,"status":"pending","origin":"registered","signals":null,"version":"1.0.0",
		"description":"A portal","author":"","gateway_url":"http://chalie.lan:8081/gw/`+id+`",
		"requested_scopes":{"context":{"location":"to find the way","timezone":"t","device":"d","energy":"e","attention":"a"},
			"signals":{"weather_forecast":"rain","context_update":"It may say where and how you are. It says: where you are"},"messages":{"health":"your appointments"}},
		"approved_scopes":{"context":{},"signals":{},"messages":{}},
		"paired_at":"2026-01-01T12:00:00.000Z","last_seen_at":"2026-01-01T12:00:00.000Z","offline_reason":"","flagged_tools":[]}`), &want))
	if !reflect.DeepEqual(list[0], want) {
		t.Errorf("the app is  %v\nwant        %v", list[0], want)
	}
	b.call("GET", "/api/apps/"+id, "", cookie(session)).wants(200, `"capabilities":[]`)
	b.call("POST", "/api/apps/"+id+"/refresh", "", cookie(session)).wants(200, `{"ok":true,"capabilities":["cancel_appointment"],"count":1}`)
	b.call("GET", "/api/apps/"+id, "", cookie(session)).wants(200, `"capabilities":[{"name":"cancel_appointment"`, `"parameters":[{"name":"id"`)
	b.far.set(func(f *far) { f.fail = away(commands.CodePeerBadJSON) })
	b.call("POST", "/api/apps/"+id+"/refresh", "", cookie(session)).wants(502, `"code":"bad_json"`)
	b.far.set(func(f *far) { f.fail = nil })
	// Nothing was heard since the start, and a paired one is an app, too.
	b.start(settings{})
	b.call("GET", "/api/apps/"+id, "", cookie(session)).wants(200, `"last_seen_at":null`)
	b.paired("Hospital", 9002, "[]")
	b.call("GET", "/api/apps", "", cookie(session)).wants(200, `"name":"Hospital"`, `"name":"Portal"`)
	b.call("GET", "/api/interfaces", "", cookie(session)).wants(200, `"name":"Hospital"`, `"name":"Portal"`)
	b.call("DELETE", "/api/apps/"+id, "", cookie(session)).wants(200, `{"ok":true}`)
	b.call("GET", "/api/apps/"+id, "", cookie(session)).wants(404)
}

func TestApproval(t *testing.T) {
	b := newBench(t, settings{})
	session, id := b.settled(), b.registered("")
	put := func(body string) told { return b.call("PUT", "/api/apps/"+id+"/scopes", body, cookie(session)) }
	for _, c := range []struct{ body, approved string }{
		{`{"approved_scopes":{"context":{"location":true},"signals":{"weather_forecast":{}},"messages":{"health":"x"}}}`,
			`{"context":{"location":true},"signals":{"weather_forecast":true},"messages":{"health":true}}`},
		{`{"approved_scopes":{"context":{"location":false,"energy":true},"signals":null}}`, `{"context":{"energy":true},"signals":{},"messages":{}}`},
		{`{"approved_scopes":{"context":{"energy":true,"energy":false,"device":null}}}`, `{"context":{},"signals":{},"messages":{}}`},
		{`{"approved_scopes":{"messages":{"health":true,"nonsense":false}}}`, `{"context":{},"signals":{},"messages":{"health":true}}`},
		{`{"approved_scopes":{}}`, `{"context":{},"signals":{},"messages":{}}`},
	} {
		put(c.body).wants(200, `{"ok":true,"status":"online"}`)
		before := b.log.Tail()
		put(c.body).wants(200)
		if b.log.Tail() != before {
			t.Errorf("%s twice was recorded twice", c.body)
		}
		b.call("GET", "/api/apps/"+id, "", cookie(session)).wants(200, `"approved_scopes":`+c.approved)
	}
	before := b.log.Tail()
	for body, says := range map[string]string{
		"": "empty", `{`: "not JSON", `[]`: "must be an object", `{}`: "approved_scopes is required", `{"approved_scopes":null}`: "approved_scopes is required",
		`{"approved_scopes":[]}`:                         "approved_scopes must be an object",
		`{"approved_scopes":{"context":["location"]}}`:   "approved_scopes.context must be an object",
		`{"approved_scopes":{"context":{"heart":true}}}`: "requested_scopes",
	} {
		put(body).wants(400, says)
	}
	b.call("PUT", "/api/apps/x/scopes", `{"approved_scopes":{}}`, cookie(session)).wants(400, "ULID")
	unknown := b.ids.NewID().UUID()
	b.call("PUT", "/api/apps/"+unknown+"/scopes", `{"approved_scopes":{}}`, cookie(session)).wants(404, unknown)
	b.call("PUT", "/api/apps/"+unknown+"/scopes", `{}`, cookie(session)).wants(404, unknown)
	if b.log.Tail() != before {
		t.Error("what was refused was recorded")
	}
	if e := b.records(domain.TopicInterfaces)[1].Envelope; e.Type != "interface.scopes_approved" || e.Principal != domain.PrincipalOperator {
		t.Errorf("the approval is %s's %s", e.Principal, e.Type)
	}
}

// What a token permits is approved as far as it is asked for, and what is told can
// be sent back as it is.
func TestPairedAppsMay(t *testing.T) {
	const context = `"approved_scopes":{"context":{"energy":true},`
	for name, c := range map[string]struct{ signals, may string }{
		"what /meta names":     {`[]`, `"signals":{"emergency":true},"messages":{"health":true}}`},
		"and what isn't there": {`["other"]`, `"signals":{"emergency":true},"messages":{"health":true}}`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, settings{})
			b.far.set(func(f *far) {
				f.meta.Scopes.Context, f.meta.Scopes.Messages = map[string]string{"energy": "e"}, map[string]string{"health": "h"}
			})
			id, _ := b.paired("Hospital", 9001, c.signals)
			b.socket("GET", "/api/apps/"+id, "").wants(200, `"approved_scopes":{"context":{},`+c.may)
			b.socket("PUT", "/api/apps/"+id+"/scopes", `{`+context+c.may+`}`).wants(200)
			b.socket("GET", "/api/apps/"+id, "").wants(200, context+c.may)
			b.socket("PUT", "/api/apps/"+id+"/scopes", `{"approved_scopes":{}}`).wants(200)
			b.socket("GET", "/api/apps/"+id, "").wants(200, `"approved_scopes":{"context":{},`+c.may)
		})
	}
}

func TestOfflineApps(t *testing.T) {
	b := newBench(t, settings{})
	id, _ := b.paired("Hospital", 9001, "[]")
	parsed, err := domain.ParseID(id)
	b.must(err)
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: b.ids.NewID()}, domain.PrincipalCore), b.ids.NewID(), domain.MillisOf(b.clock.Now()),
		"monitor", domain.InterfaceWentOffline{InterfaceID: parsed, Failures: 3, Reason: "unreachable"})
	b.must(err)
	entry.Envelope.Keys = []domain.Key{domain.InterfaceKey(parsed)}
	receipt, err := b.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	b.must(err)
	b.must(b.group.WaitFor(t.Context(), receipt.Positions[0]))
	b.socket("GET", "/api/interfaces/"+id, "").wants(200, `"status":"offline"`)
	b.socket("GET", "/api/apps/"+id, "").wants(200, `"offline_reason":"unreachable"`, `"capabilities":[{"name":"cancel_appointment"`)
	b.socket("GET", "/api/tools", "").wants(200, `{"tools":[]}`)
	b.socket("POST", "/api/tools/cancel_appointment/invoke", `{"params":{"id":"7"}}`).wants(404, "offline", `"code":"tool_offline"`)
	b.socket("PUT", "/api/apps/"+id+"/scopes", `{"approved_scopes":{}}`).wants(200, fmt.Sprintf(`"status":%q`, "offline"))
}

// What a paired program declared for itself waits for one answer, whichever it is; what it was
// given before stays, and is told to nobody else.
func TestRightsAreAsked(t *testing.T) {
	b := newBench(t, settings{})
	hall, _ := b.paired("Hall", 9001, `["voice","context_update","mcp","rain"]`)
	phone, token := b.paired("Phone", 9002, `["context_update"]`)
	b.paired("Quiet", 9003, `["rain"]`)
	asking := func(want string) {
		t.Helper()
		if got := b.socket("GET", "/api/apps", "").wants(200).header.Get("Chalie-Rights-Asked"); got != want {
			t.Errorf("%s ask for a right, want %s", got, want)
		}
	}
	const words = `"asked_rights":{"context_update":"say where and how you are","voice":"have Chalie hear and speak for it"}`
	b.socket("GET", "/api/apps/"+hall, "").wants(200, words, `"signals":{"emergency":true}`)
	asking("2")
	if got := b.call("GET", "/health", "", bearer(token)).header.Get("Chalie-Rights-Asked"); got != "" {
		t.Errorf("a program is told that %s ask", got)
	}
	b.socket("PUT", "/api/apps/"+hall+"/scopes", `{"approved_scopes":{"signals":{"voice":true,"emergency":true}}}`).wants(200)
	b.socket("PUT", "/api/apps/"+phone+"/scopes", `{"approved_scopes":{}}`).wants(200)
	asking("0")
	for _, id := range []string{hall, phone} {
		if a := b.socket("GET", "/api/apps/"+id, "").wants(200); strings.Contains(a.body, "asked_rights") {
			t.Errorf("it asks again: %s", a.body)
		}
	}
	b.socket("GET", "/api/apps/"+hall, "").wants(200, `"voice":true`)
}
