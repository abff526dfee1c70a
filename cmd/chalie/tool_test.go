package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

const offeredTools = `{"tools":[
{"name":"cancel","interface_id":"01890000-0000-7000-8000-000000000001","interface":"Hospital","tool":"cancel","description":"Cancels an \u001b[31mappointment","documentation":"Only until the day before.","parameters":[
 {"name":"id","type":"string","required":true,"description":"which one"},{"name":"fee","type":"number","required":false,"description":"what it may cost"},
 {"name":"times","type":"integer","required":false,"description":""},{"name":"urgent","type":"boolean","required":false,"description":""},
 {"name":"who","type":"object","required":false,"description":""}],"returns":{"type":"object"}},
{"name":"Hospital.status","interface_id":"01890000-0000-7000-8000-000000000001","interface":"Hospital","tool":"status","description":"","documentation":"","parameters":[],"returns":null},
{"name":"Lab.status","interface_id":"01890000-0000-7000-8000-000000000002","interface":"Lab","tool":"status","description":"","documentation":"","parameters":[],"returns":null}
]}`

const invocationID = "01890000-0000-7000-8000-000000000009"

// toolsAPI is a program that answers on a socket as the real one does. It tells
// what it was asked to invoke, and answers with what it was given.
type toolsAPI struct {
	data   string
	asked  string
	offers string
	status int
	answer string

	reading, invoking func() // are called before it answers
}

func serveTools(t *testing.T) *toolsAPI {
	api := &toolsAPI{data: t.TempDir(), offers: offeredTools, status: http.StatusOK, reading: func() {}, invoking: func() {}}
	listener, err := unixsocket.Listen(api.data)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			api.reading()
			_, _ = io.WriteString(w, api.offers)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		api.asked = r.URL.Path + " " + string(body)
		api.invoking()
		w.WriteHeader(api.status)
		_, _ = io.WriteString(w, api.answer)
	}))
	if err := server.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	return api
}

// tool runs a subcommand and returns its exit code and what it wrote.
func (a *toolsAPI) tool(args ...string) (code int, out, complaint string) {
	c, stdout, stderr := testConsole()
	code = run(c, append([]string{"tool", "--data", a.data}, args...))
	return code, stdout.String(), stderr.String()
}

