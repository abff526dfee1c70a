package main

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/invocations"
	"chalie/projections/memory"
	"chalie/projections/plans"
	"chalie/projections/policy"
	"chalie/projections/registry"
	"chalie/projections/surroundings"
	"chalie/projections/transcript"
	"chalie/projections/unasked"
	"chalie/projections/world"
	"chalie/replay/player"
)

// replayStage is today's code on a scene: what the running program decides with, over
// folds in memory that are applied one record at a time, and ports without effects.
type replayStage struct {
	scene player.Scene
	deciding
	folded []projections.Projection
	live   reasoning.Model // that is really asked; none but in a what-if that wants its answer

	ground stageGround
	parts  stageParts
}

// stageParts are what a process holds: a new one begins without them.
type stageParts struct {
	tools     *tool.Tools
	approvals *tool.Approvals
	reasoners map[string]*reasoning.Reasoner // by the models they ask
}

var (
	_ player.Stage   = (*replayStage)(nil)
	_ player.Staging = newStage
)

// newStage implements player.Staging.
func newStage(scene player.Scene) (player.Stage, error) {
	if scene.Params == (domain.Params{}) {
		scene.Params = domain.DefaultParams()
	}
	s := &replayStage{scene: scene}
	s.books = books{
		invocations.New(), memory.New(), plans.New(), policy.New(), registry.New(),
		surroundings.New(), transcript.New(), unasked.New(), world.New(scene.Params.World),
	}
	s.folded = []projections.Projection{s.invocations, s.memory, s.plans, s.policy, s.registry, s.surroundings, s.transcript, s.unasked, s.world}
	s.ground = stageGround{stage: s, held: map[domain.TraceID]heldWorld{}, machine: hostZone()}
	s.ground.mind = reasoning.NewMind(&s.ground, &s.ground, scene.Log)
	effects := &stageEffects{scene: scene}
	s.reader = scene.Log
	s.Env = commands.Env{Log: scene.Log, Reader: scene.Log, Tail: scene.Log, Clock: scene.Clock, IDs: scene.IDs, Logger: slog.New(slog.DiscardHandler)}
	s.applied = func(...projections.Projection) commands.Barrier { return alwaysApplied{} }
	s.heard, s.known = lateConversation{s.transcript, scene}, &lateRegistry{View: s.registry, scene: scene}
	s.mind, s.zone, s.trouble = &s.ground, s.ground.zone, scene.Effects.Trouble
	s.peer, s.cards, s.tokens = effects, effects, noTokens{}
	// Every answer is there already; how long the replay rests between two steps is
	// nobody's business.
	s.within, s.params, s.build = 24*time.Hour, scene.Params, thisBuild().Version
	return s, s.begin()
}

// begin makes what a new process begins with.
func (s *replayStage) begin() error {
	tools, err := s.tools()
	if err != nil {
		return err
	}
	approvals, err := s.approvals(tools)
	s.parts = stageParts{tools, approvals, map[string]*reasoning.Reasoner{}}
	return err
}

// Apply implements player.Stage.
func (s *replayStage) Apply(rec domain.Record) error {
	for _, p := range s.folded {
		if err := projections.Apply(p, &rec); err != nil {
			return err
		}
	}
	switch rec.Envelope.Type {
	case domain.ReasoningStartedType:
		s.ground.learn(rec)
	case domain.SystemStartedType:
		return s.begin()
	}
	return nil
}

// Hold implements player.Stage.
func (s *replayStage) Hold(trace domain.TraceID) { s.ground.hold(trace) }

// Run implements player.Stage.
func (s *replayStage) Run(ctx context.Context, act player.Act) error {
	ctx = context.WithValue(ctx, actKey{}, act)
	if !act.Invocation.IsZero() {
		return s.invocation(ctx, act.Invocation)
	}
	if opening, err := s.scene.Effects.Invoked(ctx, act.Trace.ID); err == nil && opening.Envelope.Type == domain.TimerDueType {
		return s.tellDue(ctx, opening)
	}
	reasoner, err := s.reasonerOf(ctx, act)
	if err != nil {
		return err
	}
	for {
		if err := reasoner.Answer(ctx, domain.Record{Envelope: domain.Envelope{Trace: act.Trace}}); err != nil {
			return err
		}
		waits, err := s.stillWaits(ctx, act.Trace)
		if waits || err != nil {
			return err
		}
	}
}

