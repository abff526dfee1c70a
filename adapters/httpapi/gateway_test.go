package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"chalie/adapters/cardhtml"
	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// TestGatewaySignals holds the order of the checks: each case is wrong in
// everything that is checked later, too.
func TestGatewaySignals(t *testing.T) {
	const nothing, contextOnly, some = "", `{"context":{"location":true}}`, `{"signals":{"weather_forecast":true}}`
	for _, c := range []struct {
		name, approved, body string
		status               int
		says                 string
	}{
		{"right", some, rain, 202, `{"ok":true}`},
		{"nothing is approved", nothing, `{`, 403, "chalie interfaces approve Portal"},
		{"a refusal of everything", `{}`, rain, 403, "chalie interfaces approve Portal"},
		{"broken", some, `{`, 400, "not JSON"},
		{"an array", some, `[]`, 400, "must be an object"},
		{"no type", some, `{"content":"x"}`, 400, "signal_type is required"},
		{"no content", some, `{"signal_type":"unheard_of"}`, 400, "content is required"},
		{"a null content", some, `{"signal_type":"unheard_of","content":null}`, 400, "content is required"},
		{"a number for the content", some, `{"signal_type":"unheard_of","content":7}`, 400, "content must be a string"},
		{"an array for the content", some, `{"signal_type":"unheard_of","content":[1]}`, 400, "content must be a string"},
		{"too much energy", some, `{"signal_type":"unheard_of","content":"x","activation_energy":2}`, 400, "from 0 to 1"},
		{"a type nobody asked for", some, `{"signal_type":"unheard_of","content":"x"}`, 403, "unheard_of"},
		{"a type that is not approved", some, `{"signal_type":"context_update","content":"x"}`, 403, "context_update"},
		{"no signals approved", contextOnly, rain, 403, "weather_forecast"},
		{"no signals approved, and broken", contextOnly, `{"signal_type":"x"}`, 400, "content is required"},
		{"too large", some, `{"content":"` + strings.Repeat("x", 2<<20) + `"}`, 413, "1048576"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			id := b.registered(c.approved)
			b.call("POST", "/gw/"+id+"/signals", c.body, fromHere).wants(c.status, c.says)
			want := map[bool]int{true: 1}[c.status == 202]
			b.holds(domain.TopicSignals, want)
			b.holds(domain.TopicMessages, 0)
		})
	}
}

func TestUnknownInterface(t *testing.T) {
	b := newBench(t, settings{})
	gone := b.registered("")
	b.socket("DELETE", "/api/apps/"+gone, "").wants(200, `{"ok":true}`)
	for _, id := range []string{gone, b.ids.NewID().UUID(), "x"} {
		for _, route := range []string{"POST signals", "POST messages", "GET context", "GET render", "POST execute"} {
			method, name, _ := strings.Cut(route, " ")
			answer := b.call(method, "/gw/"+id+"/"+name, "", fromHere).wants(404)
			if !strings.Contains(answer.body, `"error":"Unknown interface"`) {
				t.Errorf("%s %s answers %s", route, id, answer.body)
			}
		}
	}
	b.call("DELETE", "/gw/"+gone+"/context", "", fromHere).wants(405)
	b.call("GET", "/gw/"+gone, "", fromHere).wants(404)
}

