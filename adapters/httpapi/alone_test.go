package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// open are the routes that ask for no session at all.
var open = []string{
	"GET /health", "POST /health", "GET /ready", "GET /auth/status", "POST /auth/register", "POST /auth/login", "POST /auth/logout", "GET /auth/setup", "GET /openapi.json",
	"GET /metrics", // on this machine
	"POST /api/interfaces/pair",
	"POST /register", "POST /gw/{id}/signals", "POST /gw/{id}/messages", "GET /gw/{id}/context",
}

// aloneMay are the routes that a session's cookie alone opens: what a web chat does that
// knows nothing of keys, and what a page loads as an image or a frame.
var aloneMay = []string{
	"GET /auth/session", "GET /ws", "GET /conversation/recent",
	"POST /chat/image", "GET /chat/image/{id}", "GET /chat/image/{id}/status", "GET /chat/vision-capable", "GET /voice/health", "POST /voice/transcribe", "POST /voice/synthesize",
	"GET /api/cards/{seq}", "GET /gw/{id}/render", "POST /gw/{id}/execute",
	"GET /api/apps", "GET /api/apps/{id}", "PUT /api/apps/{id}/scopes", "POST /api/apps/{id}/refresh", "DELETE /api/apps/{id}",
	"GET /system/observability/tasks", "DELETE /system/observability/tasks/{id}", "GET /scheduler", "DELETE /scheduler/{id}",
}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// Whoever holds a session's cookie and nothing else is refused on every route but those
// above, whatever else they send: what a thief adds proves nothing. A route more has to
// be listed, or the cookie alone must not open it.
func TestAStolenCookieOnEveryRoute(t *testing.T) {
	b := newBench(t, settings{})
	own := b.settled()
	thief := []with{
		alone(own), fromHere, header("User-Agent", "the same browser"),
		header("Origin", "http://localhost:8081"), header("Sec-Fetch-Site", "same-origin"), header("Referer", "http://localhost:8081/account"),
	}
	all := routes()
	for _, listed := range slices.Concat(open, aloneMay) {
		if !slices.Contains(all, listed) {
			t.Errorf("%s is listed, and there is no such route", listed)
		}
	}
	refused := 0
	for _, route := range all {
		if slices.Contains(open, route) {
			continue
		}
		method, path, _ := strings.Cut(route, " ")
		path = placeholder.ReplaceAllString(path, "0199f8d1-2f3a-7000-8000-000000000001")
		for name, more := range map[string]with{
			"alone": func(*http.Request) {}, "with a forged key": header("Chalie-Key", "chs_forged"), "with its secret as the key": header("Chalie-Key", strings.Fields(own)[0]),
			"with an empty key": header("Chalie-Key", ""), "with a forged pass": func(r *http.Request) { r.URL.RawQuery = "pass=forged" },
		} {
			answer := b.call(method, path, "{}", append(thief, more)...)
			mayIt := slices.Contains(aloneMay, route)
			if (answer.status == http.StatusUnauthorized) == mayIt || !mayIt && !strings.Contains(answer.body, `"code":"key_needed"`) {
				t.Errorf("%s %s is answered %d %s", route, name, answer.status, answer.body)
			}
			if !mayIt && (answer.header.Get("Chalie-Approvals-Waiting") != "" || answer.header.Get("Chalie-Sessions-Elsewhere") != "") {
				t.Errorf("%s %s tells of approvals: %v", route, name, answer.header)
			}
			if !mayIt {
				refused++
			}
		}
		// And with the key nobody is asked for one.
		if answer := b.call(method, path, "{}", cookie(own), fromHere); strings.Contains(answer.body, "key_needed") {
			t.Errorf("%s with the key is answered %s", route, answer.body)
		}
	}
	if refused < 5*50 {
		t.Errorf("only %d requests were tried", refused)
	}
}

