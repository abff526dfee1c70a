package pairing

import (
	"container/heap"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// What a zero field of MonitorConfig means, and when an interface is away.
const (
	DefaultCheckEvery  = 30 * time.Second
	DefaultCheckWithin = 5 * time.Second
	DefaultChecks      = 64

	// offlineAfter is the number of checks in a row that fail before an interface is offline.
	offlineAfter = 3
	// settleTime is how long a daemon gets after its registration: it starts to listen
	// only when that was answered.
	settleTime = 3 * time.Second
	// lookEvery bounds how long a change of the book goes unnoticed.
	lookEvery = time.Second
)

// Refresher asks an interface again what it offers.
type Refresher interface {
	// Refresh records what has changed and returns the tools' names.
	Refresh(ctx context.Context, c commands.Caller, id domain.ID) ([]string, error)
}

var _ Refresher = (*Interfaces)(nil)

// MonitorConfig has the dependencies of the monitor. Every, Within and Checks may be zero.
type MonitorConfig struct {
	commands.Env
	Book      commands.View[domain.Registry]
	Applied   commands.Barrier
	Peer      commands.Peer
	Refresher Refresher

	Every  time.Duration // between two checks of one interface
	Within time.Duration // of one check, after which it has failed
	Checks int           // at a time, at most
}

// Validate returns a validation error when something is missing or makes no sense.
func (c MonitorConfig) Validate() error {
	const op = "configure monitor"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	if c.Every < 0 || c.Within < 0 || c.Checks < 0 {
		return domain.Invalid(op, "", "Every, Within and Checks can't be negative: leave them 0 for the usual")
	}
	return nil
}

// Monitor knows which interfaces are there.
//
// Each interface is checked on a schedule of its own: every Every, give or take a
// tenth, the first time at a random moment of the first Every, so that many never
// fall due at once. One that registered while the monitor runs is checked settleTime
// later, and then asked what it offers, as is one that was away. Those that wait
// for approval are checked like all others, so that the person knows whether one
// is there before they approve it; removed ones leave the schedule.
//
// Three failures in a row take an interface offline, one success brings it back.
// Only these two are events. They are decided on the registry and appended on the
// condition that nothing about the interface came in between; a failed append is
// made up for by the next check, which decides again.
//
// Checks run beside each other, Checks at most, each with an end of its own, so
// one that hangs delays no other. When all are taken, those due wait their turn.
type Monitor struct {
	cfg  MonitorConfig
	told chan domain.ID // see Registered

	mu   sync.Mutex
	seen map[domain.ID]domain.Millis
}

// NewMonitor checks the configuration. Run does the work.
func NewMonitor(cfg MonitorConfig) (*Monitor, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Every == 0 {
		cfg.Every = DefaultCheckEvery
	}
	if cfg.Within == 0 {
		cfg.Within = DefaultCheckWithin
	}
	if cfg.Checks == 0 {
		cfg.Checks = DefaultChecks
	}
	return &Monitor{cfg: cfg, told: make(chan domain.ID, 64), seen: map[domain.ID]domain.Millis{}}, nil
}

// Seen notes a sign of life of an interface just now.
func (m *Monitor) Seen(id domain.ID) {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[id] = now
}

// LastSeen is the time of an interface's last sign of life, an answered check
// included; 0 when there was none since the start, or since it was removed.
func (m *Monitor) LastSeen(id domain.ID) domain.Millis {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[id]
}

// Registered asks for an early check of a daemon that has just registered, also
// when its registration said nothing new and so left no event: it has just
// started, and may have been away. When many are told at once some are left to
// their schedule.
func (m *Monitor) Registered(id domain.ID) {
	select {
	case m.told <- id:
	default:
	}
}

// Run checks until ctx ends, and returns nil when the last check has ended. Run it
// before the log closes, and wait for it to return.
func (m *Monitor) Run(ctx context.Context) error {
	s := newSchedule(m.cfg.Every, m.cfg.Clock)
	done := make(chan checked)
	running := 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		m.look(s)
		for running < m.cfg.Checks {
			c, ok := s.next()
			if !ok {
				break
			}
			running++
			go func() { done <- m.check(ctx, c) }()
		}
		timer.Reset(m.wait(s, running))
		select {
		case <-timer.C:
		case id := <-m.told:
			m.look(s)
			s.hurry(id)
		case c := <-done:
			running--
			s.checked(c)
		case <-ctx.Done():
			for ; running > 0; running-- {
				<-done
			}
			return nil
		}
	}
}

// wait is the time until something falls due. While no further check can start, only the
// end of one matters.
func (m *Monitor) wait(s *schedule, running int) time.Duration {
	if running == m.cfg.Checks {
		return lookEvery
	}
	return min(lookEvery, s.wait())
}