func TestGatewaySignalIsKept(t *testing.T) {
	b := newBench(t, settings{perMinute: 3})
	id := b.registered(`{"signals":{"weather_forecast":true}}`)
	send := func(body string, opts ...with) told {
		return b.call("POST", "/gw/"+id+"/signals", body, append(opts, fromHere)...)
	}
	send(`{"signal_type":"weather_forecast","content":{ "rain" : 80,  "why": "a \u00e4 <b>" },"activation_energy":0.4,"metadata":null}`).wants(202)
	e := b.records(domain.TopicSignals)[0].Envelope
	sig, err := domain.Decode[domain.SignalReceived](e)
	b.must(err)
	if sig.Content != `{"rain":80,"why":"a \u00e4 <b>"}` || sig.Source != "Portal" || sig.ActivationEnergy != 0.4 || string(e.Principal) != id || e.Source != "interface/portal" {
		t.Errorf("%s of %s keeps %+v", e.Source, e.Principal, sig)
	}
	first := send(rain, header("Idempotency-Key", "k")).wants(202)
	if again := send(rain, header("Idempotency-Key", "k")).wants(202); again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("answered %q, then %q", first.body, again.body)
	}
	send(rain).wants(202)
	send(rain).wants(429, "3 signals")
	b.holds(domain.TopicSignals, 3)
	// Each interface has a limit of its own.
	other := strings.ReplaceAll(strings.Replace(portal, "Portal", "Other", 1), "9001", "9002")
	var out struct {
		InterfaceID string `json:"interface_id"`
	}
	b.call("POST", "/register", other, fromHere).wants(201).read(&out)
	b.socket("PUT", "/api/apps/"+out.InterfaceID+"/scopes", `{"approved_scopes":{"signals":{"weather_forecast":{}}}}`).wants(200)
	b.call("POST", "/gw/"+out.InterfaceID+"/signals", rain, fromHere).wants(202)
	var seen []struct {
		ID         string
		LastSeenAt *string `json:"last_seen_at"`
	}
	b.clock.Advance(time.Minute)
	send(rain).wants(202)
	b.socket("GET", "/api/apps", "").wants(200).read(&seen)
	if seen[0].LastSeenAt == nil || *seen[0].LastSeenAt != b.clock.Now().UTC().Format("2006-01-02T15:04:05.000Z07:00") {
		t.Errorf("seen %+v", seen[0])
	}
}

func TestGatewayMessages(t *testing.T) {
	const nothing, signalsOnly, some = "", `{"signals":{"weather_forecast":true}}`, `{"messages":{"health":true}}`
	for _, c := range []struct {
		name, approved, body string
		status               int
		says                 string
	}{
		{"right", some, `{"text":"a","topic":"health","metadata":{"x":1}}`, 202, `{"ok":true}`},
		{"nulls", some, `{"text":"a","topic":null,"metadata":null}`, 202, `{"ok":true}`},
		{"no topic", some, `{"text":"a"}`, 202, `{"ok":true}`},
		{"nothing is approved", nothing, `{`, 403, "chalie interfaces approve Portal"},
		{"broken", some, `{`, 400, "not JSON"},
		{"no text", some, `{"topic":"money"}`, 400, "text is required"},
		{"a blank text", some, `{"text":" ","topic":"money"}`, 400, "text is required"},
		{"a number for the text", some, `{"text":7,"topic":"money"}`, 400, "text must be a string"},
		{"another topic", some, `{"text":"a","topic":"money"}`, 403, "money"},
		{"an empty topic", some, `{"text":"a","topic":""}`, 403, "topic"},
		{"no messages approved", signalsOnly, `{"text":"a","topic":"health"}`, 403, "health"},
		{"no messages approved, no topic", signalsOnly, `{"text":"a"}`, 403, "messages"},
		{"no messages approved, no text", signalsOnly, `{}`, 400, "text is required"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			id := b.registered(c.approved)
			b.call("POST", "/gw/"+id+"/messages", c.body, fromHere).wants(c.status, c.says)
			records := b.records(domain.TopicMessages)
			if want := map[bool]int{true: 1}[c.status == 202]; len(records) != want {
				t.Fatalf("the messages are %+v", records)
			}
			if len(records) == 1 && string(records[0].Envelope.Principal) != id {
				t.Errorf("the message is %s's", records[0].Envelope.Principal)
			}
			b.holds(domain.TopicSignals, 0)
		})
	}
}

