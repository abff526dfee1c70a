package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

func unclear() error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true, Message: "who knows"}
}

func diskFull() error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true, Message: "the disk is full"}
}

// Killed just before or just after any append, the next process ends what was
// open. The call was made once, or not at all.
func TestKilledAtEveryStepOfACall(t *testing.T) {
	const failed, unknown, completed = "tool.failed", "tool.outcome_unknown", "tool.completed"
	for _, c := range []struct {
		step     int
		recorded bool
		calls    int
		end      domain.EventType // "" when nothing was begun
	}{
		{1, false, 0, ""}, {1, true, 0, failed},
		{2, false, 0, failed}, {2, true, 0, unknown},
		{3, false, 1, unknown}, {3, true, 1, completed},
	} {
		t.Run(fmt.Sprintf("step %d, recorded %t", c.step, c.recorded), func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			w.FailAt(c.step, c.recorded, commandstest.Dead)
			got, err := atOnce(t, w)
			code := domain.CodeClosed
			if c.step == 3 {
				code = domain.CodeOutcomeUnknown
			}
			commandstest.Refused(t, err, domain.Dependency, code)
			if domain.IsRetriable(err) != (c.step < 3) || got.ID.IsZero() {
				t.Errorf("%s: retriable %t", got.ID, domain.IsRetriable(err))
			}
			before := w.Log.Tail()
			w.Restart()
			records := w.Records(domain.TopicTools)
			if w.Peer.Times() != c.calls {
				t.Errorf("%d calls, want %d", w.Peer.Times(), c.calls)
			}
			if ends := lawfulTools(t, records, true); c.end == "" && len(ends) > 0 || c.end != "" && ends[got.ID] != c.end {
				t.Errorf("the ends are %v", ends)
			}
			if w.Log.Tail() == before {
				return
			}
			last := records[len(records)-1]
			switch c.end {
			case failed:
				if end := commandstest.Decoded[domain.ToolFailed](t, last); end.Reason != domain.CodeNotDispatched || end.Dispatched || end.InvocationID != got.ID {
					t.Errorf("failed %+v", end)
				}
			case unknown:
				if end := commandstest.Decoded[domain.ToolOutcomeUnknown](t, last); end.Reason != domain.CodeInterrupted || end.InvocationID != got.ID {
					t.Errorf("unknown %+v", end)
				}
			}
			if e := last.Envelope; e.Trace.ID != got.ID || e.Principal != domain.PrincipalOperator || e.Source != "tools" || len(e.Errors) != 1 {
				t.Errorf("it ends with %+v", e)
			}
		})
	}
}

// atOnce invokes, and expects that it doesn't wait for the log to come back.
func atOnce(t *testing.T, w *commandstest.Workshop) (got tool.Invoked, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got, err = w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
		if took := time.Since(began); took != 0 {
			t.Errorf("it waited %s", took)
		}
	})
	return got, err
}

// Where it can't be written that a call leaves, it doesn't.
func TestTheLogRefusesADispatch(t *testing.T) {
	t.Run("and then works again", func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		w.Door.Set(func(b domain.Batch) error {
			if b.Entries[0].Envelope.Type == "tool.dispatched" {
				return diskFull()
			}
			return nil
		}, nil)
		got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
		if err != nil || got.Fault.Code != domain.CodeNotDispatched || w.Peer.Times() != 0 {
			t.Errorf("told %+v, %v, after %d calls", got, err, w.Peer.Times())
		}
		w.Happened("tool.invoked", "policy.decided", "tool.failed")
	})
	t.Run("for long", func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		w.FailAt(2, false, diskFull)
		_, err := atOnce(t, w)
		commandstest.Refused(t, err, domain.Dependency, domain.CodeDiskLow)
		w.Happened("tool.invoked", "policy.decided")
		w.Restart()
		w.Happened("tool.invoked", "policy.decided", "tool.failed")
		if w.Peer.Times() != 0 {
			t.Errorf("%d calls", w.Peer.Times())
		}
	})
	t.Run("from the first", func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		w.FailAt(1, false, diskFull)
		_, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
		commandstest.Refused(t, err, domain.Dependency, domain.CodeDiskLow)
		w.Restart()
		w.Happened()
	})
	t.Run("or nobody knows whether it did", func(t *testing.T) {
		for _, recorded := range []bool{false, true} {
			w := commandstest.NewWorkshop(t)
			before := func(b domain.Batch) error {
				if !recorded && b.Entries[0].Envelope.Type == "tool.dispatched" {
					return unclear()
				}
				return nil
			}
			w.Door.Set(before, func(r domain.Receipt) error {
				if recorded && r.Positions[0] == 3 {
					return unclear()
				}
				return nil
			})
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
			if err != nil || got.Fault.Code != domain.CodeNotDispatched || w.Peer.Times() != 0 {
				t.Errorf("recorded %t: told %+v, %v, after %d calls", recorded, got, err, w.Peer.Times())
			}
			lawfulTools(t, w.Records(domain.TopicTools), true)
		}
	})
}

