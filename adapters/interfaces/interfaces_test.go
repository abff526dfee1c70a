package interfaces_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/interfaces"
	"chalie/commands"
	"chalie/domain"
)

// newClient trusts interfaces with so much.
func newClient(t *testing.T, cfg interfaces.Config) *interfaces.Client {
	t.Helper()
	c, err := interfaces.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func endpoint(t *testing.T, addr net.Addr) commands.Endpoint {
	t.Helper()
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		t.Fatalf("%v is no TCP address", addr)
	}
	return commands.Endpoint{Host: tcp.IP.String(), Port: tcp.Port}
}

// serve is an interface that keeps to HTTP.
func serve(t *testing.T, h http.HandlerFunc) commands.Endpoint {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return endpoint(t, server.Listener.Addr())
}

// rude is an interface that does what it likes with a connection.
type rude struct {
	at       commands.Endpoint
	requests atomic.Int64
	posts    atomic.Int64
	written  atomic.Int64
}

// newRude answers the requests of a connection one after the other, until do
// returns false. stop ends with the test.
func newRude(t *testing.T, do func(w io.Writer, stop <-chan struct{}) bool) *rude {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &rude{at: endpoint(t, listener.Addr())}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { r.converse(conn, do, stop) })
			wg.Go(func() { // one that is kept open ends with the test
				<-stop
				conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		close(stop)
		listener.Close()
		wg.Wait()
	})
	return r
}

func (r *rude) converse(conn net.Conn, do func(io.Writer, <-chan struct{}) bool, stop <-chan struct{}) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		r.requests.Add(1)
		if req.Method == http.MethodPost {
			r.posts.Add(1)
		}
		if !do(&counted{conn, &r.written}, stop) {
			return
		}
	}
}

type counted struct {
	io.Writer
	n *atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// calls is every method, as far as its error goes.
var calls = map[string]func(context.Context, *interfaces.Client, commands.Endpoint) error{
	"health": func(ctx context.Context, c *interfaces.Client, at commands.Endpoint) error {
		_, err := c.Health(ctx, at)
		return err
	},
	"capabilities": func(ctx context.Context, c *interfaces.Client, at commands.Endpoint) error {
		_, err := c.Capabilities(ctx, at)
		return err
	},
	"meta": func(ctx context.Context, c *interfaces.Client, at commands.Endpoint) error {
		_, err := c.Meta(ctx, at)
		return err
	},
	"render": func(ctx context.Context, c *interfaces.Client, at commands.Endpoint) error {
		_, err := c.Render(ctx, at)
		return err
	},
	"execute": func(ctx context.Context, c *interfaces.Client, at commands.Endpoint) error {
		_, err := c.Execute(ctx, at, commands.Call{Capability: "c", Key: "k"})
		return err
	},
	"pass": func(ctx context.Context, c *interfaces.Client, at commands.Endpoint) error {
		_, err := c.Pass(ctx, at, []byte(`{}`), "key")
		return err
	},
}

func hasEffect(call string) bool { return call == "execute" || call == "pass" }

func TestDescription(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Idempotency-Key") != "" || r.Method != http.MethodGet {
			t.Errorf("%s %s has an Idempotency-Key", r.Method, r.URL)
		}
		switch r.URL.Path {
		case "/health":
			// As net/http guesses it: text/plain.
			_, _ = io.WriteString(w, `{"status":"ok","name":"Luigi","more":1}`)
		case "/capabilities":
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = io.WriteString(w, `[{"name":"book","description":"Book a table","documentation":"All of it","returns":{"type": "object"},
				"parameters":[{"name":"seats","type":"integer","required":true,"description":"How many"},{"name":"note","type":"string"}]},
				{"name":"bare"}]`)
		case "/meta":
			_, _ = io.WriteString(w, `{"version":"2","description":"d","author":null,"scopes":{"signals":{"closed":"when it is"},"context":null}, "x":[1]}`)
		}
	})
	c := newClient(t, interfaces.Config{})
	if h, err := c.Health(t.Context(), at); err != nil || h != (commands.PeerHealth{Name: "Luigi"}) {
		t.Errorf("health is %+v, %v", h, err)
	}
	tools, err := c.Capabilities(t.Context(), at)
	text, _ := json.Marshal(tools)
	want := `[{"name":"book","description":"Book a table","documentation":"All of it","parameters":[` +
		`{"name":"seats","type":"integer","required":true,"description":"How many"},{"name":"note","type":"string","required":false,"description":""}],` +
		`"returns":{"type":"object"}},{"name":"bare","description":"","parameters":[]}]`
	if err != nil || string(text) != want {
		t.Errorf("capabilities are %s, %v", text, err)
	}
	m, err := c.Meta(t.Context(), at)
	if err != nil || m.Version != "2" || m.Description != "d" || m.Author != "" || m.Scopes.Signals["closed"] != "when it is" || m.Scopes.Context != nil ||
		string(m.Raw) != `{"version":"2","description":"d","author":null,"scopes":{"signals":{"closed":"when it is"},"context":null},"x":[1]}` {
		t.Errorf("meta is %+v, %v", m, err)
	}
}

