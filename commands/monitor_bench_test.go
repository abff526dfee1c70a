package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// watch is a monitor over an in-memory log, in the time of the bubble it is made
// in.
type watch struct {
	t       testing.TB
	street  *street
	log     *domaintest.Log
	door    *door
	ids     *domaintest.IDs
	roll    *roll
	desk    *commands.Interfaces
	monitor *commands.Monitor
	said    *bytes.Buffer // the monitor's log; read it when the monitor has ended
	end     context.CancelFunc
	ended   chan error
}

func newWatch(t testing.TB) *watch {
	log := domaintest.NewLog(bubbleClock{})
	return (&watch{t: t, street: newStreet(), log: log, door: &door{Log: log}, ids: domaintest.NewIDs(bubbleClock{}, 1)}).again(nil)
}

// again is another program over the same log and the same interfaces.
func (w *watch) again(change func(*commands.MonitorConfig)) *watch {
	w.t.Helper()
	next := *w
	next.roll, next.said = &roll{log: w.log}, &bytes.Buffer{}
	var err error
	next.desk, err = commands.NewInterfaces(commands.InterfacesConfig{
		Env: commands.Env{Log: w.log, Reader: w.log, Tail: w.log, Clock: bubbleClock{}, IDs: w.ids, Logger: slog.New(slog.DiscardHandler)}, Book: next.roll, Applied: next.roll, Peer: w.street,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	cfg := commands.MonitorConfig{
		Env: commands.Env{Log: w.door, Reader: w.log, Tail: w.log, Clock: bubbleClock{}, IDs: w.ids, Logger: slog.New(slog.NewTextHandler(next.said, nil))}, Book: next.roll, Applied: next.roll, Peer: w.street, Refresher: next.desk,
	}
	if change != nil {
		change(&cfg)
	}
	if next.monitor, err = commands.NewMonitor(cfg); err != nil {
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
	r, err := w.desk.Register(context.Background(), commands.Registration{Name: name, Host: "127.0.0.1", Port: port})
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
		now := domain.MillisOf(bubbleClock{}.Now())
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
