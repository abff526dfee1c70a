package pairing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/pairing"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// watch is a monitor over an in-memory log, in the time of the bubble it is made
// in.
type watch struct {
	t       testing.TB
	street  *street
	log     *memlog.Log
	door    *commandstest.Door
	ids     *domaintest.IDs
	roll    *commandstest.Roll
	desk    *pairing.Interfaces
	monitor *pairing.Monitor
	said    *bytes.Buffer // the monitor's log; read it when the monitor has ended
	end     context.CancelFunc
	ended   chan error
}

func newWatch(t testing.TB) *watch {
	log := memlog.New(commandstest.BubbleClock{})
	return (&watch{t: t, street: newStreet(), log: log, door: &commandstest.Door{Log: log}, ids: domaintest.NewIDs(commandstest.BubbleClock{}, 1)}).again(nil)
}

// again is another program over the same log and the same interfaces.
func (w *watch) again(change func(*pairing.MonitorConfig)) *watch {
	w.t.Helper()
	next := *w
	next.roll, next.said = &commandstest.Roll{Log: w.log}, &bytes.Buffer{}
	var err error
	next.desk, err = pairing.New(pairing.Config{
		Env: commands.Env{Log: w.log, Reader: w.log, Tail: w.log, Clock: commandstest.BubbleClock{}, IDs: w.ids, Logger: slog.New(slog.DiscardHandler)}, Book: next.roll, Applied: next.roll, Peer: w.street,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	cfg := pairing.MonitorConfig{
		Env: commands.Env{Log: w.door, Reader: w.log, Tail: w.log, Clock: commandstest.BubbleClock{}, IDs: w.ids, Logger: slog.New(slog.NewTextHandler(next.said, nil))}, Book: next.roll, Applied: next.roll, Peer: w.street, Refresher: next.desk,
	}
	if change != nil {
		change(&cfg)
	}
	if next.monitor, err = pairing.NewMonitor(cfg); err != nil {
		w.t.Fatal(err)
	}
	return &next
}

// start runs the monitor until stop.
func (w *watch) start() {
	ctx, cancel := context.WithCancel(context.Background())
	w.end, w.ended = cancel, make(chan error, 1)
	go func() { w.ended <- w.monitor.Run(ctx) }()
}

// stop ends the monitor, and returns what it logged.
func (w *watch) stop() string {
	w.t.Helper()
	w.end()
	if err := <-w.ended; err != nil {
		w.t.Errorf("the monitor ended with %v", err)
	}
	return w.said.String()
}

// register lets a daemon register that listens at a port.
func (w *watch) register(name string, port int) domain.ID {
	w.t.Helper()
	r, err := w.desk.Register(context.Background(), pairing.Registration{Name: name, Host: "127.0.0.1", Port: port})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.ID
}

// admitted is a daemon that registered some time ago and was approved.
func (w *watch) admitted(name string, port int) domain.ID {
	w.t.Helper()
	id := w.ids.NewID()
	for _, p := range []any{
		domain.InterfaceRegistered{InterfaceID: id, Name: name, Host: "127.0.0.1", Port: port},
		domain.ScopesApproved{InterfaceID: id},
	} {
		var entry domain.Entry
		var err error
		now := domain.MillisOf(commandstest.BubbleClock{}.Now())
		switch p := p.(type) {
		case domain.InterfaceRegistered:
			entry, err = domain.New(domain.Begin(domain.TraceID{ID: id}, "test"), id, now, "test", p)
			entry.Envelope.Keys = p.Keys()
		case domain.ScopesApproved:
			trace := w.ids.NewID()
			entry, err = domain.New(domain.Begin(domain.TraceID{ID: trace}, "test"), trace, now, "test", p)
			entry.Envelope.Keys = p.Keys()
		}
		if err == nil {
			_, err = w.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}})
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return id
}

func (w *watch) get(id domain.ID) domain.Interface {
	w.t.Helper()
	i, err := w.desk.Get(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

// transition is one of the monitor's events.
type transition struct {
	id     domain.ID
	online bool
	at     time.Duration // after the first moment of a bubble
}

var bubbleStart = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func (w *watch) transitions() []transition {
	w.t.Helper()
	records, err := w.log.Select(context.Background(), domain.Selector{Topic: domain.TopicInterfaces}, 1, 1<<20)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []transition
	for _, rec := range records {
		tr := transition{at: rec.RecordedAt.Time().Sub(bubbleStart)}
		switch rec.Envelope.Type {
		case "interface.went_offline":
			e, err := domain.Decode[domain.InterfaceWentOffline](rec.Envelope)
			if err != nil || e.Failures < 3 || e.Reason == "" {
				w.t.Errorf("the event is %+v, %v", e, err)
			}
			tr.id = e.InterfaceID
		case "interface.came_online":
			e, err := domain.Decode[domain.InterfaceCameOnline](rec.Envelope)
			if err != nil {
				w.t.Error(err)
			}
			tr.id, tr.online = e.InterfaceID, true
		default:
			continue
		}
		if rec.Envelope.Source != "monitor" || rec.Envelope.Principal != "monitor" || !rec.Envelope.Parent.IsZero() {
			w.t.Errorf("the envelope is %+v", rec.Envelope)
		}
		out = append(out, tr)
	}
	return out
}

// went holds what the transitions were, oldest first: true is online.
func (w *watch) went(want ...bool) {
	w.t.Helper()
	got := []bool{}
	for _, tr := range w.transitions() {
		got = append(got, tr.online)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("the transitions to online are %v, want %v", got, want)
	}
}

// pass lets time go by.
func pass(d time.Duration) {
	domaintest.Pass(d)
	synctest.Wait()
}

// state is how a program of the street is.
type state int

const (
	well state = iota
	ill
	hanging
)

// street is many programs, each at its port.
type street struct {
	mu      sync.Mutex
	states  map[int]state
	asked   map[int][]time.Time // health checks
	offered map[int]int         // times asked for capabilities
	broken  map[int]bool        // can't say what it offers
	now     int
	most    int // health checks at a time
}

var _ commands.Peer = (*street)(nil)

func newStreet() *street {
	return &street{states: map[int]state{}, asked: map[int][]time.Time{}, offered: map[int]int{}, broken: map[int]bool{}}
}

func (s *street) set(port int, to state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.states[port] = to
}

func (s *street) checks(port int) []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time{}, s.asked[port]...)
}

func (s *street) offers(port int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.offered[port]
}

func (s *street) Health(ctx context.Context, at commands.Endpoint) (commands.PeerHealth, error) {
	s.mu.Lock()
	// A refresh asks for the health, too, in the moment of the check before it.
	if last := s.asked[at.Port]; len(last) == 0 || !last[len(last)-1].Equal(time.Now()) {
		s.asked[at.Port] = append(last, time.Now())
	}
	s.now++
	s.most = max(s.most, s.now)
	is := s.states[at.Port]
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}()
	switch is {
	case ill:
		return commands.PeerHealth{}, peerFailed(commands.CodePeerUnreachable)
	case hanging:
		<-ctx.Done()
		return commands.PeerHealth{}, ctx.Err()
	}
	return commands.PeerHealth{}, nil
}