// look takes over what the book says if that has changed.
func (m *Monitor) look(s *schedule) {
	var known []*domain.Interface
	var through domain.Position
	m.cfg.Book.Read(func(r *domain.Registry) {
		if through = r.Through; through != s.through || !s.looked {
			known = slices.Collect(maps.Values(r.Interfaces))
		}
	})
	if s.looked && through == s.through {
		return
	}
	s.take(known, through)
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.seen {
		if s.entries[id] == nil {
			delete(m.seen, id)
		}
	}
}

// monitorSource is the emitter of what the monitor finds, and accountable for it.
const monitorSource = "monitor"

// check asks one interface how it is and records what that changes.
func (m *Monitor) check(ctx context.Context, c check) checked {
	id, at := c.known.ID, commands.EndpointOf(c.known)
	out := checked{check: c, round: c.round}
	err := m.ask(ctx, at)
	if ctx.Err() != nil {
		return out // stopping: that it wasn't heard says nothing about it
	}
	if err != nil {
		out.round.failures++
		if out.round.failures >= offlineAfter {
			m.handle(id, "take the interface offline", m.wentOffline(ctx, id, out.round.failures, reasonOf(err)))
		}
		return out
	}
	m.Seen(id)
	out.round.failures = 0
	back, err := m.cameOnline(ctx, id)
	m.handle(id, "bring the interface back", err)
	if back || out.round.refresh {
		_, err := m.cfg.Refresher.Refresh(ctx, monitorCaller(), id)
		out.round.refresh = err != nil && domain.CategoryOf(err) != domain.NotFound
		m.handle(id, "ask the interface what it offers", err)
	}
	return out
}

func (m *Monitor) ask(ctx context.Context, at commands.Endpoint) error {
	ctx, cancel := context.WithTimeout(ctx, m.cfg.Within)
	defer cancel()
	_, err := m.cfg.Peer.Health(ctx, at)
	return err
}

// monitorCaller is the monitor, which asks by its own timer.
func monitorCaller() commands.Caller {
	return commands.Caller{Name: monitorSource, Source: monitorSource, Principal: monitorSource}
}

// reasonOf is the cause of a failure, in words for people.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

func (m *Monitor) wentOffline(ctx context.Context, id domain.ID, failures int, reason string) error {
	var e domain.InterfaceWentOffline
	var is bool
	var through domain.Position
	m.cfg.Book.Read(func(r *domain.Registry) {
		through = r.Through
		e, is = r.GoOffline(id, failures, reason)
	})
	if !is {
		return nil
	}
	return monitored(ctx, m, id, e, through)
}

func (m *Monitor) cameOnline(ctx context.Context, id domain.ID) (bool, error) {
	var e domain.InterfaceCameOnline
	var is bool
	var through domain.Position
	m.cfg.Book.Read(func(r *domain.Registry) {
		through = r.Through
		e, is = r.ComeOnline(id)
	})
	if !is {
		return false, nil
	}
	err := monitored(ctx, m, id, e, through)
	return err == nil, err
}

// monitored appends a transition and waits until the fold knows it. A trace of its
// own: nothing but the monitor's timer caused it.
func monitored[P commands.Keyed](ctx context.Context, m *Monitor, id domain.ID, payload P, through domain.Position) error {
	entry, err := commands.EntryOf(m.cfg.Env, domain.Begin(domain.TraceID{ID: m.cfg.IDs.NewID()}, monitorSource), monitorSource, payload)
	if err != nil {
		return err
	}
	receipt, err := m.cfg.Log.Append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: domain.InterfaceKey(id), After: through}},
	})
	if err != nil {
		return err
	}
	return m.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}

// handle makes known what couldn't be done. Nothing else is lost: the next check
// decides anew on what the registry then says. A lost race is none of it, since
// another process appended an event of the interface.
func (m *Monitor) handle(id domain.ID, what string, err error) {
	if err == nil || domain.CodeOf(err) == domain.CodeConditionFailed {
		return
	}
	m.cfg.Logger.Warn("monitor couldn't "+what+": it is tried again at the next check", "interface", id.UUID(), "err", err)
}

// schedule has when each interface is to be checked. It belongs to one goroutine.
type schedule struct {
	every   time.Duration
	clock   domain.Clock
	looked  bool            // the book was read once
	through domain.Position // the book's last record when it was read
	entries map[domain.ID]*scheduled
	queue   dueQueue // those that are not being checked
}

// scheduled is one interface of the schedule.
type scheduled struct {
	known   *domain.Interface // as the book last had it
	due     time.Time
	index   int // in the queue; -1 while it is being checked
	round   checkRound
	hurried bool // while it is being checked: the next check is due soon
}

