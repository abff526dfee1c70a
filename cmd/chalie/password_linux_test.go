package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"chalie/domain/domaintest"
)

// terminal is a pair of devices: a program has one end, and we type at the other.
type terminal struct {
	t     *testing.T
	near  *os.File
	far   *os.File
	mu    sync.Mutex
	shown bytes.Buffer
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine has no terminals: %v", err)
	}
	number, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	far, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	tty := &terminal{t: t, near: near, far: far}
	var reading sync.WaitGroup
	reading.Go(func() {
		part := make([]byte, 1024)
		for {
			n, err := near.Read(part)
			tty.mu.Lock()
			tty.shown.Write(part[:n])
			tty.mu.Unlock()
			if err != nil {
				return // the last far end was closed
			}
		}
	})
	t.Cleanup(func() {
		_ = far.Close()
		reading.Wait()
		_ = near.Close()
	})
	return tty
}

func (tty *terminal) shows() string {
	tty.mu.Lock()
	defer tty.mu.Unlock()
	return tty.shown.String()
}

// echoes reports whether what is typed is shown.
func (tty *terminal) echoes() bool {
	state, err := unix.IoctlGetTermios(int(tty.far.Fd()), unix.TCGETS)
	return err != nil || state.Lflag&unix.ECHO != 0
}

// asks waits until a text was shown so many times, and what is typed isn't.
func (tty *terminal) asks(text string, times int) {
	tty.t.Helper()
	domaintest.Until(tty.t, fmt.Sprintf("it asks %q, and what is typed isn't shown", text), func() bool {
		return strings.Count(tty.shows(), text) >= times && !tty.echoes()
	})
}

func (tty *terminal) types(text string) {
	tty.t.Helper()
	if _, err := tty.near.WriteString(text); err != nil {
		tty.t.Fatal(err)
	}
}

// runs starts chalie password at the terminal.
func (tty *terminal) runs(data string) *exec.Cmd {
	tty.t.Helper()
	cmd := exec.CommandContext(tty.t.Context(), "chalie", "password", "--data", data)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty.far, tty.far, tty.far
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		tty.t.Fatal(err)
	}
	return cmd
}

// A typed password is nowhere to be seen, and the terminal is left as it was.
func TestPasswordIsTypedUnseen(t *testing.T) {
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	v.wants(201, "POST", "socket:/auth/register", `{"username":"ada","password":"longenough1"}`)
	tty := newTerminal(t)
	for i, c := range []struct {
		types []string
		code  int
		says  string
	}{
		{[]string{"battery staple\n", "battery staple\n"}, 0, "The password is set. Logged out: 1."},
		{[]string{"battery staple\n", "battery steeple\n"}, 1, "the two are not the same"},
		{[]string{"a third one\n", "\x03"}, 130, "the password stays as it was"},
	} {
		cmd := tty.runs(v.data)
		tty.asks("New password: ", i+1)
		tty.types(c.types[0])
		tty.asks("Once more: ", i+1)
		tty.types(c.types[1])
		_ = cmd.Wait() // how it ends is looked at
		domaintest.Until(t, fmt.Sprintf("the terminal shows %q", c.says), func() bool { return strings.Contains(tty.shows(), c.says) })
		if code, shown := cmd.ProcessState.ExitCode(), tty.shows(); code != c.code || !strings.Contains(shown, c.says) || strings.Contains(shown, "staple") || strings.Contains(shown, "third") {
			t.Fatalf("%q ends with %d, and the terminal shows %q", c.types, code, shown)
		}
		if !tty.echoes() {
			t.Errorf("%q leaves a terminal that shows nothing", c.types)
		}
	}
	v.wants(200, "POST", "/auth/login", `{"username":"ada","password":"battery staple"}`)
	v.stop()
}
