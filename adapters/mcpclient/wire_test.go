package mcpclient

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/commands"
	"chalie/domain"
)

// peer is a server that writes by hand what a row of a table has it write.
type peer struct {
	tools []string // as they stand in its list; nil for one, do
	lists string   // its whole answer to the question for tools, instead
	first []string // lines before anything else
	call  []string // lines that answer a call; ID stands for its id
}

const (
	plainTool = `{"name":"do","inputSchema":{"type":"object"}}`
	done      = `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"done"}]}}`
)

// answers are the lines that answer a request.
func (p *peer) answers(method, id string) []string {
	var out []string
	switch method {
	case "initialize":
		out = append(slices.Clone(p.first), `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}}`)
	case "tools/list":
		list := p.tools
		if list == nil {
			list = []string{plainTool}
		}
		out = []string{`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + strings.Join(list, ",") + `]}}`}
		if p.lists != "" {
			out = []string{p.lists}
		}
	case "tools/call":
		out = slices.Clone(p.call)
	case "server/discover":
		out = []string{`{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no such method"}}`}
	}
	for i, line := range out {
		out[i] = strings.ReplaceAll(line, "ID", id)
	}
	return out
}

// request reads what a server is sent.
func request(line []byte) (method, id string) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(line, &m)
	return m.Method, string(m.ID)
}

// testing config of a session.
func quiet() Config {
	cfg, _ := Config{Dir: "none", Logger: slog.New(slog.DiscardHandler), Book: nobody{}}.withDefaults()
	return cfg
}

// nobody is a registry without interfaces.
type nobody struct{}

func (nobody) Read(read func(*domain.Registry)) { read(&domain.Registry{}) }

// ways are the transports, each of which has to make the same of what is written.
var ways = map[string]func(t *testing.T, p *peer) (*session, error){
	"stdio": func(t *testing.T, p *peer) (*session, error) {
		t.Helper()
		theirs, ours := io.Pipe()
		reads, writes := io.Pipe()
		go func() {
			for in := bufio.NewScanner(theirs); in.Scan(); {
				for _, line := range p.answers(request(in.Bytes())) {
					if _, err := io.WriteString(writes, line+"\n"); err != nil {
						return
					}
				}
			}
			_ = writes.Close()
		}()
		return open(t.Context(), quiet(), domain.ID{1}, "peer", func(_ context.Context, s *session) (mcp.Transport, error) {
			s.end = ours.Close
			return over(s.wire, newMetered(reads, DefaultMaxMessageBytes, DefaultMessages, s.misbehaved), ours, DefaultMaxMessageBytes), nil
		})
	},
	"http": func(t *testing.T, p *peer) (*session, error) {
		t.Helper()
		return atURL(t, func(w http.ResponseWriter, lines []string) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.Join(lines, "\n"))
		}, p)
	},
	"events": func(t *testing.T, p *peer) (*session, error) {
		t.Helper()
		return atURL(t, func(w http.ResponseWriter, lines []string) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, line := range lines {
				_, _ = fmt.Fprintf(w, "event: message\r\ndata: %s\r\n\r\n", strings.ReplaceAll(line, "\n", "\r\ndata: "))
			}
		}, p)
	},
}

func atURL(t *testing.T, write func(http.ResponseWriter, []string), p *peer) (*session, error) {
	t.Helper()
	serving := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		method, id := request(body)
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case id == "":
			w.WriteHeader(http.StatusAccepted)
		default:
			write(w, p.answers(method, id))
		}
	}))
	t.Cleanup(serving.Close)
	c := &Client{cfg: quiet()}
	return open(t.Context(), c.cfg, domain.ID{1}, "peer", c.reachURL(domain.MCPServer{URL: serving.URL}))
}

// begun is a session with a peer.
func begun(t *testing.T, way string, p *peer) *session {
	t.Helper()
	s, err := ways[way](t, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.close()
		<-s.done
	})
	return s
}

func (s *session) do(t *testing.T) (commands.Result, error) {
	t.Helper()
	return s.call(t.Context(), commands.Call{Capability: "do", Params: json.RawMessage(`{}`), Key: "key"})
}

