package voices

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"chalie/commands/voice"
	"chalie/domain"
)

// Program is one that may be installed.
type Program struct {
	Path string // "" to look for it
	Dir  string // where the folders of its tasks are made; default: the system's
	Env  []string
}

// known is what is fixed of a program.
type known struct {
	name     string // as it is called
	packages string // of Debian, that bring it
}

// find is where a program is.
func (p Program) find(k known) (path string, missing string) {
	if p.Path != "" {
		return p.Path, ""
	}
	path, err := exec.LookPath(k.name)
	if err == nil {
		path, err = filepath.Abs(path) // the child's folder is another
	}
	if err != nil {
		return "", k.missing()
	}
	return path, ""
}

func (k known) missing() string {
	return fmt.Sprintf("%s isn't installed: apt-get install %s brings it", k.name, k.packages)
}

// Bounds of what a child writes.
const (
	maxOutput    = 32 << 20 // to its standard output
	maxComplaint = 2 << 10  // that is kept of its standard error
)

// task is one run of a program.
type task struct {
	known known
	path  string
	args  func(dir string) []string
	input []byte            // on its standard input
	files map[string][]byte // in its folder, beforehand
	env   []string
	dir   string // in which the folder is made
}

// run has the program do its task, and hands its folder to read before that is removed; read
// may be nil. The output is its standard output.
func (t task) run(ctx context.Context, read func(dir string) error) (output []byte, err error) {
	dir, err := os.MkdirTemp(t.dir, "chalie-voice-")
	if err != nil {
		return nil, t.failed("has no folder to work in", err)
	}
	defer func() {
		if removeErr := os.RemoveAll(dir); removeErr != nil && err == nil {
			err = t.failed("left a folder that can't be removed", removeErr)
		}
	}()
	for name, content := range t.files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, t.failed("has no room to work in", err)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var out, complaint bytes.Buffer
	written := &bounded{to: &out, left: maxOutput, over: stop}
	cmd := exec.CommandContext(ctx, t.path, t.args(dir)...)
	cmd.Dir = dir
	cmd.Env = append([]string{"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir}, t.env...)
	cmd.Stdin, cmd.Stdout = bytes.NewReader(t.input), written
	cmd.Stderr = &bounded{to: &complaint, left: maxComplaint, over: func() {}}
	cmd.WaitDelay = time.Second // a grandchild may hold the output open
	inGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, t.failed("can't be started", err)
	}
	bound(cmd.Process.Pid)
	err = cmd.Wait()
	killGroup(cmd.Process.Pid) // what it began and left behind
	switch {
	case written.left < 0:
		return nil, t.failed(fmt.Sprintf("wrote more than %d MiB and was ended", maxOutput>>20), nil)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, &domain.Error{Op: "run " + t.known.name, Category: domain.Dependency, Code: voice.CodeEngineSlow, Retriable: true, Err: ctx.Err(),
			Message: t.known.name + " had no end within its time and was killed: try again, with less at once"}
	case ctx.Err() != nil:
		return nil, &domain.Error{Op: "run " + t.known.name, Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(), Message: t.known.name + " was ended, as nobody waits for it"}
	case err != nil:
		return nil, t.failed(why(err, complaint.String()), err)
	case read != nil:
		if err := read(dir); err != nil {
			return nil, t.failed("left nothing that can be read", err)
		}
	}
	return out.Bytes(), nil
}

func (t task) failed(how string, err error) error {
	return &domain.Error{Op: "run " + t.known.name, Category: domain.Dependency, Code: voice.CodeEngineFailed, Retriable: true, Err: err,
		Message: fmt.Sprintf("%s %s: try again; if it stays so, install it anew: apt-get install --reinstall %s", t.known.name, how, t.known.packages)}
}

// why says how a program ended, with the last line that it complained with.
func why(err error, complaint string) string {
	how := "died"
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		how = fmt.Sprintf("ended with %d", exit.ExitCode())
	}
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(complaint, "")), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		const most = 200
		how += fmt.Sprintf(" (%.*s)", most, last)
	}
	return how
}

// bounded takes so many bytes. What is beyond is over's; the child goes on writing into nothing
// until it is ended.
type bounded struct {
	to   io.Writer
	left int
	over func()
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if n := min(len(p), max(b.left, 0)); n > 0 {
		if _, err := b.to.Write(p[:n]); err != nil {
			return 0, err
		}
	}
	if b.left -= len(p); b.left < 0 {
		b.over()
	}
	return len(p), nil
}

// readBounded is a file that a child wrote. A pipe in its place would be waited for without end.
func readBounded(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, f.Close(), fmt.Errorf("%s is no file", filepath.Base(name)))
	}
	content, err := io.ReadAll(io.LimitReader(f, maxOutput+1))
	if err = errors.Join(err, f.Close()); err == nil && len(content) > maxOutput {
		err = fmt.Errorf("it has more than %d MiB", maxOutput>>20)
	}
	return content, err
}

// spokenText is a text without what an engine may take for anything but words: control
// characters, and marks of phonemes.
func spokenText(text string) []byte {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune("[]<>\\|`", r) {
			return ' '
		}
		return r
	}, text)
	return []byte(text + "\n")
}
