package tool

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"chalie/commands"
	"chalie/domain"
)

// TestWhoIsToldOfACancel: a call to an MCP server ends when the person cancels, and for no other
// reason; one to another interface is never broken off.
func TestWhoIsToldOfACancel(t *testing.T) {
	server, other := commands.Endpoint{Server: domain.ID{1}}, commands.Endpoint{Host: "127.0.0.1", Port: 9001}
	for _, c := range []struct {
		at    commands.Endpoint
		cause error
		ends  bool
	}{
		{server, commands.ErrCancelled, true},
		{server, errors.New("Chalie is stopping"), false},
		{other, commands.ErrCancelled, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			asking, cancel := context.WithCancelCause(t.Context())
			calling, stop := cancellable(asking, context.WithoutCancel(asking), c.at)
			cancel(c.cause)
			synctest.Wait()
			if ended := calling.Err() != nil; ended != c.ends {
				t.Errorf("%v ends a call to %+v: %v", c.cause, c.at, ended)
			}
			stop()
		})
	}
}