// What isn't a message is left out, wherever it stands, and what is around it is read.
func TestLinesThatAreNoMessages(t *testing.T) {
	for name, stray := range map[string]string{
		"a banner":                "Server v1.2 is ready, listening on stdio",
		"a blank line":            "",
		"a log in JSON":           `{"level":"info","id":3,"msg":"started","method":"GET"}`,
		"a log of another kind":   `[12:00:01 starting (1/2]`,
		"the begin of an object":  `{"jsonrpc": "2.0", "method":`,
		"the begin of a list":     `[`,
		"a text":                  `"ready"`,
		"a number":                `42`,
		"null":                    `null`,
		"an empty object":         `{}`,
		"an empty list":           `[]`,
		"another version":         `{"jsonrpc":"1.0","id":"nobody's","result":{}}`,
		"an answer to nobody":     `{"jsonrpc":"2.0","id":4711,"result":{"content":[]}}`,
		"an answer to no id":      `{"jsonrpc":"2.0","id":null,"result":{}}`,
		"a request by an object":  `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		"a method that is none":   `{"jsonrpc":"2.0","method":7}`,
		"odd parameters":          `{"jsonrpc":"2.0","method":"notifications/progress","params":"half"}`,
		"bytes that are no UTF-8": "caf\xe9 \xff\xfe",
		"control characters":      "\x00\x07\x1b[2J",
		"what moves the cursor":   "\x1b[1G\x1b[0K10 %\r\x1b[1G20 %\r",
		"a long line":             strings.Repeat("x", 1<<20),
		"many lines":              strings.TrimSuffix(strings.Repeat("loading\n", 900), "\n"),
	} {
		for _, way := range []string{"stdio", "events"} {
			t.Run(way+"/"+name, func(t *testing.T) {
				s := begun(t, way, &peer{first: []string{stray}, call: []string{stray, done, stray}})
				for range 2 {
					if out, err := s.do(t); err != nil || out.Text == nil || *out.Text != "done" {
						t.Fatalf("the call came to %+v, %v", out, err)
					}
				}
			})
		}
	}
}

// A message is read however it is written.
func TestMessagesThatAreWrittenOddly(t *testing.T) {
	for name, lines := range map[string][]string{
		"with a byte order mark":   {"\uFEFF" + done},
		"with a carriage return":   {done + "\r"},
		"with spaces around":       {"  " + done + "\t "},
		"on several lines":         {"{\n  \"jsonrpc\": \"2.0\",\n  \"id\": ID,\n  \"result\": {\n \"content\": [{\"type\":\"text\",\"text\":\"done\"}]\n  }\n}"},
		"in a list":                {"[" + done + "]"},
		"in a list with others":    {`[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}},` + done + `]`},
		"behind another":           {`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}} ` + done},
		"with words behind":        {done + " # sent"},
		"with its id as a text":    {strings.Replace(done, "ID", `"ID"`, 1)},
		"without its version":      {strings.Replace(done, `"jsonrpc":"2.0",`, "", 1)},
		"with another version":     {strings.Replace(done, "2.0", "2", 1)},
		"with error null":          {strings.Replace(done, `"result"`, `"error":null,"result"`, 1)},
		"with more members":        {strings.Replace(done, `"result"`, `"took":3,"result"`, 1)},
		"with bytes that no UTF-8": {strings.Replace(done, `"content"`, "\"_meta\":{\"by\":\"caf\xe9\"},\"content\"", 1)},
		"behind escapes":           {"\x1b[?25h" + done},
		"by a result of old":       {`{"jsonrpc":"2.0","id":ID,"result":"done"}`},
	} {
		for way := range ways {
			t.Run(way+"/"+name, func(t *testing.T) {
				if out, err := begun(t, way, &peer{call: lines}).do(t); err != nil || out.Text == nil || *out.Text != "done" {
					t.Errorf("the call came to %+v, %v", out, err)
				}
			})
		}
	}
}

// One tool that can't be used is left out by itself, by its name and with the reason.
func TestToolsThatCantBeUsed(t *testing.T) {
	with := func(members string) string { return `{"name":"odd","inputSchema":{"type":"object"},` + members + `}` }
	for name, row := range map[string]struct{ tool, named, why string }{
		"no schema":             {`{"name":"odd"}`, "odd", "no schema of its parameters"},
		"a schema of null":      {`{"name":"odd","inputSchema":null}`, "odd", "no schema of its parameters"},
		"a schema as a text":    {`{"name":"odd","inputSchema":"object"}`, "odd", "none of an object"},
		"a schema as a list":    {`{"name":"odd","inputSchema":[]}`, "odd", "none of an object"},
		"a schema of a text":    {`{"name":"odd","inputSchema":{"type":"string"}}`, "odd", "none of an object"},
		"required as a text":    {`{"name":"odd","inputSchema":{"type":"object","required":"id"}}`, "odd", "none of an object"},
		"a schema too deep":     {`{"name":"odd","inputSchema":{"x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}}`, "odd", "nests more than 100 deep"},
		"a schema too deep yet": {`{"name":"odd","inputSchema":{"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}`, "odd", "nests more than 100 deep"},
		"a schema too large":    {`{"name":"odd","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 70_000) + `"}}`, "odd", "the bound is 65536"},
		"a long name":           {`{"name":"` + strings.Repeat("n", 130) + `","inputSchema":{"type":"object"}}`, strings.Repeat("n", 40), "no name of 1 to 128"},
		"no name":               {`{"inputSchema":{"type":"object"}}`, "number 2 of its page", "no name of 1 to 128"},
		"an empty name":         {`{"name":"","inputSchema":{"type":"object"}}`, "number 2 of its page", "no name of 1 to 128"},
		"a name of a number":    {`{"name":7,"inputSchema":{"type":"object"}}`, "7", "its name is no text"},
		"a name on two lines":   {`{"name":"o\ndd","inputSchema":{"type":"object"}}`, "o\uFFFDdd", "can't be seen"},
		"a name turned around":  {`{"name":"o\u202edd","inputSchema":{"type":"object"}}`, "o\uFFFDdd", "can't be seen"},
		"a name that is taken":  {`{"name":"before","inputSchema":{"type":"object","description":"another"}}`, "before", "another tool has the same name"},
		"a description of none": {with(`"description":{"en":"does it"}`), "odd", "its description is no text"},
		"a long description":    {with(`"description":"` + strings.Repeat("x", 20_000) + `"`), "odd", "a text over 16384 bytes"},
		"annotations as a text": {with(`"annotations":"read-only"`), "odd", "says of itself"},
		"annotations of texts":  {with(`"annotations":{"readOnlyHint":"yes"}`), "odd", "says of itself"},
		"an answer too deep":    {with(`"outputSchema":` + strings.Repeat(`{"x":`, 200) + "1" + strings.Repeat("}", 200)), "odd", "the schema of its answer nests"},
		"only as a task":        {with(`"execution":{"taskSupport":"required"}`), "odd", "as a task of the protocol"},
		"no object":             {`"odd"`, "number 2 of its page", "no object"},
		"null":                  {`null`, "number 2 of its page", "no object"},
	} {
		for way := range ways {
			t.Run(way+"/"+name, func(t *testing.T) {
				s := begun(t, way, &peer{tools: []string{strings.Replace(plainTool, "do", "before", 1), row.tool, strings.Replace(plainTool, "do", "after", 1)}})
				if got := names(s.listed.tools); got != "before after" {
					t.Errorf("it offers %s", got)
				}
				out := s.leftOut()
				if len(out) != 1 || !strings.HasPrefix(out[0].Name, row.named) || !strings.Contains(out[0].Why, row.why) {
					t.Errorf("left out: %+v", out)
				}
			})
		}
	}
}

func names(tools []domain.Tool) string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Name
	}
	return strings.Join(out, " ")
}