// The end of a call that was made is offered again while the log refuses it for
// a moment.
func TestTheLogRefusesAnEnd(t *testing.T) {
	t.Run("for a moment", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			began := time.Now()
			w.Door.Set(func(b domain.Batch) error {
				if b.Entries[0].Envelope.Kind == domain.KindResult && time.Since(began) < 3*time.Second {
					return diskFull()
				}
				return nil
			}, nil)
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
			if err != nil || orNone(got.Result.Text) != "done" || w.Peer.Times() != 1 {
				t.Errorf("told %+v, %v, after %d calls", got, err, w.Peer.Times())
			}
			w.Happened(wholeCall...)
		})
	})
	t.Run("for long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			w.FailAt(3, false, diskFull)
			began := time.Now()
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
			commandstest.Refused(t, err, domain.Dependency, domain.CodeOutcomeUnknown)
			if domain.IsRetriable(err) || domain.CodeOf(errors.Unwrap(err)) != domain.CodeDiskLow || !strings.Contains(err.Error(), "cancel was called") {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took < 14*time.Second || took > 16*time.Second {
				t.Errorf("it gave up after %s", took)
			}
			w.Restart()
			if ends := lawfulTools(t, w.Records(domain.TopicTools), true); ends[got.ID] != "tool.outcome_unknown" || w.Peer.Times() != 1 {
				t.Errorf("%v after %d calls", ends, w.Peer.Times())
			}
		})
	})
	t.Run("or nobody knows whether it did", func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		ids := map[domain.ID]int{}
		w.Door.Set(func(b domain.Batch) error {
			id := b.Entries[0].Envelope.ID
			if ids[id]++; ids[id] == 1 {
				return unclear()
			}
			return nil
		}, func(r domain.Receipt) error {
			if !r.Duplicate {
				return unclear()
			}
			return nil
		})
		got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
		if err != nil || got.Outcome != "tool.completed" || len(ids) != 3 || w.Peer.Times() != 1 {
			t.Errorf("told %+v, %v: %v, %d calls", got, err, ids, w.Peer.Times())
		}
		w.Happened(wholeCall...)
	})
}

// Another process that takes a call under way for one left open ends it; who made
// the call is told that end, and there is no other.
func TestEndedBySomebodyElse(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		var both sync.WaitGroup
		for range 4 {
			tools := w.Tools()
			both.Go(func() {
				if err := tools.Recover(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		return commandstest.Answered("too late"), nil
	}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil || got.Outcome != "tool.outcome_unknown" || got.Fault.Code != domain.CodeInterrupted {
		t.Errorf("told %+v, %v", got, err)
	}
	w.Happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown")
}

// What this process has under way isn't recovered by it, and what it had to
// leave open is.
func TestRecoverWhileItRuns(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	tools := w.Tools()
	w.FailAt(2, false, commandstest.Dead)
	left, err := tools.Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
	w.Door.Set(nil, nil)
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		if err := tools.Recover(t.Context()); err != nil {
			t.Error(err)
		}
		return commandstest.Answered("in time"), nil
	}
	got, err := tools.Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil || orNone(got.Result.Text) != "in time" {
		t.Errorf("told %+v, %v", got, err)
	}
	ends := lawfulTools(t, w.Records(domain.TopicTools), true)
	if len(ends) != 2 || ends[left.ID] != "tool.failed" || ends[got.ID] != "tool.completed" {
		t.Errorf("the ends are %v", ends)
	}
	if err := tools.Recover(t.Context()); err != nil {
		t.Error(err)
	}
	w.Count(domain.TopicTools, 7)
}

// One that was ended between its decision and its dispatch isn't called.
func TestEndedBeforeItsDispatch(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Door.Set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "tool.dispatched" {
			return w.Tools().Recover(t.Context())
		}
		return nil
	}, nil)
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil || got.Outcome != "tool.failed" || w.Peer.Times() != 0 {
		t.Errorf("told %+v, %v, after %d calls", got, err, w.Peer.Times())
	}
	w.Happened("tool.invoked", "policy.decided", "tool.failed")
}

