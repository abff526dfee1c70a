package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// confinement is what a program of a test may take of memory. Where control groups
// can be made the kernel ends a program that takes more, as it would in a container;
// elsewhere the program is told its bound, and its own peak is held against it.
type confinement struct {
	t       *testing.T
	bytes   int
	group   string // the control group's folder; "" where none can be made
	program string // the plain program: under the race detector one takes many times as much
}

// plainProgram builds the program as people run it, whatever the tests were built for.
func plainProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chalie")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return path
}

// TestSizeOfTheProgram holds what a person downloads and every machine keeps.
func TestSizeOfTheProgram(t *testing.T) {
	const most = 75_000_000
	info, err := os.Stat(plainProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the program has %d bytes", info.Size())
	if info.Size() > most {
		t.Errorf("the program has %d bytes, the bound is %d: look what the last dependency brought, by go tool nm -size -sort size", info.Size(), most)
	}
}

func confine(t *testing.T, bytes int) *confinement {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("what a process takes is only known on Linux")
	}
	c := &confinement{t: t, bytes: bytes, program: os.Getenv("CHALIE_ATTACKED")}
	if c.program == "" {
		c.program = plainProgram(t)
	}
	group, err := newMemoryGroup(bytes)
	if err != nil {
		t.Logf("no control group can be made here, so no kernel enforces %d MiB; the program is told, and its peak is measured: %v", bytes>>20, err)
		return c
	}
	c.group = group
	t.Logf("the kernel enforces %d MiB in %s", bytes>>20, group)
	t.Cleanup(func() { _ = os.Remove(group) })
	return c
}

// groups is where the kernel shows the control groups.
const groups = "/sys/fs/cgroup"

// newMemoryGroup makes a control group below this process's own, by either version.
func newMemoryGroup(bytes int) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("chalie-test-%d", os.Getpid())
	limit := strconv.Itoa(bytes)
	var failures []error
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		var dir string
		var limits map[string]string
		switch {
		case len(parts) != 3:
			continue
		case parts[1] == "memory":
			dir = filepath.Join(groups, "memory", parts[2], name)
			limits = map[string]string{"memory.limit_in_bytes": limit}
		case parts[1] == "":
			dir = filepath.Join(groups, parts[2], name)
			limits = map[string]string{"memory.max": limit}
		default:
			continue
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			failures = append(failures, err)
			continue
		}
		for file, value := range limits {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), []byte(value), 0o644)) //nolint:gosec // files of the kernel
		}
		if err == nil {
			// Where there is swap it would hide what is taken.
			for _, file := range []string{"memory.memsw.limit_in_bytes", "memory.swap.max"} {
				_ = os.WriteFile(filepath.Join(dir, file), []byte(map[bool]string{true: "0", false: limit}[file == "memory.swap.max"]), 0o644) //nolint:gosec // files of the kernel
			}
			return dir, nil
		}
		failures = append(failures, err)
		_ = os.Remove(dir)
	}
	return "", errors.Join(append(failures, errors.New("/proc/self/cgroup names none that can be used"))...)
}

// serve starts the program inside.
func (c *confinement) serve(data string, flags ...string) *victim {
	c.t.Helper()
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--data", data, "--json"}, flags...)
	cmd := exec.Command(c.program, args...)
	cmd.Env = os.Environ()
	if c.group != "" {
		cmd = exec.Command("sh", append([]string{"-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, c.group, c.program}, args...)...)
		cmd.Env = os.Environ()
	} else {
		cmd.Env = append(cmd.Env, "GOMEMLIMIT="+strconv.Itoa(c.bytes-c.bytes/4))
	}
	return begun(c.t, data, cmd)
}

// holds expects the program to live, and to have stayed within its bound.
func (c *confinement) holds(v *victim, after string) {
	c.t.Helper()
	peak, now := v.memory("VmHWM"), v.memory("VmRSS")
	c.t.Logf("after %s: %d MiB now, %d MiB at most", after, now>>20, peak>>20)
	if c.group == "" && peak > c.bytes {
		c.t.Errorf("after %s it has taken %d MiB at most, the bound is %d", after, peak>>20, c.bytes>>20)
	}
}
