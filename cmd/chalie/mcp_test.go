package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/mcpserver"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// mcpClients is the folder of node modules with clients of MCP that nobody here wrote:
// @modelcontextprotocol/sdk, the TypeScript SDK; @modelcontextprotocol/inspector-cli, the
// command line of MCP's inspector; and @ai-sdk/mcp, which shares no code with these. .ci/mcp-clients
// brings them.
func mcpClients(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CHALIE_MCP_CLIENTS")
	if dir == "" {
		dir, _ = filepath.Abs("../../.ci/bin/mcp-clients/node_modules")
	}
	if _, err := exec.LookPath("node"); err != nil {
		without(t, "node", err.Error())
	}
	for _, name := range []string{"@modelcontextprotocol/sdk", "@modelcontextprotocol/inspector-cli", "@ai-sdk/mcp"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			without(t, name, "run .ci/mcp-clients, which installs it from npm: "+err.Error())
		}
	}
	return dir
}

// speaking is a running Chalie for programs that speak MCP.
func speaking(t *testing.T) *victim {
	t.Helper()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	return v
}

// principal is that of the program which was issued the latest token of a name.
func (v *victim) principal(name string) (who domain.Principal) {
	v.t.Helper()
	for _, rec := range v.records() {
		if issued, err := domain.Decode[domain.TokenIssued](rec.Envelope); err == nil && rec.Envelope.Type == domain.TokenIssuedType && issued.Name == name {
			who = domain.ProgramPrincipal(rec.Envelope.ID)
		}
	}
	return who
}

// mcpToken lets a program in.
func (v *victim) mcpToken(name string, types ...string) string {
	v.t.Helper()
	object, err := v.api.IssueToken(v.t.Context(), name, types)
	if err != nil {
		v.t.Fatal(err)
	}
	issued, err := object.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	return issued.Token
}

// mcpReport is what testdata/clients/mcp.cjs saw.
type mcpReport struct {
	Server      string
	Tools       []string
	After       []string
	Annotations map[string]bool
	Forms       []string
	Progress    int
	Plans, Told string
	Reminded    string
	Refused     string
	Outcome     string
	Why         [][2]string
	Planned     [][2]string
	World       [][2]string
	Traces      string
	Trace       string
	Errors      []string
	Prompt      []struct{ Content struct{ Text string } }
	Wrong       struct{ IsError bool }
}

// TestMCPClient holds Chalie to what the protocol's own TypeScript SDK gets of it, on
// both ways in.
func TestMCPClient(t *testing.T) {
	t.Parallel()
	dir := mcpClients(t)
	chalie, err := exec.LookPath("chalie")
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"stdio", "http"} {
		t.Run(how, func(t *testing.T) {
			v := speaking(t)
			argv := []string{"testdata/clients/mcp.cjs", "stdio", chalie, "mcp", "--data", v.data}
			name := unnamed
			if how == "http" {
				name = "editor"
				argv = []string{"testdata/clients/mcp.cjs", "http", v.address + "/mcp", v.mcpToken(name, "mcp")}
			}
			run := exec.CommandContext(t.Context(), "node", argv...)
			run.Env = append(os.Environ(), "CHALIE_MCP_CLIENTS="+dir)
			var said bytes.Buffer
			run.Stderr = &said
			out, err := run.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "ready") {
				_ = run.Wait()
				t.Fatalf("%v: %s\n%s", err, line, said.String())
			}
			v.pair(startProgram(t, "Counter"))
			line, err := lines.ReadString('\n')
			if waited := run.Wait(); err != nil || waited != nil {
				t.Fatalf("%v, %v\n%s", err, waited, said.String())
			}
			read[mcpReport](t, line).check(t, v, name)
			v.stop()
		})
	}
}