// A tool that is described oddly and can be used is offered.
func TestToolsThatAreDescribedOddly(t *testing.T) {
	for name, row := range map[string]struct{ tool, schema string }{
		"no properties":            {plainTool, `{"type":"object"}`},
		"properties as a list":     {`{"name":"do","inputSchema":{"type":"object","properties":[]}}`, `{"properties":{},"type":"object"}`},
		"no type":                  {`{"name":"do","inputSchema":{}}`, `{}`},
		"nulls":                    {`{"name":"do","title":null,"description":null,"annotations":null,"outputSchema":null,"execution":null,"inputSchema":{}}`, `{}`},
		"annotations as a list":    {`{"name":"do","annotations":[],"inputSchema":{}}`, `{}`},
		"unknown members":          {`{"name":"do","icons":7,"_meta":"x","inputSchema":{}}`, `{}`},
		"a task where it is asked": {`{"name":"do","execution":{"taskSupport":"optional"},"inputSchema":{}}`, `{}`},
		"numbers": {`{"name":"do","inputSchema":{"properties":{"n":{"default":9007199254740993,"minimum":0.0,"maximum":1e3,"multipleOf":0.10,"const":1e400}}}}`,
			`{"properties":{"n":{"const":1e400,"default":9007199254740993,"maximum":1000,"minimum":0,"multipleOf":0.1}}}`},
	} {
		for way := range ways {
			t.Run(way+"/"+name, func(t *testing.T) {
				s := begun(t, way, &peer{tools: []string{row.tool}})
				if out := s.leftOut(); len(s.listed.tools) != 1 || string(s.listed.tools[0].Schema) != row.schema || out != nil {
					t.Errorf("it offers %+v, and leaves out %+v", s.listed.tools, out)
				}
			})
		}
	}
}

