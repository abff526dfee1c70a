package tool_test

import (
	"context"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
)

// A tool is slow when its last call took a moment, by the clock that its duration is recorded by.
func TestSlowTools(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	tools := w.Tools()
	for _, c := range []struct {
		took time.Duration
		want bool
	}{{0, false}, {999 * time.Millisecond, false}, {time.Second, true}, {time.Minute, true}, {5 * time.Millisecond, false}} {
		w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
			w.Clock.Advance(c.took)
			return commandstest.Answered("done"), nil
		}
		if _, err := tools.Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "cancel", Params: []byte(`{"id":"apt_1"}`)}); err != nil {
			t.Fatal(err)
		}
		offer, err := tools.Offer("cancel")
		if err != nil {
			t.Fatal(err)
		}
		if got := tools.IsSlow(offer); got != c.want {
			t.Errorf("after a call of %s it is slow: %t", c.took, got)
		}
	}
}