func (r mcpReport) check(t *testing.T, v *victim, name string) {
	t.Helper()
	contains := func(what, text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q: %s", what, part, text)
			}
		}
	}
	if r.Server != "chalie" || !slices.Contains(r.Tools, "remind") || slices.Contains(r.Tools, "ask_chalie") || slices.Contains(r.Tools, "count") || !slices.Contains(r.After, "count") {
		t.Errorf("%s offers %q, and after a pairing %q", r.Server, r.Tools, r.After)
	}
	if !r.Annotations["plans"] || r.Annotations["remind"] {
		t.Errorf("the annotations don't say what changes something: %v", r.Annotations)
	}
	if len(r.Forms) != 2 || r.Progress == 0 || !r.Wrong.IsError {
		t.Errorf("it showed %q, heard of progress %d times, and wrong arguments are an error: %t", r.Forms, r.Progress, r.Wrong.IsError)
	}
	contains("the first form", strings.Join(r.Forms, "\n"), name+" asks Chalie", "call the dentist")
	contains("the plans before", r.Plans, "Nothing is planned")
	contains("the answer", r.Reminded, "dentist")
	contains("the outcome", r.Outcome, r.Reminded)
	contains("the refusal", r.Refused, "not approved")
	contains("why", r.Why[0][1], name+" asked for the tool remind", "you approved")
	contains("the plans", r.Planned[0][1], "dentist")
	contains("the trace", r.Trace, "tool.invoked", "approval.granted", "by "+name)
	contains("the traces", r.Traces, "remind")
	contains("the prompt", r.Prompt[0].Content.Text, "Why did you")
	contains("what the person is told", r.Told, "the build is green")
	for what, both := range map[string][][2]string{"why": r.Why, "plans": r.Planned, "world": r.World} {
		if len(both) != 2 || both[0][0] != "text/plain" || both[1][0] != "application/json" || !json.Valid([]byte(both[1][1])) {
			t.Errorf("%s isn't told in words and as JSON: %q", what, both)
		}
	}
	if len(r.Errors) != 3 || slices.Contains(r.Errors, "") {
		t.Errorf("what isn't there was answered %q", r.Errors)
	}
	for _, rec := range v.records() {
		if e := rec.Envelope; e.Type == domain.ToolInvokedType && (e.Principal != v.principal(name) || e.Source != domain.Source(name)) {
			t.Errorf("a call stands in the log as of %s, from %s", e.Principal, e.Source)
		}
	}
}

// TestMCPInspector holds Chalie to the command line of MCP's inspector.
func TestMCPInspector(t *testing.T) {
	t.Parallel()
	dir := mcpClients(t)
	chalie, err := exec.LookPath("chalie")
	if err != nil {
		t.Fatal(err)
	}
	v := speaking(t)
	for _, c := range []struct{ args, says string }{
		{"--method tools/list", `"name": "remind"`},
		{"--method tools/call --tool-name plans", "Nothing is planned"},
		{"--method resources/read --uri chalie://world", "In mind at"},
		{"--method resources/templates/list", "chalie://why/{id}"},
		{"--method prompts/list", "why_did_you"},
	} {
		args := append([]string{filepath.Join(dir, ".bin", "mcp-inspector-cli"), "--cli", chalie, "mcp", "--data", v.data}, strings.Fields(c.args)...)
		out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %v\n%s", c.args, err, out)
		}
	}
	v.stop()
}

// TestMCPClientThatLooksForVersions connects a client that asks which versions of the protocol
// there are before it begins a session, and that gives up when it is told of none it knows.
func TestMCPClientThatLooksForVersions(t *testing.T) {
	t.Parallel()
	dir := mcpClients(t)
	v := speaking(t)
	token := v.mcpToken("http-agent", "mcp", "console")
	for _, over := range []string{"stdio", "http"} {
		t.Run(over, func(t *testing.T) {
			run := exec.CommandContext(t.Context(), "node", "testdata/clients/mcp_aisdk.mjs", over)
			run.Env = append(os.Environ(), "CHALIE_MCP_CLIENTS="+dir, "CHALIE_DATA="+v.data, "CHALIE_URL="+v.address, "CHALIE_TOKEN="+token)
			if over == "stdio" {
				run.Env = append(run.Env, "CHALIE_TOKEN=")
			}
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	// What it calls itself isn't who it is.
	if listed := v.chalie("token", "list"); strings.Contains(listed, "agent-stdio") || !strings.Contains(listed, "mcp-client") {
		t.Errorf("the programs are %s", listed)
	}
	v.stop()
}

// spoken is a connection as chalie mcp opens it.
type spoken struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
	next int
}

// speak opens a connection, and begins a session on it.
func (v *victim) speak(name string) *spoken {
	v.t.Helper()
	conn, err := unixsocket.Dial(v.t.Context(), v.data)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = conn.Close() })
	from, err := openMCP(v.t.Context(), conn, introduced(name, "", false))
	if err != nil {
		v.t.Fatal(err)
	}
	s := &spoken{t: v.t, conn: conn, from: bufio.NewReader(from)}
	s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)
	s.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func (s *spoken) write(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// sends writes a request, and returns its id.
func (s *spoken) sends(method, params string) int {
	s.t.Helper()
	s.next++
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.next, method, params))
	return s.next
}