func TestNoMeta(t *testing.T) {
	at := serve(t, http.NotFound)
	if m, err := newClient(t, interfaces.Config{}).Meta(t.Context(), at); m != nil || err != nil {
		t.Errorf("no meta is %+v, %v", m, err)
	}
}

func TestExecute(t *testing.T) {
	var answer string
	var got []string
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = []string{r.Method, r.URL.Path, r.Header.Get("Idempotency-Key"), r.Header.Get("Content-Type"), string(body)}
		_, _ = io.WriteString(w, answer)
	})
	c := newClient(t, interfaces.Config{})
	for _, test := range []struct {
		name, answer, want string
		call               commands.Call
		sent               string
	}{
		{
			"everything", `{"text":"done","data":{"n": 12345678901234567890},"error":null,"blocks":[{"type":"x","n":12345678901234567890}],"openUrl":"https://a.example/b","html":"<p>","css":"p{}","title":"T","accent_color":"red"}`,
			`{"Text":"done","Data":{"n":12345678901234567890},"Error":null,"Blocks":[{"n":12345678901234567890,"type":"x"}],"OpenURL":"https://a.example/b","Card":{"html":"\u003cp\u003e","css":"p{}","scope_id":"","title":"T","accent_color":null}}`,
			commands.Call{Capability: "book", Params: json.RawMessage(`{"who":"<Ada> & co"}`), Key: "key-1"},
			`{"capability":"book","params":{"who":"<Ada> & co"}}`,
		},
		{
			"data that is a list", `{"data":[{"id": 1}, "two"]}`, `{"Text":null,"Data":[{"id":1},"two"],"Error":null,"Blocks":null,"OpenURL":null,"Card":null}`,
			commands.Call{Capability: "book", Key: "key-5"}, `{"capability":"book","params":{}}`,
		},
		{
			"data that is a text", `{"data":"{}"}`, `{"Text":null,"Data":"{}","Error":null,"Blocks":null,"OpenURL":null,"Card":null}`,
			commands.Call{Capability: "book", Key: "key-6"}, `{"capability":"book","params":{}}`,
		},
		{
			"data that is a number", `{"data": 12345678901234567890}`, `{"Text":null,"Data":12345678901234567890,"Error":null,"Blocks":null,"OpenURL":null,"Card":null}`,
			commands.Call{Capability: "book", Key: "key-7"}, `{"capability":"book","params":{}}`,
		},
		{
			"data that is false", `{"data":false}`, `{"Text":null,"Data":false,"Error":null,"Blocks":null,"OpenURL":null,"Card":null}`,
			commands.Call{Capability: "book", Key: "key-8"}, `{"capability":"book","params":{}}`,
		},
		{
			"nothing", `{}`, `{"Text":null,"Data":null,"Error":null,"Blocks":null,"OpenURL":null,"Card":null}`,
			commands.Call{Capability: "book", Key: "key-2"}, `{"capability":"book","params":{}}`,
		},
		{
			"its own failure", `{"text":null,"data":null,"error":"no table left"}`, `{"Text":null,"Data":null,"Error":"no table left","Blocks":null,"OpenURL":null,"Card":null}`,
			commands.Call{Capability: "book", Key: "key-3"}, `{"capability":"book","params":{}}`,
		},
		{
			"JSON in text", `{"text":"{\"a\": 1}","error":"","blocks":[],"openUrl":"/here"}`, `{"Text":"{\"a\": 1}","Data":null,"Error":null,"Blocks":[],"OpenURL":"/here","Card":null}`,
			commands.Call{Capability: "book", Key: "key-4"}, `{"capability":"book","params":{}}`,
		},
	} {
		answer = test.answer
		r, err := c.Execute(t.Context(), at, test.call)
		text, _ := json.Marshal(r)
		if err != nil || string(text) != test.want {
			t.Errorf("%s: the result is %s, %v", test.name, text, err)
		}
		if want := strings.Join([]string{"POST", "/execute", test.call.Key, "application/json", test.sent}, " "); strings.Join(got, " ") != want {
			t.Errorf("%s: sent %q, want %q", test.name, got, want)
		}
	}
	got = nil
	_, err := c.Execute(t.Context(), at, commands.Call{Capability: "book", Params: json.RawMessage(`{`)})
	if domain.CategoryOf(err) != domain.Validation || got != nil {
		t.Errorf("broken parameters: %v, sent %q", err, got)
	}
}

