package interfaces_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/interfaces"
	"chalie/commands"
	"chalie/domain"
)

const bound = 64 << 10

// until writes a text again and again, until the other side has had enough.
func until(w io.Writer, text string) bool {
	chunk := []byte(strings.Repeat(text, 1+32<<10/len(text)))
	for {
		if _, err := w.Write(chunk); err != nil {
			return false
		}
	}
}

// drip writes one byte now and then.
func drip(w io.Writer, text string, stop <-chan struct{}) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return false
		case <-tick.C:
			if _, err := io.WriteString(w, text); err != nil {
				return false
			}
		}
	}
}

func ok(header, body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + header + "\r\n" + body
}

// behaviours are what every call must survive, and how it must call it.
var behaviours = []struct {
	name    string
	code    domain.Code
	says    string
	patient bool // it ends by itself: the client needs no short timeout
	do      func(w io.Writer, stop <-chan struct{}) bool
}{
	{"no answer", commands.CodePeerUnknown, "took longer than", false, func(_ io.Writer, stop <-chan struct{}) bool { <-stop; return false }},
	{"slow header", commands.CodePeerUnknown, "took longer than", false, func(w io.Writer, stop <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nX-Slow: ")
		return drip(w, "x", stop)
	}},
	{"slow body", commands.CodePeerUnknown, "took longer than", false, func(w io.Writer, stop <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("", `{"status":"`))
		return drip(w, "x", stop)
	}},
	{"endless body", commands.CodePeerTooLarge, "more than", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("", `{"status":"`))
		return until(w, "x")
	}},
	{"endless chunks", commands.CodePeerTooLarge, "more than", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Transfer-Encoding: chunked\r\n", ""))
		return until(w, "4\r\nxxxx\r\n")
	}},
	{"100 MB announced", commands.CodePeerTooLarge, "more than", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Length: 104857600\r\n", ""))
		return until(w, " ")
	}},
	{"a page of 100 MB with an error", commands.CodePeerStatus, "500 Internal Server Error", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 500 Oops\r\nContent-Length: 104857600\r\n\r\n")
		return until(w, " ")
	}},
	{"huge headers", commands.CodePeerTooLarge, "header over the bound", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\n")
		return until(w, "X-Header: some value or other\r\n")
	}},
	{"one endless header", commands.CodePeerTooLarge, "header over the bound", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nX-Header: ")
		return until(w, "x")
	}},
	{"redirect", commands.CodePeerStatus, `302 Found to "http://169.254.169.254/latest"`, true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n")
		return true
	}},
	{"redirect that repeats the body", commands.CodePeerStatus, "307 Temporary Redirect", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 307 Again\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
		return true
	}},
	{"500", commands.CodePeerStatus, `500 Internal Server Error, saying "the database is gone"`, true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 500 Oops\r\nContent-Length: 33\r\n\r\n{\"error\":\"the database is gone\"}\n")
		return true
	}},
	{"HTML", commands.CodePeerBadJSON, "HTML page", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\nContent-Length: 6\r\n\r\n<html>")
		return true
	}},
	{"an image", commands.CodePeerBadJSON, `media type "image/png"`, true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 2\r\n\r\n{}")
		return true
	}},
	{"half a JSON text", commands.CodePeerBadJSON, "broken JSON", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Length: 9\r\n", `{"status"`))
		return true
	}},
	{"two JSON texts", commands.CodePeerBadJSON, "broken JSON", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Length: 4\r\n", `{}{}`))
		return true
	}},
	{"bytes", commands.CodePeerBadJSON, "not UTF-8", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Length: 3\r\n", "\"\xff\""))
		return true
	}},
	{"nothing", commands.CodePeerBadJSON, "nothing instead of JSON", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 204 No Content\r\n\r\n")
		return true
	}},
	{"compressed", commands.CodePeerBadJSON, "encoding", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"))
		return true
	}},
	{"another shape", commands.CodePeerBadShape, "another shape", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Length: 1\r\n", "7"))
		return true
	}},
	{"dies after the request", commands.CodePeerUnknown, "was asked and", true, func(io.Writer, <-chan struct{}) bool { return false }},
	{"dies in the header", commands.CodePeerUnknown, "was asked and", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-")
		return false
	}},
	{"dies in the body", commands.CodePeerUnknown, "began an answer and", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, ok("Content-Length: 1000\r\n", "{"))
		return false
	}},
	{"speaks something else", commands.CodePeerUnknown, "was asked and", true, func(w io.Writer, _ <-chan struct{}) bool {
		_, _ = io.WriteString(w, "SSH-2.0-OpenSSH_9.9\r\n")
		return false
	}},
}

