package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"chalie/domain"
)

func TestExplain(t *testing.T) {
	broken := &domain.Error{Op: "open log", Category: domain.Dependency, Message: "can't open it; check the disk.", Err: io.ErrUnexpectedEOF}
	for _, c := range []struct {
		name string
		err  error
		code int
		told string
	}{
		{"nothing", nil, 0, ""},
		{"said already", fmt.Errorf("verify: %w", silent{exitFailed}), 1, ""},
		{"nobody knows", unknownOutcome{errors.New("it may be done")}, 3, "chalie: it may be done\n"},
		{"stopped waiting", stoppedWaiting{errors.New("it goes on")}, 130, "chalie: it goes on\n"},
		{"usage", &usageError{"NAME is missing", "chalie token issue"}, 2, "chalie: NAME is missing; see `chalie token issue --help`\n"},
		{"refused input", domain.Invalid("read query", "at", "at is \"x\": give a time"), 2, "chalie: at is \"x\": give a time\n"},
		{"another build's log", domain.Events().Gate(map[domain.TypeVersion]uint64{{Type: "no.such", Version: 1}: 1}), 4, "chalie: this build can't read all of the log: no.such v1 (1 record; a type it doesn't know). Run the version that wrote them, or a newer one; nothing was changed\n"},
		{"missing", &domain.Error{Category: domain.NotFound, Message: "there is no such thing", Err: io.EOF}, 1, "chalie: there is no such thing\n"},
		{"machine", broken, 1, "chalie: can't open it; check the disk (unexpected EOF)\n"},
		{"two", errors.Join(broken, io.EOF), 1, "chalie: can't open it; check the disk (unexpected EOF)\n"},
		{"foreign", errors.New("two\nlines"), 1, "chalie: two lines\n"},
	} {
		console, _, told := testConsole()
		if code := exit(console, c.err); code != c.code || told.String() != c.told {
			t.Errorf("%s: %d %q, want %d %q", c.name, code, told, c.code, c.told)
		}
	}
}

// What an error says to type works for the folder it is about.
func TestExplainNamesTheData(t *testing.T) {
	console, _, told := testConsole()
	err := &domain.Error{Category: domain.Dependency, Message: "the log is damaged; run `chalie repair`"}
	console.data = "/srv/my mind"
	exit(console, err)
	if want := "chalie: the log is damaged; run `chalie repair --data '/srv/my mind'`\n"; told.String() != want {
		t.Errorf("it says %q, want %q", told, want)
	}
}

// The terminal of a program is told the same, and each error in one line.
func TestLogger(t *testing.T) {
	console, _, told := testConsole()
	console.data = "mind"
	log := console.logger(slog.LevelInfo)
	log.Error("it is damaged; run `chalie repair`", "err", traced{errors.New("run `chalie verify`")}, "n", 3)
	if _, line, _ := strings.Cut(told.String(), " level="); line != "ERROR msg=\"it is damaged; run `chalie repair --data mind`\" err=\"run `chalie verify --data mind`\" n=3\n" {
		t.Errorf("it says %q", line)
	}
}

// traced is an error as some libraries make them.
type traced struct{ error }

func (e traced) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, e.Error()+"\nat code.go:1") }