// A session that was opened without a key, as a web chat does and as all were that are
// older than keys, is never more than its cookie.
func TestASessionWithoutAKey(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	answer := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`).wants(200)
	if strings.Contains(answer.body, "key") {
		t.Errorf("a key came unasked: %s", answer.body)
	}
	chat := cookie(answer.session())
	b.call("GET", "/conversation/recent", "", chat).wants(200)
	b.call("GET", "/api/apps", "", chat).wants(200)
	for _, key := range []string{"", "chs_x", strings.Repeat("0", 64)} {
		b.call("GET", "/api/world", "", chat, header("Chalie-Key", key)).wants(401, "key_needed", "POST /auth/login", "Chalie-Key", " "+api.LogInDoc+" ")
	}
	b.call("GET", "/api/world", "", chat, cookieBeside(b.settledAgain())).wants(401)
}

// settledAgain logs in as a page does.
func (b *bench) settledAgain() string {
	b.t.Helper()
	return b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`).wants(200).login()
}

// cookieBeside shows the key of another session.
func cookieBeside(login string) with {
	_, key, _ := strings.Cut(login, " ")
	return header("Chalie-Key", key)
}

// toldElsewhere is what the person is told.
type toldElsewhere struct {
	Elsewhere []struct {
		ID      string `json:"id"`
		Open    bool   `json:"open"`
		Current bool   `json:"current"`
		Client  string `json:"client"`
		From    string `json:"from"`
	} `json:"elsewhere"`
}

func (b *bench) told(own string) (out toldElsewhere) {
	b.t.Helper()
	answer := b.call("GET", "/api/sessions-elsewhere", "", cookie(own)).wants(200).read(&out)
	if n := answer.header.Get("Chalie-Sessions-Elsewhere"); n != fmt.Sprint(len(out.Elsewhere)) {
		b.t.Errorf("the header says %q of %d", n, len(out.Elsewhere))
	}
	return out
}

