package commands_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/domain"
)

func TestManyInvokeAtOnce(t *testing.T) {
	w := newWorkshop(t)
	tools := w.tools()
	var running sync.WaitGroup
	for i := range 100 {
		running.Go(func() {
			in := cancels()
			in.Params = fmt.Appendf(nil, `{"id":"apt_%d"}`, i)
			if got, err := tools.Invoke(t.Context(), ada, in); err != nil || got.Fault != nil {
				t.Errorf("told %+v, %v", got, err)
			}
		})
	}
	running.Wait()
	ends := lawfulTools(t, w.records(domain.TopicTools), true)
	w.count(domain.TopicTools, 400)
	if len(ends) != 100 || len(w.peer.calls) != 100 || w.peer.times() != 100 {
		t.Errorf("%d ends, %d keys, %d calls", len(ends), len(w.peer.calls), w.peer.times())
	}
	for id, end := range ends {
		if end != "tool.completed" || w.peer.calls[id.UUID()] != 1 {
			t.Errorf("%s ends with %s after %d calls", id, end, w.peer.calls[id.UUID()])
		}
	}
}

// Whatever the log and the tools do, and whenever the process is killed: no
// invocation ends twice, none is called twice, none is called that isn't
// recorded as dispatched, and after a restart each has an end.
func TestLawOfInvocations(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) { obeysTheLaw(t, r) })
}

func obeysTheLaw(t *testing.T, r *rapid.T) {
	outcomes := []error{nil, peerFails(commands.CodePeerUnreachable, "x"), peerFails(commands.CodePeerStatus, "x"), peerFails(commands.CodePeerUnknown, "x")}
	w := newWorkshop(t)
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return answered("ok"), outcomes[rapid.IntRange(0, len(outcomes)-1).Draw(r, "outcome")]
	}
	for range rapid.IntRange(1, 6).Draw(r, "invocations") {
		w.door.set(nil, nil)
		failures := []func() error{dead, unclear}
		if n := rapid.IntRange(0, 4).Draw(r, "killed at"); n > 0 {
			w.failAt(n, rapid.Bool().Draw(r, "recorded"), failures[rapid.IntRange(0, 1).Draw(r, "failure")])
		}
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		if !rapid.Bool().Draw(r, "cancelled") {
			ctx = t.Context()
		}
		in := cancels()
		in.Tool = rapid.SampledFrom([]string{"cancel", "nothing"}).Draw(r, "tool")
		cfg := w.config()
		cfg.Within = millis(20) // or the patience with a log that refuses takes its time
		tools, err := commands.NewTools(cfg)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tools.Invoke(ctx, ada, in)
		cancel()
		if rapid.Bool().Draw(r, "restarted") {
			w.restart()
		} else if err == nil {
			lawfulTools(r, w.records(domain.TopicTools), false)
		}
	}
	lawfulTools(r, w.records(domain.TopicTools), false)
	w.restart()
	records := w.records(domain.TopicTools)
	lawfulTools(r, records, true)
	sent := map[string]bool{}
	for _, rec := range records {
		if id, ok := domain.InvocationOf(rec.Envelope); ok && rec.Envelope.Type == "tool.dispatched" {
			sent[id.UUID()] = true
		}
	}
	for key, times := range w.peer.calls {
		if times != 1 || !sent[key] {
			r.Fatalf("%s was called %d times, dispatched %t", key, times, sent[key])
		}
	}
}
