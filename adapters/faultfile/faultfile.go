// Package faultfile keeps what a fault that ends the program leaves: a panic that nobody recovers,
// a stack that overflows, a map that two write to. A program that is killed leaves nothing, so the
// next start can tell the two apart.
//
// The runtime appends its words to the file behind its first line, which says what was being read.
// Nothing is synced: a fault of the program leaves the machine's cache alone, and one of the machine
// is none of the program's. There is one file for a process, as there is one crash output; the last
// one opened has it.
package faultfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"chalie/commands/reasoning"
	"chalie/domain"
)

// The files of the data directory: of this process, and of the last one that a fault ended.
const (
	name = "FAULT"
	last = "FAULT.last"
)

// maxRead bounds what is read of a fault: the runtime prints a hundred frames of one stack.
const maxRead = 1 << 20

// File is the faults of a process, and of the one before it.
type File struct {
	f     *os.File
	trace domain.TraceID // that was read when the process before ended by a fault
	how   string         // it did; "" when it didn't
}

var _ reasoning.Faults = (*File)(nil)

// Open takes the file of a data directory, and sees by it how the process before ended.
func Open(dir string, log *slog.Logger) (*File, error) {
	path := filepath.Join(dir, name)
	out := &File{}
	if err := out.look(path); err != nil {
		return nil, failed(path, err)
	}
	if out.how != "" {
		kept := filepath.Join(dir, last)
		if err := os.Rename(path, kept); err != nil {
			return nil, failed(path, err)
		}
		log.Error("Chalie ended by a fault of its own the last time", "how", out.how, "stack", kept)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, failed(path, err)
	}
	out.f = f
	out.note(domain.TraceID{})
	// The runtime writes where the file stands, and notes are written without moving that.
	if _, err = f.Seek(int64(len(line(domain.TraceID{}))), io.SeekStart); err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
	}
	if err != nil {
		return nil, failed(path, errors.Join(err, f.Close()))
	}
	return out, nil
}

func failed(path string, err error) error {
	return &domain.Error{Op: "open fault file", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
		Message: fmt.Sprintf("can't keep what a fault of Chalie would leave in %s: check the disk and the file's permissions", path)}
}

// look reads what the process before left.
func (f *File) look(path string) error {
	old, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(old, maxRead))
	if err := errors.Join(err, old.Close()); err != nil {
		return err
	}
	first, fault, _ := bytes.Cut(text, []byte("\n"))
	if fault = bytes.TrimSpace(fault); len(fault) == 0 {
		return nil
	}
	f.how = where(string(fault))
	if id, err := domain.ParseID(strings.TrimSpace(strings.TrimPrefix(string(first), reading))); err == nil && !id.IsZero() {
		f.trace = domain.TraceID{ID: id}
	}
	return nil
}

// where is the place of a fault: the function of the first stack that isn't the runtime's. The
// runtime says what it was on standard error alone.
func where(fault string) string {
	for frame := range strings.Lines(fault) {
		name, _, call := strings.Cut(frame, "(")
		if call && !strings.HasPrefix(frame, "runtime.") && !strings.HasPrefix(frame, "panic(") && !strings.HasPrefix(frame, "\t") {
			return "a fault in " + name
		}
	}
	return "a fault"
}

const reading = "reading "

// line is the first line, which has one length.
func line(trace domain.TraceID) []byte { return fmt.Appendf(nil, reading+"%-26s\n", trace) }

// note writes the first line. Where that fails, a fault isn't known to be one of the reading.
func (f *File) note(trace domain.TraceID) { _, _ = f.f.WriteAt(line(trace), 0) }

// Trying implements reasoning.Faults.
func (f *File) Trying(trace domain.TraceID) (done func()) {
	f.note(trace)
	return func() { f.note(domain.TraceID{}) }
}

// Died implements reasoning.Faults.
func (f *File) Died() (domain.TraceID, string, bool) {
	return f.trace, f.how, f.how != "" && !f.trace.IsZero()
}

// Close gives the crash output back, and removes the file: the process ends in order.
func (f *File) Close() error {
	return errors.Join(debug.SetCrashOutput(nil, debug.CrashOptions{}), f.f.Close(), os.Remove(f.f.Name()))
}