func TestGatewayContext(t *testing.T) {
	const all = `{"timezone":"Europe/Malta","location":{"lat":35.899123,"lon":14.514456,"name":"Valletta"},"device":{"class":"desktop","platform":"Linux"},"energy":0.25,"attention":"focused"}`
	const location, timezone, device, energy, attention = `"location":{"lat":35.9,"lon":14.5178,"name":"Valletta"}`,
		`"timezone":"Europe/Malta","local_time":"LOCAL"`, `"device":{"class":"desktop","platform":"Linux"}`, `"energy":0.25`, `"attention":"focused"`
	for _, c := range []struct{ name, approved, told, want string }{
		{"nothing approved", "", all, ``},
		{"nothing known", `{"context":{"location":true,"timezone":true,"device":true,"energy":true,"attention":true}}`, `{}`, ``},
		{"other things approved", `{"signals":{"weather_forecast":true}}`, all, ``},
		{"location", `{"context":{"location":true}}`, all, location},
		{"timezone", `{"context":{"timezone":true}}`, all, timezone},
		{"device", `{"context":{"device":true}}`, all, device},
		{"energy", `{"context":{"energy":true}}`, all, energy},
		{"attention", `{"context":{"attention":true}}`, all, attention},
		{"a key that says false", `{"context":{"location":false,"energy":true}}`, all, energy},
		{"everything", `{"context":{"location":true,"timezone":true,"device":true,"energy":true,"attention":true}}`, all,
			strings.Join([]string{location, timezone, device, energy, attention}, ",")},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			session, id := b.settled(), b.registered(c.approved)
			b.call("POST", "/health", c.told, cookie(session)).wants(200)
			zone, err := time.LoadLocation("Europe/Malta")
			b.must(err)
			want := strings.ReplaceAll(c.want, "LOCAL", b.clock.Now().In(zone).Format(time.RFC3339))
			answer := b.call("GET", "/gw/"+id+"/context", "", fromHere).wants(200)
			if got := strings.TrimSpace(answer.body); got != "{"+want+"}" {
				t.Errorf("told %s\nwant {%s}", got, want)
			}
		})
	}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Surroundings = nil }})
	b.call("GET", "/gw/"+b.registered(`{"context":{"location":true}}`)+"/context", "", fromHere).wants(200, "{}")
}

func TestRender(t *testing.T) {
	page := func(body string) commands.Rendering {
		return commands.Rendering{MediaType: "text/html", Body: []byte(body)}
	}
	object := func(body string) commands.Rendering {
		return commands.Rendering{MediaType: "application/json", Body: []byte(body)}
	}
	const script = `<script>window.CHALIE_GW_BASE="/gw/ID";</script>`
	framed := func(said string) string { return `its scripts and fields.</p><div>` + said + `</div></body></html>` }
	const nothing = `<p>There is nothing in it that can be shown here.</p>`
	for _, c := range []struct {
		name   string
		shown  commands.Rendering
		fail   error
		status int
		want   string // "" to look at the status only
	}{
		{"blocks", object(`{"blocks":[{"type":"text","content":"<b>"}],"title":"x","gateway":"/evil"}`), nil, 200,
			`{"blocks":[{"content":"<b>","type":"text"}],"gateway":"/gw/ID","title":"x"}`},
		{"no blocks", object(`{}`), nil, 200, `{"gateway":"/gw/ID"}`},
		{"an array", object(`[]`), nil, 502, ""},
		{"null", object(`null`), nil, 502, ""},
		{"no JSON", object(`<html>`), nil, 502, ""},
		{"something else", commands.Rendering{MediaType: "image/svg+xml", Body: []byte(`<svg/>`)}, nil, 502, ""},
		{"a page", page(`<!doctype html><html lang="en"><head><script>go()</script></head><body onload="go()"><p>hello</p><form><input type="password"></form></body></html>`), nil, 200, framed(`<div class="card-plain"><p>hello</p></div>`)},
		{"a page with links", page(`<a href="https://a.example/">far</a><a href="http://127.0.0.1:9/">near</a><a href="https://localhost:9/">nearer</a>`), nil, 200,
			framed(`<div class="card-plain"><a href="https://a.example/" rel="nofollow noopener noreferrer" target="_blank">far</a><a>near</a><span>nearer</span> (https://localhost:9/ (not a link: it leads to this machine))</div>`)},
		{"an empty page", page(``), nil, 200, framed(nothing)},
		{"a page of scripts", page(`<script>go()</script>`), nil, 200, framed(nothing)},
		{"nothing there", commands.Rendering{}, away(commands.CodePeerUnreachable), 502, ""},
		{"gone meanwhile", commands.Rendering{}, away(commands.CodePeerUnknown), 502, ""},
		{"too large", commands.Rendering{}, away(commands.CodePeerTooLarge), 502, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Cards = cardhtml.New() }})
			id := b.registered(`{}`)
			b.far.set(func(f *far) { f.shown, f.fail = c.shown, c.fail })
			answer := b.call("GET", "/gw/"+id+"/render", "", fromHere).wants(c.status)
			got := strings.TrimSuffix(answer.body, "\n")
			if at := strings.Index(got, "its scripts and fields."); at > 0 {
				if before := got[:at]; !strings.Contains(before, "<strong>From Portal</strong>") || !strings.Contains(before, strings.ReplaceAll(script, "ID", id)) {
					t.Errorf("the page stands in %s", before)
				}
				got = got[at:]
			}
			if want := strings.ReplaceAll(c.want, "ID", id); want != "" && got != want {
				t.Errorf("shows %s\nwant  %s", answer.body, want)
			}
			if b.far.at != (commands.Endpoint{Host: "127.0.0.1", Port: 9001}) {
				t.Errorf("%v was asked", b.far.at)
			}
			policy := answer.header.Get("Content-Security-Policy")
			if c.shown.MediaType == "text/html" && (!strings.HasPrefix(policy, "sandbox; default-src 'none';") || answer.header.Get("X-Frame-Options") != "") {
				t.Errorf("the page may do too much: %v", answer.header)
			}
		})
	}
}

