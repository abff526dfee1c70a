//go:build linux

package unixsocket

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"chalie/domain"
)

func listen(t *testing.T, dir string) net.Listener {
	t.Helper()
	l, err := Listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// longDir is a data directory whose own socket path would be too long.
func longDir(t *testing.T) string {
	t.Helper()
	t.Setenv("TMPDIR", shortDir(t))
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// shortDir is a folder whose path leaves room for a socket's.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "us")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestServesHTTP(t *testing.T) {
	for name, dir := range map[string]string{"short path": shortDir(t), "long path": longDir(t)} {
		t.Run(name, func(t *testing.T) {
			l := listen(t, dir)
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "heard "+r.URL.Path)
			})}
			done := make(chan error, 1)
			go func() { done <- server.Serve(l) }()

			client := Client(dir)
			answer, err := client.Get(BaseURL + "/health")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			if err != nil || string(body) != "heard /health" {
				t.Errorf("answer is %q, %v", body, err)
			}
			_ = answer.Body.Close()
			client.CloseIdleConnections()

			path, err := Path(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(path) > maxPathBytes {
				t.Errorf("the path %s has %d bytes", path, len(path))
			}
			if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the folder's mode is %v, %v", info.Mode(), err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the socket's mode is %v, %v", info.Mode(), err)
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			<-done
			if _, err := os.Lstat(path); !os.IsNotExist(err) {
				t.Errorf("the socket is still there: %v", err)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	t.Run("never started", func(t *testing.T) {
		answer, err := Client(shortDir(t)).Get(BaseURL)
		if err == nil {
			_ = answer.Body.Close()
		}
		if domain.CodeOf(err) != CodeNotRunning || domain.CategoryOf(err) != domain.NotFound {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("left over", func(t *testing.T) {
		dir := shortDir(t)
		leaveSocket(t, dir)
		_, err := Dial(t.Context(), dir)
		if domain.CodeOf(err) != CodeNotRunning {
			t.Errorf("the error is %v", err)
		}
	})
}

// leaveSocket leaves what a killed server leaves.
func leaveSocket(t *testing.T, dir string) string {
	t.Helper()
	l, err := Listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.(*listener).UnixListener.Close(); err != nil {
		t.Fatal(err)
	}
	return l.(*listener).path
}

func TestStaleSocketIsReplaced(t *testing.T) {
	dir := shortDir(t)
	leaveSocket(t, dir)
	l := listen(t, dir)
	conn, err := Dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestSecondServerIsRefused(t *testing.T) {
	dir := shortDir(t)
	listen(t, dir)
	_, err := Listen(dir)
	if domain.CategoryOf(err) != domain.Conflict || !strings.Contains(err.Error(), "another Chalie answers") {
		t.Errorf("the error is %v", err)
	}
	if _, err := Dial(t.Context(), dir); err != nil {
		t.Errorf("the first one was harmed: %v", err)
	}
}

func TestCloseLeavesAnothersSocket(t *testing.T) {
	dir := shortDir(t)
	first := listen(t, dir)
	path := first.(*listener).path
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Fatal(err)
	}
	listen(t, dir)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if conn, err := Dial(t.Context(), dir); err != nil {
		t.Errorf("the second server lost its socket: %v", err)
	} else {
		_ = conn.Close()
	}
}

func TestFileInTheWay(t *testing.T) {
	dir := shortDir(t)
	path, err := Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(dir); domain.CodeOf(err) != "path_taken" {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "dear diary" {
		t.Errorf("the file is now %q, %v", text, err)
	}
}

func TestUnsafeFolder(t *testing.T) {
	t.Run("a link", func(t *testing.T) {
		dir := shortDir(t)
		if err := os.Symlink(t.TempDir(), filepath.Join(dir, "run")); err != nil {
			t.Fatal(err)
		}
		if _, err := Listen(dir); domain.CodeOf(err) != "unsafe_folder" {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("open to others", func(t *testing.T) {
		dir := shortDir(t)
		run := filepath.Join(dir, "run")
		if err := os.Mkdir(run, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(run, 0o777); err != nil {
			t.Fatal(err)
		}
		listen(t, dir)
		if info, err := os.Stat(run); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder's mode is %v, %v", info.Mode(), err)
		}
	})
	t.Run("another user's", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("only root can give a folder away")
		}
		dir := shortDir(t)
		run := filepath.Join(dir, "run")
		if err := errors.Join(os.Mkdir(run, 0o700), os.Chown(run, 12345, 12345)); err != nil {
			t.Fatal(err)
		}
		if _, err := Listen(dir); domain.CodeOf(err) != "unsafe_folder" {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestOneFolderOneSocket(t *testing.T) {
	dir := shortDir(t)
	link := filepath.Join(shortDir(t), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	want, err := Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{link, ".", dir + "/", dir + "/../" + filepath.Base(dir)} {
		if got, err := Path(way); err != nil || got != want {
			t.Errorf("Path(%q) is %q, %v; want %q", way, got, err, want)
		}
	}
}

func TestTrustedUser(t *testing.T) {
	for _, c := range []struct {
		name      string
		peer, own int
		want      bool
	}{
		{"the same user", 1000, 1000, true},
		{"root", 0, 1000, true},
		{"another user", 1001, 1000, false},
		{"a user to root's server", 1000, 0, false},
	} {
		if got := trustedUser(c.peer, c.own); got != c.want {
			t.Errorf("%s: trusted is %v", c.name, got)
		}
	}
}

func TestAcceptHangsUpOnOtherUsers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir := shortDir(t)
	l := listen(t, dir)
	// With the modes out of the way only the peer's user is left to tell.
	path := l.(*listener).path
	program := filepath.Join(dir, "caller")
	err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(path), 0o755), os.Chmod(path, 0o777), copyProgram(program))
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan struct{}, 1)
	served := make(chan struct{})
	go func() {
		defer close(served)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- struct{}{}
			_, _ = io.WriteString(conn, "come in")
			_ = conn.Close()
		}
	}()
	call := func(uid uint32) string {
		cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestCallFromAnotherProcess$")
		cmd.Env = append(os.Environ(), callPath+"="+path)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("the caller failed: %v\n%s", err, out)
		}
		return string(out)
	}
	if out := call(12345); !strings.Contains(out, `heard ""`) || len(accepted) > 0 {
		t.Errorf("another user got in: %s", out)
	}
	if out := call(0); !strings.Contains(out, `heard "come in"`) {
		t.Errorf("the same user was not let in: %s", out)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	<-served
}

// A server that another user runs is told nothing, wherever its socket stands.
func TestDialTellsAnothersServerNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir := shortDir(t)
	program := filepath.Join(dir, "caller")
	if err := errors.Join(os.Chmod(dir, 0o755), copyProgram(program), os.Mkdir(filepath.Join(dir, "run"), 0o700), os.Chown(filepath.Join(dir, "run"), 12345, 12345)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestServeFromAnotherProcess$")
	cmd.Env, cmd.Dir = append(os.Environ(), servePath+"="+filepath.Join(dir, "run", "chalie.sock")), "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if _, err := io.ReadFull(out, make([]byte, len("listening"))); err != nil {
		t.Fatal(err)
	}
	conn, err := Dial(t.Context(), dir)
	if err == nil {
		_ = conn.Close()
	}
	if domain.CodeOf(err) != CodeForeignServer || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("calling another user's server: %v", err)
	}
	// The server of the user who owns the data is root's to call.
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if conn, err = Dial(t.Context(), dir); err != nil {
		t.Fatalf("root calling the owner's server: %v", err)
	}
	_ = conn.Close()
}

// servePath names the socket a child of TestDialTellsAnothersServerNothing listens on.
const servePath = "UNIXSOCKET_TEST_SERVE"

func TestServeFromAnotherProcess(t *testing.T) {
	path := os.Getenv(servePath)
	if path == "" {
		t.Skip("runs as a child of another test")
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(os.Stdout, "listening")
	var held []net.Conn // until this process is killed
	for {
		if conn, err := l.Accept(); err == nil {
			held = append(held, conn) //nolint:staticcheck // or the collector would close it
		}
	}
}

// callPath names the socket a child of TestAcceptHangsUpOnOtherUsers calls.
const callPath = "UNIXSOCKET_TEST_PATH"

func TestCallFromAnotherProcess(t *testing.T) {
	path := os.Getenv(callPath)
	if path == "" {
		t.Skip("runs as a child of another test")
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// Being hung up on is an end or a reset, and either way nothing is heard.
	heard, _ := io.ReadAll(conn)
	fmt.Fprintf(os.Stdout, "heard %q\n", heard)
}

func copyProgram(to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}