// The cookie of a session that has a key, alone, is somebody else's doing: the person is
// told of it, also when it came under the name of their own browser, and until they say
// that they have seen it.
func TestACookieAloneIsTold(t *testing.T) {
	const browser = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36"
	b := newBench(t, settings{})
	b.settled()
	as := header("User-Agent", browser)
	own := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`, fromHere, as).wants(200).login()
	b.call("GET", "/api/world", "", cookie(own), fromHere, as).wants(200)
	// Its own pages load images, frames and themselves, and can show no key there.
	b.call("GET", "/api/cards/7", "", alone(own), fromHere, as).wants(404)
	b.call("GET", "/auth/status", "", alone(own), fromHere, as).wants(200, `"has_session":true`)
	// The browser was renewed, and carried to another network: the first page there says so.
	newer := header("User-Agent", strings.ReplaceAll(browser, "140", "141"))
	b.call("GET", "/auth/status", "", alone(own), peer("192.168.1.9:1"), newer).wants(200)
	b.call("GET", "/auth/session", "", alone(own), peer("192.168.1.9:1"), newer).wants(200)
	b.call("GET", "/api/world", "", cookie(own), peer("192.168.1.9:1"), newer).wants(200)
	b.call("GET", "/api/cards/7", "", alone(own), peer("192.168.1.9:1"), newer).wants(404)
	b.call("GET", "/health", "", alone(own), peer("192.168.1.9:1"), newer).wants(200)
	b.call("GET", "/ws", "", alone(own), header("Sec-WebSocket-Protocol", "chalie, chalie.key."+strings.Fields(own)[1]), fromHere, as)
	if told := b.told(own); len(told.Elsewhere) != 0 {
		t.Fatalf("the person's own browser is told of: %+v", told)
	}

	before := len(b.records(domain.TopicAccounts))
	for range 3 {
		b.call("GET", "/conversation/recent", "", alone(own), fromHere, as).wants(200)
		b.call("GET", "/api/tokens", "", alone(own), fromHere, header("User-Agent", "curl/8.5.0")).wants(401)
		b.call("GET", "/api/cards/7", "", alone(own), peer("192.168.1.66:1"), header("User-Agent", "a thief")).wants(404)
	}
	told := b.told(own)
	if len(told.Elsewhere) != 3 || told.Elsewhere[0].Client == "" || !told.Elsewhere[0].Current || !told.Elsewhere[0].Open || len(b.records(domain.TopicAccounts)) != before+3 {
		t.Fatalf("told is %+v, with %d records more", told, len(b.records(domain.TopicAccounts))-before)
	}

	// Whoever has the cookie can't have it unseen by ending the session.
	again := b.settledAgain()
	b.call("POST", "/auth/logout", "", alone(own)).wants(200)
	told = b.told(again)
	if len(told.Elsewhere) != 3 || told.Elsewhere[0].Open || told.Elsewhere[0].Current {
		t.Errorf("after it ended told is %+v", told)
	}
	b.call("DELETE", "/api/sessions-elsewhere/"+told.Elsewhere[0].ID, "", alone(again)).wants(401)
	for _, one := range told.Elsewhere {
		b.call("DELETE", "/api/sessions-elsewhere/"+one.ID, "", cookie(again)).wants(200)
		b.call("DELETE", "/api/sessions-elsewhere/"+one.ID, "", cookie(again)).wants(404, "seen already")
	}
	// The last one came of the logged-out session's own DELETE above: one more client.
	if left := b.told(again); len(left.Elsewhere) != 1 {
		t.Errorf("left is %+v", left)
	}
}

// Who ends the login that was used so has seen it, with all its uses; what is told of other
// logins stays.
func TestEndingALoginUsedElsewhere(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	login := func() string {
		return b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`, fromHere).wants(200).login()
	}
	own, stolen, other := login(), login(), login()
	for _, thief := range []string{"curl/8", "wget/1"} {
		b.call("GET", "/conversation/recent", "", alone(stolen), header("User-Agent", thief)).wants(200)
	}
	b.call("GET", "/conversation/recent", "", alone(other), header("User-Agent", "curl/8")).wants(200)
	open := func() string {
		return b.call("GET", "/api/account", "", cookie(own)).wants(200).header.Get("Chalie-Sessions-Elsewhere-Open")
	}
	told := b.told(own)
	if len(told.Elsewhere) != 3 || open() != "3" {
		t.Fatalf("told is %+v, of which %s are open", told, open())
	}
	one := "/api/sessions-elsewhere/" + told.Elsewhere[0].ID
	b.call("DELETE", one+"?end=perhaps", "", cookie(own)).wants(400)
	b.call("DELETE", one+"?end=true", "", alone(own)).wants(401)
	b.call("DELETE", one+"?end=true", "", cookie(own)).wants(200)
	b.call("DELETE", one+"?end=true", "", cookie(own)).wants(404, "seen already")
	b.call("GET", "/conversation/recent", "", alone(stolen)).wants(401)
	b.call("POST", "/auth/logout", "", alone(other)).wants(200)
	// That of the cookie alone that may not end it is the second one.
	left := b.told(own)
	if len(left.Elsewhere) != 2 || left.Elsewhere[0].ID != told.Elsewhere[2].ID || left.Elsewhere[0].Open || open() != "1" {
		t.Errorf("left is %+v, of which %s are open", left, open())
	}
	b.call("DELETE", "/api/sessions-elsewhere/"+left.Elsewhere[0].ID+"?end=true", "", cookie(own)).wants(200) // it has ended
	if left := b.told(own); len(left.Elsewhere) != 1 {
		t.Errorf("left is %+v", left)
	}
}