func TestTrouble(t *testing.T) {
	for _, b := range behaviours {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			cfg := interfaces.Config{MaxDescriptionBytes: bound, MaxResultBytes: bound, MaxAnswerBytes: bound, Timeout: time.Minute, ExecuteTimeout: time.Minute}
			if !b.patient {
				cfg.Timeout, cfg.ExecuteTimeout = time.Second, time.Second
			}
			c := newClient(t, cfg)
			var wg sync.WaitGroup
			for name, call := range calls {
				if b.name == "another shape" && name == "pass" {
					continue // it is passed on as it is
				}
				r := newRude(t, b.do)
				wg.Go(func() {
					e := peerError(t, call(t.Context(), c, r.at), r.at)
					if e.Code != b.code || !strings.Contains(e.Message, b.says) {
						t.Errorf("%s: the error is %s: %v", name, e.Code, e)
					}
					if want := b.code == commands.CodePeerUnknown && !hasEffect(name); e.Retriable != want {
						t.Errorf("%s: retriable is %v", name, e.Retriable)
					}
					if n := r.requests.Load(); n != 1 {
						t.Errorf("%s: it was asked %d times", name, n)
					}
					// What the sockets' buffers hold is written, and never read.
					if n := r.written.Load(); n > 24<<20 {
						t.Errorf("%s: %d bytes were taken", name, n)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestShapes(t *testing.T) {
	for _, test := range []struct{ call, answer, field string }{
		{"health", `[]`, ""},
		{"health", `{}`, "status"},
		{"health", `{"status":1}`, "status"},
		{"health", `{"status":"ok","version":1.2}`, "version"},
		{"capabilities", `{}`, ""},
		{"capabilities", `null`, ""},
		{"capabilities", `[1]`, "[0]"},
		{"capabilities", `[{"name":"a"},{"name":2}]`, "[1].name"},
		{"capabilities", `[{"name":"a","parameters":{}}]`, "[0].parameters"},
		{"capabilities", `[{"name":"a","parameters":[{"name":"p","type":"string","required":"yes"}]}]`, "[0].parameters[0].required"},
		{"capabilities", `[{"name":"a","parameters":[{"name":"p","type":["string"]}]}]`, "[0].parameters[0].type"},
		{"capabilities", `[{"name":"a"},{"name":"a"}]`, ""},
		{"capabilities", `[{"name":"a","parameters":[{"name":"p","type":"date"}]}]`, ""},
		{"meta", `"x"`, ""},
		{"meta", `{"author":{}}`, "author"},
		{"meta", `{"scopes":[]}`, "scopes"},
		{"meta", `{"scopes":{"signals":["a"]}}`, "scopes.signals"},
		{"meta", `{"scopes":{"signals":{"":"nameless"}}}`, ""},
		{"render", `[]`, ""},
		{"render", `{"blocks":{}}`, "blocks"},
		{"render", `{"blocks":[{},"x"]}`, "blocks[1]"},
		{"execute", `[]`, ""},
		{"execute", `{"text":{}}`, "text"},
		{"execute", `{"error":true}`, "error"},
		{"execute", `{"blocks":[null]}`, "blocks[0]"},
		{"execute", `{"openUrl":7}`, "openUrl"},
		{"execute", `{"openUrl":""}`, "openUrl"},
		{"execute", `{"openUrl":"javascript:alert(1)"}`, "openUrl"},
		{"execute", `{"openUrl":"http:nohost"}`, "openUrl"},
		{"execute", `{"openUrl":"data:text/html,x"}`, "openUrl"},
		{"execute", `{"openUrl":" https://a.example"}`, "openUrl"},
		{"execute", `{"openUrl":"relative"}`, "openUrl"},
	} {
		at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, test.answer) })
		e := peerError(t, calls[test.call](t.Context(), newClient(t, interfaces.Config{}), at), at)
		if e.Code != commands.CodePeerBadShape || e.Field != test.field || !strings.Contains(e.Error(), test.field) || e.Retriable {
			t.Errorf("%s: the error is %s about %q: %v", test.answer, e.Code, e.Field, e)
		}
	}
}

// doubling is a schema of which each part refers to the next twice.
var doubling = func() string {
	parts := `"p14":{}`
	for n := range 14 {
		parts += fmt.Sprintf(`,"p%d":{"anyOf":[{"$ref":"#/$defs/p%[2]d"},{"$ref":"#/$defs/p%[2]d"}]}`, n, n+1)
	}
	return `{"type":"object","$defs":{` + parts + `},"$ref":"#/$defs/p0"}`
}()

// TestShapesAreTold checks that the message says which member it is, and what it
// must be: it is all that whoever writes the interface gets to see.
func TestShapesAreTold(t *testing.T) {
	for _, test := range []struct{ call, answer, says string }{
		{"health", `{}`, "status must be a string; it is missing"},
		{"capabilities", `{"tools":[]}`, "the answer must be an array, not an object"},
		{"capabilities", `null`, "the answer must be an array, not null"},
		{"capabilities", `[{"description":"d"}]`, "tool 1 of 1 has no name of 1 to 128 printable bytes"},
		{"capabilities", `[{"name":"a"},{"name":2}]`, "[1].name must be a string, not a number"},
		{"capabilities", `[{"name":"a"},{"name":"a"}]`, "two tools are named a: each needs a name of its own"},
		{"capabilities", `[{"name":"a","description":true}]`, `[0].description (of the tool "a") must be a string, not a boolean`},
		{"capabilities", `[{"name":"a","parameters":{}}]`, `[0].parameters (of the tool "a") must be an array, not an object`},
		{"capabilities", `[{"name":"a","parameters":[{"name":"p","type":["string"]}]}]`,
			`[0].parameters[0].type (of the tool "a") must be one of string, number, integer, boolean, object, array, any, not an array`},
		{"capabilities", `[{"name":"a","parameters":[{"name":"p","type":"date"}]}]`,
			`parameter p of tool a has the type "date"; it must be one of string, number, integer, boolean, object, array, any`},
		{"capabilities", `[{"name":"a","schema":{"type":"string"}}]`, `[0].schema (of the tool "a") must be a JSON Schema of an object`},
		{"capabilities", `[{"name":"a","schema":["p"]}]`, `[0].schema (of the tool "a") must be a JSON Schema of an object, not an array`},
		{"capabilities", `[{"name":"a","returns":` + doubling + `}]`, "tool a can't be used: with its references written out, the schema of its answers has more than 10000 parts, which is the bound. Whoever offers the tool has to make it simpler"},
		{"meta", `{"scopes":{"signals":["a"]}}`, "scopes.signals must be an object of strings, not an array"},
		{"execute", `[]`, "the answer must be an object, not an array"},
		{"execute", `{"text":7}`, "text must be a string, not a number"},
		{"execute", `{"blocks":[null]}`, "blocks[0] must be an object, not null"},
		{"execute", `{"openUrl":"javascript:alert(1)"}`, `openUrl must be a URL that begins with http://, https:// or /, not "javascript:alert(1)"`},
	} {
		at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, test.answer) })
		e := peerError(t, calls[test.call](t.Context(), newClient(t, interfaces.Config{}), at), at)
		if !strings.HasSuffix(e.Message, " in another shape: "+test.says) {
			t.Errorf("%s: the message is %s", test.answer, e.Message)
		}
	}
}

