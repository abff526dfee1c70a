package commands_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"

	"pgregory.net/rapid"
)

func TestMonitorTransitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		w.start()
		pass(time.Second)
		id := w.register("luigi", 1)
		pass(3 * time.Second)
		if len(w.street.checks(1)) != 0 {
			t.Error("it was checked before it can be listening")
		}
		pass(time.Second + time.Millisecond)
		if len(w.street.checks(1)) != 1 || len(w.get(id).Tools) != 1 || w.monitor.LastSeen(id) == 0 {
			t.Errorf("after its registration it was checked %d times, and is %+v", len(w.street.checks(1)), w.get(id))
		}
		w.street.set(1, ill)
		for len(w.street.checks(1)) < 3 {
			pass(time.Second)
		}
		w.street.set(1, well) // two failures are none
		pass(time.Minute)
		w.went()
		w.street.set(1, ill)
		from := len(w.street.checks(1))
		for len(w.street.checks(1)) < from+3 {
			w.went()
			pass(time.Second)
		}
		w.went(false)
		pass(10 * time.Minute)
		w.went(false)
		if i := w.get(id); !i.Offline || i.OfflineWhy != "the interface did unreachable" || len(w.street.checks(1)) < from+15 {
			t.Errorf("it is %+v, checked %d times", i, len(w.street.checks(1))-from)
		}
		offered := w.street.offers(1)
		w.street.set(1, well)
		pass(34 * time.Second)
		w.went(false, true)
		pass(10 * time.Minute)
		w.went(false, true)
		if w.get(id).Offline || w.street.offers(1) != offered+1 {
			t.Errorf("back again, it was asked %d times what it offers", w.street.offers(1)-offered)
		}
		if said := w.stop(); said != "" {
			t.Error(said)
		}
	})
}

// TestMonitorThousand has a thousand interfaces, one of which hangs and some of
// which fail.
func TestMonitorThousand(t *testing.T) {
	const many, every = 1000, 30 * time.Second
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		ids := map[domain.ID]int{}
		bad := 0
		for port := 1; port <= many; port++ {
			ids[w.admitted(fmt.Sprint("program ", port), port)] = port
			switch {
			case port == 500:
				w.street.set(port, hanging)
				bad++
			case port%10 == 0:
				w.street.set(port, ill)
				bad++
			}
		}
		w = w.again(nil) // known from before
		before, begin := runtime.NumGoroutine(), time.Now()
		w.start()
		pass(every / 2)
		if n := runtime.NumGoroutine() - before; n > 3 {
			t.Errorf("%d goroutines wait for the next check", n)
		}
		pass(5*time.Minute - every/2)
		var first [10]int
		varied := map[time.Duration]bool{}
		for port := 1; port <= many; port++ {
			checks := w.street.checks(port)
			if len(checks) < 8 {
				t.Fatalf("%d was checked %d times", port, len(checks))
			}
			first[min(9, checks[0].Sub(begin)*10/every)]++
			for n := range len(checks) - 1 {
				gap := checks[n+1].Sub(checks[n])
				varied[gap] = true
				if gap < every*9/10 || gap > every*11/10 {
					t.Errorf("%d was checked %v after the check before", port, gap)
				}
			}
		}
		for n, count := range first {
			if count < many/20 || count > many/5 {
				t.Errorf("%d are checked first in tenth %d", count, n)
			}
		}
		if len(varied) < many {
			t.Error("the checks aren't spread")
		}
		for _, tr := range w.transitions() {
			if port := ids[tr.id]; tr.online || port%10 != 0 {
				t.Errorf("%d: online %v", port, tr.online)
			}
		}
		if n := len(w.transitions()); n != bad {
			t.Errorf("there are %d transitions, and %d away", n, bad)
		}
		w.stop()
	})
}

// TestMonitorIsBounded has more hanging interfaces than checks at a time.
func TestMonitorIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t).again(func(c *commands.MonitorConfig) { c.Checks = 4 })
		for port := 1; port <= 20; port++ {
			w.admitted(fmt.Sprint("program ", port), port)
			w.street.set(port, hanging)
		}
		good := w.admitted("good", 100)
		w.start()
		pass(10 * time.Minute)
		// 20 that hang for 5 s, 4 at a time, take 25 of 30 s.
		checks := w.street.checks(100)
		if len(checks) < 15 || w.get(good).Offline {
			t.Errorf("the good one was checked %d times", len(checks))
		}
		if w.street.most != 4 {
			t.Errorf("%d were checked at a time", w.street.most)
		}
		if n := len(w.transitions()); n != 20 {
			t.Errorf("%d went offline", n)
		}
		w.stop()
	})
}

// turn is a change on the street, and how the log takes what follows.
type turn struct {
	port  int
	state state
	log   int // 0 refuses, 1 appends and doesn't say so, others work
	lasts time.Duration
}

