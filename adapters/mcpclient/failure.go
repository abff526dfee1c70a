package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	return fmt.Sprintf("%q", commands.Cut(text, maxQuoted))
}

// asked is the failure of a question or call that was sent.
func (s *session) asked(op string, within time.Duration, err error) error {
	if e, ok := errors.AsType[*domain.Error](err); ok {
		return e
	}
	if said, ok := errors.AsType[*jsonrpc.Error](err); ok && !errors.Is(err, context.DeadlineExceeded) {
		return failure(op, commands.CodePeerStatus, fmt.Sprintf("%s answered with the error %d, saying %s", s.name, said.Code, quoted(said.Message)), nil)
	}
	if errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) {
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
	case errors.Is(err, context.Canceled):
		return failure(op, commands.CodePeerUnknown, s.name+" was asked, and the call was given up here", err)
	}
	return failure(op, commands.CodePeerUnknown, s.name+" was asked and gave no answer that can be read: "+quoted(err.Error()), err)
}