func TestUnhealthy(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"degraded"}`) })
	e := peerError(t, calls["health"](t.Context(), newClient(t, interfaces.Config{}), at), at)
	if e.Code != commands.CodePeerUnhealthy || !strings.Contains(e.Message, `"degraded"`) {
		t.Error(e)
	}
}

func TestNobodyThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := endpoint(t, listener.Addr())
	listener.Close()
	c := newClient(t, interfaces.Config{})
	for name, call := range calls {
		e := peerError(t, call(t.Context(), c, at), at)
		if e.Code != commands.CodePeerUnreachable || !e.Retriable {
			t.Errorf("%s: %s, %v", name, e.Code, e)
		}
	}
}

// TestGivenUp checks that a caller needn't wait for an interface that doesn't
// answer, and learns that the call had left.
func TestGivenUp(t *testing.T) {
	asked := make(chan struct{}, 1)
	r := newRude(t, func(_ io.Writer, stop <-chan struct{}) bool {
		asked <- struct{}{}
		<-stop
		return false
	})
	c := newClient(t, interfaces.Config{Timeout: time.Minute, ExecuteTimeout: time.Minute})
	for name, call := range calls {
		for _, cause := range []error{nil, commands.ErrCancelled} {
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-asked
				cancel(cause)
			}()
			e := peerError(t, call(ctx, c, r.at), r.at)
			if e.Code != commands.CodePeerUnknown || !strings.Contains(e.Message, "given up") || strings.Contains(e.Message, "may have been done") {
				t.Errorf("%s, for %v: %s, %v", name, cause, e.Code, e)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := r.requests.Load()
	if e := peerError(t, calls["execute"](ctx, c, r.at), r.at); e.Code != commands.CodePeerUnreachable || r.requests.Load() != before {
		t.Errorf("given up before: %s, %v", e.Code, e)
	}
}

// TestKeptConnectionsDie warms connections up that the interface then ends as soon
// as something comes over them.
func TestKeptConnectionsDie(t *testing.T) {
	const healthy = `{"status":"ok"}`
	var r *rude
	r = newRude(t, func(w io.Writer, _ <-chan struct{}) bool {
		if r.posts.Load() > 0 {
			return false
		}
		_, _ = fmt.Fprintf(w, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(healthy), healthy)
		return true
	})
	c := newClient(t, interfaces.Config{})
	for range 3 {
		if _, err := c.Health(t.Context(), r.at); err != nil {
			t.Fatal(err)
		}
	}
	for n := range int64(10) {
		for _, name := range []string{"execute", "pass"} {
			if e := peerError(t, calls[name](t.Context(), c, r.at), r.at); e.Code != commands.CodePeerUnknown || e.Retriable {
				t.Errorf("%s: %s, %v", name, e.Code, e)
			}
		}
		if got := r.posts.Load(); got != 2*(n+1) {
			t.Fatalf("%d calls were made as %d", 2*(n+1), got)
		}
	}
}
