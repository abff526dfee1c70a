package commands

import (
	"context"
	"time"

	"chalie/domain"
)

// SelfModelConfig is what the self-model needs. All fields are required.
type SelfModelConfig struct {
	Env
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
	if err := Complete("configure self-model", cfg); err != nil {
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