func TestToolList(t *testing.T) {
	api := serveTools(t)
	code, out, _ := api.tool("list")
	want := []string{"NAME", "cancel", "Hospital.status", "Lab.status"}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitDone || len(lines) != len(want) {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if strings.Contains(out, "\x1b") || !strings.Contains(lines[1], "Hospital   id=string [fee=number]") || !strings.Contains(lines[1], "Cancels an") || !strings.Contains(lines[2], "none") {
		t.Errorf("it lists\n%s", out)
	}
	if _, out, _ := api.tool("list", "--json"); strings.Count(out, "\n") != 3 || !strings.HasPrefix(out, `{"name":"cancel","interface_id":"01890000`) {
		t.Errorf("as JSON it lists\n%s", out)
	}
	if strings.Contains(out, "Careful") {
		t.Errorf("it warns of nothing:\n%s", out)
	}
	api.offers = strings.Replace(offeredTools, `"returns":{"type":"object"}`, `"flags":[{"type":"injection","pattern":"override","severity":"high"}]`, 1)
	const warning = "what cancel says of itself tries to steer a model (high injection: override)"
	if _, out, _ := api.tool("list"); strings.Count(out, "Careful: "+warning) != 1 {
		t.Errorf("it doesn't warn:\n%s", out)
	}
	if _, out, _ := api.tool("show", "cancel"); !strings.Contains(strings.Join(strings.Fields(out), " "), warning) {
		t.Errorf("it doesn't warn:\n%s", out)
	}
	api.offers = `{"tools":[]}`
	if code, out, _ := api.tool("list"); code != exitDone || out != "No interface that is online offers a tool.\n" {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestToolShow(t *testing.T) {
	api := serveTools(t)
	code, out, _ := api.tool("show", "Hospital.cancel")
	for _, part := range []string{"Cancels an", "Only until the day before.", "cancel of Hospital, interface 01890000-0000-7000-8000-000000000001",
		"id         string   yes       which one", "fee        number   no        what it may cost", "It returns:\n{\n  \"type\": \"object\"\n}\n", "chalie tool invoke cancel id=STRING --data "} {
		if code != exitDone || !strings.Contains(out, part) {
			t.Errorf("exit %d, %q is not in\n%s", code, part, out)
		}
	}
	if _, out, _ := api.tool("show", "Lab.status"); !strings.Contains(out, "It takes no parameters.") || strings.Contains(out, "returns") {
		t.Errorf("it shows\n%s", out)
	}
	if _, out, _ := api.tool("show", "cancel", "--json"); !strings.HasPrefix(out, `{"name":"cancel"`) || strings.Count(out, "\n") != 1 {
		t.Errorf("as JSON it shows\n%s", out)
	}
	for name, asks := range map[string]string{"fly": "", "status": "; did you mean Hospital.status or Lab.status?"} {
		if code, _, complaint := api.tool("show", name); code != exitFailed || !strings.Contains(complaint, `named "`+name+`"`+asks+`; see `) {
			t.Errorf("exit %d: %s", code, complaint)
		}
	}
}

// What can't be used, whatever the policy says, is said to be so, and why.
func TestToolsOfNoUse(t *testing.T) {
	api := serveTools(t)
	api.offers = strings.Replace(offeredTools, `"returns":{"type":"object"}`, `"manifest":{"capability_id":"c","ask":"as_said"},"when_said":{"verdict":"denied","reason_codes":["schema_too_large"],"words":"Never done: tool cancel can't be used: its schema is too large"}`, 1)
	const why = "Never done: tool cancel can't be used: its schema is too large."
	if _, out, _ := api.tool("list"); !strings.Contains(out, "can't be used") || !strings.Contains(out, "Careful: "+why) {
		t.Errorf("listed it is\n%s", out)
	}
	if _, out, _ := api.tool("show", "cancel"); !strings.Contains(out, why) || strings.Contains(out, "--ask") {
		t.Errorf("shown it is\n%s", out)
	}
}

func TestToolInvoke(t *testing.T) {
	const text = `{"invocation_id":"` + invocationID + `","text":"It is\ncancelled.","data":null,"error":null,"blocks":null,"open_url":null}`
	trace := "chalie trace show " + mustID(t, invocationID).String()
	for _, c := range []struct {
		name   string
		args   []string
		asked  string
		answer string
		code   int
		says   []string // on standard output, or of a failure on standard error
	}{
		{"a text", []string{"cancel", "id=7"}, `/api/tools/cancel/invoke {"params":{"id":"7"}}`, text, exitDone, []string{"It is\ncancelled.\n", "How it was done: " + trace}},
		{"every type", []string{"cancel", "id=a=b", "fee=1.50", "times=3", "urgent=true", `who={"name":"Ada"}`},
			`/api/tools/cancel/invoke {"params":{"fee":1.50,"id":"a=b","times":3,"urgent":true,"who":{"name":"Ada"}}}`, text, exitDone, nil},
		{"an object, and one more", []string{"cancel", "--params", `{"id":"7"}`, "urgent=false"}, `/api/tools/cancel/invoke {"params":{"id":"7","urgent":false}}`, text, exitDone, nil},
		{"nothing", []string{"Lab.status"}, `/api/tools/Lab.status/invoke {"params":{}}`,
			`{"invocation_id":"` + invocationID + `","text":"","data":null,"error":null,"blocks":[]}`, exitDone, []string{"nothing to say"}},
		{"all that can be said", []string{"Lab.status"}, `/api/tools/Lab.status/invoke {"params":{}}`,
			`{"invocation_id":"` + invocationID + `","text":"See","data":{"a":{"b":"\u001bx\u202e"}},"error":null,"blocks":[{"type":"table","headers":["N"],"rows":[["one"]]}],"open_url":"https://a.example"}`,
			exitDone, []string{"See\n\nN\none\n\n{\n  \"a\": {\n    \"b\": \"", "Open https://a.example\n"}},
		{"a text that is a list", []string{"Lab.status"}, `/api/tools/Lab.status/invoke {"params":{}}`,
			`{"invocation_id":"` + invocationID + `","text":"[{\"day\":\"Mon\",\"open\":true},{\"day\":\"Tue\"}]","data":null,"error":null,"blocks":null}`, exitDone, []string{"DAY  OPEN\nMon  yes\nTue"}},
		{"a number in a text and as data", []string{"Lab.status"}, `/api/tools/Lab.status/invoke {"params":{}}`,
			`{"invocation_id":"` + invocationID + `","text":"14","data":14,"error":null,"blocks":null}`, exitDone, []string{"^14\n\nHow it was done"}},
		{"an error beside a text", []string{"cancel", "id=7"}, `/api/tools/cancel/invoke {"params":{"id":"7"}}`,
			`{"invocation_id":"` + invocationID + `","text":"I looked","data":null,"error":"no such appointment.","blocks":null}`, exitFailed, []string{"chalie: cancel: no such appointment; see `" + trace}},
		{"as JSON", []string{"cancel", "id=7", "--json"}, `/api/tools/cancel/invoke {"params":{"id":"7"}}`, text, exitDone, []string{text + "\n"}},
		{"an error as JSON", []string{"cancel", "id=7", "--json"}, `/api/tools/cancel/invoke {"params":{"id":"7"}}`, `{"invocation_id":"` + invocationID + `","error":"no"}`, exitFailed, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := serveTools(t)
			api.answer = c.answer
			code, out, complaint := api.tool(append([]string{"invoke"}, c.args...)...)
			if code != c.code || api.asked != c.asked {
				t.Errorf("exit %d, asked %s; want %s\n%s", code, api.asked, c.asked, complaint)
			}
			for _, part := range c.says {
				if whole, isAll := strings.CutPrefix(part, "^"); isAll && strings.HasPrefix(out, whole) {
					continue
				}
				if !strings.Contains(out, part) && !strings.Contains(complaint, part) {
					t.Errorf("%q is not in\n%s%s", part, out, complaint)
				}
			}
			if strings.ContainsAny(out+complaint, "\x1b\u202e") {
				t.Errorf("it redraws the screen: %q", out)
			}
		})
	}
}

func TestToolInvokeMisunderstood(t *testing.T) {
	api := serveTools(t)
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "NAME is missing"},
		{[]string{"cancel", "id"}, `"id" is no parameter; write name=value`},
		{[]string{"cancel", "when=now"}, `cancel has no parameter "when"; it takes id=string [fee=number]`},
		{[]string{"cancel", "id=1", "id=2"}, "id is given twice"},
		{[]string{"cancel", "id=1", "--params", `{"id":"2"}`}, "id is given twice"},
		{[]string{"cancel", "--params", `[1]`}, `--params is not a JSON object; write it like '{"id": …}'`},
		{[]string{"cancel", "--params", `null`}, "--params is not a JSON object"},
		{[]string{"cancel", "fee=much"}, `fee is "much"; give a number`},
		{[]string{"cancel", "times=1.5"}, `times is "1.5"; give a whole number`},
		{[]string{"cancel", "urgent=yes"}, `urgent is "yes"; give true or false`},
		{[]string{"cancel", "who=Ada"}, `who is "Ada"; give a JSON object`},
		{[]string{"cancel", "fee="}, `fee is ""; give a number`},
		{[]string{"cancel", "times=1,\"x\":2"}, "give a whole number"},
	} {
		code, out, complaint := api.tool(append([]string{"invoke"}, c.args...)...)
		if code != exitUsage || out != "" || !strings.Contains(complaint, c.says) || !strings.Contains(complaint, "see `chalie tool invoke --help`") {
			t.Errorf("%q: exit %d: %s%s, want %q", c.args, code, out, complaint, c.says)
		}
	}
	if api.asked != "" {
		t.Errorf("asked %s", api.asked)
	}
}

