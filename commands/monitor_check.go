package commands

import (
	"context"
	"errors"

	"chalie/domain"
)

// monitorSource is the emitter of what the monitor finds, and accountable for it.
const monitorSource = "monitor"

// check asks one interface how it is and records what that changes.
func (m *Monitor) check(ctx context.Context, c check) checked {
	id, at := c.known.ID, Endpoint{Host: c.known.Host, Port: c.known.Port}
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

func (m *Monitor) ask(ctx context.Context, at Endpoint) error {
	ctx, cancel := context.WithTimeout(ctx, m.cfg.Within)
	defer cancel()
	_, err := m.cfg.Peer.Health(ctx, at)
	return err
}

// monitorCaller is the monitor, which asks by its own timer.
func monitorCaller() Caller {
	return Caller{Name: monitorSource, Source: monitorSource, Principal: monitorSource}
}

// reasonOf is what went wrong, for people.
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
func monitored[P Keyed](ctx context.Context, m *Monitor, id domain.ID, payload P, through domain.Position) error {
	entry, err := EntryOf(m.cfg.Env, domain.Begin(domain.TraceID{ID: m.cfg.IDs.NewID()}, monitorSource), monitorSource, payload)
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
// somebody else had news of the interface.
func (m *Monitor) handle(id domain.ID, what string, err error) {
	if err == nil || domain.CodeOf(err) == domain.CodeConditionFailed {
		return
	}
	m.cfg.Logger.Warn("monitor couldn't "+what+": it is tried again at the next check", "interface", id.UUID(), "err", err)
}
