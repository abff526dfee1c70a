package commands_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
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
			w := newWorkshop(t)
			w.failAt(c.step, c.recorded, dead)
			got, err := atOnce(t, w)
			code := domain.CodeClosed
			if c.step == 3 {
				code = domain.CodeOutcomeUnknown
			}
			refused(t, err, domain.Dependency, code)
			if domain.IsRetriable(err) != (c.step < 3) || got.ID.IsZero() {
				t.Errorf("%s: retriable %t", got.ID, domain.IsRetriable(err))
			}
			before := w.log.Tail()
			w.restart()
			records := w.records(domain.TopicTools)
			if w.peer.times() != c.calls {
				t.Errorf("%d calls, want %d", w.peer.times(), c.calls)
			}
			if ends := lawfulTools(t, records, true); c.end == "" && len(ends) > 0 || c.end != "" && ends[got.ID] != c.end {
				t.Errorf("the ends are %v", ends)
			}
			if w.log.Tail() == before {
				return
			}
			last := records[len(records)-1]
			switch c.end {
			case failed:
				if end := decoded[domain.ToolFailed](t, last); end.Reason != domain.CodeNotDispatched || end.Dispatched || end.InvocationID != got.ID {
					t.Errorf("failed %+v", end)
				}
			case unknown:
				if end := decoded[domain.ToolOutcomeUnknown](t, last); end.Reason != domain.CodeInterrupted || end.InvocationID != got.ID {
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
func atOnce(t *testing.T, w *workshop) (got commands.Invoked, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got, err = w.tools().Invoke(t.Context(), ada, cancels())
		if took := time.Since(began); took != 0 {
			t.Errorf("it waited %s", took)
		}
	})
	return got, err
}

// Where it can't be written that a call leaves, it doesn't.
func TestTheLogRefusesADispatch(t *testing.T) {
	t.Run("and then works again", func(t *testing.T) {
		w := newWorkshop(t)
		w.door.set(func(b domain.Batch) error {
			if b.Entries[0].Envelope.Type == "tool.dispatched" {
				return diskFull()
			}
			return nil
		}, nil)
		got, err := w.tools().Invoke(t.Context(), ada, cancels())
		if err != nil || got.Fault.Code != domain.CodeNotDispatched || w.peer.times() != 0 {
			t.Errorf("told %+v, %v, after %d calls", got, err, w.peer.times())
		}
		w.happened("tool.invoked", "policy.decided", "tool.failed")
	})
	t.Run("for long", func(t *testing.T) {
		w := newWorkshop(t)
		w.failAt(2, false, diskFull)
		_, err := atOnce(t, w)
		refused(t, err, domain.Dependency, domain.CodeDiskLow)
		w.happened("tool.invoked", "policy.decided")
		w.restart()
		w.happened("tool.invoked", "policy.decided", "tool.failed")
		if w.peer.times() != 0 {
			t.Errorf("%d calls", w.peer.times())
		}
	})
	t.Run("from the first", func(t *testing.T) {
		w := newWorkshop(t)
		w.failAt(1, false, diskFull)
		_, err := w.tools().Invoke(t.Context(), ada, cancels())
		refused(t, err, domain.Dependency, domain.CodeDiskLow)
		w.restart()
		w.happened()
	})
	t.Run("or nobody knows whether it did", func(t *testing.T) {
		for _, recorded := range []bool{false, true} {
			w := newWorkshop(t)
			before := func(b domain.Batch) error {
				if !recorded && b.Entries[0].Envelope.Type == "tool.dispatched" {
					return unclear()
				}
				return nil
			}
			w.door.set(before, func(r domain.Receipt) error {
				if recorded && r.Positions[0] == 3 {
					return unclear()
				}
				return nil
			})
			got, err := w.tools().Invoke(t.Context(), ada, cancels())
			if err != nil || got.Fault.Code != domain.CodeNotDispatched || w.peer.times() != 0 {
				t.Errorf("recorded %t: told %+v, %v, after %d calls", recorded, got, err, w.peer.times())
			}
			lawfulTools(t, w.records(domain.TopicTools), true)
		}
	})
}