// What the program refuses is told in its words.
func TestToolInvokeRefused(t *testing.T) {
	api := serveTools(t)
	api.status, api.answer = http.StatusNotFound, `{"error":"status is offered by 2 interfaces: name one of Hospital.status, Lab.status","code":"ambiguous_tool"}`
	code, _, complaint := api.tool("invoke", "status", "x=1")
	if code != exitFailed || !strings.Contains(complaint, "name one of Hospital.status, Lab.status") || api.asked != `/api/tools/status/invoke {"params":{}}` {
		t.Errorf("exit %d: %s, asked %s", code, complaint, api.asked)
	}
	api.status, api.answer = http.StatusBadRequest, `{"error":"id is required (string)","code":"invalid"}`
	if code, _, complaint := api.tool("invoke", "cancel"); code != exitUsage || complaint != "chalie: id is required (string)\n" {
		t.Errorf("exit %d: %s", code, complaint)
	}
	api.status, api.answer = http.StatusBadGateway, `{"error":"the hospital can't be reached","code":"unreachable","invocation_id":"`+invocationID+`"}`
	code, _, complaint = api.tool("invoke", "cancel", "id=1")
	if want := "chalie: cancel: the hospital can't be reached; see `chalie trace show " + mustID(t, invocationID).String(); code != exitFailed || !strings.HasPrefix(complaint, want) {
		t.Errorf("exit %d: %s", code, complaint)
	}
	if code, out, complaint := api.tool("invoke", "cancel", "id=1", "--json"); code != exitFailed || complaint != "" || out != api.answer+"\n" {
		t.Errorf("exit %d: %s%s", code, out, complaint)
	}
	for _, unknown := range []string{"tool_outcome_unknown", "outcome_unknown", "http_error", "bad_json", "bad_shape", "answer_too_large", "connection_lost"} {
		api.answer = `{"error":"it may be cancelled","code":"` + unknown + `","invocation_id":"` + invocationID + `"}`
		if code, _, complaint := api.tool("invoke", "cancel", "id=1"); code != exitUnknown || !strings.HasPrefix(complaint, "chalie: cancel: it may be cancelled; see `chalie trace show ") {
			t.Errorf("exit %d: %s", code, complaint)
		}
		if code, out, complaint := api.tool("invoke", "cancel", "id=1", "--json"); code != exitUnknown || complaint != "" || out != api.answer+"\n" {
			t.Errorf("exit %d: %s%s", code, out, complaint)
		}
	}
	api.data = t.TempDir()
	if code, _, complaint := api.tool("invoke", "cancel"); code != exitFailed || !strings.Contains(complaint, "invoking a tool needs a running Chalie") {
		t.Errorf("exit %d: %s", code, complaint)
	}
}

