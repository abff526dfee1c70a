package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/rogpeppe/go-internal/testscript"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

func compile(ts *testscript.TestScript, pattern string) *regexp.Regexp {
	re, err := regexp.Compile("(?m)" + pattern)
	ts.Check(err)
	return re
}

// cmdExits runs a program and checks its exit code: exits CODE PROGRAM
// [ARG...].
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("%v ended with %d, want %d", args[1:], code, want)
	}
}

// cmdFits checks that no line of stdout takes more columns: fits COLUMNS.
func cmdFits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: fits COLUMNS")
	}
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		line = strings.TrimSuffix(line, "\n")
		if wide := term.Columns(line); wide > columns {
			ts.Fatalf("%d columns do not fit into %d: %s", wide, columns, line)
		}
	}
}

// cmdSnapshot writes name, size and hash of every file in a folder to a file:
// snapshot FILE DIR.
func cmdSnapshot(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: snapshot FILE DIR")
	}
	var out bytes.Buffer
	root := ts.MkAbs(args[1])
	ts.Check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		fmt.Fprint(&out, entry.Type(), " ", name)
		if entry.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, " %d %x", len(content), sha256.Sum256(content))
		}
		fmt.Fprintln(&out)
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o600))
}

// cmdDamage flips a bit in the stored record of a position: damage POSITION; or
// makes a count unreadable: damage count TYPE. It
// goes through Pebble, whose own checksums are then right, as if the byte had
// been wrong in memory when it was written.
func cmdDamage(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 2 && args[0] == "count" {
		damageCount(ts, args[1])
		return
	}
	if len(args) != 1 {
		ts.Fatalf("usage: damage POSITION, or damage count TYPE")
	}
	position, err := strconv.ParseUint(args[0], 10, 64)
	ts.Check(err)
	db, err := pebble.Open(logFolder(ts.MkAbs("data")), &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: quietPebble{}})
	ts.Check(err)
	key := binary.BigEndian.AppendUint64([]byte{'r'}, position)
	value, closer, err := db.Get(key)
	ts.Check(err)
	record := bytes.Clone(value)
	ts.Check(closer.Close())
	record[len(record)/2] ^= 1
	ts.Check(db.Set(key, record, pebble.Sync))
	ts.Check(db.Close())
}

// cmdFuture appends records of a schema to the log, as another build would:
// future TYPE VERSION COUNT.
func cmdFuture(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: future TYPE VERSION COUNT")
	}
	version, err := strconv.ParseUint(args[1], 10, 16)
	ts.Check(err)
	count, err := strconv.Atoi(args[2])
	ts.Check(err)
	clock := sysclock.Clock{}
	ids := ulids.New(clock)
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(ts.MkAbs("data")), Clock: clock})
	ts.Check(err)
	for range count {
		id := ids.NewID()
		_, err := log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: domain.TopicSignals, Envelope: domain.Envelope{
			ID: id, Trace: domain.TraceID{ID: id}, Timestamp: domain.MillisOf(clock.Now()), Kind: domain.KindEvent, Source: "future",
			Principal: domain.PrincipalCore, Type: domain.EventType(args[0]), Version: uint16(version), Payload: domain.JSONPayload([]byte(`{"text":"later"}`)),
		}}}})
		ts.Check(err)
	}
	ts.Check(log.Close())
}

// cmdTear cuts bytes off the end of the largest file of a pattern, as a crash of
// the machine may: tear BYTES PATTERN.
func cmdTear(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: tear BYTES PATTERN")
	}
	bytes, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	path, size := largest(ts, args[1])
	if size < bytes {
		ts.Fatalf("%s has only %d bytes", path, size)
	}
	ts.Check(os.Truncate(path, size-bytes))
}

// cmdFlip inverts one bit in the middle of the largest file of a pattern: flip
// PATTERN.
func cmdFlip(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: flip PATTERN")
	}
	path, size := largest(ts, args[0])
	content, err := os.ReadFile(path)
	ts.Check(err)
	content[size/2] ^= 0x10
	ts.Check(os.WriteFile(path, content, 0o600))
}

func largest(ts *testscript.TestScript, pattern string) (path string, size int64) {
	found, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	for _, f := range found {
		info, err := os.Stat(f)
		ts.Check(err)
		if info.Size() > size {
			path, size = f, info.Size()
		}
	}
	if path == "" {
		ts.Fatalf("no file with anything in it is named like %s", pattern)
	}
	return path, size
}

// damageCount makes the count of a type's first version unreadable.
func damageCount(ts *testscript.TestScript, of string) {
	db, err := pebble.Open(logFolder(ts.MkAbs("data")), &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: quietPebble{}})
	ts.Check(err)
	key := []byte("n" + of + "\x00\x00\x01")
	_, closer, err := db.Get(key)
	ts.Check(err)
	ts.Check(closer.Close())
	ts.Check(db.Set(key, []byte{0xff}, pebble.Sync))
	ts.Check(db.Close())
}

type quietPebble struct{}

func (quietPebble) Infof(string, ...any)           {}
func (quietPebble) Errorf(string, ...any)          {}
func (quietPebble) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }
