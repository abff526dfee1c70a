package sandbox

import (
	"context"
	"time"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/replay/wiring"
)

// mind is the reasoning.Mind of a sandbox: the world as it stood when an episode began,
// and the zone of the machine that recorded it.
type mind struct {
	box  *Sandbox
	of   *reasoning.WorldMind
	held map[domain.TraceID]*domain.World

	// State of the act that runs; a sandbox runs one at a time.
	world   *domain.World
	machine string // latest known zone of the recording machine, or of this one
}

var (
	_ reasoning.Mind                       = (*mind)(nil)
	_ commands.View[domain.World]          = thenWorld{}
	_ commands.View[domain.ContextUpdated] = thenAround{}
)

// hold keeps the world as it is now.
func (m *mind) hold(trace domain.TraceID) {
	world := commands.Copy(m.box.World)
	m.held[trace] = &world
}

// learn notes the recording machine's zone, and drops a held world state when its episode
// has started. The zone in a start counts only while no client had reported one.
func (m *mind) learn(rec domain.Record) {
	delete(m.held, rec.Envelope.Trace)
	if commands.Copy(m.box.Surroundings).Timezone != nil {
		return
	}
	if zone, ok := wiring.ZoneOf(rec); ok {
		m.machine = zone
	}
}

// Ground implements reasoning.Mind.
func (m *mind) Ground(ctx context.Context, now domain.Millis, opening domain.ID) (reasoning.ContextSnapshot, error) {
	act := actOf(ctx)
	if held, ok := m.held[act.Trace]; ok {
		m.world = held
		defer func() { m.world = nil }()
	}
	if recorded, ok := m.box.env.Effects.Ground(ctx, act); ok && commands.Copy(m.box.Surroundings).Timezone == nil {
		m.machine = recorded.Zone
	}
	return m.of.Ground(ctx, now, opening)
}

// Recall implements reasoning.Mind.
func (m *mind) Recall(ctx context.Context, item domain.SeenItem) (language.ContextItem, error) {
	return m.of.Recall(ctx, item)
}

// Shared implements reasoning.Mind.
func (m *mind) Shared(heard, planned language.ContextItem, zone string) []string {
	return m.of.Shared(heard, planned, zone)
}

// thenWorld is the world state as the act that runs knew it.
type thenWorld struct{ *mind }

// Read implements commands.View.
func (m thenWorld) Read(fn func(*domain.World)) {
	if m.world != nil {
		fn(m.world)
		return
	}
	m.box.World.Read(fn)
}

// thenAround is the person's context as it was known.
type thenAround struct{ *mind }

// Read implements commands.View.
func (m thenAround) Read(fn func(*domain.ContextUpdated)) { m.home().Read(fn) }

func (m *mind) home() commands.AtHome {
	return commands.AtHome{View: m.box.Surroundings, Zone: m.machine}
}

func (m *mind) zone() *time.Location { return m.home().Location() }
