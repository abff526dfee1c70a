package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxQuoted is how much of what a server said is in an error, in bytes.
const maxQuoted = 200

func failure(op string, code domain.Code, message string, err error) *domain.Error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: code, Message: message, Err: err}
}

func unreachable(op, message string, err error) *domain.Error {
	e := failure(op, commands.CodePeerUnreachable, message, err)
	e.Retriable = true
	return e
}

// quoted is what a server said, bounded, in quotes and on one line.
func quoted(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	return fmt.Sprintf("%q", domain.Cut(text, maxQuoted))
}

// unsentError is the failure of a request of which nothing left.
type unsentError struct{ err error }

func (e *unsentError) Error() string { return e.err.Error() }
func (e *unsentError) Unwrap() error { return e.err }

// errForgotten is the failure of a request in a session that the server doesn't know any more.
// It did nothing of it.
var errForgotten = errors.New("it doesn't know the session any more")

// asked is the failure of a question or call that was sent, or was to be.
func (s *session) asked(op string, within time.Duration, err error) error {
	if e, ok := errors.AsType[*domain.Error](err); ok {
		return e
	}
	if unsent, ok := errors.AsType[*unsentError](err); ok {
		return unreachable(op, fmt.Sprintf("%s isn't there, and was sent nothing: %s; see that it runs, and ask again", s.name, innermost(unsent)), err)
	}
	if errors.Is(err, errForgotten) {
		return unreachable(op, s.name+" doesn't know the session that was begun with it, and did nothing: see what it says of itself where it runs", err)
	}
	if said, ok := errors.AsType[*jsonrpc.Error](err); ok && !errors.Is(err, context.DeadlineExceeded) {
		switch said.Code {
		case codeSaid:
			return failure(op, commands.CodePeerStatus, s.name+" answered with "+refusal(said), nil)
		case codeTrouble:
			return failure(op, domain.Code(wordsOf(said.Data)), s.name+" was asked, and "+said.Message, nil)
		}
	}
	if _, web := errors.AsType[*url.Error](err); !web && (errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF)) {
		select {
		case <-s.done: // a child says then how it ended
		case <-time.After(2 * endsWithin):
		}
	}
	if why := s.why(); why != nil {
		return failure(op, why.Code, s.name+" was asked, and then "+why.Message, err)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		did := fmt.Sprintf("%s was asked and took longer than %s, so it was told that the answer isn't waited for: see what keeps it busy", s.name, within)
		return failure(op, commands.CodePeerUnknown, did, err)
	case errors.Is(err, context.Canceled), errors.Is(err, commands.ErrCancelled):
		return failure(op, commands.CodePeerUnknown, s.name+" was asked, and the call was given up here", err)
	case errors.Is(err, mcp.ErrSessionMissing):
		return failure(op, commands.CodePeerUnknown, s.name+" was asked, and began anew before it answered", err)
	}
	return failure(op, commands.CodePeerUnknown, s.name+" was asked, and the connection broke before it answered: "+innermost(err), err)
}

// refusal is an error that a server answered with, in words.
func refusal(e *jsonrpc.Error) string {
	what := "an error"
	if code := wordsOf(e.Data); code != "0" {
		what = "the error " + code
	}
	if e.Message == "" {
		return what + ", and says no more"
	}
	return what + ", saying " + quoted(e.Message)
}

// said is why a server can't be spoken to, without what the library was about.
func said(err error) string {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		switch e.Code {
		case codeSaid:
			return "it answered with " + refusal(e)
		case codeTrouble:
			return "it " + e.Message
		}
	}
	return innermost(err)
}

// innermost is the first cause of an error, in quotes.
func innermost(err error) string {
	for {
		var inner error
		if _, dialled := err.(*net.OpError); dialled { //nolint:errorlint // likewise
			return quoted(err.Error()) // with the address
		}
		switch e := err.(type) { //nolint:errorlint // it is looked into step by step
		case interface{ Unwrap() error }:
			inner = e.Unwrap()
		case interface{ Unwrap() []error }:
			if all := e.Unwrap(); len(all) > 0 {
				inner = all[len(all)-1] // the library puts its own classes first
			}
		}
		if inner == nil {
			return quoted(err.Error())
		}
		err = inner
	}
}
