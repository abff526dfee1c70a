package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/mcpclient"
	"chalie/commands"
	"chalie/domain"
)

// world is a client with one server that isn't added yet.
type world struct {
	t    *testing.T
	c    *mcpclient.Client
	book *known
	at   commands.Endpoint
	how  domain.MCPServer
	dir  string
}

func newWorld(t *testing.T, how domain.MCPServer, change func(*mcpclient.Config)) *world {
	t.Helper()
	w := &world{t: t, book: &known{}, at: commands.Endpoint{Server: domain.ID{1}}, how: how, dir: t.TempDir()}
	cfg := mcpclient.Config{Book: w.book, Dir: w.dir, Logger: slog.New(slog.DiscardHandler), Guard: []string{self(t), asGuard}}
	if change != nil {
		change(&cfg)
	}
	var err error
	if w.c, err = mcpclient.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.c.Close)
	return w
}

func self(tb testing.TB) string {
	tb.Helper()
	if runtime.GOOS != "linux" {
		tb.Skip("the guard counts on Linux only")
	}
	path, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

func behaving(t *testing.T, how string, more ...string) domain.MCPServer {
	t.Helper()
	return domain.MCPServer{Command: append([]string{self(t), asHostile, how}, more...)}
}

// add adds the server and accepts its tools.
func (w *world) add() *world {
	w.t.Helper()
	if err := w.c.Admit(w.t.Context(), w.at.Server, "hostile", w.how); err != nil {
		w.t.Fatal(err)
	}
	return w.accept()
}

func (w *world) accept() *world {
	w.t.Helper()
	tools, err := w.c.Capabilities(w.t.Context(), w.at)
	if err != nil {
		w.t.Fatal(err)
	}
	w.book.registry.Interfaces = map[domain.ID]*domain.Interface{w.at.Server: {ID: w.at.Server, Name: "hostile", Server: &w.how, Tools: tools}}
	return w
}

func (w *world) call() (commands.Result, error) {
	return w.c.Execute(w.t.Context(), w.at, commands.Call{Capability: "do", Params: json.RawMessage(`{}`), Key: "the key"})
}

// fails calls, and holds the error to a code and words.
func (w *world) fails(code domain.Code, words ...string) {
	w.t.Helper()
	_, err := w.call()
	saysSo(w.t, err, code, words...)
}

func saysSo(t *testing.T, err error, code domain.Code, words ...string) {
	t.Helper()
	if domain.CodeOf(err) != code {
		t.Fatalf("the error is %s: %v, want %s", domain.CodeOf(err), err, code)
	}
	for _, part := range words {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q doesn't say %q", err, part)
		}
	}
}

func TestServerThatHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	w := newWorld(t, behaving(t, hangs, l.Addr().String()), func(c *mcpclient.Config) { c.CallWithin = 20 * time.Millisecond }).add()
	w.fails(commands.CodePeerUnknown, "was silent for 20ms")
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if told, err := io.ReadAll(conn); string(told) != "cancelled" {
		t.Errorf("it was told %q, %v", told, err)
	}
}

// Of a server that reads nothing more a call, and whatever is asked beside it, is over in its time.
func TestServerThatReadsNothing(t *testing.T) {
	w := newWorld(t, behaving(t, ignores), func(c *mcpclient.Config) { c.CallWithin = 50 * time.Millisecond }).add()
	beside := make(chan error)
	go func() {
		_, err := w.c.Health(w.t.Context(), w.at)
		beside <- err
	}()
	_, err := w.c.Execute(t.Context(), w.at, commands.Call{Capability: "do", Params: json.RawMessage(`{"p":"` + strings.Repeat("x", 200<<10) + `"}`), Key: "k"})
	saysSo(t, err, commands.CodePeerUnknown, "hostile was asked")
	if err := <-beside; err == nil {
		t.Error("it is well")
	}
}

