package sandbox

import (
	"context"
	"time"

	"github.com/tidwall/gjson"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// mind is the reasoning.Mind of a sandbox: the world as it stood when an episode began,
// and the zone of the machine that recorded it.
type mind struct {
	box  *Sandbox
	of   *reasoning.WorldMind
	held map[domain.TraceID]heldWorld

	// State of the act that runs; a sandbox runs one at a time.
	world   *heldWorld
	machine string // latest known zone of the recording machine, or of this one
}

type heldWorld struct {
	state   domain.World
	through domain.Position
}

var (
	_ reasoning.Mind       = (*mind)(nil)
	_ reasoning.WorldFold  = (*mind)(nil)
	_ commands.ContextView = (*mind)(nil)
)

// hold keeps the world as it is now.
func (m *mind) hold(trace domain.TraceID) {
	state, through := m.box.World.State()
	m.held[trace] = heldWorld{state, through}
}

// learn notes the recording machine's zone, and drops a held world state when its episode
// has started. The zone in a start counts only while no client had reported one.
func (m *mind) learn(rec domain.Record) {
	delete(m.held, rec.Envelope.Trace)
	if m.box.Surroundings.Now().Timezone != nil {
		return
	}
	// Decoding the whole payload would cost too much for this one text.
	if env, err := domain.Lift(rec.Envelope); err == nil && env.Payload.Encoding == domain.EncodingJSON {
		m.machine = gjson.GetBytes(env.Payload.Bytes, "zone").String()
	}
}

// Ground implements reasoning.Mind.
func (m *mind) Ground(ctx context.Context, now domain.Millis) (reasoning.ContextSnapshot, error) {
	act := actOf(ctx)
	if held, ok := m.held[act.Trace]; ok {
		m.world = &held
		defer func() { m.world = nil }()
	}
	if recorded, ok := m.box.env.Effects.Ground(ctx, act); ok && m.box.Surroundings.Now().Timezone == nil {
		m.machine = recorded.Zone
	}
	return m.of.Ground(ctx, now)
}

// Recall implements reasoning.Mind.
func (m *mind) Recall(ctx context.Context, item domain.SeenItem) (reasoning.ContextItem, error) {
	return m.of.Recall(ctx, item)
}

// Shared implements reasoning.Mind.
func (m *mind) Shared(heard, planned reasoning.ContextItem, zone string) []string {
	return m.of.Shared(heard, planned, zone)
}

// State implements reasoning.WorldFold.
func (m *mind) State() (domain.World, domain.Position) {
	if m.world != nil {
		return m.world.state.Clone(), m.world.through
	}
	return m.box.World.State()
}

// Rules implements reasoning.WorldFold.
func (m *mind) Rules() domain.WorldRules { return m.box.World.Rules() }

// Now implements commands.ContextView.
func (m *mind) Now() domain.ContextUpdated { return m.home().Now() }

func (m *mind) home() commands.AtHome {
	return commands.AtHome{ContextView: m.box.Surroundings, Zone: m.machine}
}

func (m *mind) zone() *time.Location { return m.home().Location() }