// A server that offers too many tools offers as many as are taken.
func TestManyTools(t *testing.T) {
	var tools []string
	for n := range domain.MaxTools + 3 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, n))
	}
	for way := range ways {
		s := begun(t, way, &peer{tools: tools})
		if out := s.leftOut(); len(s.listed.tools) != domain.MaxTools || len(out) != 1 || out[0].Name != "3 more" {
			t.Errorf("%s: it offers %d, and leaves out %+v", way, len(s.listed.tools), out)
		}
	}
	for lists, words := range map[string]string{
		`{"jsonrpc":"2.0","id":ID,"result":{"tools":{"do":{}}}}`: "lists its tools in a way that can't be read",
		`{"jsonrpc":"2.0","id":ID,"result":"none"}`:              "lists its tools in a way that can't be read",
		`{"jsonrpc":"2.0","id":ID,"error":"not now"}`:            "not now",
	} {
		for way := range ways {
			if _, err := ways[way](t, &peer{lists: lists}); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %s: %v", way, lists, err)
			}
		}
	}
}

// An answer is read as far as it can be, and what can't is told.
func TestAnswersThatAreWrittenOddly(t *testing.T) {
	for result, want := range map[string]commands.Result{
		`{"content":[{"type":"widget","w":1},{"type":"text","text":"done"}]}`:        {Text: new("(Something of the kind \"widget\", which Chalie can't show.)\ndone")},
		`{"content":[{"type":"widget","text":"shown"}]}`:                             {Text: new("shown")},
		`{"content":[{"text":"done"}]}`:                                              {Text: new("done")},
		`{"content":["done",null,7,{"a":1}]}`:                                        {Text: new("done\n7\n{\"a\":1}")},
		`{"content":"done"}`:                                                         {Text: new("done")},
		`{"content":{"type":"text","text":"done"}}`:                                  {Text: new("done")},
		`{"content":null,"structuredContent":{"n":9007199254740993}}`:                {Data: json.RawMessage(`{"n":9007199254740993}`)},
		`{"structuredContent": {"b": 1.10, "a": 12345678901234567890.123456789012}}`: {Data: json.RawMessage(`{"b":1.10,"a":12345678901234567890.123456789012}`)},
		`{"structuredContent":[1,2]}`:                                                {Data: json.RawMessage(`[1,2]`)},
		`{"structuredContent":"text"}`:                                               {Data: json.RawMessage(`"text"`)},
		`{"content":[],"structuredContent":null}`:                                    {},
		`{}`:                              {},
		`{"content":[]}`:                  {},
		`{"answer":42}`:                   {Data: json.RawMessage(`{"answer":42}`)},
		`{"toolResult":"old"}`:            {Data: json.RawMessage(`{"toolResult":"old"}`)},
		`"done"`:                          {Text: new("done")},
		`42`:                              {Data: json.RawMessage(`42`)},
		`true`:                            {Data: json.RawMessage(`true`)},
		`[{"type":"text","text":"done"}]`: {Text: new("done")},
		`{"content":[{"type":"text","text":"no"}],"isError":true}`:              {Error: new("no")},
		`{"content":[{"type":"text","text":"no"}],"isError":"true"}`:            {Error: new("no")},
		`{"content":[{"type":"text","text":"done"}],"isError":"false"}`:         {Text: new("done")},
		`{"content":[{"type":"text","text":"done"}],"isError":0}`:               {Text: new("done")},
		`{"content":[{"type":"text","text":"done"}],"isError":null}`:            {Text: new("done")},
		`{"content":[],"isError":1}`:                                            {Error: new("it failed, and says no more")},
		`{"content":[{"type":"text","text":9007199254740993}]}`:                 {Text: new("9007199254740993")},
		`{"content":[{"type":"text","text":"9007199254740993"}]}`:               {Text: new("9007199254740993")},
		`{"content":[{"type":"text","text":{"a":1}}]}`:                          {Text: new(`{"a":1}`)},
		`{"content":[{"type":"text","text":"half \ud83d"}]}`:                    {Text: new("half \uFFFD")},
		`{"content":[{"type":"image","data":"!!","mimeType":null}]}`:            {Text: new("(A picture, , 1 bytes, that isn't kept.)")},
		`{"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}`:   {Text: new("(A recording, audio/wav, 3 bytes, that isn't kept.)")},
		`{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t"}}]}`: {Text: new("a:b\nt")},
		`{"content":[{"type":"resource","resource":"a:b"}]}`:                    {Text: new("a:b")},
		`{"content":[{"type":"resource"}]}`:                                     {},
		`{"content":[{"type":"resource_link","uri":"a:b"}]}`:                    {Text: new(": a:b")},
		`{"resultType":"input_required","inputRequests":{}}`:                    {Data: json.RawMessage(`{"inputRequests":{}}`), Error: new("it asks for more than a call can give it, which Chalie doesn't support")},
	} {
		for way := range ways {
			t.Run(way, func(t *testing.T) {
				got, err := begun(t, way, &peer{call: []string{`{"jsonrpc":"2.0","id":ID,"result":` + result + `}`}}).do(t)
				shown, _ := json.Marshal(got)
				wanted, _ := json.Marshal(want)
				if err != nil || !bytes.Equal(shown, wanted) {
					t.Errorf("%s is %s, %v; want %s", result, shown, err, wanted)
				}
			})
		}
	}
}