// A start that is waited for ends with the client, and with the server's removal.
func TestServerThatIsGivenUpWhileItStarts(t *testing.T) {
	for name, end := range map[string]func(*world){
		"closed":  func(w *world) { w.c.Close() },
		"removed": func(w *world) { w.c.Dismiss(w.at.Server) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = started.Close() }()
			w := newWorld(t, behaving(t, silent, started.Addr().String()), func(c *mcpclient.Config) { c.StartWithin = time.Hour })
			admitted := make(chan error)
			go func() { admitted <- w.c.Admit(w.t.Context(), w.at.Server, "hostile", w.how) }()
			conn, err := started.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			end(w)
			saysSo(t, <-admitted, commands.CodePeerUnreachable, "given up")
		})
	}
}

func TestServerThatTellsOfProgress(t *testing.T) {
	w := newWorld(t, behaving(t, progresses), func(c *mcpclient.Config) { c.CallWithin = 50 * time.Millisecond }).add()
	w.fails(commands.CodePeerUnknown, `it last said "step 1"`)
}

func TestServerThatDies(t *testing.T) {
	w := newWorld(t, behaving(t, dies), nil).add()
	w.fails(commands.CodePeerUnknown, "ended with 3", "out of cheese")
	// The next call waits for the pause that follows, and leaves nothing open.
	w.fails(commands.CodePeerUnreachable, "tried again in 1s")
}

func TestServerThatFloods(t *testing.T) {
	w := newWorld(t, behaving(t, floods), nil).add()
	w.fails(commands.CodePeerUnknown, "more than 1000 messages a second")
}

func TestServerThatAnswersTooMuch(t *testing.T) {
	newWorld(t, behaving(t, rambles), nil).add().fails(commands.CodePeerTooLarge, "the bound is 458752")
}

func TestServerWithHugeSchema(t *testing.T) {
	w := newWorld(t, behaving(t, swells), nil)
	saysSo(t, w.c.Admit(t.Context(), w.at.Server, "hostile", w.how), commands.CodePeerTooLarge, "more than 4194304 bytes")
}

func TestServerWithSchemaThatStandsForTooMuch(t *testing.T) {
	w := newWorld(t, behaving(t, doubles), nil)
	if err := w.c.Admit(t.Context(), w.at.Server, "hostile", w.how); err != nil {
		t.Fatal(err)
	}
	if out := w.c.LeftOut(w.at.Server); len(out) != 1 || out[0].Name != "do" || !strings.Contains(out[0].Why, "10000") {
		t.Errorf("it leaves out %+v", out)
	}
}

func TestServerThatSaysNothing(t *testing.T) {
	w := newWorld(t, behaving(t, silent), func(c *mcpclient.Config) { c.StartWithin = 50 * time.Millisecond })
	saysSo(t, w.c.Admit(t.Context(), w.at.Server, "hostile", w.how), commands.CodePeerUnreachable)
}

// A tool that changes isn't called until it is accepted as it is now.
func TestServerThatChangesItsTool(t *testing.T) {
	told := make(chan domain.ID, 8)
	w := newWorld(t, behaving(t, changes), func(c *mcpclient.Config) { c.Changed = func(id domain.ID) { told <- id } }).add()
	if _, err := w.call(); err != nil {
		t.Fatal(err)
	}
	<-told
	w.fails(commands.CodePeerForbidden, "no longer the tool that you accepted")
	w.accept()
	if _, err := w.call(); err != nil {
		t.Errorf("after it was accepted: %v", err)
	}
}

// What it answers is data, and what it would have a model told isn't taken at all.
func TestServerThatInstructs(t *testing.T) {
	w := newWorld(t, behaving(t, instructs), nil).add()
	r, err := w.call()
	if err != nil || r.Text == nil || !strings.Contains(*r.Text, "call pay") || r.Error != nil || r.Blocks != nil {
		t.Errorf("it answered %+v, %v", r, err)
	}
	meta, err := w.c.Meta(t.Context(), w.at)
	if text, _ := json.Marshal(meta); err != nil || strings.Contains(string(text), "Ignore") {
		t.Errorf("its meta is %s, %v", text, err)
	}
}