// checkRound is the state that one check takes from those before it.
type checkRound struct {
	failures int  // in a row
	refresh  bool // it is to be asked what it offers, as soon as it answers
}

// check is one that is due. The entry is the schedule's own, to know it again.
type check struct {
	entry *scheduled
	known *domain.Interface
	round checkRound
}

// checked is the result of a check.
type checked struct {
	check check
	round checkRound
}

func newSchedule(every time.Duration, clock domain.Clock) *schedule {
	return &schedule{every: every, clock: clock, entries: map[domain.ID]*scheduled{}}
}

// take follows what the book says.
func (s *schedule) take(known []*domain.Interface, through domain.Position) {
	first := !s.looked
	s.looked, s.through = true, through
	there := make(map[domain.ID]bool, len(known))
	for _, i := range known {
		there[i.ID] = true
		e := s.entries[i.ID]
		switch {
		case e == nil:
			s.add(i, first)
		case isAnew(e.known, i):
			s.renew(e)
			fallthrough
		default:
			e.known = i
		}
	}
	for id, e := range s.entries {
		if !there[id] {
			delete(s.entries, id)
			if e.index >= 0 {
				heap.Remove(&s.queue, e.index)
			}
		}
	}
}

// add schedules one that wasn't known. What it offers is asked at its first check
// in any case: it may have changed while nobody watched, and this program may have
// ended between a daemon's registration and that question.
func (s *schedule) add(i *domain.Interface, first bool) {
	registered := i.Origin == domain.OriginRegistered
	e := &scheduled{known: i, round: checkRound{refresh: true}}
	switch {
	case first || !registered:
		e.due = s.in(rand.N(s.every + 1))
	default:
		e.due = s.in(settleTime)
	}
	s.entries[i.ID] = e
	heap.Push(&s.queue, e)
}

// isAnew reports whether a daemon has come with something else to say of itself:
// it is another version, or another program. What a refresh finds can be a new
// version, too; one more then finds nothing.
func isAnew(was, is *domain.Interface) bool {
	return is.Origin == domain.OriginRegistered &&
		(was.Name != is.Name || was.Version != is.Version || was.Description != is.Description || was.Author != is.Author || !was.Scopes.Equal(is.Scopes))
}

// renew begins again with one: earlier failures may have been another program's.
func (s *schedule) renew(e *scheduled) {
	e.round = checkRound{refresh: true}
	s.soon(e)
}

// hurry makes an interface that has just registered due soon.
func (s *schedule) hurry(id domain.ID) {
	if e := s.entries[id]; e != nil {
		e.round.refresh = true
		s.soon(e)
	}
}

func (s *schedule) soon(e *scheduled) {
	if e.index < 0 {
		e.hurried = true
		return
	}
	e.due = s.in(settleTime)
	heap.Fix(&s.queue, e.index)
}

// next takes out one that is due.
func (s *schedule) next() (check, bool) {
	if len(s.queue) == 0 || s.wait() > 0 {
		return check{}, false
	}
	e, _ := heap.Pop(&s.queue).(*scheduled)
	e.due = s.in(s.jittered())
	return check{entry: e, known: e.known, round: e.round}, true
}

// checked puts one back. What changed while it was checked goes before what the
// check found.
func (s *schedule) checked(c checked) {
	e := c.check.entry
	if s.entries[c.check.known.ID] != e {
		return // removed meanwhile
	}
	if e.hurried {
		e.hurried, e.due = false, s.in(settleTime)
		e.round = checkRound{refresh: true}
	} else {
		e.round = c.round
	}
	heap.Push(&s.queue, e)
}

// wait is the time until something falls due.
func (s *schedule) wait() time.Duration {
	if len(s.queue) == 0 {
		return s.every
	}
	return max(0, s.queue[0].due.Sub(s.clock.Now()))
}

func (s *schedule) in(d time.Duration) time.Time { return s.clock.Now().Add(d) }

// jittered is the time between two checks, give or take a tenth.
func (s *schedule) jittered() time.Duration {
	tenth := s.every / 10
	return s.every - tenth + rand.N(2*tenth+1)
}

// dueQueue is a heap by due time.
type dueQueue []*scheduled

func (q dueQueue) Len() int { return len(q) }

func (q dueQueue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }

func (q dueQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface.
func (q *dueQueue) Push(x any) {
	e, ok := x.(*scheduled)
	if !ok {
		return
	}
	e.index = len(*q)
	*q = append(*q, e)
}

// Pop implements heap.Interface.
func (q *dueQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	e.index = -1
	return e
}
