package commands

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"chalie/domain"
)

// What a zero field of MonitorConfig means, and when an interface is away.
const (
	DefaultCheckEvery  = 30 * time.Second
	DefaultCheckWithin = 5 * time.Second
	DefaultChecks      = 64

	// offlineAfter is how many checks in a row fail before an interface is offline.
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
	Refresh(ctx context.Context, c Caller, id domain.ID) ([]string, error)
}

var _ Refresher = (*Interfaces)(nil)

// MonitorConfig is what the monitor needs. Every, Within and Checks may be zero.
type MonitorConfig struct {
	Env
	Book      View[domain.Registry]
	Applied   Applied
	Peer      Peer
	Refresher Refresher

	Every  time.Duration // between two checks of one interface
	Within time.Duration // of one check, after which it has failed
	Checks int           // at a time, at most
}

// Validate returns a validation error when something is missing or makes no sense.
func (c MonitorConfig) Validate() error {
	const op = "configure monitor"
	if err := Complete(op, c); err != nil {
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
// for approval are checked like all others, so that whoever approves one knows
// whether it is there; removed ones leave the schedule.
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

// Seen notes that something was heard from an interface just now.
func (m *Monitor) Seen(id domain.ID) {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[id] = now
}

// LastSeen is when something was last heard from an interface, an answered check
// included; 0 when nothing was since the start, or since it was removed.
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

// wait is how long nothing falls due. While no further check can start, only the
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
