package replay

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/transcript"
)

// Past gives views as of a position of the log: everything through it is folded, and
// nothing after it. Each view folds only the topics it needs, and keeps snapshots for the
// next question; see [projections.Past], also for the errors. The views it returns are
// immutable. It is safe for concurrent use, and appends nothing.
type Past struct {
	reader domain.Reader
	zone   string

	worlds      *projections.Past[pastWorld]
	registries  *projections.Past[*projections.InMemory[domain.Registry]]
	transcripts *projections.Past[*transcript.Projection]
	planned     *projections.Past[*projections.InMemory[domain.Plans]]
	invoked     *projections.Past[*projections.InMemory[domain.Invocations]]
	policies    *projections.Past[*small.Policy]
}

// pastWorld is the world state and the person's context.
type pastWorld struct {
	world  *projections.InMemory[domain.World]
	around *projections.InMemory[domain.ContextUpdated]
}

// NewPast makes the Past of a log. Zone is the person's time zone until a client reported
// one: an IANA name, or "".
func NewPast(log Log, zone string) *Past {
	return &Past{
		reader: log, zone: zone,
		worlds: projections.NewPast(log, func() (pastWorld, []projections.Projection) {
			w := pastWorld{small.World(domain.DefaultWorldRules()), small.Surroundings()}
			return w, []projections.Projection{w.world, w.around}
		}),
		registries:  projections.NewPast(onTopics(log, domain.TopicInterfaces), alone(small.Registry)),
		transcripts: projections.NewPast(onTopics(log, domain.TopicMessages, domain.TopicReasoning), alone(transcript.New)),
		planned:     projections.NewPast(onTopics(log, domain.TopicCommitments, domain.TopicReasoning), alone(small.Plans)),
		invoked:     projections.NewPast(onTopics(log, domain.TopicTools), alone(small.Invocations)),
		policies:    projections.NewPast(onTopics(log, domain.TopicPolicy), alone(small.NewPolicy)),
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

// topicFeed is a log of some topics: the index skips records that no projection of a view
// needs. Records read of a topic ahead of the others are kept for the next batch.
type topicFeed struct {
	Log
	topics []domain.Topic

	mu    sync.Mutex
	next  domain.Position   // first position of the next batch
	ahead [][]domain.Record // by topic, from next on
}

func onTopics(log Log, topics ...domain.Topic) *topicFeed {
	return &topicFeed{Log: log, topics: topics}
}

// Select reads the topics, in the order of the log.
func (f *topicFeed) Select(ctx context.Context, _ domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if len(f.topics) == 1 {
		return f.Log.Select(ctx, domain.Selector{Topic: f.topics[0]}, from, limit)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if from != f.next || f.ahead == nil {
		f.next, f.ahead = from, make([][]domain.Record, len(f.topics))
	}
	through, more := f.Tail(), false
	for i, topic := range f.topics {
		last := from - 1
		if n := len(f.ahead[i]); n > 0 {
			last = f.ahead[i][n-1].Position
		}
		if lacks := limit - len(f.ahead[i]); lacks > 0 {
			got, err := f.Log.Select(ctx, domain.Selector{Topic: topic}, last+1, lacks)
			if err != nil {
				f.ahead = nil
				return nil, err
			}
			f.ahead[i] = append(f.ahead[i], got...)
			if len(got) < lacks {
				continue // the topic has no more
			}
		}
		more = true
		through = min(through, f.ahead[i][len(f.ahead[i])-1].Position)
	}
	return f.take(through, limit, more), nil
}

// take returns the records read through a position, up to limit.
func (f *topicFeed) take(through domain.Position, limit int, more bool) []domain.Record {
	var out []domain.Record
	for _, records := range f.ahead {
		for _, rec := range records {
			if rec.Position > through {
				break
			}
			out = append(out, rec)
		}
	}
	slices.SortFunc(out, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	if len(out) > limit {
		out, more = out[:limit], true
	}
	if !more || len(out) == 0 {
		f.ahead = nil
		return out
	}
	f.next = out[len(out)-1].Position + 1
	for i, records := range f.ahead {
		taken, _ := slices.BinarySearchFunc(records, f.next, func(r domain.Record, pos domain.Position) int { return cmp.Compare(r.Position, pos) })
		f.ahead[i] = slices.Clone(records[taken:])
	}
	return out
}