func TestServerGetsWhatIsNamed(t *testing.T) {
	how := behaving(t, shows)
	how.Env = []string{"NAMED"}
	environ := map[string]string{"NAMED": "yes", "SECRET": "no", "HOME": "elsewhere"}
	w := newWorld(t, how, func(c *mcpclient.Config) {
		c.Environ = func(name string) (string, bool) { v, ok := environ[name]; return v, ok }
	}).add()
	r, err := w.call()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(*r.Text) {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "HOME LANG NAMED PATH TMPDIR" || strings.Contains(*r.Text, "elsewhere") {
		t.Errorf("it gets %s:\n%s", got, *r.Text)
	}
	delete(environ, "NAMED")
	again := newWorld(t, how, func(c *mcpclient.Config) {
		c.Environ = func(name string) (string, bool) { v, ok := environ[name]; return v, ok }
	})
	saysSo(t, again.c.Admit(t.Context(), w.at.Server, "hostile", how), commands.CodePeerForbidden, "NAMED, which isn't set where Chalie runs")
}

// The guard ends a server that takes too much, with all that it started.
func TestServerThatTakesTooMuch(t *testing.T) {
	t.Run("processes", func(t *testing.T) {
		how := behaving(t, multiplies)
		how.Processes = 8
		newWorld(t, how, nil).add().fails(commands.CodePeerUnknown, "more processes than it may")
	})
	t.Run("memory", func(t *testing.T) {
		how := behaving(t, grows)
		how.Memory = domain.LeastMCPMemory
		newWorld(t, how, nil).add().fails(commands.CodePeerUnknown, "more memory than it may")
	})
}

// keeper listens for the process that a server leaves behind. there waits until that is
// connected, and what it returns until it has ended.
func keeper(t *testing.T) (address string, there func() (ends func())) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String(), func() func() {
		t.Helper()
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return func() { ended(t, conn) }
	}
}

func ended(t *testing.T, conn net.Conn) {
	t.Helper()
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset") {
		t.Errorf("the connection of what it left ends with %v", err)
	}
}

// Nothing is left of a server that ignores what it is told and whose child has left its
// session, whichever way the client ends.
func TestNothingIsLeft(t *testing.T) {
	t.Run("closed", func(t *testing.T) {
		address, there := keeper(t)
		w := newWorld(t, behaving(t, leavesChild, address), nil).add()
		if _, err := w.call(); err != nil {
			t.Fatal(err)
		}
		ends := there()
		w.c.Close()
		ends()
	})
	t.Run("removed", func(t *testing.T) {
		address, there := keeper(t)
		w := newWorld(t, behaving(t, leavesChild, address), nil).add()
		if _, err := w.call(); err != nil {
			t.Fatal(err)
		}
		ends := there()
		w.c.Dismiss(w.at.Server)
		ends()
		if left, err := os.ReadDir(w.dir); err != nil || len(left) > 0 {
			t.Errorf("its folder is left: %v, %v", left, err)
		}
	})
	t.Run("killed", func(t *testing.T) {
		address, there := keeper(t)
		program := exec.Command(self(t), asChalie, t.TempDir(), address)
		out, err := program.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		if said, err := io.ReadAll(io.LimitReader(out, int64(len("called")))); string(said) != "called" {
			t.Errorf("it says %s, %v", said, err)
		}
		ends := there()
		if err := program.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		ends()
		_ = program.Wait() // it was killed
	})
}

// asChalie is a program that adds a server, has it leave a child, and is killed.
const asChalie = "be-chalie"

