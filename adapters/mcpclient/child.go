package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// childPath is where a child finds programs unless its person names PATH.
const childPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// maxStderr is how much of what a child writes beside the protocol is remembered, its end: a
// stack trace with the message before it.
const maxStderr = 32 << 10

// startChild starts a server's command behind a guard.
func (c *Client) startChild(id domain.ID, server domain.MCPServer) func(context.Context, *session) (mcp.Transport, error) {
	return func(_ context.Context, s *session) (mcp.Transport, error) {
		const op = "start an MCP server"
		if len(c.cfg.Guard) == 0 {
			return nil, failure(op, commands.CodePeerForbidden, s.name+" is a command, and this Chalie starts none", nil)
		}
		dir := c.rights.folderOf(id)
		if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
			return nil, failure(op, commands.CodePeerUnreachable, "the folder of "+s.name+" can't be made: see that Chalie may write in its data directory", err)
		}
		env, err := c.environment(s.name, dir, server.Env)
		if err != nil {
			return nil, err
		}
		child, err := c.start(id, server, dir, env, s)
		if err != nil {
			return nil, failure(op, commands.CodePeerUnreachable, s.name+" can't be started: "+err.Error(), err)
		}
		s.end = child.stop
		reader := newMetered(child.stdout, c.cfg.MaxMessageBytes, c.cfg.Messages, func(err error) {
			s.misbehaved(err)
			child.kill()
		})
		to := &timely{to: child.stdin, within: c.cfg.CallWithin, late: func() {
			s.because(commands.CodePeerUnknown, fmt.Sprintf("it read nothing of what it was sent for %s, so it was ended: see what keeps it busy", c.cfg.CallWithin))
			child.kill()
		}}
		return over(s.wire, reader, to, c.cfg.MaxMessageBytes), nil
	}
}

// timely writes to a child that reads. The library writes without looking at any context, so a child
// that doesn't read would hold up whoever asks it something.
type timely struct {
	to     io.WriteCloser // a pipe
	within time.Duration  // for the child to take a message
	late   func()
}

// Write implements io.Writer.
func (w *timely) Write(p []byte) (int, error) {
	if bounded, ok := w.to.(interface{ SetWriteDeadline(time.Time) error }); ok {
		if err := bounded.SetWriteDeadline(time.Now().Add(w.within)); err != nil {
			return 0, err
		}
	}
	n, err := w.to.Write(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.late()
	}
	return n, err
}

// Close implements io.Closer.
func (w *timely) Close() error { return w.to.Close() }

// environment is all that a child gets: its folder, a path, and what its person named.
func (c *Client) environment(name, dir string, named []string) ([]string, error) {
	env := []string{"PATH=" + childPath, "HOME=" + dir, "TMPDIR=" + filepath.Join(dir, "tmp"), "LANG=C.UTF-8"}
	for _, variable := range named {
		value, ok := c.cfg.Environ(variable)
		if !ok {
			return nil, failure("start an MCP server", commands.CodePeerForbidden,
				fmt.Sprintf("%s is to get the variable %s, which isn't set where Chalie runs: set it there, and start Chalie again", name, variable), nil)
		}
		env = append(env, variable+"="+value) // the last one of a name counts
	}
	return env, nil
}

// child is a guard with the server behind it.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	life   *os.File // while it is open the guard lets the server live
	said   *tail
	group  Group

	exited chan struct{}
	once   sync.Once
}

func (c *Client) start(id domain.ID, server domain.MCPServer, dir string, env []string, s *session) (*child, error) {
	memory, processes := server.Memory, server.Processes
	if memory == 0 {
		memory = domain.DefaultMCPMemory
	}
	if processes == 0 {
		processes = domain.DefaultMCPProcesses
	}
	args := slices.Concat(c.cfg.Guard[1:], []string{strconv.FormatInt(memory, 10), strconv.Itoa(processes)}, server.Command)
	cmd := exec.Command(c.cfg.Guard[0], args...) //nolint:gosec,noctx // the person's own command; it outlives the request that starts it
	cmd.Dir, cmd.Env = dir, env
	ch := &child{cmd: cmd, said: &tail{}, exited: make(chan struct{})}
	cmd.Stderr = ch.said
	var err error
	if ch.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// A pipe of its own: one of the command's would be closed when it ends, read or not.
	stdout, writes, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdout.Close(), writes.Close())
	}
	ch.stdout, ch.life, cmd.Stdout, cmd.WaitDelay = stdout, ours, writes, time.Second
	cmd.ExtraFiles = []*os.File{theirs}
	if c.cfg.Groups != nil {
		if ch.group, err = c.cfg.Groups("chalie-mcp-"+id.String(), memory, processes); err != nil {
			ch.group = nil // the guard bounds it alone
		}
	}
	place(cmd, ch.group)
	began := make(chan error, 1)
	go ch.run(began, s)
	err = <-began
	err = errors.Join(err, theirs.Close(), writes.Close())
	if err != nil {
		return nil, errors.Join(err, ours.Close(), stdout.Close())
	}
	return ch, nil
}