// ask sends a request and returns the answer, whatever comes before it.
func (s *spoken) ask(method, params string) string {
	s.t.Helper()
	return s.answer(s.sends(method, params))
}

func (s *spoken) answer(id int) string {
	s.t.Helper()
	for {
		line, err := s.from.ReadString('\n')
		if err != nil {
			s.t.Fatalf("the connection ended before answer %d: %v", id, err)
		}
		var head struct{ ID *int }
		if json.Unmarshal([]byte(line), &head) == nil && head.ID != nil && *head.ID == id {
			return line
		}
	}
}

func (s *spoken) wants(says, method, params string) string {
	s.t.Helper()
	got := s.ask(method, params)
	if !strings.Contains(got, says) {
		s.t.Errorf("%s %s was answered %s, want %q", method, params, got, says)
	}
	return got
}

// until reads the log until a record of a type comes, and returns it.
func (v *victim) until(what domain.EventType) domain.Record {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	for {
		records := v.records()
		i := slices.IndexFunc(records, func(r domain.Record) bool { return r.Envelope.Type == what })
		if i >= 0 {
			return records[i]
		}
		status, _, err := v.ask(http.MethodGet, fmt.Sprintf("socket:/api/log?from=%d&wait=10s&limit=1", len(records)+1), "")
		if err != nil || status != http.StatusOK || ctx.Err() != nil {
			v.t.Fatalf("no %s came: %d, %v", what, status, err)
		}
	}
}

const remindDentist = `{"name":"remind","arguments":{"what":"call the dentist","when":"tomorrow at 9"}}`

// TestMCPApprovedInChat calls what has to be approved by a client without forms: the call
// is answered once the person has said yes elsewhere.
func TestMCPApprovedInChat(t *testing.T) {
	t.Parallel()
	v := speaking(t)
	s := v.speak("plain")
	id := s.sends("tools/call", remindDentist)
	v.until(domain.ApprovalProposedType)
	v.grantsAll()
	if got := s.answer(id); !strings.Contains(got, "dentist") || strings.Contains(got, "isError") {
		t.Errorf("the approved call was answered %s", got)
	}
	v.stop()
}

// TestMCPTakenBack cancels a call that waits, and dies during another: neither question
// stays open.
func TestMCPTakenBack(t *testing.T) {
	t.Parallel()
	for what, ends := range map[string]func(*spoken, int){
		"cancelled": func(s *spoken, id int) {
			s.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		},
		"dead": func(s *spoken, _ int) { _ = s.conn.Close() },
	} {
		t.Run(what, func(t *testing.T) {
			v := speaking(t)
			s := v.speak("fickle")
			id := s.sends("tools/call", remindDentist)
			v.until(domain.ApprovalProposedType)
			ends(s, id)
			if rec := v.until(domain.ApprovalRefusedType); rec.Envelope.Principal != v.principal("fickle") {
				t.Errorf("it was taken back by %s", rec.Envelope.Principal)
			}
			v.until(domain.ToolFailedType)
			v.stop()
		})
	}
}

