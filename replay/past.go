package replay

import (
	"context"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/transcript"
)

// Past gives views as of a position of the log: everything through it is folded, and
// nothing after it. Each view folds what follows the last keyframe; see
// [projections.Past], also for the errors. The views it returns are immutable.
// It is safe for concurrent use, and appends nothing.
type Past struct {
	reader domain.Reader
	zone   string

	worlds      *projections.Past[pastWorld]
	registries  *projections.Past[*projections.InMemory[domain.Registry]]
	transcripts *projections.Past[*transcript.Projection]
	planned     *projections.Past[*projections.InMemory[domain.Plans]]
	invoked     *projections.Past[*projections.InMemory[domain.Invocations]]
	policies    *projections.Past[*small.Policy]
	settings    *projections.Past[*projections.InMemory[domain.SettingsBook]]
}

// pastWorld is the world state and the person's context.
type pastWorld struct {
	world  *projections.InMemory[domain.World]
	around *projections.InMemory[domain.ContextUpdated]
}

// NewPast makes the Past of a log. Zone is the person's time zone until a client reported
// one: an IANA name, or "". Keyframes may be nil.
func NewPast(log Log, kept *projections.Keyframes, zone string) *Past {
	return &Past{
		reader: log, zone: zone,
		worlds: projections.NewPast(log, kept, func() (pastWorld, []projections.Projection) {
			w := pastWorld{small.World(), small.Surroundings()}
			return w, []projections.Projection{w.world, w.around}
		}),
		registries:  projections.NewPast(log, kept, alone(small.Registry)),
		transcripts: projections.NewPast(log, kept, alone(transcript.New)),
		planned:     projections.NewPast(log, kept, alone(small.Plans)),
		invoked:     projections.NewPast(log, kept, alone(small.Invocations)),
		policies:    projections.NewPast(log, kept, alone(small.NewPolicy)),
		settings:    projections.NewPast(log, kept, alone(small.Settings)),
	}
}

// alone makes a view of one projection.
func alone[P projections.Projection](anew func() P) func() (P, []projections.Projection) {
	return func() (P, []projections.Projection) {
		p := anew()
		return p, []projections.Projection{p}
	}
}

// World is the world state: scores are computed for the moment of the call.
func (p *Past) World(ctx context.Context, through domain.Position) (*reasoning.WorldMind, error) {
	then, err := p.worlds.At(ctx, through)
	if err != nil {
		return nil, err
	}
	return reasoning.NewMind(then.world, commands.AtHome{View: then.around, Zone: p.zone}, p.reader), nil
}

// Registry is the interfaces and programs at a position.
func (p *Past) Registry(ctx context.Context, through domain.Position) (commands.View[domain.Registry], error) {
	return p.registries.At(ctx, through)
}

// Transcript is the conversation so far.
func (p *Past) Transcript(ctx context.Context, through domain.Position) (*transcript.Projection, error) {
	return p.transcripts.At(ctx, through)
}

// Plans are the plans at a position.
func (p *Past) Plans(ctx context.Context, through domain.Position) (commands.View[domain.Plans], error) {
	return p.planned.At(ctx, through)
}

// Approvals are the proposals that waited at a moment.
func (p *Past) Approvals(ctx context.Context, through domain.Position, at domain.Millis) ([]tool.Proposal, error) {
	then, err := p.invoked.At(ctx, through)
	if err != nil {
		return nil, err
	}
	return tool.PendingThen(ctx, p.reader, then, at)
}

// Policy is the policy that was in force.
func (p *Past) Policy(ctx context.Context, through domain.Position) (commands.View[domain.Rulebook], error) {
	return p.policies.At(ctx, through)
}

// Settings are the parameters that were set.
func (p *Past) Settings(ctx context.Context, through domain.Position) (commands.View[domain.SettingsBook], error) {
	return p.settings.At(ctx, through)
}
