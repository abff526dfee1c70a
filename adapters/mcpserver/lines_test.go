package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pipes are both directions of a connection, of which each ends by itself.
type pipes struct {
	*io.PipeReader
	*io.PipeWriter
}

func (p pipes) Close() error {
	_ = p.PipeReader.Close()
	return p.PipeWriter.Close()
}

// spokenWith is a server with one tool, and what a program reads and writes.
func spokenWith(t *testing.T, tool mcp.ToolHandler) (*bufio.Reader, *io.PipeWriter) {
	t.Helper()
	reads, theirs := io.Pipe()
	ours, writes := io.Pipe()
	with := newLines(pipes{reads, writes}, time.Minute)
	s := mcp.NewServer(&mcp.Implementation{Name: "x", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "do", InputSchema: map[string]any{"type": "object"}}, tool)
	ctx := context.WithValue(t.Context(), leftKey{}, with.left)
	session, err := s.Connect(ctx, &mcp.IOTransport{Reader: with, Writer: with, MaxLineLength: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = with.Close()
		_ = session.Wait()
	})
	return bufio.NewReader(ours), theirs
}

func done(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
}

func begin(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"
}

// A program that reads no answer is let go, whoever answers it.
func TestAProgramThatReadsNothing(t *testing.T) {
	for name, answer := range map[string]func(*lines) error{
		"an answer of the library's": func(l *lines) error {
			_, err := l.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"))
			return err
		},
		"an answer of ours": func(l *lines) error { l.refuse(nil, -32700, "this is no JSON"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			defer func() { _ = theirs.Close() }()
			with := newLines(ours, time.Minute)
			with.takes = time.Millisecond
			if err := answer(with); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the answer fails with %v", err)
			}
			if _, err := theirs.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("the connection has %v", err)
			}
		})
	}
}

