package tool_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

// keyed is an invocation that is in order, with an Idempotency-Key.
func keyed(key, params string) tool.Invocation {
	return tool.Invocation{Tool: "cancel", Params: []byte(params), Key: key}
}

const apt1 = `{"id":"apt_1"}`

func TestInvokeOnce(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	tools := w.Tools()
	first, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1))
	if err != nil || first.Replayed {
		t.Fatalf("told %+v, %v", first, err)
	}
	want := first
	want.Replayed = true
	// A place that is gone by now doesn't matter: nothing is called.
	hospital := w.Tools().Offers()[0].Interface.ID
	commandstest.Shelve(t, w.Registry, w.IDs.NewID(), domain.InterfaceWentOffline{InterfaceID: hospital, Failures: 3})
	for name, tools := range map[string]*tool.Tools{"at once": tools, "after a restart": w.Tools()} {
		got, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", ` { "id" : "apt_1" } `))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: told %+v, %v, want %+v", name, got, err, want)
		}
	}
	commandstest.Shelve(t, w.Registry, w.IDs.NewID(), domain.InterfaceCameOnline{InterfaceID: hospital})
	records := w.Happened(wholeCall...)
	if keys := records[0].Envelope.Keys; len(keys) != 1 || strings.Contains(string(keys[0]), "k/") || !strings.HasPrefix(string(keys[0]), "request/") {
		t.Errorf("tool.invoked has the keys %v", keys)
	}
	_, err = tools.Invoke(t.Context(), commandstest.Ada, keyed("k", `{"id":"apt_2"}`))
	commandstest.Refused(t, err, domain.Conflict, "key_reused")
	_, err = tools.Invoke(t.Context(), commandstest.Ada, keyed(strings.Repeat("k", commands.MaxRequestKeyBytes+1), apt1))
	commandstest.Refused(t, err, domain.Validation, "invalid")
	w.Happened(wholeCall...)
	if w.Peer.Times() != 1 {
		t.Errorf("%d calls", w.Peer.Times())
	}
}

// Others than the same caller's same tool with the same key, or later ones, are
// invocations of their own.
func TestInvokeAnew(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	anything := domain.DefaultPolicy()
	anything.Rules = []domain.PolicyRule{{Name: "anything", Verdict: domain.VerdictAllowed, Confirmed: true, Autonomy: domain.AutonomyFull}}
	w.Regime = &domain.Rulebook{Set: &anything}
	tools := w.Tools()
	calls := 0
	anew := func(name string, c commands.Caller, in tool.Invocation) {
		t.Helper()
		got, err := tools.Invoke(t.Context(), c, in)
		if calls++; err != nil || got.Replayed || w.Peer.Times() != calls {
			t.Errorf("%s: told %+v, %v, after %d calls", name, got, err, w.Peer.Times())
		}
	}
	anew("the first", commandstest.Ada, keyed("k", apt1))
	anew("another key", commandstest.Ada, keyed("l", apt1))
	anew("another caller", commandstest.Station, keyed("k", apt1))
	anew("another tool", commandstest.Ada, tool.Invocation{Tool: "status", Key: "k"})
	anew("no key", commandstest.Ada, commandstest.Cancels())
	w.Clock.Advance(commands.Remembered + millis(1))
	anew("a day later", commandstest.Ada, keyed("k", apt1))
	anew("other params a day later", commandstest.Ada, keyed("l", `{"id":"apt_2"}`))
}

// Whatever came of the first, the second is told the same.
func TestEveryEndIsToldAgain(t *testing.T) {
	for name, c := range map[string]struct {
		answer commands.Result
		err    error
		regime domain.Regime
		end    domain.EventType
		calls  int
	}{
		"done":                   {commandstest.Answered("done"), nil, &domain.Rulebook{}, "tool.completed", 1},
		"the tool's own failure": {commands.Result{Error: new("no such appointment")}, nil, &domain.Rulebook{}, "tool.completed", 1},
		"unreachable":            {commands.Result{}, commandstest.PeerFails(commands.CodePeerUnreachable, "gone"), &domain.Rulebook{}, "tool.failed", 1},
		"a status":               {commands.Result{}, commandstest.PeerFails(commands.CodePeerStatus, "it answered 500"), &domain.Rulebook{}, "tool.failed", 1},
		"lost":                   {commands.Result{}, commandstest.PeerFails(commands.CodePeerUnknown, "it went away"), &domain.Rulebook{}, "tool.outcome_unknown", 1},
		"denied":                 {commands.Result{}, nil, &refusingRegime{}, "tool.failed", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			w.Regime = c.regime
			w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
				return c.answer, c.err
			}
			want, err := w.Tools().Invoke(t.Context(), commandstest.Ada, keyed("k", apt1))
			if err != nil || want.Outcome != c.end || want.Replayed {
				t.Fatalf("told %+v, %v", want, err)
			}
			want.Replayed = true
			w.Peer.Do = nil
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, keyed("k", apt1))
			if err != nil || !reflect.DeepEqual(got, want) || w.Peer.Times() != c.calls {
				t.Errorf("told %+v, %v, want %+v, after %d calls", got, err, want, w.Peer.Times())
			}
			lawfulTools(t, w.Records(domain.TopicTools), true)
		})
	}
}