// run starts the child and waits for it on one thread, because on Linux the child is told of
// the end of the thread that started it.
func (ch *child) run(began chan<- error, s *session) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := ch.cmd.Start(); err != nil {
		began <- err
		close(ch.exited)
		return
	}
	began <- nil
	err := ch.cmd.Wait()
	state := ch.cmd.ProcessState
	endGroup(ch.cmd.Process.Pid)
	if ch.group != nil {
		_ = ch.group.Kill() // it is empty, or was left by a guard that was killed
		_ = ch.group.Remove()
	}
	s.because(commands.CodePeerUnknown, ch.end(state, err))
	close(ch.exited)
}

// end says how a child ended, and what it said last.
func (ch *child) end(state *os.ProcessState, err error) string {
	how := "it ended"
	switch {
	case state == nil:
		how += " (" + err.Error() + ")"
	case state.ExitCode() == exitMemory:
		how = "it was ended, because it took more memory than it may"
	case state.ExitCode() == exitProcesses:
		how = "it was ended, because it ran more processes than it may"
	case state.ExitCode() == exitNoStart:
		how = "its command couldn't be started"
	case state.ExitCode() >= 0:
		how = fmt.Sprintf("it ended with %d", state.ExitCode())
	default:
		how = "it was ended by " + state.String()
	}
	if said := ch.said.text(); said != "" {
		how += ", saying " + quoted(said)
	}
	return how
}

// stop asks the server to end, by the end of its input, and ends it after endsWithin.
func (ch *child) stop() error {
	ch.once.Do(func() { _ = ch.stdin.Close() })
	select {
	case <-ch.exited:
	case <-time.After(endsWithin):
		ch.kill()
		<-ch.exited
	}
	return errors.Join(ignored(ch.life.Close()), ignored(ch.stdout.Close()))
}

// kill has the guard end everything at once.
func (ch *child) kill() { _ = ch.life.Close() }

func ignored(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-maxStderr):]...)
	if over := len(t.last) - maxStderr; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	return len(p), nil
}

// text is the line that says why a child ended.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return lastWords(string(t.last))
}

// traced are lines that say where a program was when it broke, or that it ended, and not why:
// frames of .NET, Java and Node, the ends of their blocks, Python's files, Go's routines and
// Rust's hints.
var traced = regexp.MustCompile(`^(?:at \S.*|\.\.\. \d+ (?:more|common frames omitted)|--- End of .*|File ".*|Node\.js v\d\S*|` +
	`goroutine \d+ .*|\[signal .*|created by .*|\S+\(.*\)|\S+:\d+(?: \+0x[0-9a-f]+)?|exit status \d+|note: .*RUST_BACKTRACE.*|Aborted(?: \(core dumped\))?|\})$`)

// uncaught is the beginning of what a runtime says of an error that nobody caught.
var uncaught = regexp.MustCompile(`^(?:Unhandled exception|Exception in thread|Caused by: |panic: |fatal error: |(?:Uncaught )?[\w.$]*(?:Error|Exception)\b.*:)`)

// lastWords is the last line that says something. Before a stack trace that is the message of
// the error: its first line, when it has several.
func lastWords(text string) string {
	lines := slices.DeleteFunc(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), func(l string) bool { return strings.TrimSpace(l) == "" })
	at, within := len(lines)-1, false
	for ; at >= 0; at-- {
		line := strings.TrimSpace(lines[at])
		// Node writes the members of an error in braces behind the last frame.
		within = line == "}" || within && !strings.HasSuffix(line, "{")
		if !within && !traced.MatchString(line) {
			break
		}
	}
	switch {
	case len(lines) == 0:
		return ""
	case at < 0:
		return strings.TrimSpace(lines[len(lines)-1])
	case at == len(lines)-1:
		return strings.TrimSpace(lines[at])
	}
	for i := at; i >= 0 && !traced.MatchString(strings.TrimSpace(lines[i])); i-- {
		if uncaught.MatchString(lines[i]) {
			return lines[i]
		}
	}
	return strings.TrimSpace(lines[at])
}