func chalie(dir, address string) {
	path, _ := os.Executable()
	how := domain.MCPServer{Command: []string{path, asHostile, leavesChild, address}}
	book, at := &known{}, commands.Endpoint{Server: domain.ID{1}}
	c, err := mcpclient.New(mcpclient.Config{Book: book, Dir: dir, Logger: slog.New(slog.DiscardHandler), Guard: []string{path, asGuard}})
	if err == nil {
		err = c.Admit(context.Background(), at.Server, "hostile", how)
	}
	if err == nil {
		tools, _ := c.Capabilities(context.Background(), at)
		book.registry.Interfaces = map[domain.ID]*domain.Interface{at.Server: {ID: at.Server, Name: "hostile", Server: &how, Tools: tools}}
		_, err = c.Execute(context.Background(), at, commands.Call{Capability: "do", Params: json.RawMessage(`{}`), Key: "k"})
	}
	if err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
	os.Stdout.WriteString("called")
	select {}
}

// A log that came from elsewhere starts nothing: the right to is beside it, for this
// machine, this folder and this command.
func TestRightToStart(t *testing.T) {
	w := newWorld(t, behaving(t, instructs), nil).add()
	w.c.Close()
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*mcpclient.Config, *domain.MCPServer){
		"no right":            func(c *mcpclient.Config, _ *domain.MCPServer) { c.Dir = t.TempDir() },
		"a copied folder":     func(c *mcpclient.Config, _ *domain.MCPServer) { c.Dir = copied },
		"another command":     func(_ *mcpclient.Config, s *domain.MCPServer) { s.Command = append(slices.Clone(s.Command), "more") },
		"the same, once more": nil,
	} {
		how := w.how
		there := newWorld(t, how, func(c *mcpclient.Config) {
			if c.Dir = w.dir; change != nil {
				change(c, &how)
			}
		})
		there.book.registry.Interfaces = map[domain.ID]*domain.Interface{w.at.Server: {ID: w.at.Server, Name: "hostile", Server: &how}}
		_, err := there.c.Health(t.Context(), w.at)
		if change == nil {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		saysSo(t, err, commands.CodePeerForbidden, "add it here with the same name and command")
	}
}

// A server at a URL is sent the headers that were named, and bounded as a child is.
func TestServerAtURL(t *testing.T) {
	serving := httptest.NewServer(nil)
	defer serving.Close()
	var sent []string
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return echoer() }, nil)
	serving.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		inner.ServeHTTP(rw, r)
	})
	w := newWorld(t, domain.MCPServer{URL: serving.URL, Headers: []domain.MCPHeader{{Name: "Authorization", Value: "Bearer ${TOKEN}"}}}, func(c *mcpclient.Config) {
		c.Environ = func(name string) (string, bool) { return "t-" + name, true }
	}).add()
	r, err := w.c.Execute(t.Context(), w.at, commands.Call{Capability: "echo", Params: json.RawMessage(`{"text":"hello"}`), Key: "k"})
	if err != nil || *r.Text != "hello" {
		t.Errorf("it answered %+v, %v", r, err)
	}
	w.c.Close()
	serving.Close()
	for _, header := range sent {
		if header != "Bearer t-TOKEN" {
			t.Errorf("it was sent %q", sent)
			break
		}
	}
}

func TestURLsThatArentReached(t *testing.T) {
	var asked int
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer target.Close()
	elsewhere := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	huge := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(rw, `{"jsonrpc":"2.0","id":1,"result":"`+strings.Repeat("x", 10<<20)+`"}`)
	}))
	defer huge.Close()
	for url, words := range map[string]string{
		"http://169.254.169.254/mcp": "169.254.169.254", // what tells machines of a cloud their secrets
		elsewhere.URL:                "",
		huge.URL:                     "more than 4194304 bytes",
	} {
		w := newWorld(t, domain.MCPServer{URL: url}, nil)
		if err := w.c.Admit(t.Context(), w.at.Server, "there", w.how); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: the error is %v", url, err)
		}
	}
	if asked > 0 {
		t.Error("a redirect was followed")
	}
}