// TestMonitorAlternates runs two monitors over one log, with failing appends: the
// transitions of one interface alternate all the same, beginning with offline, and
// in the end the book agrees with the street.
func TestMonitorAlternates(t *testing.T) {
	const ports = 3
	rapid.Check(t, func(rt *rapid.T) {
		turns := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) turn {
			return turn{
				port: rapid.IntRange(1, ports).Draw(rt, "port"), state: rapid.SampledFrom([]state{well, ill, hanging}).Draw(rt, "state"),
				log: rapid.IntRange(0, 3).Draw(rt, "log"), lasts: time.Duration(rapid.IntRange(1, 200).Draw(rt, "seconds")) * time.Second,
			}
		}), 1, 12).Draw(rt, "turns")
		late := rapid.Bool().Draw(rt, "late")
		var wrong string
		synctest.Test(t, func(t *testing.T) { wrong = alternates(newWatch(t), ports, turns, late) })
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// alternates tells the story, and what is wrong with how it went. If late, the
// second monitor's book stays behind until the monitor waits for it.
func alternates(w *watch, ports int, turns []turn, late bool) string {
	for port := range ports {
		w.register(fmt.Sprint("program ", port+1), port+1)
	}
	other := w.again(nil)
	if late {
		other.roll.hold()
	}
	w.start()
	other.start()
	for _, turn := range turns {
		w.street.set(turn.port, turn.state)
		switch turn.log {
		case 0:
			w.door.set(func(domain.Batch) error { return logFailed(domain.CodeDiskLow) }, nil)
		case 1:
			w.door.set(nil, func(domain.Receipt) error { return logFailed(domain.CodeOutcomeUnknown) })
		default:
			w.door.set(nil, nil)
		}
		pass(turn.lasts)
	}
	w.door.set(nil, nil)
	pass(4 * time.Minute)
	w.stop()
	other.stop()
	for _, i := range w.desk.List() {
		if i.Offline == (w.street.states[i.Port] == well) {
			return fmt.Sprintf("%s is offline: %v", i.Name, i.Offline)
		}
	}
	away := map[domain.ID]bool{}
	for _, tr := range w.transitions() {
		if tr.online != away[tr.id] {
			return fmt.Sprintf("the transitions are %+v", w.transitions())
		}
		away[tr.id] = !tr.online
	}
	return ""
}

func TestMonitorFailedAppend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		w.register("luigi", 1)
		w.street.set(1, ill)
		w.door.set(func(domain.Batch) error { return logFailed(domain.CodeDiskLow) }, nil)
		w.start()
		for len(w.street.checks(1)) < 4 {
			pass(time.Second)
		}
		w.went()
		w.door.set(nil, nil)
		pass(34 * time.Second)
		w.went(false)
		if said := w.stop(); strings.Count(said, "take the interface offline") != 2 || !strings.Contains(said, string(domain.CodeDiskLow)) {
			t.Error(said)
		}
	})
}

// TestMonitorLosesRace has somebody else's news appended at the same moment.
func TestMonitorLosesRace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		id := w.register("luigi", 1)
		w.street.set(1, ill)
		removed := false
		w.door.set(func(domain.Batch) error {
			if !removed {
				removed = true
				return w.desk.Remove(t.Context(), commands.OperatorCaller("api"), id)
			}
			return nil
		}, nil)
		w.start()
		pass(5 * time.Minute)
		w.went()
		if said := w.stop(); said != "" || !removed {
			t.Errorf("removed %v, and the monitor says %s", removed, said)
		}
	})
}

func TestMonitorForgetsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		gone, stays := w.register("luigi", 1), w.register("hospital", 2)
		w.start()
		pass(time.Minute)
		w.monitor.Seen(gone)
		if now := domain.MillisOf(time.Now()); w.monitor.LastSeen(gone) != now {
			t.Errorf("it was last seen at %d, now is %d", w.monitor.LastSeen(gone), now)
		}
		if err := w.desk.Remove(t.Context(), commands.OperatorCaller("api"), gone); err != nil {
			t.Fatal(err)
		}
		pass(2 * time.Second)
		checks := len(w.street.checks(1))
		w.street.set(1, ill)
		pass(10 * time.Minute)
		if len(w.street.checks(1)) != checks || w.monitor.LastSeen(gone) != 0 || w.monitor.LastSeen(stays) == 0 {
			t.Errorf("it was checked %d times after its removal, last seen %d", len(w.street.checks(1))-checks, w.monitor.LastSeen(gone))
		}
		w.went()
		w.stop()
	})
}

