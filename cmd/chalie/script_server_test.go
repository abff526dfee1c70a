package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"chalie/adapters/unixsocket"
)

// patience is how long a script waits for what must come.
const patience = time.Minute

// server is a script's `chalie serve`.
type server struct {
	cmd     *exec.Cmd
	stderr  bytes.Buffer
	drained chan struct{} // closed when its output has ended
	hanging net.Conn

	programs map[string]*httptest.Server // interfaces that a script started, by name
}

type serverKey struct{}

func serverOf(ts *testscript.TestScript) *server {
	s, ok := ts.Value(serverKey{}).(*server)
	if !ok {
		ts.Fatalf("the script has no server")
	}
	return s
}

// cmdServe starts the program on ./data and a free port, and waits until it is
// ready, or with "! serve" until it can't become that because projections have
// stopped: serve [flag...]. It sets ADDR and, when the banner has the link, LINK
// and KEY; stdout holds the banner.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	s := serverOf(ts)
	if s.cmd != nil {
		ts.Fatalf("the server runs already")
	}
	s.stderr.Reset()
	s.drained = make(chan struct{})
	s.cmd = exec.Command("chalie", append([]string{"serve", "--addr", "127.0.0.1:0", "--data", "data"}, args...)...)
	s.cmd.Dir, s.cmd.Stderr = ts.MkAbs("."), &s.stderr
	s.cmd.Env = append(os.Environ(), "TMPDIR="+ts.Getenv("TMPDIR"), "GORACE="+ts.Getenv("GORACE"), "TZ=UTC")
	out, err := s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	ts.Defer(func() { s.kill() })
	banner := readBanner(out)
	go func() {
		defer close(s.drained)
		_, _ = io.Copy(io.Discard, out)
	}()
	_, err = io.WriteString(ts.Stdout(), banner)
	ts.Check(err)
	if !strings.Contains(banner, "Ctrl-C") {
		s.kill()
		ts.Fatalf("the server did not start: %s%s", banner, s.stderr.String())
	}
	ts.Setenv("ADDR", word(banner, "Address  "))
	ts.Setenv("HOSTPORT", strings.TrimPrefix(ts.Getenv("ADDR"), "http://"))
	link := word(banner, ts.Getenv("ADDR")+"/setup?key=")
	ts.Setenv("KEY", link)
	ts.Setenv("LINK", "")
	if link != "" {
		ts.Setenv("LINK", ts.Getenv("ADDR")+"/setup?key="+link)
	}
	if neg {
		ts.Check(waitAnswer(ts.Getenv("ADDR"), func(status int, body string) bool {
			return status == http.StatusServiceUnavailable && strings.Contains(body, "stopped")
		}))
		return
	}
	ts.Check(waitReady(ts.Getenv("ADDR")))
}

func readBanner(out io.Reader) string {
	var banner strings.Builder
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		banner.WriteString(line)
		if err != nil || strings.Contains(line, "Ctrl-C") {
			return banner.String()
		}
	}
}

// word is what follows a mark up to the next space.
func word(text, mark string) string {
	_, rest, ok := strings.Cut(text, mark)
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 {
		return ""
	}
	return fields[0]
}

func waitReady(addr string) error {
	return waitAnswer(addr, func(status int, _ string) bool { return status == http.StatusOK })
}

// waitAnswer asks whether the program is ready until the answer is the wanted one.
func waitAnswer(addr string, wanted func(status int, body string) bool) error {
	for deadline := time.Now().Add(patience); ; {
		resp, err := http.Get(addr + "/ready")
		if err == nil {
			var body []byte
			body, err = io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil && wanted(resp.StatusCode, string(body)) {
				return nil
			}
			err = errors.Join(err, errors.New(resp.Status))
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not ready: %w", err)
		}
	}
}

// cmdSignal sends the server INT, TERM, HUP or KILL: signal NAME.
func cmdSignal(ts *testscript.TestScript, _ bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": os.Kill}
	if len(args) != 1 || signals[args[0]] == nil {
		ts.Fatalf("usage: signal INT|TERM|HUP|KILL")
	}
	ts.Check(serverOf(ts).cmd.Process.Signal(signals[args[0]]))
}

// cmdEnds waits for the server and checks its exit code; -1 is an end by a
// signal: ends CODE. stderr holds what it wrote there.
func cmdEnds(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(strings.Join(args, " "))
	ts.Check(err)
	s := serverOf(ts)
	select {
	case <-s.drained:
	case <-time.After(patience):
		ts.Fatalf("the server did not end within %s: %s", patience, s.stderr.String())
	}
	code := s.wait()
	_, err = ts.Stderr().Write(s.stderr.Bytes())
	ts.Check(err)
	if code != want {
		ts.Fatalf("the server ended with %d, want %d: %s", code, want, s.stderr.String())
	}
}

// wait returns the exit code.
func (s *server) wait() int {
	<-s.drained
	// The code says how it ended.
	_ = s.cmd.Wait()
	code := s.cmd.ProcessState.ExitCode()
	s.cmd = nil
	if s.hanging != nil {
		s.hanging.Close()
		s.hanging = nil
	}
	return code
}

// kill ends what a script left running.
func (s *server) kill() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		s.wait()
	}
}

// cmdHang begins a request and does not finish it, so that the server has to
// wait for it: hang.
func cmdHang(ts *testscript.TestScript, _ bool, _ []string) {
	addr := strings.TrimPrefix(ts.Getenv("ADDR"), "http://")
	conn, err := net.Dial("tcp", addr)
	ts.Check(err)
	serverOf(ts).hanging = conn
	_, err = fmt.Fprintf(conn, "POST /auth/login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n", addr)
	ts.Check(err)
	// The server asks for the body once its handler reads: then it is under way.
	line, err := bufio.NewReader(conn).ReadString('\n')
	ts.Check(err)
	if !strings.Contains(line, "100") {
		ts.Fatalf("the server answered %q", line)
	}
}

// cmdClosed waits until the server takes no more connections: closed.
func cmdClosed(ts *testscript.TestScript, _ bool, _ []string) {
	addr := strings.TrimPrefix(ts.Getenv("ADDR"), "http://")
	for deadline := time.Now().Add(patience); ; {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		ts.Check(conn.Close())
		if time.Now().After(deadline) {
			ts.Fatalf("%s still takes connections", addr)
		}
	}
}

// cmdUp waits until a program answers on the socket of ./data: up.
func cmdUp(ts *testscript.TestScript, _ bool, _ []string) {
	client := unixsocket.Client(ts.MkAbs("data"))
	defer client.CloseIdleConnections()
	for deadline := time.Now().Add(patience); ; {
		resp, err := client.Get(unixsocket.BaseURL + "/ready")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(deadline) {
			ts.Fatalf("nobody answers: %v", err)
		}
	}
}