func TestRecoverWhatCantBeRead(t *testing.T) {
	t.Run("the fold has stopped", func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		w.Open.Broken = commandstest.Dead()
		commandstest.Refused(t, w.Tools().Recover(t.Context()), domain.Dependency, domain.CodeClosed)
	})
	t.Run("one step is gone, the next one isn't", func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		w.FailAt(2, false, commandstest.Dead)
		for range 2 {
			if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels()); err == nil {
				t.Fatal("the log took it")
			}
			w.FailAt(2, false, commandstest.Dead)
		}
		w.Door.Set(nil, nil)
		cfg := w.Config()
		cfg.Reader = &holed{Log: w.Log, gone: 2}
		tools, err := tool.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := tools.Recover(t.Context()); domain.CategoryOf(err) != domain.NotFound || !strings.Contains(err.Error(), "at position 2") {
			t.Errorf("the error is %v", err)
		}
		if ends := lawfulTools(t, w.Records(domain.TopicTools), false); len(ends) != 1 {
			t.Errorf("the ends are %v", ends)
		}
	})
}

func TestManyInvokeAtOnce(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	tools := w.Tools()
	var running sync.WaitGroup
	for i := range 100 {
		running.Go(func() {
			in := commandstest.Cancels()
			in.Params = fmt.Appendf(nil, `{"id":"apt_%d"}`, i)
			if got, err := tools.Invoke(t.Context(), commandstest.Ada, in); err != nil || got.Fault != nil {
				t.Errorf("told %+v, %v", got, err)
			}
		})
	}
	running.Wait()
	ends := lawfulTools(t, w.Records(domain.TopicTools), true)
	w.Count(domain.TopicTools, 400)
	if len(ends) != 100 || len(w.Peer.Calls) != 100 || w.Peer.Times() != 100 {
		t.Errorf("%d ends, %d keys, %d calls", len(ends), len(w.Peer.Calls), w.Peer.Times())
	}
	for id, end := range ends {
		if end != "tool.completed" || w.Peer.Calls[id.UUID()] != 1 {
			t.Errorf("%s ends with %s after %d calls", id, end, w.Peer.Calls[id.UUID()])
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
	outcomes := []error{nil, commandstest.PeerFails(commands.CodePeerUnreachable, "x"), commandstest.PeerFails(commands.CodePeerStatus, "x"), commandstest.PeerFails(commands.CodePeerUnknown, "x")}
	w := commandstest.NewWorkshop(t)
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commandstest.Answered("ok"), outcomes[rapid.IntRange(0, len(outcomes)-1).Draw(r, "outcome")]
	}
	for range rapid.IntRange(1, 6).Draw(r, "invocations") {
		w.Door.Set(nil, nil)
		failures := []func() error{commandstest.Dead, unclear}
		if n := rapid.IntRange(0, 4).Draw(r, "killed at"); n > 0 {
			w.FailAt(n, rapid.Bool().Draw(r, "recorded"), failures[rapid.IntRange(0, 1).Draw(r, "failure")])
		}
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		if !rapid.Bool().Draw(r, "cancelled") {
			ctx = t.Context()
		}
		in := commandstest.Cancels()
		in.Tool = rapid.SampledFrom([]string{"cancel", "nothing"}).Draw(r, "tool")
		cfg := w.Config()
		cfg.Within = millis(20) // or the patience with a log that refuses takes its time
		tools, err := tool.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tools.Invoke(ctx, commandstest.Ada, in)
		cancel()
		if rapid.Bool().Draw(r, "restarted") {
			w.Restart()
		} else if err == nil {
			lawfulTools(r, w.Records(domain.TopicTools), false)
		}
	}
	lawfulTools(r, w.Records(domain.TopicTools), false)
	w.Restart()
	records := w.Records(domain.TopicTools)
	lawfulTools(r, records, true)
	sent := map[string]bool{}
	for _, rec := range records {
		if id, ok := domain.InvocationOf(rec.Envelope); ok && rec.Envelope.Type == "tool.dispatched" {
			sent[id.UUID()] = true
		}
	}
	for key, times := range w.Peer.Calls {
		if times != 1 || !sent[key] {
			r.Fatalf("%s was called %d times, dispatched %t", key, times, sent[key])
		}
	}
}
