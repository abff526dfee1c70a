package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
)

const cancel = "/api/tools/cancel_appointment/invoke"

func TestTools(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/tools", "").wants(200, `{"tools":[]}`)
	id, _ := b.paired("Hospital", 9001, "[]")
	b.socket("GET", "/api/tools", "").wants(200, `{"tools":[{"name":"cancel_appointment","interface_id":"`+id+`","interface":"Hospital","tool":"cancel_appointment",`+
		`"description":"Cancels an appointment.","documentation":"","parameters":[{"name":"id","type":"string","required":true,"description":"which"}],"returns":null,`+
		`"manifest":{"capability_id":"`+id+`/cancel_appointment","version":"2.0","side_effects":true,"requires_approval":false,"autonomy":"full","unasked":false,"ask":"as_said","moves_money":false,"lapsed":false},`+
		`"said":{},"when_said":{"verdict":"allowed","reason_codes":["asked_in_words","has_side_effects","autonomy_full"],"words":"Done when you say it"},"flags":[]}]}`)

	b.far.set(func(f *far) {
		f.result = commands.Result{Text: new("done"), Data: json.RawMessage(`{"a":1}`), Blocks: []domain.Block{domain.TextBlock("<b>", domain.FormatPlain)}, OpenURL: new("https://example.com/?a&b")}
	})
	var out map[string]any
	b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(200, `"text":"done","data":{"a":1},"error":null,"blocks":[{"content":"<b>","format":"plain","type":"text"}],"open_url":"https://example.com/?a&b"}`).read(&out)
	if len(out) != 6 || len(b.far.calls) != 1 || b.far.calls[0].Key != out["invocation_id"] || string(b.far.calls[0].Params) != `{"id":"7"}` {
		t.Errorf("answered %v after %+v", out, b.far.calls)
	}
	invoked, err := domain.Decode[domain.ToolInvoked](b.records(domain.TopicTools)[0].Envelope)
	if err != nil || invoked.Channel != "socket" {
		t.Errorf("recorded %+v, %v", invoked, err)
	}
	b.far.set(func(f *far) { f.result = commands.Result{} })
	b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(200, `"text":null,"data":null,"error":null,"blocks":null,"open_url":null}`)
	b.far.set(func(f *far) { f.result = commands.Result{Error: new("no such appointment")} })
	b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(200, `"error":"no such appointment"`)
}

func TestToolsThatCannotBe(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.paired("Hospital", 9001, "[]")
	for body, says := range map[string]string{
		"": "empty", `{`: "not JSON", `[]`: "must be an object", `{"params":[]}`: "params must be an object",
		`{}`: "id is required", `{"params":null}`: "id is required", `{"params":{"id":7}}`: "id must be of type string",
		`{"params":{"id":"7","x":1,"y":2}}`: "x is not a parameter of cancel_appointment; y is not",
	} {
		b.call("POST", cancel, body, cookie(session)).wants(400, says)
	}
	b.call("POST", "/api/tools/nothing/invoke", `{"params":{}}`, cookie(session)).wants(404, `"code":"no_tool"`)
	b.call("GET", cancel, "", cookie(session)).wants(405)
	b.call("POST", "/api/tools/cancel_appointment", "", cookie(session)).wants(404)
	b.holds(domain.TopicTools, 0)
	if len(b.far.calls) != 0 {
		t.Errorf("called %+v", b.far.calls)
	}
}

func TestToolsThatFail(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	for code, want := range map[domain.Code]struct {
		status int
		code   domain.Code
	}{
		commands.CodePeerUnreachable: {502, commands.CodePeerUnreachable},
		commands.CodePeerForbidden:   {502, commands.CodePeerForbidden},
		commands.CodePeerStatus:      {502, commands.CodePeerStatus},
		commands.CodePeerBadJSON:     {502, commands.CodePeerBadJSON},
		commands.CodePeerBadShape:    {502, commands.CodePeerBadShape},
		commands.CodePeerTooLarge:    {502, commands.CodePeerTooLarge},
		commands.CodePeerUnknown:     {504, "tool_outcome_unknown"},
	} {
		b.far.set(func(f *far) { f.fail = away(code) })
		var refused struct {
			Error, Code  string
			InvocationID string `json:"invocation_id"`
		}
		b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(want.status).read(&refused)
		records := b.records(domain.TopicTools)
		end := records[len(records)-1].Envelope
		if refused.Code != string(want.code) || refused.InvocationID != end.Trace.UUID() || end.Kind != domain.KindResult {
			t.Errorf("%s is told as %+v, and ends with %s of %s", code, refused, end.Type, end.Trace)
		}
	}
	// An interface that fails is no failure of Chalie's.
	if trail := b.trail.String(); !strings.Contains(trail, "level=WARN") || strings.Contains(trail, "level=ERROR") {
		t.Errorf("logged %s", trail)
	}
	b.door.shut(&domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "the disk is unwell"})
	b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(503, "the disk is unwell", `"invocation_id":"0`)
}

