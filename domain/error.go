package domain

import (
	"errors"
	"strings"
	"time"
)

// Category says what kind of thing went wrong. The empty category is allowed:
// some failures (a rate limit, a lost login) are none of the five.
type Category string

// The five categories.
const (
	Validation Category = "validation" // the request itself is wrong; change it
	Conflict   Category = "conflict"   // something else is already recorded
	NotFound   Category = "not_found"  // the requested thing does not exist
	Policy     Category = "policy"     // a rule forbids it; never retriable
	Dependency Category = "dependency" // something needed (disk, network) failed
)

// Code is the stable, machine-readable name of one failure.
type Code string

// Codes that more than one package refers to.
const (
	CodeUnauthenticated Code = "unauthenticated"  // no valid session or token
	CodeRateLimited     Code = "rate_limited"     // too many accepted in the window
	CodeTooLarge        Code = "too_large"        // over a named size bound
	CodeOutcomeUnknown  Code = "outcome_unknown"  // may or may not have been appended
	CodeDiskLow         Code = "disk_low"         // free space is below the set bound
	CodeDiskFailed      Code = "disk_failed"      // the disk refuses; recovery is under way
	CodeClusterAway     Code = "cluster_away"     // the log's other machines don't answer, or refuse
	CodeWriterLost      Code = "writer_lost"      // another program writes this log now
	CodeNoDescriptors   Code = "no_descriptors"   // the process may open no more files for now
	CodeClosed          Code = "closed"           // shutting down
	CodeCorrupt         Code = "corrupt_record"   // stored bytes fail their checksum
	CodeConditionFailed Code = "condition_failed" // an append's condition did not hold
	CodeIDReused        Code = "id_reused"        // a known id came with other bytes
	CodeErased          Code = "payload_erased"   // the payload's key is gone
	CodeUndecodable     Code = "undecodable"      // no decoder for a stored type and version
	CodeRetired         Code = "retired"          // the record went when its time to be kept was over
)

// Error is the one error type. Op names the operation, Message says what
// happened and what to do next in words for a person, Err is the cause. Where what to do
// is a command the message has `chalie ARGS`, and Advice spells it out.
//
// An Error is terminal unless Retriable: the same call may then succeed later.
type Error struct {
	Op        string
	Category  Category
	Code      Code
	Retriable bool
	Field     string // the request field at fault, when there is one
	Message   string
	Err       error

	// RetryAfter is the known duration of a retriable failure; 0 when
	// it isn't known.
	RetryAfter time.Duration
}

// Advice is a message with each `chalie ARGS` as its reader types it: command is the line
// that runs this program with ARGS. One that names its
// data directory stays as it is.
func Advice(message string, command func(args string) string) string {
	const begin, end = "`chalie ", "`"
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(message, begin)
		args, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			b.WriteString(message)
			return b.String()
		}
		b.WriteString(before)
		if strings.Contains(args, "--data") {
			b.WriteString(begin + args + end)
		} else {
			b.WriteString("`" + command(args) + end)
		}
		message = after
	}
}

// Error is the operation, the message and the cause. An operation whose cause names it, too,
// is named once.
func (e *Error) Error() string {
	if e.Op == "" {
		return e.said()
	}
	return e.Op + ": " + e.said()
}

func (e *Error) said() string {
	if e.Err == nil {
		return e.Message
	}
	cause := e.Err.Error()
	if inner, ok := e.Err.(*Error); ok && inner.Op == e.Op { //nolint:errorlint // what wraps it has words of its own
		cause = inner.said()
	}
	if e.Message == "" {
		return cause
	}
	return e.Message + ": " + cause
}

func (e *Error) Unwrap() error { return e.Err }

// Invalid is a terminal validation error about one field ("" for the whole).
func Invalid(op, field, message string) *Error {
	return &Error{Op: op, Category: Validation, Code: "invalid", Field: field, Message: message}
}

// CategoryOf is the category of the first Error in err's chain, or "".
func CategoryOf(err error) Category {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Category
	}
	return ""
}

// CodeOf is the code of the first Error in err's chain, or "".
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// IsPermanent reports whether an error is about what was asked for alone, and for good:
// trying again brings the same.
func IsPermanent(err error) bool {
	category := CategoryOf(err)
	return !IsRetriable(err) && category != Dependency && category != ""
}

// IsRetriable reports whether the same call may succeed later.
func IsRetriable(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Retriable
}
