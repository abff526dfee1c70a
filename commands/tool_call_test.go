package commands_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// inAnEpisode is a tool call of a reply that stands in the log.
func inAnEpisode(t *testing.T, w *workshop) commands.Invocation {
	t.Helper()
	said := w.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: said}, domain.PrincipalOperator), said, 1, "api", domain.MessageReceived{Text: "cancel it"})
	if err == nil {
		_, err = w.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	in := cancels()
	in.Parent, in.CallKey, in.Channel = said, domain.CallKey(said, 0), domain.ChannelChat
	return in
}

// until calls as a reasoner does: again with a new process while it fails.
func until(t *testing.T, w *workshop, in commands.Invocation) commands.Invoked {
	t.Helper()
	out, err := w.tools().Call(t.Context(), ada, in)
	for range 3 {
		if err == nil {
			break
		}
		w.restart()
		out, err = w.tools().Call(t.Context(), ada, in)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCall(t *testing.T) {
	w := newWorkshop(t)
	in := inAnEpisode(t, w)
	first, err := w.tools().Call(t.Context(), ada, in)
	if err != nil || first.Outcome != "tool.completed" || orNone(first.Result.Text) != "done" {
		t.Fatalf("told %+v, %v", first, err)
	}
	records := w.happened(wholeCall...)
	for _, rec := range records {
		if rec.Envelope.Trace.ID != in.Parent {
			t.Errorf("%s is in trace %s", rec.Envelope.Type, rec.Envelope.Trace)
		}
	}
	if e := records[0].Envelope; e.Parent != in.Parent || !slices.Equal(e.Keys, []domain.Key{in.CallKey}) {
		t.Errorf("invoked with %+v", e)
	}
	tail := w.log.Tail()
	again, err := w.tools().Call(t.Context(), ada, in)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(first) && orNone(again.Result.Text) != "done" || again.ID != first.ID {
		t.Errorf("told %+v, then %+v, %v", first, again, err)
	}
	if w.log.Tail() != tail || w.peer.times() != 1 {
		t.Errorf("%d more records, %d calls", w.log.Tail()-tail, w.peer.times())
	}
}

// Killed just before or just after any append, the call goes on, and is made at
// most once.
func TestKilledAtEveryStepOfACallInAnEpisode(t *testing.T) {
	for _, c := range []struct {
		step     int
		recorded bool
		end      domain.EventType
		calls    int
	}{
		{1, false, "tool.completed", 1}, {1, true, "tool.completed", 1},
		{2, false, "tool.completed", 1}, {2, true, "tool.outcome_unknown", 0},
		{3, false, "tool.outcome_unknown", 1}, {3, true, "tool.completed", 1},
	} {
		t.Run(fmt.Sprintf("step %d, recorded %t", c.step, c.recorded), func(t *testing.T) {
			w := newWorkshop(t)
			in := inAnEpisode(t, w)
			w.failAt(c.step, c.recorded, dead)
			if _, err := w.tools().Call(t.Context(), ada, in); err == nil {
				t.Fatal("the log took everything")
			}
			got := until(t, w, in)
			if got.Outcome != c.end || w.peer.times() != c.calls {
				t.Errorf("%s after %d calls, want %s after %d", got.Outcome, w.peer.times(), c.end, c.calls)
			}
			if ends := lawfulTools(t, w.records(domain.TopicTools), true); len(ends) != 1 || ends[got.ID] != c.end {
				t.Errorf("the ends are %v", ends)
			}
		})
	}
}

// The start leaves the calls of episodes to them.
func TestRecoverLeavesEpisodes(t *testing.T) {
	w := newWorkshop(t)
	in := inAnEpisode(t, w)
	w.failAt(2, false, dead)
	if _, err := w.tools().Call(t.Context(), ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.restart()
	w.happened("tool.invoked", "policy.decided")
	if got := until(t, w, in); got.Outcome != "tool.completed" {
		t.Errorf("told %+v", got)
	}
}

func TestCallGivenUp(t *testing.T) {
	w := newWorkshop(t)
	in := inAnEpisode(t, w)
	w.failAt(2, false, dead)
	if _, err := w.tools().Call(t.Context(), ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.door.set(nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.tools().Call(ctx, ada, in)
	refused(t, err, domain.Dependency, "cancelled")
	if !domain.IsRetriable(err) {
		t.Error("it can't be tried again")
	}
	w.happened("tool.invoked", "policy.decided")
}

func TestCallOfWhatIsGone(t *testing.T) {
	w := newWorkshop(t)
	in := inAnEpisode(t, w)
	w.failAt(2, false, dead)
	if _, err := w.tools().Call(t.Context(), ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.door.set(nil, nil)
	shelve(t, w.registry, w.ids.NewID(), domain.InterfaceWentOffline{InterfaceID: w.tools().Offers()[0].Interface.ID, Failures: 3})
	got := until(t, w, in)
	if got.Outcome != "tool.failed" || got.Fault.Code != domain.CodeNotDispatched || w.peer.times() != 0 {
		t.Errorf("told %+v", got)
	}
}

// What can't be called at all is an error, and nothing is recorded.
func TestCallRefused(t *testing.T) {
	w := newWorkshop(t)
	in := inAnEpisode(t, w)
	for _, spoil := range []func(*commands.Invocation){
		func(in *commands.Invocation) { in.CallKey = "" },
		func(in *commands.Invocation) { in.Key = "both" },
		func(in *commands.Invocation) { in.Params = []byte(`{}`) },
	} {
		bad := in
		spoil(&bad)
		if _, err := w.tools().Call(t.Context(), ada, bad); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	bad := in
	bad.Tool = "fly"
	_, err := w.tools().Call(t.Context(), ada, bad)
	refused(t, err, domain.NotFound, domain.CodeNoTool)
	w.happened()
}

func TestCalledAtOnce(t *testing.T) {
	w := newWorkshop(t)
	in := inAnEpisode(t, w)
	tools := w.tools()
	var running sync.WaitGroup
	for range 16 {
		running.Go(func() {
			if got, err := tools.Call(t.Context(), ada, in); err != nil || got.Outcome != "tool.completed" {
				t.Errorf("told %+v, %v", got, err)
			}
		})
	}
	running.Wait()
	w.happened(wholeCall...)
	if w.peer.times() != 1 {
		t.Errorf("%d calls", w.peer.times())
	}
}

// What was cancelled before the call left doesn't leave; what has left is settled.
func TestACancelledCall(t *testing.T) {
	for _, c := range []struct {
		name string
		at   domain.EventType // whose append the first process dies of
		then []domain.EventType
	}{
		{"before it leaves", "tool.dispatched", []domain.EventType{"tool.invoked", "policy.decided", "tool.failed"}},
		{"after it left", "tool.completed", []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkshop(t)
			in := inAnEpisode(t, w)
			w.door.set(func(b domain.Batch) error {
				if b.Entries[0].Envelope.Type == c.at {
					return &domain.Error{Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true, Message: "dead"}
				}
				return nil
			}, nil)
			if out, err := w.tools().Call(t.Context(), ada, in); err == nil {
				t.Fatalf("told %+v", out)
			}
			w.door.set(nil, nil)
			made := w.peer.times()
			in.Cancelled = true
			if _, err := w.tools().Call(t.Context(), ada, in); err != nil {
				t.Fatal(err)
			}
			w.happened(c.then...)
			if w.peer.times() != made {
				t.Error("it was called after it was cancelled")
			}
		})
	}
}
