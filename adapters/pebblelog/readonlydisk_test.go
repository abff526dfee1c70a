//go:build unix

package pebblelog_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// mountedReadOnly is a file system that refuses whatever writes, as one that is mounted
// to be read does.
type mountedReadOnly struct {
	vfs.FS
	refused *atomic.Int64
}

func (m mountedReadOnly) no(op, name string) error {
	m.refused.Add(1)
	return &os.PathError{Op: op, Path: name, Err: syscall.EROFS}
}

func (m mountedReadOnly) Create(name string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, m.no("create", name)
}
func (m mountedReadOnly) OpenReadWrite(name string, _ vfs.DiskWriteCategory, _ ...vfs.OpenOption) (vfs.File, error) {
	return nil, m.no("open", name)
}
func (m mountedReadOnly) ReuseForWrite(_, name string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, m.no("reuse", name)
}
func (m mountedReadOnly) Link(_, name string) error   { return m.no("link", name) }
func (m mountedReadOnly) Remove(name string) error    { return m.no("remove", name) }
func (m mountedReadOnly) RemoveAll(name string) error { return m.no("remove", name) }
func (m mountedReadOnly) Rename(_, name string) error { return m.no("rename", name) }
func (m mountedReadOnly) MkdirAll(name string, _ os.FileMode) error {
	if _, err := m.Stat(name); err == nil {
		return nil
	}
	return m.no("mkdir", name)
}
func (m mountedReadOnly) Lock(name string) (io.Closer, error) { return nil, m.no("open", name) }

// On a read-only file system a log is read as anywhere, its write-ahead log included, and
// writing to it says what stands in the way.
func TestALogOnAReadOnlyFileSystem(t *testing.T) {
	for name, toTables := range map[string]bool{"in tables": true, "in the write-ahead log": false} {
		t.Run(name, func(t *testing.T) {
			dir := filled(t, 300, toTables)
			var refused atomic.Int64
			disk := mountedReadOnly{vfs.Default, &refused}
			_, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), FS: disk})
			if domain.CodeOf(err) != domain.CodeDiskFailed || !strings.Contains(err.Error(), "read-only file system") || strings.Contains(err.Error(), "in use") {
				t.Errorf("opening it for writing: %v", err)
			}
			before := refused.Load()
			first := open(t, pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), FS: disk, ReadOnly: true})
			defer first.Close()
			if n := refused.Load() - before; n != 1 {
				t.Errorf("reading tried to write %d times, want once, for the lock", n)
			}
			if recs := readAll(t, first); len(recs) != 300 {
				t.Errorf("it holds %d records, want 300", len(recs))
			}
			mustVerify(t, first)
		})
	}
}

// Somebody who writes there through another mount is noticed.
func TestAReadOnlyMountOfALogInUse(t *testing.T) {
	if os.Getenv(holdLock) != "" {
		l := open(t, pebblelog.Config{Dir: os.Getenv(holdLock), Clock: domaintest.NewClock(), Holder: "chalie serve"})
		defer l.Close()
		_, _ = os.Stdout.WriteString("held\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	dir := filled(t, 3, true)
	child := again(t, "TestAReadOnlyMountOfALogInUse", holdLock+"="+dir)
	var refused atomic.Int64
	_, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), FS: mountedReadOnly{vfs.Default, &refused}, ReadOnly: true})
	if domain.CodeOf(err) != "locked" || !strings.Contains(err.Error(), "chalie serve (process ") {
		t.Errorf("reading beside a writer: %v", err)
	}
	child()
	if _, err := os.Stat(filepath.Join(dir, "LOCK")); err != nil {
		t.Error(err)
	}
	l := open(t, pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), FS: mountedReadOnly{vfs.Default, &refused}, ReadOnly: true})
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// holdLock names the folder that a child of this test's process opens.
const holdLock = "PEBBLELOG_TEST_HOLD"

// again runs a test of this binary as a process of its own, until what it returns is
// called. It returns when the process has said its first line.
func again(t *testing.T, name, env string) (end func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+name+"$")
	cmd.Env = append(os.Environ(), env)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}