// tellDue tells what a recorded timer.due is about.
func (s *replayStage) tellDue(ctx context.Context, opening domain.Record) error {
	due, err := domain.Decode[domain.TimerDue](opening.Envelope)
	if err != nil {
		return err
	}
	// One that could not tell something doesn't try it again: each gets a new one.
	scheduler, err := s.scheduler(noHeart{})
	if err != nil {
		return err
	}
	return scheduler.Tell(ctx, due.SubjectID)
}

// stillWaits lets a proposal of an episode expire when its time has come. It reports
// whether there is nothing more to do now.
func (s *replayStage) stillWaits(ctx context.Context, trace domain.TraceID) (bool, error) {
	if !s.asksThePerson() {
		return true, nil
	}
	var ep domain.Episode
	const page = 256
	for n := page; n == page; {
		records, err := s.reader.Select(ctx, domain.Selector{Trace: trace}, ep.Through+1, page)
		if err != nil {
			return true, err
		}
		for _, rec := range records {
			if err := ep.Evolve(rec); err != nil {
				return true, err
			}
		}
		n = len(records)
	}
	made, waits := ep.Waiting()
	if !waits {
		return true, nil
	}
	first, err := s.reader.Find(ctx, made.Invocation)
	if err != nil {
		return true, err
	}
	out, err := s.parts.tools.Resume(ctx, first)
	return out.Outcome == domain.ApprovalProposedType, err
}

// asksThePerson reports whether anything waits for the person at all.
func (s *replayStage) asksThePerson() (some bool) {
	s.invocations.Read(func(known *domain.Invocations) {
		for _, open := range known.Open {
			some = some || open.Pending > 0
		}
	})
	return some
}

// invocation goes on with one that was asked for directly.
func (s *replayStage) invocation(ctx context.Context, id domain.ID) error {
	first, err := s.reader.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		if first, err = s.scene.Effects.Invoked(ctx, id); err == nil {
			_, err = s.parts.tools.Again(ctx, first)
		}
		return err
	}
	if err == nil {
		_, err = s.parts.tools.Resume(ctx, first)
	}
	return err
}

// builtinPrefix begins the name of the model that comes with the program, in every
// version of it.
const builtinPrefix = "builtin/"

// reasonerOf is what answers, with the models that there were when the episode
// began. The one that comes with the program is asked again; any other says what it
// said.
func (s *replayStage) reasonerOf(ctx context.Context, act player.Act) (*reasoning.Reasoner, error) {
	ground, _ := s.scene.Effects.Ground(ctx, act)
	names := slices.Clone(ground.Models)
	if len(names) == 0 {
		names = []string{builtinmodel.Model{}.Name()}
	}
	key := strings.Join(append(names, ground.Verifier), "\x00")
	if known := s.parts.reasoners[key]; known != nil {
		return known, nil
	}
	var minds thinkers
	for _, name := range names {
		if strings.HasPrefix(name, builtinPrefix) {
			minds.models = append(minds.models, builtinmodel.Model{Rules: s.params.World})
		} else if s.live != nil && s.live.Name() == name {
			minds.models = append(minds.models, s.live)
		} else {
			minds.models = append(minds.models, recordedModel{name, s.scene.Effects})
		}
	}
	if ground.Verifier != "" {
		minds.verifier = recordedVerifier{ground.Verifier, s.scene.Effects}
	}
	made, err := s.reasoner(&minds, s.parts.tools, s.parts.approvals)
	if err != nil {
		return nil, err
	}
	// A name in a log is anybody's: what is kept of them has a bound.
	const most = 64
	if len(s.parts.reasoners) == most {
		maps.DeleteFunc(s.parts.reasoners, func(string, *reasoning.Reasoner) bool { return true })
	}
	s.parts.reasoners[key] = made
	return made, nil
}

// actKey is where a context has the act that runs.
type actKey struct{}

func actOf(ctx context.Context) player.Act {
	act, _ := ctx.Value(actKey{}).(player.Act)
	return act
}

// alwaysApplied is that of folds which are applied before anybody asks.
type alwaysApplied struct{}

// WaitFor implements commands.Barrier.
func (alwaysApplied) WaitFor(context.Context, domain.Position) error { return nil }

// noHeart is that of services which nobody watches.
type noHeart struct{}

// Work implements background.Heart.
func (noHeart) Work(string) func() { return func() {} }

// noTokens are tokens by which nothing can be decided.
type noTokens struct{}

// Token implements tool.Tokens.
func (noTokens) Token(proposal domain.ID) string { return "replayed " + proposal.String() }
