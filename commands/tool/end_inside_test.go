package tool

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"chalie/commands"
	"chalie/domain"
)

// TestWhoIsToldOfACancel: a call ends when the person cancels what asked for it, or the program
// that asked gives it up, and for no other reason. One that a program takes by itself doesn't.
func TestWhoIsToldOfACancel(t *testing.T) {
	server := &domain.Interface{ID: domain.ID{1}, Server: &domain.MCPServer{URL: "http://127.0.0.1:9"}}
	web := &domain.Interface{ID: domain.ID{1}, Host: "127.0.0.1", Port: 9001}
	program := &domain.Interface{ID: domain.ID{1}}
	for _, c := range []struct {
		of    *domain.Interface
		cause error // nil: the call is given up
		ends  bool
	}{
		{server, commands.ErrCancelled, true},
		{server, nil, true},
		{server, errors.New("Chalie is stopping"), false},
		{web, commands.ErrCancelled, true},
		{web, nil, true},
		{web, errors.New("Chalie is stopping"), false},
		{program, commands.ErrCancelled, false},
		{program, nil, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			tools := &Tools{calls: map[domain.ID]context.CancelCauseFunc{}}
			asking, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			inv := &invoking{id: domain.ID{7}, offer: domain.Offer{Interface: c.of}}
			calling, stop := tools.cancellable(asking, context.WithoutCancel(asking), inv)
			tools.stopCall(domain.ID{8}) // another
			if c.cause == nil {
				tools.stopCall(inv.id)
			} else {
				cancel(c.cause)
			}
			synctest.Wait()
			if ended := calling.Err() != nil; ended != c.ends {
				t.Errorf("%v ends a call to %+v: %v", c.cause, c.of, ended)
			}
			if stop(); len(tools.calls) > 0 {
				t.Error("the call is still known")
			}
		})
	}
}