// never is a policy that denies.
type never struct{ domain.Rulebook }

func (n *never) Decide(in domain.Invoking) domain.PolicyDecided {
	out := n.Rulebook.Decide(in)
	out.Verdict, out.Allowed, out.ReasonCodes = domain.VerdictDenied, false, []string{"on_holiday"}
	return out
}

func TestDeniedTool(t *testing.T) {
	b := newBench(t, settings{change: func(b *bench, cfg *httpapi.Config) { cfg.Tools = b.tools(&never{}) }})
	b.paired("Hospital", 9001, "[]")
	b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(403, "on_holiday", `"code":"denied"`, `"invocation_id":"0`)
	if len(b.far.calls) != 0 {
		t.Errorf("called %+v", b.far.calls)
	}
}

// TestToolNames invokes tools whose names are no good as a part of a path.
func TestToolNames(t *testing.T) {
	b := newBench(t, settings{})
	names := []string{"a/b", "50%", "100%25", "what?", "ä ö", "x#y", "..", "a+b", "pair", "a//b", "/"}
	tools := make([]domain.Tool, len(names))
	for i, name := range names {
		tools[i] = domain.Tool{Name: name, Description: "x", Parameters: []domain.Parameter{}}
	}
	b.far.set(func(f *far) { f.tools = tools })
	b.paired("Chez Luigi / Grill", 9001, "[]")
	for _, name := range names {
		for _, called := range []string{name, "Chez Luigi / Grill." + name} {
			answer := b.socket("POST", "/api/tools/"+url.PathEscape(called)+"/invoke", `{}`)
			if answer.status != 200 {
				t.Errorf("%q: %d %s", called, answer.status, answer.body)
				continue
			}
			if got := b.far.calls[len(b.far.calls)-1].Capability; got != name {
				t.Errorf("%q invoked %q", called, got)
			}
		}
	}
	// The same name at two places is told apart by whose it is.
	b.paired("Bella", 9002, "[]")
	b.socket("POST", "/api/tools/pair/invoke", `{}`).wants(404, "Bella.pair", `"code":"ambiguous_tool"`)
	b.socket("POST", "/api/tools/Bella.pair/invoke", `{}`).wants(200)
	if b.far.at.Port != 9002 {
		t.Errorf("%v was called", b.far.at)
	}
	if a := b.socket("GET", "/api/tools", "").wants(200); strings.Count(a.body, `"name":"Bella.`) != len(names) {
		t.Errorf("the tools are %s", a.body)
	}
}