// Nobody can have one do anything that the person hasn't decided about, not even the
// person's own browser, which does what the page says.
func TestExecuteBeforeApproval(t *testing.T) {
	b := newBench(t, settings{})
	id := b.registered("")
	session := b.settled()
	b.far.set(func(f *far) { f.shown.Body = []byte(`{}`) })
	b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, fromHere).wants(403, "nothing_approved")
	b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, cookie(session)).wants(403, "nothing_approved")
	if steps := b.records(domain.TopicTools); len(steps) != 0 || len(b.far.passed) != 0 {
		t.Errorf("recorded %+v, passed %q", steps, b.far.passed)
	}
}

// What a pending one shows can be looked at, and no more.
func TestRenderBeforeApproval(t *testing.T) {
	b := newBench(t, settings{})
	id := b.registered("")
	for body, wants := range map[string][]string{
		`{"blocks":[{"type":"header","content":"Hello"},{"type":"input","name":"x","inputType":"password"},{"type":"container","poll":{"capability":"x"},"blocks":[]},{"type":"link","url":"https://a.example/"}],"more":1}`: {"Hello", "[A field] x", "[A link] https://a.example/"},
		`{}`: nil,
	} {
		b.far.set(func(f *far) { f.shown = commands.Rendering{MediaType: "application/json", Body: []byte(body)} })
		answer := b.call("GET", "/gw/"+id+"/render", "", fromHere).wants(200, append(wants, `"title":"From Portal, which hasn't been let in"`, `"frame":"From Portal`)...)
		for _, never := range []string{`"input"`, "poll", `"link"`, `"url"`, `"more"`} {
			if strings.Contains(answer.body, never) {
				t.Errorf("%s is in %s", never, answer.body)
			}
		}
	}
	b.far.set(func(f *far) {
		f.shown = commands.Rendering{MediaType: "text/html", Body: []byte(`<script>go()</script>`)}
	})
	if answer := b.call("GET", "/gw/"+id+"/render", "", fromHere).wants(200, "is HTML"); strings.Contains(answer.body, "go()") || answer.header.Get("Content-Type") != "application/json" {
		t.Errorf("its page is answered as %s %s", answer.header.Get("Content-Type"), answer.body)
	}
}