// TestMonitorRemovedMeanwhile removes an interface while it is being checked, and
// has it come back.
func TestMonitorRemovedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		id := w.register("luigi", 1)
		w.street.set(1, hanging)
		w.start()
		for len(w.street.checks(1)) == 0 {
			pass(100 * time.Millisecond)
		}
		if err := w.desk.Remove(t.Context(), commands.OperatorCaller("api"), id); err != nil {
			t.Fatal(err)
		}
		pass(1100 * time.Millisecond)
		w.street.set(1, well)
		id = w.register("luigi", 1)
		pass(5 * time.Minute)
		if checks := w.street.checks(1); len(checks) < 9 || len(checks) > 13 || w.get(id).Offline {
			t.Errorf("it was checked %d times", len(checks))
		}
		w.went()
		w.stop()
	})
}

func TestMonitorRegisteredAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		id := w.register("luigi", 1)
		w.start()
		pass(time.Minute)
		w.street.set(1, ill)
		pass(3 * time.Minute)
		w.went(false)
		// The same again leaves no event: the monitor is told.
		w.street.set(1, well)
		w.register("luigi", 1)
		w.monitor.Registered(id)
		pass(3*time.Second + time.Millisecond)
		w.went(false, true)

		// Another name does: failures of the program before don't count.
		w.street.set(1, ill)
		for from := len(w.street.checks(1)); len(w.street.checks(1)) < from+2; {
			pass(time.Second)
		}
		if w.register("mario", 1) != id {
			t.Error("it has another id")
		}
		offered, from := w.street.offers(1), len(w.street.checks(1))
		pass(4*time.Second + time.Millisecond)
		if len(w.street.checks(1)) != from+1 {
			t.Errorf("it was checked %d times", len(w.street.checks(1))-from)
		}
		w.went(false, true)
		w.street.set(1, well)
		pass(34 * time.Second)
		if w.street.offers(1) != offered+1 {
			t.Errorf("it was asked %d times what it offers", w.street.offers(1)-offered)
		}
		w.went(false, true)
		w.stop()
	})
}

// TestMonitorHurriesWhileChecking tells of a registration while a check of the same
// interface hangs.
func TestMonitorHurriesWhileChecking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		id := w.register("luigi", 1)
		w.street.set(1, hanging)
		w.start()
		for len(w.street.checks(1)) == 0 {
			pass(100 * time.Millisecond)
		}
		w.monitor.Registered(id)
		w.street.set(1, well)
		pass(8*time.Second + time.Millisecond) // the check's end, and the time to settle
		if len(w.street.checks(1)) != 2 || len(w.get(id).Tools) != 1 {
			t.Errorf("it was checked %d times and is %+v", len(w.street.checks(1)), w.get(id))
		}
		w.stop()
	})
}

func TestMonitorRefreshesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		id := w.register("luigi", 1)
		w.street.broken[1] = true
		w.start()
		pass(time.Minute)
		w.street.mu.Lock()
		w.street.broken[1] = false
		w.street.mu.Unlock()
		pass(34 * time.Second)
		offered := w.street.offers(1)
		if len(w.get(id).Tools) != 1 {
			t.Errorf("it is %+v", w.get(id))
		}
		pass(5 * time.Minute)
		if w.street.offers(1) != offered {
			t.Error("it is asked again and again what it offers")
		}
		if said := w.stop(); !strings.Contains(said, "ask the interface what it offers") {
			t.Error(said)
		}
	})
}

// TestMonitorPending shows whoever approves an interface whether it is there.
func TestMonitorPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		id := w.register("luigi", 1)
		w.street.set(1, ill)
		w.start()
		pass(3 * time.Minute)
		if w.get(id).Status() != domain.StatusPending {
			t.Errorf("it is %s", w.get(id).Status())
		}
		status, err := w.desk.Approve(t.Context(), commands.OperatorCaller("api"), id, domain.NewApproval(nil, nil, nil))
		if err != nil || status != domain.StatusOffline {
			t.Errorf("approved, it is %s, %v", status, err)
		}
		w.stop()
	})
}

// TestMonitorStops checks that stopping is no failure of an interface.
func TestMonitorStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		w.register("luigi", 1)
		w.street.set(1, hanging)
		w.start()
		for len(w.street.checks(1)) < 3 {
			pass(100 * time.Millisecond)
		}
		begin := time.Now()
		if said := w.stop(); said != "" || time.Since(begin) != 0 {
			t.Errorf("after %v: %s", time.Since(begin), said)
		}
		w.went()
	})
}

func TestMonitorConfig(t *testing.T) {
	if _, err := commands.NewMonitor(commands.MonitorConfig{}); domain.CategoryOf(err) != domain.Validation {
		t.Error(err)
	}
	synctest.Test(t, func(t *testing.T) {
		newWatch(t).again(func(c *commands.MonitorConfig) {
			c.Every = -1
			if _, err := commands.NewMonitor(*c); domain.CategoryOf(err) != domain.Validation {
				t.Error(err)
			}
			c.Every = 0
		})
	})
}