// A line that can't be read is answered with an error, and what follows it is read.
func TestLinesThatProgramsSend(t *testing.T) {
	for line, wants := range map[string][]string{
		`no JSON`:                       {`"id":null`, "-32700"},
		`{"jsonrpc":"2.0","id":1,"meth`: {`"id":null`, "-32700"},
		"caf\xe9 {":                     {`"id":null`, "-32700"},
		`{"jsonrpc":"2.0","id":1,"method":"ping"} and more`: {`"id":null`, "-32700"},
		`"text"`:                   {`"id":null`, "-32600"},
		`42`:                       {`"id":null`, "-32600"},
		`null`:                     {`"id":null`, "-32600"},
		`{}`:                       {`"id":null`, "-32600"},
		`{"id":1,"method":"ping"}`: {`"id":1`, "-32600"},
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:  {`"id":1`, "-32600"},
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`: {`"id":null`, "-32600"},
		`{"jsonrpc":"2.0","id":1,"method":7}`:       {`"id":1`, "-32600"},
		`{"jsonrpc":"2.0","id":1}`:                  {`"id":1`, "-32600"},
		`{"jsonrpc":"2.0","id":1,"error":"text"}`:   {`"id":1`, "-32600"},
		`[]`: {`"id":null`, "-32600"},
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:                 {`"id":1`, "-32600", "one message"},
		strings.Repeat("[", 5000) + strings.Repeat("]", 5000):        {`"id":null`, "-32600", "nest"},
		`{"a":"` + strings.Repeat("x", MaxMessageBytes) + `"}`:       {`"id":null`, "-32600", "1048576"},
		strings.Repeat("x", 5*MaxMessageBytes):                       {`"id":null`, "-32600", "1048576"},
		`{"jsonrpc":"2.0","id":1,"method":"none"}`:                   {`"id":1`, "-32601"},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`: {`"id":1`, `"error"`},
		"\uFEFF" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`:        {`"id":1`, `"result"`},
		`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r":            {`"id":1`, `"result"`},
		"": nil,
		`{"jsonrpc":"2.0","method":"notifications/none"}`:                                {},
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":"x"}`:              {},
		`{"jsonrpc":"2.0","id":77,"result":{}}`:                                          {},
		`{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"nobody asked","data":7}}`: {},
	} {
		t.Run(fmt.Sprintf("%.60s", line), func(t *testing.T) {
			from, to := spokenWith(t, done)
			go func() {
				_, _ = io.WriteString(to, begin("2025-06-18")+line+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
			}()
			var answers []string
			for range 2 + min(1, len(wants)) {
				answer, err := from.ReadString('\n')
				if err != nil {
					t.Fatalf("the connection ended with %v behind %q", err, answers)
				}
				answers = append(answers, answer)
			}
			all := strings.Join(answers, "")
			for _, want := range append(wants, `{"jsonrpc":"2.0","id":2,"result":{}}`) {
				if !strings.Contains(all, want) {
					t.Errorf("no %s in %s", want, all)
				}
			}
		})
	}
}

// A list of messages is answered as a list where the protocol has them.
func TestListsOfMessages(t *testing.T) {
	from, to := spokenWith(t, done)
	go func() {
		_, _ = io.WriteString(to, begin("2025-03-26"))
	}()
	if _, err := from.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(to, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`+"\n"+
			`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`+"\n")
	}()
	for _, want := range []string{"the same id", `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`} {
		if got, err := from.ReadString('\n'); err != nil || !strings.Contains(got, want) {
			t.Errorf("the answer is %s, %v; want %s", got, err, want)
		}
	}
}

// What a program cancels isn't answered, by itself or in a list; the others are.
func TestCancelledOnLines(t *testing.T) {
	begun := make(chan struct{})
	from, to := spokenWith(t, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	says := func(line string) {
		t.Helper()
		if _, err := io.WriteString(to, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	const (
		call   = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"do"}}`
		ping   = `{"jsonrpc":"2.0","id":%d,"method":"ping"}`
		cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`
	)
	go func() {
		says(strings.TrimSpace(begin("2025-03-26")))
		says(fmt.Sprintf(call, 7))
		<-begun
		says(fmt.Sprintf(cancel, 7))
		says(fmt.Sprintf(ping, 1))
		says("[" + fmt.Sprintf(call, 8) + "," + fmt.Sprintf(ping, 2) + "]")
		<-begun
		says(fmt.Sprintf(cancel, 8))
		says(fmt.Sprintf(ping, 3))
		_ = to.Close()
	}()
	var all strings.Builder
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			break
		}
		all.WriteString(line)
	}
	for id, want := range map[string]int{`"id":7`: 0, `"id":8`: 0, `"id":1,"result"`: 1, `"id":2,"result"`: 1, `"id":3,"result"`: 1} {
		if n := strings.Count(all.String(), id); n != want {
			t.Errorf("%d answers have %s, want %d: %s", n, id, want, all.String())
		}
	}
}

// Whatever was asked before a program's last word is answered before the connection ends.
func TestEndBehindRequests(t *testing.T) {
	const calls = 50
	from, to := spokenWith(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-leaving(ctx).Done() // each is under way when the program has said all
		return done(ctx, r)
	})
	go func() {
		_, _ = io.WriteString(to, begin("2025-06-18"))
		for id := range calls {
			_, _ = fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"do"}}`+"\n", id+1)
		}
		_, _ = fmt.Fprintf(to, `{"jsonrpc":"2.0","id":"last","method":"ping"}`) // without an end of its line
		_ = to.Close()
	}()
	answered := map[string]bool{}
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			break
		}
		var m spoken
		if json.Unmarshal([]byte(line), &m) != nil || m.Error != nil {
			t.Errorf("it was answered %s", line)
		}
		answered[idOf(m.ID)] = true
	}
	if len(answered) != calls+2 || !answered["text last"] {
		t.Errorf("%d of %d requests were answered", len(answered), calls+2)
	}
}

// The address of a resource is read with and without escapes.
func TestEscaped(t *testing.T) {
	for given, want := range map[string]string{
		"chalie://why/last":                   "chalie://why/last",
		"chalie://why-not/the front door":     "chalie://why-not/the%20front%20door",
		"chalie://why-not/the%20front%20door": "chalie://why-not/the%20front%20door",
		"chalie://why/Müller & Söhne?":        "chalie://why/M%C3%BCller%20%26%20S%C3%B6hne%3F",
		"chalie://why/a/b":                    "chalie://why/a%2Fb",
		"chalie://why/100%":                   "chalie://why/100%25",
		"chalie://world":                      "chalie://world",
		"other://why/x y":                     "other://why/x y",
	} {
		if got := escaped(given); got != want {
			t.Errorf("%s is %s, want %s", given, got, want)
		}
	}
}

// What no library answers in its own words has the same code over both transports.
func TestUnserved(t *testing.T) {
	for body, want := range map[string]string{
		`no JSON`:  "-32700",
		`{"id":1}`: "-32600",
		`{"jsonrpc":"2.0","id":1,"method":"none"}`:                             "-32601",
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}`:                 "-32601",
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}`: "-32601",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                       "",
		`{"jsonrpc":"2.0","method":"notifications/none"}`:                      "",
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                                 "",
	} {
		status, answer := unserved([]byte(body))
		if (status == 0) != (want == "") || !strings.Contains(string(answer), want) {
			t.Errorf("%s is answered %d %s, want %s", body, status, answer, want)
		}
	}
}