func TestRendering(t *testing.T) {
	media, answer, status := "", "", http.StatusOK
	var sent string
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = r.Method + " " + r.URL.Path + " " + string(body)
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	})
	c := newClient(t, interfaces.Config{})
	media, answer = "application/json", `{ "blocks": [{"type":"x"}], "other": 1 }`
	if r, err := c.Render(t.Context(), at); err != nil || r.MediaType != media || string(r.Body) != answer || sent != "GET / " {
		t.Errorf("rendered %+v, %v, sent %q", r, err, sent)
	}
	body := `{ "capability":"x" }`
	if r, err := c.Pass(t.Context(), at, []byte(body), "key"); err != nil || r.MediaType != media || string(r.Body) != answer || sent != "POST /execute "+body {
		t.Errorf("passed %+v, %v, sent %q", r, err, sent)
	}
	media, answer = "text/html; charset=utf-8", `<p>legacy`
	if r, err := c.Render(t.Context(), at); err != nil || r.MediaType != "text/html" || string(r.Body) != answer {
		t.Errorf("rendered %+v, %v", r, err)
	}
	if _, err := c.Pass(t.Context(), at, []byte(body), "key"); domain.CodeOf(err) != commands.CodePeerBadJSON {
		t.Errorf("a page instead of a result: %v", err)
	}
	media, answer = "application/json", "\ufeff"+`{"text":"ok"}`
	if r, err := c.Pass(t.Context(), at, []byte(body), "key"); err != nil || string(r.Body) != `{"text":"ok"}` {
		t.Errorf("with a byte order mark: %+v, %v", r, err)
	}
	media, answer, status = "application/json", `{"error":"out of\norder"}`, http.StatusBadGateway
	_, err := c.Pass(t.Context(), at, []byte(body), "key")
	if domain.CodeOf(err) != commands.CodePeerStatus || !strings.Contains(err.Error(), `502 Bad Gateway, saying "out of\norder"`) {
		t.Errorf("a refusal: %v", err)
	}
}

// Whoever asks says how much of an answer they take, and makes room for it before it is
// decoded.
func TestIntake(t *testing.T) {
	many := `{"blocks":[` + strings.Repeat(`{"type":"text"},`, 999) + `{}]}` // of three parts each
	at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, many) })
	c := newClient(t, interfaces.Config{})
	var taken int64
	full := &domain.Error{Category: domain.Dependency, Code: "busy", Retriable: true, Message: "there is no room"}
	for _, name := range []string{"render", "pass", "execute"} {
		ask := func(in commands.Intake) error { return calls[name](commands.WithIntake(t.Context(), in), c, at) }
		taken = 0
		if err := ask(commands.Intake{Take: func(n int64) error { taken += n; return nil }}); err != nil {
			t.Error(err)
		}
		if least := int64(4*len(many) + 256*3000); taken < least || taken > 2*least {
			t.Errorf("%s takes %d, of an answer of %d bytes", name, taken, len(many))
		}
		for most := range int64(2) { // while it comes, and before it is decoded
			taken = 0
			err := ask(commands.Intake{Take: func(n int64) error {
				if taken += n; taken > most*4*int64(len(many)) {
					return full
				}
				return nil
			}})
			if domain.CodeOf(err) != "busy" || domain.IsRetriable(err) == hasEffect(name) {
				t.Errorf("%s without room: %v", name, err)
			}
		}
		for _, in := range []commands.Intake{{Bytes: 1000}, {Parts: 1000}} {
			if err := ask(in); domain.CodeOf(err) != commands.CodePeerTooLarge {
				t.Errorf("%s of %+v: %v", name, in, err)
			}
		}
	}
	many = `{"blocks":[` + strings.Repeat(`{},`, 10000) + `{}]}`
	for _, name := range []string{"render", "pass", "execute"} {
		if err := calls[name](t.Context(), c, at); domain.CodeOf(err) != commands.CodePeerTooLarge {
			t.Errorf("%s of what nobody asked for so many of: %v", name, err)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, cfg := range []interfaces.Config{{Timeout: -1}, {ExecuteTimeout: -1}, {MaxHeaderBytes: -1}, {MaxResultBytes: -1}, {Allow: prefixes("::ffff:1.2.3.4/128")}} {
		if _, err := interfaces.New(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestManyAtOnce is for the race detector.
func TestManyAtOnce(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"ok"}`) })
	c := newClient(t, interfaces.Config{Timeout: time.Minute, ExecuteTimeout: time.Minute})
	var wg sync.WaitGroup
	for range 64 {
		for name, call := range calls {
			if name == "capabilities" {
				continue // an array
			}
			wg.Go(func() {
				if err := call(t.Context(), c, at); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	wg.Wait()
}

// peerError is err, which must say where the interface is.
func peerError(t *testing.T, err error, at commands.Endpoint) *domain.Error {
	t.Helper()
	e, ok := errors.AsType[*domain.Error](err)
	if !ok {
		t.Errorf("the error is %v", err)
		return &domain.Error{}
	}
	if !strings.Contains(e.Message, at.Host) || e.Op == "" {
		t.Errorf("%q doesn't say where", e.Error())
	}
	if len(e.Message) > 1000 {
		t.Errorf("the message has %d bytes", len(e.Message))
	}
	return e
}