// TestMCPShutOut revokes the token of a connected program: its session ends, and its name
// isn't let in again by itself.
func TestMCPShutOut(t *testing.T) {
	t.Parallel()
	v := speaking(t)
	s := v.speak("guest")
	s.wants("Nothing is planned", "tools/call", `{"name":"plans","arguments":{}}`)
	listed := v.wants(http.StatusOK, http.MethodGet, "socket:/api/tokens", "")
	for _, part := range []string{`"name":"guest"`, `"signals":["mcp"]`, `"mcp":[{"client":"x","version":"1","over":"stdio"}]`, `"last_seen_at":"2`} {
		if !strings.Contains(listed, part) {
			t.Errorf("the tokens have no %s: %s", part, listed)
		}
	}
	v.wants(http.StatusOK, http.MethodDelete, "socket:/api/tokens/guest", "")
	if line, err := s.from.ReadString('\n'); err == nil {
		t.Errorf("the session of a program that is shut out goes on with %s", line)
	}
	conn, err := unixsocket.Dial(t.Context(), v.data)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := openMCP(t.Context(), conn, introduced("guest", "", false)); err == nil || !strings.Contains(err.Error(), "chalie token issue guest --signals mcp") {
		t.Errorf("it comes in again: %v", err)
	}
	// The next program of that name is another one.
	earlier := v.until(domain.ToolInvokedType).Envelope
	next := "Authorization: Bearer " + v.mcpToken("guest", "mcp")
	if now := v.principal("guest"); now == earlier.Principal {
		t.Errorf("both are %s", now)
	}
	_, _, head := v.send("POST", mcpBegins, next)
	session := "Mcp-Session-Id: " + head.Get("Mcp-Session-Id")
	v.send("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, next, session)
	ask := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"outcome_of","arguments":{"id":"` + earlier.ID.UUID() + `"}}}`
	if _, text, _ := v.send("POST", ask, next, session); !strings.Contains(text, "No call or question of this program") {
		t.Errorf("it is told what came of the other's call: %s", text)
	}
	v.stop()
}

// send sends a message over HTTP, as it is.
func (v *victim) send(method, body string, headers ...string) (status int, answer string, head http.Header) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.address+"/mcp", strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), resp.Header
}

const mcpBegins = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// TestMCPHostileHTTP sends what no good client sends.
func TestMCPHostileHTTP(t *testing.T) {
	t.Parallel()
	v := speaking(t)
	good := "Authorization: Bearer " + v.mcpToken("good", "mcp")
	other := "Authorization: Bearer " + v.mcpToken("other", "mcp")
	sender := "Authorization: Bearer " + v.mcpToken("sender", "weather")
	anything := "Authorization: Bearer " + v.mcpToken("anything")
	double := "Authorization: Bearer " + v.declares(startProgram(t, "editor"), "mcp", "console", "weather")
	status, text, head := v.send("POST", mcpBegins, good)
	session := "Mcp-Session-Id: " + head.Get("Mcp-Session-Id")
	if status != 200 || !strings.Contains(text, `"protocolVersion":"2025-06-18"`) {
		t.Fatalf("a session begins with %d %s", status, text)
	}
	v.send("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, good, session)
	before := len(v.records())
	for _, c := range []struct {
		what, method, body string
		headers            []string
		status             int
		says               string
	}{
		{"no token", "POST", mcpBegins, nil, 401, "Authentication required"},
		{"a token for signals", "POST", mcpBegins, []string{sender}, 403, "--signals mcp"},
		{"a token for every signal", "POST", mcpBegins, []string{anything}, 403, "--signals mcp"},
		{"an interface that declares its types", "POST", mcpBegins, []string{double}, 403, "may not speak MCP"},
		{"a page of another site", "POST", mcpBegins, []string{good, "Origin: https://evil.example"}, 403, "another site"},
		{"a page that only listens", "GET", "", []string{good, session, "Origin: https://evil.example"}, 403, "another site"},
		{"ten megabytes", "POST", `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"` + strings.Repeat("x", 10<<20) + `"}}`, []string{good, session}, 413, "over 1048576 bytes"},
		{"another's session", "POST", `{"jsonrpc":"2.0","id":9,"method":"ping"}`, []string{other, session}, 404, "not found"},
		{"another's session ended", "DELETE", "", []string{other, session}, 404, "not found"},
		{"no such version", "POST", `{"jsonrpc":"2.0","id":9,"method":"ping"}`, []string{good, session, "MCP-Protocol-Version: 1999-01-01"}, 400, "protocol version"},
		{"a version that is asked for", "POST", strings.Replace(mcpBegins, "2025-06-18", "1999-01-01", 1), []string{good}, 200, `"protocolVersion":"2025-11-25"`},
		{"no JSON", "POST", `{"jsonrpc`, []string{good, session}, 400, "-32700"},
		{"no object", "POST", `7`, []string{good, session}, 400, "-32600"},
		{"no known method", "POST", `{"jsonrpc":"2.0","id":9,"method":"tools/steal"}`, []string{good, session}, 200, "-32601"},
		{"parameters of a wrong shape", "POST", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[1]}`, []string{good, session}, 200, "-32602"},
		{"deep arguments", "POST", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"plans","arguments":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}}`, []string{good, session}, 400, "100"},
		{"a tool without a session", "POST", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"plans","arguments":{}}}`, []string{good}, 0, "initializ"},
		{"another method", "PUT", `{}`, []string{good}, 405, ""},
	} {
		status, text, _ := v.send(c.method, c.body, c.headers...)
		if c.status != 0 && status != c.status || status >= 500 || !strings.Contains(text, c.says) {
			t.Errorf("%s was answered %d %.300s, want %d and %q", c.what, status, text, c.status, c.says)
		}
	}
	for range mcpserver.MaxSessions + 4 {
		// As of a program that is killed and started again.
		if status, text, _ := v.send("POST", mcpBegins, good); status != http.StatusOK {
			t.Errorf("a session after those that were left behind was answered %d %s", status, text)
		}
	}
	if n := strings.Count(v.wants(http.StatusOK, http.MethodGet, "socket:/api/tokens", ""), `"over":"http"`); n != mcpserver.MaxSessions {
		t.Errorf("%d sessions are open, the bound is %d", n, mcpserver.MaxSessions)
	}
	if status, _, _ := v.send("POST", `{"jsonrpc":"2.0","id":9,"method":"ping"}`, good, session); status != http.StatusNotFound {
		t.Errorf("the session that was silent longest is still there: %d", status)
	}
	if status, text, _ := v.send("POST", mcpBegins, other); status != 200 {
		t.Errorf("another program is kept out by it: %d %s", status, text)
	}
	if after := len(v.records()); after != before {
		t.Errorf("the log grew from %d to %d records by what was refused", before, after)
	}
	v.stop()
}

// TestMCPHostileConnections floods, hangs, and sends lines without an end: a good program
// beside is served all the while.
func TestMCPHostileConnections(t *testing.T) {
	t.Parallel()
	v := speaking(t)
	good, flood := v.speak("good"), v.speak("flood")
	before := len(v.records())
	last := 0
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for range 5000 {
			last = flood.sends("resources/read", `{"uri":"chalie://world"}`)
		}
	}()
	served, refused := 0, 0
	for range 5000 {
		line, err := flood.from.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line, "are under way") {
			refused++
		} else if strings.Contains(line, "In mind at") {
			served++
		}
		if (served+refused)%1000 == 0 {
			good.wants("In mind at", "resources/read", `{"uri":"chalie://world"}`)
		}
	}
	<-sent
	if served == 0 || served+refused != last-1 {
		t.Errorf("of a flood of %d %d were served and %d refused", last-1, served, refused)
	}
	good.wants(`"cacheScope":"private"`, "resources/read", `{"uri":"chalie://plans"}`)
	hanging := v.speak("hanging")
	if _, err := io.WriteString(hanging.conn, `{"jsonrpc":"2.0","id":99,"meth`); err != nil {
		t.Fatal(err)
	}
	endless := v.speak("endless")
	junk := bytes.Repeat([]byte("x"), 1<<20)
	_, err := io.WriteString(endless.conn, `{"jsonrpc":"2.0","id":99,"method":"`)
	for range 10 {
		if err == nil {
			_, err = endless.conn.Write(junk)
		}
	}
	if told, read := endless.from.ReadString('\n'); err != nil || read != nil || !strings.Contains(told, "1048576 bytes") {
		t.Errorf("of a line of ten megabytes it was told %s, %v, %v", told, read, err)
	}
	good.wants("unknown tool", "tools/call", `{"name":"none","arguments":{}}`)
	good.wants("Nothing is planned", "tools/call", `{"name":"plans","arguments":{}}`)
	names := map[domain.EventType]int{}
	for _, rec := range v.records()[before:] {
		names[rec.Envelope.Type]++
	}
	if names[domain.TokenIssuedType] != 2 || names[domain.ToolInvokedType] != 1 {
		t.Errorf("the log has %v of it", names)
	}
	v.stop() // with a connection that hangs
}