// Whoever has the cookie and the words of the browser is told by where they are, whatever
// they load.
func TestACookieElsewhereIsTold(t *testing.T) {
	for route, told := range map[string]int{
		"GET /api/cards/7": 1, "GET /gw/0199f8d1-2f3a-7000-8000-000000000001/render": 1, "GET /chat/image/0199f8d1-2f3a-7000-8000-000000000001": 1,
		"GET /health": 1, "POST /health": 1,
		"GET /auth/status": 0, "GET /auth/session": 0, "GET /auth/setup": 0, // these say no more than that it is one
	} {
		t.Run(route, func(t *testing.T) {
			b := newBench(t, settings{})
			b.settled()
			as := header("User-Agent", "Chrome/140")
			own := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`, fromHere, as).wants(200).login()
			method, path, _ := strings.Cut(route, " ")
			for range 2 {
				b.call(method, path, "{}", alone(own), peer("192.168.1.66:1"), as)
			}
			b.call("GET", path, "", alone(own), fromHere, as) // by the person's own browser
			if got := b.told(own); len(got.Elsewhere) != told {
				t.Errorf("told is %+v", got)
			}
		})
	}
}

// A web chat's session belongs to the browser that logged in.
func TestAWebChatElsewhereIsTold(t *testing.T) {
	b := newBench(t, settings{})
	own := b.settled()
	as := func(agent, from string) []with { return []with{header("User-Agent", agent), peer(from)} }
	chat := cookie(b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`, as("Chat/1.0", "192.168.1.7:1")...).wants(200).session())
	b.call("GET", "/conversation/recent", "", append(as("Chat/1.1", "192.168.1.7:9"), chat)...).wants(200)
	if told := b.told(own); len(told.Elsewhere) != 0 {
		t.Errorf("its own browser is told of: %+v", told)
	}
	b.call("GET", "/conversation/recent", "", append(as("Chat/1.1", "192.168.1.8:9"), chat)...).wants(200)
	b.call("GET", "/conversation/recent", "", append(as("curl/8", "192.168.1.7:9"), chat)...).wants(200)
	if told := b.told(own); len(told.Elsewhere) != 2 || told.Elsewhere[0].From != "192.168.1.8" || told.Elsewhere[1].Client != "curl/8" {
		t.Errorf("told is %+v", told)
	}
}

// A thousand names grow the log by a few records, and strangers without a cookie by none.
func TestElsewhereIsBounded(t *testing.T) {
	b := newBench(t, settings{})
	own := b.settled()
	before := len(b.records(domain.TopicAccounts))
	for n := range 1000 {
		b.call("GET", "/conversation/recent", "", cookie("forged"), header("User-Agent", fmt.Sprintf("x%s", strings.Repeat("y", n)))).wants(401)
	}
	if grown := len(b.records(domain.TopicAccounts)) - before; grown != 0 {
		t.Errorf("strangers grew the log by %d", grown)
	}
	for n := range 1000 {
		b.call("GET", "/conversation/recent", "", alone(own), header("User-Agent", fmt.Sprintf("x%s", strings.Repeat("y", n)))).wants(200)
	}
	if grown := len(b.records(domain.TopicAccounts)) - before; grown != domain.MaxElsewhere {
		t.Errorf("a cookie grew the log by %d", grown)
	}
}

// What a browser saves by itself it saves with a pass: for that alone, once, and soon.
func TestPasses(t *testing.T) {
	b := newBench(t, settings{})
	own := b.settled()
	const wanted = "/api/log?from=1&limit=5"
	issueFor := func(path string) string {
		var out struct{ Path string }
		b.call("POST", "/api/passes", `{"path":"`+path+`"}`, cookie(own)).wants(201).read(&out)
		return out.Path
	}
	issue := func() string { return issueFor(wanted) }
	for _, written := range []string{"/api/log", "/api/log?", "/api/log?limit=5&from=1", "/api/log?type=a%20b&pass=x"} {
		b.call("GET", issueFor(written), "", alone(own)).wants(200)
	}
	path := issue()
	b.call("GET", path, "", alone(b.settledAgain())).wants(401)
	path = issue()
	b.call("GET", strings.ReplaceAll(path, "limit=5", "limit=6"), "", alone(own)).wants(401)
	path = issue()
	b.call("GET", path, "").wants(401)
	b.call("GET", path, "", alone(own)).wants(200)
	b.call("GET", path, "", alone(own)).wants(401)
	path = issue()
	b.clock.Advance(time.Minute)
	b.call("GET", path, "", alone(own)).wants(401)
	b.call("POST", "/api/passes", `{"path":"`+wanted+`"}`, alone(own)).wants(401)
	for _, bad := range []string{"", "x", "//evil.example/x", "http://evil.example/"} {
		b.call("POST", "/api/passes", `{"path":"`+bad+`"}`, cookie(own)).wants(400)
	}
	first := issue()
	for range 64 {
		b.clock.Advance(time.Millisecond)
		issue()
	}
	b.call("GET", first, "", alone(own)).wants(401)
}

// A browser that logs in again leaves no session behind that a cookie opens.
func TestLoggingInAgainEndsTheSessionBefore(t *testing.T) {
	b := newBench(t, settings{})
	own := b.settled()
	again := b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`","key":true}`, alone(own)).wants(200).login()
	b.call("GET", "/api/world", "", cookie(own)).wants(401, "Authentication required")
	b.call("GET", "/api/world", "", cookie(again)).wants(200)
	// A wrong password ends none.
	b.call("POST", "/auth/login", `{"username":"ada","password":"wrong horse"}`, alone(again)).wants(401)
	b.call("GET", "/api/world", "", cookie(again)).wants(200)
}
