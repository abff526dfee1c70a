package background

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Heart takes a service's signs of life. It is *Heartbeats.
type Heart interface {
	// Work says that a service begins a piece of work; the returned function that it
	// has ended it. A service that stays in one for longer than twice its cycle
	// counts as dead until it comes out.
	Work(service string) (done func())
}

// Heartbeats know which services live. Keep runs a service and beats for it, once
// in a cycle, as long as it runs and isn't stuck in its work. A beat is good for
// twice the service's cycle. Beats are in memory, and restart nothing.
//
// Heartbeats are safe for concurrent use.
type Heartbeats struct {
	clock  domain.Clock
	logger *slog.Logger

	mu     sync.Mutex
	hearts map[string]*heart
	ended  chan struct{} // holds one token when a service has ended
}

var _ Heart = (*Heartbeats)(nil)

type heart struct {
	service domain.Service
	last    time.Time
	at      int // pieces of work it is at
	over    bool
	err     error
	end     context.CancelCauseFunc
}

// NewHeartbeats knows no service yet.
func NewHeartbeats(clock domain.Clock, logger *slog.Logger) *Heartbeats {
	return &Heartbeats{clock: clock, logger: logger, hearts: map[string]*heart{}, ended: make(chan struct{}, 1)}
}

// Pulse is the state of one service.
type Pulse struct {
	Service domain.Service
	Last    time.Time // its last beat
	Over    bool      // it has done what it was there for
	Dead    bool
	Why     string // of a dead one
	Err     error  // what ended it; nil of one that gives no sign of life
}

// Keep runs a service until it returns, and beats for it. It returns what ended the
// service: nil when ctx was cancelled, or when the service is there for one thing
// and has done it. A panic is an error, and so is ending though ctx goes on. A ctx
// that ends with a cause of its own was meant for this service alone: the cause is
// the error then.
func (h *Heartbeats) Keep(ctx context.Context, s domain.Service, run func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	h.mu.Lock()
	h.hearts[s.Name] = &heart{service: s, last: h.clock.Now(), end: end}
	h.mu.Unlock()

	beating, stop := context.WithCancel(ctx)
	defer stop()
	go h.beat(beating, s)
	err := h.guarded(ctx, s, run)
	cause := context.Cause(ctx)
	switch {
	case cause != nil && errors.Is(cause, context.Canceled):
		return nil // everything ends
	case err == nil && cause != nil:
		err = cause
	case err == nil && s.Trigger != domain.TriggerOnce:
		err = &domain.Error{Op: "run service", Category: domain.Dependency, Code: "ended", Message: "it ended by itself"}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.hearts[s.Name]
	known.over, known.err = true, err
	select {
	case h.ended <- struct{}{}:
	default:
	}
	return err
}

// End ends one service alone, for a reason; false when no such service was begun.
func (h *Heartbeats) End(service string, why error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.hearts[service]
	if known == nil {
		return false
	}
	known.end(why)
	return true
}

func (h *Heartbeats) guarded(ctx context.Context, s domain.Service, run func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			h.logger.ErrorContext(ctx, "a service panicked", "service", s.Name, "panic", p, "stack", string(debug.Stack()))
			err = &domain.Error{Op: "run service", Category: domain.Dependency, Code: "panicked", Message: fmt.Sprintf("it broke off: %v", p)}
		}
	}()
	return run(ctx)
}

func (h *Heartbeats) beat(ctx context.Context, s domain.Service) {
	if s.Cycle == 0 {
		return
	}
	ticker := time.NewTicker(s.Cycle)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		h.mu.Lock()
		if known := h.hearts[s.Name]; known.at == 0 {
			known.last = h.clock.Now()
		}
		h.mu.Unlock()
	}
}

// Work implements Heart. Of an unknown service nothing is noted.
func (h *Heartbeats) Work(service string) (done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.hearts[service]
	if known == nil {
		return func() {}
	}
	known.at++
	known.last = h.clock.Now()
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		known.at--
		known.last = h.clock.Now()
	})
}

// Pulses are all services that were ever kept, by name.
func (h *Heartbeats) Pulses() []Pulse {
	now := h.clock.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]Pulse, 0, len(h.hearts))
	for _, known := range h.hearts {
		out = append(out, known.pulse(now))
	}
	domain.SortFunc(out, func(a, b Pulse) int { return cmp.Compare(a.Service.Name, b.Service.Name) })
	return out
}

func (k *heart) pulse(now time.Time) Pulse {
	p := Pulse{Service: k.service, Last: k.last, Over: k.over && k.err == nil}
	silent := now.Sub(k.last)
	switch {
	case k.over && k.err != nil:
		p.Dead, p.Why, p.Err = true, "has ended: "+whyItEnded(k.err), k.err
	case !k.over && k.service.Cycle > 0 && silent > k.service.TTL():
		p.Dead, p.Why = true, fmt.Sprintf("gives no sign of life for %s", silent.Truncate(time.Second))
	}
	return p
}

// whyItEnded is an error for people.
func whyItEnded(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// SelfModelConfig has the dependencies of the self-model. All are required.
type SelfModelConfig struct {
	commands.Env
	Hearts *Heartbeats
}

// SelfModel knows how the program itself is. It looks at the signs of life of all
// services every half minute, and when one has ended, and records who died and who
// lives again. It starts nothing again.
type SelfModel struct {
	cfg  SelfModelConfig
	dead map[string]bool // as recorded
}

// NewSelfModel checks the configuration. Run does the work.
func NewSelfModel(cfg SelfModelConfig) (*SelfModel, error) {
	if err := commands.Complete("configure self-model", cfg); err != nil {
		return nil, err
	}
	return &SelfModel{cfg: cfg, dead: map[string]bool{}}, nil
}

// Run looks until ctx ends.
func (m *SelfModel) Run(ctx context.Context) error {
	own, _ := domain.ServiceNamed(domain.ServiceSelfModel)
	ticker := time.NewTicker(own.Cycle)
	defer ticker.Stop()
	for {
		m.look(ctx)
		select {
		case <-ticker.C:
		case <-m.cfg.Hearts.ended:
		case <-ctx.Done():
			return nil
		}
	}
}

// look records what has changed. What can't be recorded now is by the next look,
// if it is still so.
func (m *SelfModel) look(ctx context.Context) {
	defer m.cfg.Hearts.Work(domain.ServiceSelfModel)()
	for _, p := range m.cfg.Hearts.Pulses() {
		name := p.Service.Name
		if p.Dead == m.dead[name] {
			continue
		}
		var err error
		if p.Dead {
			err = note(ctx, m, name, domain.ServiceDied{Service: name, Layer: p.Service.Layer, Reason: p.Why, Missing: p.Service.FailMode})
		} else {
			err = note(ctx, m, name, domain.ServiceRecovered{Service: name, Layer: p.Service.Layer})
		}
		if err != nil {
			m.cfg.Logger.DebugContext(ctx, "how a service is was not recorded", "service", name, "err", err)
			continue
		}
		m.dead[name] = p.Dead
	}
}

// note records something of a service, as an episode of its own.
func note[P any](ctx context.Context, m *SelfModel, service string, payload P) error {
	id := m.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, m.cfg.Now(), domain.ServiceSelfModel, payload)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = []domain.Key{domain.ServiceKey(service)}
	_, err = m.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}