// TestMCPServerKilled tells a program that its connection has ended, and takes it in again
// with the call that waited.
func TestMCPServerKilled(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	run := exec.CommandContext(t.Context(), "chalie", "mcp", "--name", "phoenix", "--data", data)
	in, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	run.Stderr = &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{mcpBegins, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` + remindDentist + `}`} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	asked := v.until(domain.ApprovalProposedType).Envelope
	v.end()
	if err := run.Wait(); err == nil || run.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "chalie serve") {
		t.Errorf("it ended with %v and %q", err, said.String())
	}
	v = startVictim(t, data)
	v.ready()
	v.grantsAll()
	v.until(domain.ToolCompletedType)
	s := v.speak("phoenix")
	s.wants("dentist", "tools/call", fmt.Sprintf(`{"name":"outcome_of","arguments":{"id":%q}}`, asked.Trace.ID))
	v.stop()
}

// TestMCPWithoutServer tells a program that no Chalie runs, in the protocol, and says
// nothing else on its standard output.
func TestMCPWithoutServer(t *testing.T) {
	t.Parallel()
	run := exec.CommandContext(t.Context(), "chalie", "mcp", "--data", t.TempDir())
	run.Stdin = strings.NewReader(mcpBegins + "\n")
	out, err := run.Output()
	if err == nil || run.ProcessState.ExitCode() != 1 {
		t.Errorf("it ended with %v", err)
	}
	var answer struct {
		ID    int
		Error struct{ Message string }
	}
	if json.Unmarshal(out, &answer) != nil || answer.ID != 1 || !strings.Contains(answer.Error.Message, "chalie serve") {
		t.Errorf("it was answered %s", out)
	}
}

// declares pairs an interface that names its types itself, and returns its token.
func (v *victim) declares(p *program, types ...string) string {
	v.t.Helper()
	named, err := json.Marshal(types)
	if err != nil {
		v.t.Fatal(err)
	}
	body := strings.Replace(p.pairing(v.pairingKey()), `["news"]`, string(named), 1)
	return read[paired](v.t, v.wants(http.StatusCreated, http.MethodPost, "/api/interfaces/pair", body)).Token
}

// TestMCPLinesOnStandardInput begins with what is no message and ends right behind its
// requests: what can't be read is told, and everything else answered before the end.
func TestMCPLinesOnStandardInput(t *testing.T) {
	t.Parallel()
	v := speaking(t)
	run := exec.CommandContext(t.Context(), "chalie", "mcp", "--data", v.data)
	run.Stdin = strings.NewReader("ready\n\n" + mcpBegins + "\n" + "loading\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plans","arguments":{}}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}` + "\n" +
		`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"chalie://nowhere"}}` + "\n" +
		`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"chalie://why/what I never said"}}` + "\n" +
		`{"jsonrpc":"2.0","id":6,"method":"prompts/get","params":{"name":"why_did_you","arguments":{"what":"sing"}}}`)
	out, err := run.Output()
	if err != nil {
		t.Errorf("it ended with %v", err)
	}
	for _, want := range []string{`"id":1,"result"`, "Nothing is planned", `"id":2`, `-32601`, `"id":4,"error":{"code":-32002`, `"id":5,"error":{"code":-32002`, `"id":6,"error":{"code":-32602`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if n := strings.Count(string(out), "-32700"); n != 2 {
		t.Errorf("%d of 2 lines are told to be none: %s", n, out)
	}
	if issued := v.chalie("log", "--type", "token.issued"); strings.Count(issued, "mcp-client") != 1 {
		t.Errorf("it wasn't let in as the program of no name:\n%s", issued)
	}
	// What it calls itself makes it no other, and keeps it out where another is known by that.
	v.mcpToken("x", "mcp")
	v.chalie("token", "revoke", "x")
	run = exec.CommandContext(t.Context(), "chalie", "mcp", "--data", v.data)
	run.Stdin = strings.NewReader(mcpBegins + "\n")
	if out, err = run.Output(); err == nil || !strings.Contains(string(out), "chalie mcp --name x") {
		t.Errorf("one that calls itself as who was shut out was answered %s (%v)", out, err)
	}
	v.stop()
}