// What a page takes comes out of the memory for bodies, and goes back when it was sent.
// Of one that nobody has let in little is read, and it takes what strangers may.
func TestPagesTakeRoom(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.BodyBytes = 16 << 10 }})
	id := b.registered("")
	path := "/gw/" + id
	for range 9 {
		b.far.set(func(f *far) { f.room = 2 << 10 })
		b.call("GET", path+"/render", "", fromHere).wants(200)
	}
	if in := b.far.intake; in.Bytes != 64<<10 || in.Parts == 0 {
		t.Errorf("of a pending page %d bytes and %d parts are read", in.Bytes, in.Parts)
	}
	b.far.set(func(f *far) { f.room = 3 << 10 })
	b.call("GET", path+"/render", "", fromHere).wants(503, "busy")
	b.call("GET", path+"/render", "", cookie(b.settled())).wants(200) // there is room for the person

	b.socket("PUT", "/api/apps/"+id+"/scopes", `{"approved_scopes":{}}`).wants(200)
	for range 4 {
		b.call("GET", path+"/render", "", fromHere).wants(200)
		b.call("POST", path+"/execute", `{"capability":"x"}`, fromHere).wants(200)
	}
	if in := b.far.intake; in.Bytes != 0 {
		t.Errorf("of one that was let in %d bytes are read", in.Bytes)
	}
	b.far.set(func(f *far) { f.room = 11 << 10 })
	b.call("POST", path+"/execute", `{"capability":"x"}`, fromHere).wants(503, "busy", "may have been done")
}

// A page that asks by itself is bounded.
func TestExecuteAgainAndAgain(t *testing.T) {
	b := newBench(t, settings{})
	id := b.registered(`{}`)
	b.far.set(func(f *far) { f.shown.Body = []byte(`{}`) })
	for range tool.MaxPassedPerMinute {
		b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, fromHere).wants(200)
	}
	b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, fromHere).wants(429, "rate_limited")

	// In the person's browser, too.
	session := b.settled()
	for range tool.MaxPressedPerMinute {
		b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, cookie(session)).wants(200)
	}
	b.call("POST", "/gw/"+id+"/execute", `{"capability":"x"}`, cookie(session)).wants(429, "rate_limited")
}

func TestExecute(t *testing.T) {
	b := newBench(t, settings{})
	id := b.registered(`{}`)
	call := func(body string) told { return b.call("POST", "/gw/"+id+"/execute", body, fromHere) }
	const body = `{"capability":"x", "params":{"a":1},"more":true}`
	b.far.set(func(f *far) { f.shown.Body = []byte(`{ "text":null,"error":"no" }`) })
	if a := call(body).wants(200); a.body != `{ "text":null,"error":"no" }` || a.header.Get("Content-Type") != "application/json" || b.far.passed[0] != body {
		t.Errorf("passed %q, answered %s", b.far.passed, a.body)
	}
	// It is decided and recorded like any other, and the interface answers for it.
	if steps := b.records(domain.TopicTools); len(steps) != 4 || steps[3].Envelope.Type != "tool.completed" || steps[0].Envelope.Principal != domain.Principal(id) {
		t.Errorf("recorded %+v", steps)
	}
	b.far.set(func(f *far) { f.shown = commands.Rendering{MediaType: "text/html", Body: []byte(`<p>`)} })
	if a := call(body).wants(200); !strings.HasPrefix(a.header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("a page may do anything: %v", a.header)
	}
	for body, says := range map[string]string{
		"": "empty", `{`: "not JSON", `[]`: "must be an object", `{}`: "capability is required", `{"capability":7}`: "capability must be a string",
		`{"capability":"x","params":[]}`: "params must be an object",
	} {
		call(body).wants(400, says)
	}
	if len(b.far.passed) != 2 {
		t.Errorf("passed on %q", b.far.passed)
	}
	for _, code := range []domain.Code{commands.CodePeerUnreachable, commands.CodePeerUnknown, commands.CodePeerStatus} {
		b.far.set(func(f *far) { f.fail = away(code) })
		var refused struct{ Error, Code string }
		if call(body).wants(502).read(&refused); refused.Code != string(code) {
			t.Errorf("%s is told as %+v", code, refused)
		}
	}
}

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