// Twins race through one Tools, which queues them, and through several, between
// which only the log's condition stands. One call is made.
func TestRacingTwins(t *testing.T) {
	for name, apart := range map[string]bool{"in one process": false, "beyond it": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const twins = 8
				w := commandstest.NewWorkshop(t)
				leave := make(chan struct{})
				w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
					<-leave
					return commandstest.Answered("done"), nil
				}
				// Those apart all look before anyone has written.
				var looked sync.WaitGroup
				looked.Add(twins)
				if apart {
					w.Door.Set(func(b domain.Batch) error {
						if b.Entries[0].Envelope.Type == "tool.invoked" {
							looked.Done()
							looked.Wait()
						}
						return nil
					}, nil)
				}
				one := w.Tools()
				var told [twins]tool.Invoked
				var wg sync.WaitGroup
				for i := range twins {
					tools := one
					if apart {
						tools = w.Tools()
					}
					wg.Go(func() {
						var err error
						if told[i], err = tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1)); err != nil {
							t.Error(err)
						}
					})
				}
				synctest.Wait()
				close(leave)
				wg.Wait()
				anew := 0
				for _, got := range told {
					if !got.Replayed {
						anew++
					}
					if got.ID != told[0].ID || orNone(got.Result.Text) != "done" {
						t.Errorf("told %+v", got)
					}
				}
				if anew != 1 || w.Peer.Times() != 1 {
					t.Errorf("%d were new, %d calls", anew, w.Peer.Times())
				}
				w.Happened(wholeCall...)
			})
		})
	}
}

// A twin doesn't wait for ever.
func TestATwinUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := commandstest.NewWorkshop(t)
		leave := make(chan struct{})
		w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
			<-leave
			return commandstest.Answered("done"), nil
		}
		tools := w.Tools()
		var wg sync.WaitGroup
		wg.Go(func() {
			if got, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1)); err != nil || got.Replayed {
				t.Errorf("told %+v, %v", got, err)
			}
		})
		synctest.Wait()
		_, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1))
		commandstest.Refused(t, err, domain.Conflict, "under_way")
		if !domain.IsRetriable(err) || !strings.Contains(err.Error(), "still under way") {
			t.Errorf("the error is %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = tools.Invoke(gone, commandstest.Ada, keyed("k", apt1))
		commandstest.Refused(t, err, domain.Dependency, "cancelled")
		close(leave)
		wg.Wait()
		if got, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1)); err != nil || !got.Replayed || w.Peer.Times() != 1 {
			t.Errorf("told %+v, %v, after %d calls", got, err, w.Peer.Times())
		}
	})
}

// Killed at any step, the same key after the restart calls nothing a second time,
// whether or not what was open has been ended by then.
func TestKilledAndAskedAgain(t *testing.T) {
	for _, c := range []struct {
		step     int
		recorded bool
		end      domain.EventType
		replayed bool
	}{
		{1, false, "tool.completed", false}, {1, true, "tool.failed", true},
		{2, false, "tool.failed", true}, {2, true, "tool.outcome_unknown", true},
		{3, false, "tool.outcome_unknown", true}, {3, true, "tool.completed", true},
	} {
		for _, recovered := range []bool{false, true} {
			t.Run(fmt.Sprintf("step %d, recorded %t, recovered %t", c.step, c.recorded, recovered), func(t *testing.T) {
				w := commandstest.NewWorkshop(t)
				w.FailAt(c.step, c.recorded, commandstest.Dead)
				if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, keyed("k", apt1)); err == nil {
					t.Fatal("it was told something by a dead process")
				}
				called := w.Peer.Times()
				w.Door.Set(nil, nil)
				if recovered {
					w.Restart()
				}
				tools := w.Tools()
				got, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1))
				if err != nil || got.Outcome != c.end || got.Replayed != c.replayed {
					t.Errorf("told %+v, %v", got, err)
				}
				if again, err := tools.Invoke(t.Context(), commandstest.Ada, keyed("k", apt1)); err != nil || again.ID != got.ID || again.Outcome != c.end || !again.Replayed {
					t.Errorf("and then %+v, %v", again, err)
				}
				if n := w.Peer.Times(); n > 1 || c.replayed && n != called {
					t.Errorf("%d calls, %d before the restart", n, called)
				}
				lawfulTools(t, w.Records(domain.TopicTools), true)
			})
		}
	}
}
