package main

import (
	"errors"
	"fmt"
	"strings"

	"chalie/domain"
)

// What the process answers its caller.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitUnknown     = 3   // nobody knows what came of it
	exitOtherBuild  = 4   // the log holds what this build can't read; nothing was done
	exitInterrupted = 130 // 128 + SIGINT, as shells count
)

// usageError says that a command was not understood.
type usageError struct {
	message string
	command string // whose help to read
}

func (e *usageError) Error() string { return e.message }

// silent ends with a code after the command has said everything itself.
type silent struct{ code int }

func (silent) Error() string { return "failed" }

// unknownOutcome says that something was begun, and that nobody knows what came
// of it.
type unknownOutcome struct{ error }

// exit writes an error as one line: what happened; what to do next. It
// returns the exit code.
func exit(c *cli, err error) int {
	if err == nil {
		return exitDone
	}
	if said, ok := errors.AsType[silent](err); ok {
		return said.code
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		c.Complain(fmt.Sprintf("%s; see `%s --help`", usage.message, usage.command))
		return exitUsage
	}
	c.Complain(c.advice(words(err)))
	if _, ok := errors.AsType[unknownOutcome](err); ok {
		return exitUnknown
	}
	if _, ok := errors.AsType[stoppedWaiting](err); ok {
		return exitInterrupted
	}
	switch {
	case domain.CategoryOf(err) == domain.Conflict && domain.CodeOf(err) == domain.CodeUndecodable:
		return exitOtherBuild
	case domain.CategoryOf(err) == domain.Validation:
		return exitUsage
	}
	return exitFailed
}

// adding is an error with more to its words.
func adding(err error, more string) error {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || more == "" {
		return err
	}
	said := *e
	said.Message = strings.TrimSuffix(said.Message, ".") + more
	return &said
}

// words is what a person needs of an error. The messages of the program say
// what to do next; the cause is added where it tells which part of the machine
// failed.
func words(err error) string {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok {
		return err.Error()
	}
	text := strings.TrimSuffix(e.Message, ".")
	if e.Category == domain.Dependency && e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}
