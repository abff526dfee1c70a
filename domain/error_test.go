package domain

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestErrorText(t *testing.T) {
	cause := errors.New("no space left")
	for _, c := range []struct {
		err  *Error
		want string
	}{
		{&Error{Op: "append", Message: "the disk is full", Err: cause}, "append: the disk is full: no space left"},
		{&Error{Op: "append", Message: "the disk is full"}, "append: the disk is full"},
		{&Error{Message: "the disk is full", Err: cause}, "the disk is full: no space left"},
		{&Error{Op: "append", Err: cause}, "append: no space left"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestAdvice(t *testing.T) {
	here := func(args string) string { return "./chalie " + args + " --data d" }
	for in, want := range map[string]string{
		"":                                  "",
		"it is full; free some space":       "it is full; free some space",
		"run `chalie repair`, or wait":      "run `./chalie repair --data d`, or wait",
		"`chalie verify` and `chalie log`.": "`./chalie verify --data d` and `./chalie log --data d`.",
		"start `chalie serve --data x`":     "start `chalie serve --data x`",
		"see `chalie serve, and no end":     "see `chalie serve, and no end",
		"a `chalied` and `ls`":              "a `chalied` and `ls`",
	} {
		if got := Advice(in, here); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestErrorsAreFoundThroughWrapping(t *testing.T) {
	inner := &Error{Op: "sync", Category: Dependency, Code: CodeDiskFailed, Retriable: true, Message: "refused", Err: io.ErrShortWrite}
	wrapped := fmt.Errorf("publish: %w", inner)
	if CategoryOf(wrapped) != Dependency || CodeOf(wrapped) != CodeDiskFailed || !IsRetriable(wrapped) {
		t.Errorf("%v: %q, %q, %v", wrapped, CategoryOf(wrapped), CodeOf(wrapped), IsRetriable(wrapped))
	}
	if !errors.Is(wrapped, io.ErrShortWrite) {
		t.Error("the cause is lost")
	}
	outer := &Error{Category: Conflict, Code: "outer", Message: "stopped", Err: wrapped}
	if CategoryOf(outer) != Conflict || CodeOf(outer) != "outer" || IsRetriable(outer) {
		t.Errorf("the first error in the chain counts, not %q, %q", CategoryOf(outer), CodeOf(outer))
	}
	for _, err := range []error{nil, io.EOF} {
		if CategoryOf(err) != "" || CodeOf(err) != "" || IsRetriable(err) {
			t.Errorf("%v is taken for one of ours", err)
		}
	}
}

func TestInvalidNamesItsField(t *testing.T) {
	err := Invalid("check signal", "content", "content is required")
	if err.Category != Validation || err.Field != "content" || err.Retriable || err.Error() != "check signal: content is required" {
		t.Errorf("%+v", err)
	}
}
