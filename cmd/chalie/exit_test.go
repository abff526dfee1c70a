package main

import (
	"errors"
	"fmt"
	"io"
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
		if code := explain(console, c.err); code != c.code || told.String() != c.told {
			t.Errorf("%s: %d %q, want %d %q", c.name, code, told, c.code, c.told)
		}
	}
}