func TestStreams(t *testing.T) {
	var status *signal.StreamStatus
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.StreamStatus = func(domain.ID) (signal.StreamStatus, bool) {
			if status == nil {
				return signal.StreamStatus{}, false
			}
			return *status, true
		}
	}})
	session := b.settled()
	b.call("GET", "/api/streams", "", cookie(session)).wants(200, `{"streams":[]}`)
	var made struct {
		StreamID string `json:"stream_id"`
	}
	b.call("POST", "/api/streams", `{"url":"ws://127.0.0.1:9000/feed","source":"nasdaq"}`, cookie(session)).wants(201).read(&made)
	since := domain.MillisOf(b.clock.Now())
	b.call("GET", "/api/streams", "", cookie(session)).wants(200,
		fmt.Sprintf(`{"streams":[{"id":%q,"url":"ws://127.0.0.1:9000/feed","source":"nasdaq","since":%d,"state":"connecting",`, made.StreamID, since))
	status = &signal.StreamStatus{State: signal.StreamLive, Received: 9, Accepted: 7, Malformed: 2, Rate: 1.5, LagMillis: 20, LastFault: "no JSON"}
	b.call("GET", "/api/streams", "", cookie(session)).wants(200, `"state":"live"`, `"received":9`, `"accepted":7`, `"malformed":2`, `"rate":1.5`, `"lag_ms":20`, `"last_fault":"no JSON"`)
	for body, says := range map[string]string{
		"": "empty", `{}`: "url is required", `{"url":7}`: "url must be a string", `{"url":"http://x/"}`: "ws://",
		`{"url":"ws://127.0.0.1:9001/","source":7}`: "source must be a string", `{"url":"ws://user:secret@x/"}`: "password",
	} {
		b.call("POST", "/api/streams", body, cookie(session)).wants(400, says)
	}
	b.call("POST", "/api/streams", `{"url":"ws://127.0.0.1:9000/feed"}`, cookie(session)).wants(409, made.StreamID)
	b.call("DELETE", "/api/streams/x", "", cookie(session)).wants(400, "ULID")
	b.call("DELETE", "/api/streams/"+made.StreamID, "", cookie(session)).wants(200, `{"ok":true}`)
	b.call("DELETE", "/api/streams/"+made.StreamID, "", cookie(session)).wants(404, made.StreamID)
	b.call("GET", "/api/streams", "", cookie(session)).wants(200, `{"streams":[]}`)
}

// The same Idempotency-Key is answered with what came of it the first time.
func TestToolsInvokedOnce(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	invoke := func(key, id string) told {
		return b.socket("POST", cancel, `{"params":{"id":"`+id+`"}}`, header("Idempotency-Key", key))
	}
	replayed := func(a told, want string) {
		t.Helper()
		if got := a.header.Get("Idempotent-Replayed"); got != want {
			t.Errorf("Idempotent-Replayed is %q, want %q", got, want)
		}
	}
	b.far.set(func(f *far) { f.result = commands.Result{Text: new("done")} })
	first := invoke("k", "7").wants(200, `"text":"done"`)
	replayed(first, "")
	b.far.set(func(f *far) { f.result = commands.Result{Text: new("done again")} })
	second := invoke("k", "7").wants(200)
	replayed(second, "true")
	if second.body != first.body || len(b.far.calls) != 1 {
		t.Errorf("answered %s, then %s, after %d calls", first.body, second.body, len(b.far.calls))
	}
	replayed(invoke("k", "8").wants(409, `"code":"key_reused"`), "")

	b.far.set(func(f *far) { f.fail = away(commands.CodePeerUnknown) })
	lost := invoke("l", "7").wants(504, "tool_outcome_unknown")
	b.far.set(func(f *far) { f.fail = nil })
	again := invoke("l", "7").wants(504, "tool_outcome_unknown")
	replayed(again, "true")
	if again.body != lost.body || len(b.far.calls) != 2 {
		t.Errorf("answered %s, then %s, after %d calls", lost.body, again.body, len(b.far.calls))
	}
	invoke(strings.Repeat("k", 256), "7").wants(400, "Idempotency-Key")
}

// A program without the right to see tools learns by trying neither which there are nor what
// they take; one that has it, and the person, are told.
func TestTryingTellsNothing(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, `["appointments"]`)
	try := func(token, name, params string) told {
		return b.call("POST", "/api/tools/"+name+"/invoke", `{"params":`+params+`}`, bearer(token))
	}
	blind, seeing := b.token("station", "[]"), b.token("editor", `["mcp"]`)
	for _, name := range []string{"cancel_appointment", "fly"} {
		if got, other := try(blind, name, `{"zz":1}`).wants(404, "no_tool").body, try(blind, "nothing", `{"zz":1}`).wants(404).body; got != other {
			t.Errorf("%s is told apart: %s and %s", name, got, other)
		}
	}
	try(seeing, "cancel_appointment", `{"zz":1}`).wants(400, "zz is not a parameter of cancel_appointment")
	try(seeing, "fly", `{}`).wants(404, `\"fly\"`)
	b.socket("POST", "/api/tools/cancel_appointment/invoke", `{"params":{"zz":1}}`).wants(400, "zz is not a parameter")
}