func (s *street) Capabilities(_ context.Context, at commands.Endpoint) ([]domain.Tool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offered[at.Port]++
	if s.broken[at.Port] {
		return nil, peerFailed(commands.CodePeerBadJSON)
	}
	return []domain.Tool{{Name: "book", Parameters: []domain.Parameter{}}}, nil
}

func (*street) Meta(context.Context, commands.Endpoint) (*commands.PeerMeta, error) { return nil, nil }

func (*street) Execute(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
	return commands.Result{}, peerFailed(commands.CodePeerStatus)
}

func (*street) Render(context.Context, commands.Endpoint) (commands.Rendering, error) {
	return commands.Rendering{Body: json.RawMessage(`{}`)}, nil
}

func (*street) Pass(context.Context, commands.Endpoint, []byte, string) (commands.Rendering, error) {
	return commands.Rendering{}, peerFailed(commands.CodePeerStatus)
}

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
		w := newWatch(t).again(func(c *pairing.MonitorConfig) { c.Checks = 4 })
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
		other.roll.Hold()
	}
	w.start()
	other.start()
	for _, turn := range turns {
		w.street.set(turn.port, turn.state)
		switch turn.log {
		case 0:
			w.door.Set(func(domain.Batch) error { return commandstest.LogFailed(domain.CodeDiskLow) }, nil)
		case 1:
			w.door.Set(nil, func(domain.Receipt) error { return commandstest.LogFailed(domain.CodeOutcomeUnknown) })
		default:
			w.door.Set(nil, nil)
		}
		pass(turn.lasts)
	}
	w.door.Set(nil, nil)
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
		w.door.Set(func(domain.Batch) error { return commandstest.LogFailed(domain.CodeDiskLow) }, nil)
		w.start()
		for len(w.street.checks(1)) < 4 {
			pass(time.Second)
		}
		w.went()
		w.door.Set(nil, nil)
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
		w.door.Set(func(domain.Batch) error {
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
	if _, err := pairing.NewMonitor(pairing.MonitorConfig{}); domain.CategoryOf(err) != domain.Validation {
		t.Error(err)
	}
	synctest.Test(t, func(t *testing.T) {
		newWatch(t).again(func(c *pairing.MonitorConfig) {
			c.Every = -1
			if _, err := pairing.NewMonitor(*c); domain.CategoryOf(err) != domain.Validation {
				t.Error(err)
			}
			c.Every = 0
		})
	})
}