// An answer that is an error is told in the server's words, whatever its shape.
func TestErrorsThatAreWrittenOddly(t *testing.T) {
	for answer, row := range map[string]struct {
		code  domain.Code
		words string
	}{
		`"error":{"code":-32602,"message":"no such city"}`: {commands.CodePeerStatus, `peer answered with the error -32602, saying "no such city"`},
		`"error":{"code":-32005,"message":"its own"}`:      {commands.CodePeerStatus, `peer answered with the error -32005, saying "its own"`},
		`"error":{"code":-32003,"message":"its own"}`:      {commands.CodePeerStatus, `peer answered with the error -32003, saying "its own"`},
		`"error":{"code":"-32000","message":"a text"}`:     {commands.CodePeerStatus, `the error -32000, saying "a text"`},
		`"error":{"code":1.5,"message":"half"}`:            {commands.CodePeerStatus, `an error, saying "half"`},
		`"error":{"code":5}`:                               {commands.CodePeerStatus, `the error 5, and says no more`},
		`"error":{"message":{"en":"words"}}`:               {commands.CodePeerStatus, `saying "{\"en\":\"words\"}"`},
		`"error":{"reason":"words"}`:                       {commands.CodePeerStatus, `saying "{\"reason\":\"words\"}"`},
		`"error":"text"`:                                   {commands.CodePeerStatus, `an error, saying "text"`},
		`"error":["text"]`:                                 {commands.CodePeerStatus, `an error, saying "[\"text\"]"`},
		`"error":true`:                                     {commands.CodePeerStatus, `an error, saying "true"`},
		`"error":"text","result":{}`:                       {commands.CodePeerStatus, `an error, saying "text"`},
		`"result":null`:                                    {commands.CodePeerBadShape, `answered with nothing`},
		`"took":3`:                                         {commands.CodePeerBadShape, `answered with nothing`},
		`"result":{"structuredContent":{"x":NaN}}`:         {commands.CodePeerBadJSON, `answered with what is no`},
		"\"result\":{\"content\":\"a \x07 bell\"}":         {commands.CodePeerBadJSON, `answered with what is no`},
		`"result":` + strings.Repeat("[", 20_000) + `1`:    {commands.CodePeerBadJSON, `answered with what is no`},
		`"result":` + strings.Repeat(`{"x":`, 12_000) + `1` + strings.Repeat("}", 12_000): {commands.CodePeerBadJSON, `answered with what is no`},
	} {
		for way := range ways {
			if strings.Contains(answer, "[[[") && way == "stdio" {
				continue // it may go on, on the next line
			}
			t.Run(way, func(t *testing.T) {
				s := begun(t, way, &peer{call: []string{`{"jsonrpc":"2.0","id":ID,` + answer + `}`}})
				for range 2 {
					_, err := s.do(t)
					if e, _ := errors.AsType[*domain.Error](err); e == nil || e.Code != row.code || !strings.Contains(e.Message, row.words) {
						t.Errorf("%.80s is %v, want %s: %s", answer, err, row.code, row.words)
					}
				}
			})
		}
	}
}