// The end of a call that was made is offered again while the log refuses it for
// a moment.
func TestTheLogRefusesAnEnd(t *testing.T) {
	t.Run("for a moment", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorkshop(t)
			began := time.Now()
			w.door.set(func(b domain.Batch) error {
				if b.Entries[0].Envelope.Kind == domain.KindResult && time.Since(began) < 3*time.Second {
					return diskFull()
				}
				return nil
			}, nil)
			got, err := w.tools().Invoke(t.Context(), ada, cancels())
			if err != nil || orNone(got.Result.Text) != "done" || w.peer.times() != 1 {
				t.Errorf("told %+v, %v, after %d calls", got, err, w.peer.times())
			}
			w.happened(wholeCall...)
		})
	})
	t.Run("for long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorkshop(t)
			w.failAt(3, false, diskFull)
			began := time.Now()
			got, err := w.tools().Invoke(t.Context(), ada, cancels())
			refused(t, err, domain.Dependency, domain.CodeOutcomeUnknown)
			if domain.IsRetriable(err) || domain.CodeOf(errors.Unwrap(err)) != domain.CodeDiskLow || !strings.Contains(err.Error(), "cancel was called") {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took < 14*time.Second || took > 16*time.Second {
				t.Errorf("it gave up after %s", took)
			}
			w.restart()
			if ends := lawfulTools(t, w.records(domain.TopicTools), true); ends[got.ID] != "tool.outcome_unknown" || w.peer.times() != 1 {
				t.Errorf("%v after %d calls", ends, w.peer.times())
			}
		})
	})
	t.Run("or nobody knows whether it did", func(t *testing.T) {
		w := newWorkshop(t)
		ids := map[domain.ID]int{}
		w.door.set(func(b domain.Batch) error {
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
		got, err := w.tools().Invoke(t.Context(), ada, cancels())
		if err != nil || got.Outcome != "tool.completed" || len(ids) != 3 || w.peer.times() != 1 {
			t.Errorf("told %+v, %v: %v, %d calls", got, err, ids, w.peer.times())
		}
		w.happened(wholeCall...)
	})
}

// Another process that takes a call under way for one left open ends it; who made
// the call is told that end, and there is no other.
func TestEndedBySomebodyElse(t *testing.T) {
	w := newWorkshop(t)
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		var both sync.WaitGroup
		for range 4 {
			tools := w.tools()
			both.Go(func() {
				if err := tools.Recover(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		return answered("too late"), nil
	}
	got, err := w.tools().Invoke(t.Context(), ada, cancels())
	if err != nil || got.Outcome != "tool.outcome_unknown" || got.Fault.Code != domain.CodeInterrupted {
		t.Errorf("told %+v, %v", got, err)
	}
	w.happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown")
}

// What this process has under way isn't recovered by it, and what it had to
// leave open is.
func TestRecoverWhileItRuns(t *testing.T) {
	w := newWorkshop(t)
	tools := w.tools()
	w.failAt(2, false, dead)
	left, err := tools.Invoke(t.Context(), ada, cancels())
	refused(t, err, domain.Dependency, domain.CodeClosed)
	w.door.set(nil, nil)
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		if err := tools.Recover(t.Context()); err != nil {
			t.Error(err)
		}
		return answered("in time"), nil
	}
	got, err := tools.Invoke(t.Context(), ada, cancels())
	if err != nil || orNone(got.Result.Text) != "in time" {
		t.Errorf("told %+v, %v", got, err)
	}
	ends := lawfulTools(t, w.records(domain.TopicTools), true)
	if len(ends) != 2 || ends[left.ID] != "tool.failed" || ends[got.ID] != "tool.completed" {
		t.Errorf("the ends are %v", ends)
	}
	if err := tools.Recover(t.Context()); err != nil {
		t.Error(err)
	}
	w.count(domain.TopicTools, 7)
}

// One that was ended between its decision and its dispatch isn't called.
func TestEndedBeforeItsDispatch(t *testing.T) {
	w := newWorkshop(t)
	w.door.set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "tool.dispatched" {
			return w.tools().Recover(t.Context())
		}
		return nil
	}, nil)
	got, err := w.tools().Invoke(t.Context(), ada, cancels())
	if err != nil || got.Outcome != "tool.failed" || w.peer.times() != 0 {
		t.Errorf("told %+v, %v, after %d calls", got, err, w.peer.times())
	}
	w.happened("tool.invoked", "policy.decided", "tool.failed")
}

func TestRecoverWhatCantBeRead(t *testing.T) {
	t.Run("the fold has stopped", func(t *testing.T) {
		w := newWorkshop(t)
		w.open.broken = dead()
		refused(t, w.tools().Recover(t.Context()), domain.Dependency, domain.CodeClosed)
	})
	t.Run("one step is gone, the next one isn't", func(t *testing.T) {
		w := newWorkshop(t)
		w.failAt(2, false, dead)
		for range 2 {
			if _, err := w.tools().Invoke(t.Context(), ada, cancels()); err == nil {
				t.Fatal("the log took it")
			}
			w.failAt(2, false, dead)
		}
		w.door.set(nil, nil)
		cfg := w.config()
		cfg.Reader = &holed{Log: w.log, gone: 2}
		tools, err := commands.NewTools(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := tools.Recover(t.Context()); domain.CategoryOf(err) != domain.NotFound || !strings.Contains(err.Error(), "at position 2") {
			t.Errorf("the error is %v", err)
		}
		if ends := lawfulTools(t, w.records(domain.TopicTools), false); len(ends) != 1 {
			t.Errorf("the ends are %v", ends)
		}
	})
}