// An interrupt ends the waiting, and what was called goes on.
func TestWaitingIsInterrupted(t *testing.T) {
	for _, args := range [][]string{{"tool", "invoke", "cancel", "id=1"}, {"say", "hello"}} {
		released := make(chan struct{})
		api := serveTools(t)
		api.status, api.answer = http.StatusAccepted, `{"message_id":"`+invocationID+`"}`
		interrupt := func() {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Error(err)
			}
			<-released
		}
		says := "see how it ended with `chalie log --topic tools"
		if args[0] == "say" {
			says, api.reading = "it is answered all the same: `chalie conversation", interrupt
		} else {
			api.invoking = interrupt
		}
		c, _, errOut := testConsole()
		code := run(c, append(args, "--data", api.data))
		close(released)
		if code != exitInterrupted || !strings.Contains(errOut.String(), says) || strings.Count(errOut.String(), "\n") != 1 {
			t.Errorf("%q: exit %d: %s", args, code, errOut)
		}
	}
}

func TestToolCompletion(t *testing.T) {
	api := serveTools(t)
	for args, want := range map[string][]string{
		"show ":          {"cancel\t", "Hospital.status\n", "Lab.status\n"},
		"invoke ":        {"cancel\t"},
		"invoke cancel ": {"id=\twhich one\n", "urgent=\n"},
	} {
		c, out, _ := testConsole()
		line := append([]string{"__complete", "tool", "--data", api.data}, strings.Split(args, " ")...)
		if code := run(c, line); code != exitDone {
			t.Errorf("%q: exit %d", args, code)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%q offers\n%s\nwithout %q", args, out, part)
			}
		}
	}
}

// Nobody who can't write gets an answer that looks whole.
func TestToolOutputThatBreaks(t *testing.T) {
	api := serveTools(t)
	api.answer = `{"invocation_id":"` + invocationID + `","text":"a","data":{"b":1},"error":null,"blocks":null,"open_url":"u"}`
	for _, args := range [][]string{{"list"}, {"show", "cancel"}, {"show", "Lab.status"}, {"invoke", "Lab.status"}, {"invoke", "Lab.status", "--json"}} {
		for room := range 3 {
			c, _, _ := testConsole()
			c.Out = &fullAfter{room: room}
			if code := run(c, append([]string{"tool", "--data", api.data}, args...)); code != exitFailed && c.Out.(*fullAfter).room < 0 {
				t.Errorf("%q after %d writes: exit %d", args, room, code)
			}
		}
	}
}

// fullAfter takes a number of writes, and refuses all later ones.
type fullAfter struct{ room int }

func (f *fullAfter) Write(text []byte) (int, error) {
	if f.room--; f.room < 0 {
		return 0, errors.New("there is no room left")
	}
	return len(text), nil
}

func toolEnvelope[P any](t *testing.T, payload P) domain.Envelope {
	t.Helper()
	entry, err := domain.New(domain.Lineage{}, domain.ID{15: 1}, 1, "tools", payload)
	if err != nil {
		t.Fatal(err)
	}
	return entry.Envelope
}

func withFault(e domain.Envelope, code domain.Code, message string) domain.Envelope {
	e.Errors = []domain.Fault{{Code: code, Message: message}}
	return e
}

func mustID(t *testing.T, text string) domain.ID {
	t.Helper()
	id, err := domain.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestFindToolPassesOnWhatFails(t *testing.T) {
	client := apiclient.InProcess(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"tools":[{"name":7}]}`)
	}))
	if _, _, err := findTool(context.Background(), client, "x"); domain.CodeOf(err) != "unreadable_answer" {
		t.Errorf("the error is %v", err)
	}
}
