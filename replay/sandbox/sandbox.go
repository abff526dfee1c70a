package sandbox

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/commands/screen"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/projections"
	"chalie/replay/player"
	"chalie/replay/wiring"
)

// Config is what every sandbox is made with.
type Config struct {
	wiring.Program
	Zone string                 // of this machine, by its IANA name, until a record says another
	Live reasoning.Model        // really called; nil except in a what-if that names it
	Kept *projections.Keyframes // of the environment's log, or of the one that it shows a part of; nil for none
}

// Sandbox is today's code in an environment: the running program's deciding code, over
// folds in memory that are applied one record at a time, and ports without effects.
type Sandbox struct {
	wiring.Wiring
	env    player.Environment
	folded []projections.Projection
	live   reasoning.Model
	kept   *projections.Keyframes

	mind  mind
	parts processState
}

// processState are the state of a process, which a restart loses.
type processState struct {
	tools     *tool.Tools
	approvals *tool.Approvals
	reasoners map[string]*reasoning.Reasoner // by the models they ask
}

var (
	_ player.Runtime      = (*Sandbox)(nil)
	_ player.StartRuntime = Config{}.Open
)

// Open implements player.StartRuntime.
func (c Config) Open(env player.Environment) (player.Runtime, error) { return New(c, env) }

// New makes a sandbox in an environment.
func New(c Config, env player.Environment) (*Sandbox, error) {
	s := &Sandbox{env: env, live: c.Live, kept: c.Kept}
	known := wiring.NewProjections()
	s.folded = known.All()
	s.mind = mind{box: s, held: map[domain.TraceID]*domain.World{}, machine: c.Zone}
	s.mind.of = reasoning.NewMind(thenWorld{&s.mind}, thenAround{&s.mind}, env.Log)
	peers := &interfaces{env: env}
	s.Wiring = wiring.Wiring{
		Projections: known, Program: c.Program, History: env.Log,
		Env:     commands.Env{Log: screen.Before(env.Log), Reader: env.Log, Tail: env.Log, Clock: env.Clock, IDs: env.IDs, Logger: slog.New(slog.DiscardHandler)},
		Applied: func(...projections.Projection) commands.Barrier { return alwaysApplied{} },
		Heard:   lateConversation{known.Transcript, env}, Known: &lateRegistry{View: known.Registry, env: env},
		Mind: &s.mind, Zone: s.mind.zone, Trouble: env.Effects.Trouble,
		Peer: peers, Cards: peers, Tokens: noTokens{},
		// Answers are recorded, so the pauses of the replay must not time a call out.
		Within: 24 * time.Hour,
	}
	return s, s.begin()
}

// begin makes the state of a new process.
func (s *Sandbox) begin() error {
	tools, err := s.Tools()
	if err != nil {
		return err
	}
	approvals, err := s.Approvals(tools)
	s.parts = processState{tools, approvals, map[string]*reasoning.Reasoner{}}
	return err
}

// Begin implements player.Runtime.
func (s *Sandbox) Begin(ctx context.Context, at domain.Position) (out player.Beginning, err error) {
	recorder := wiring.NewRecorder()
	if out.At, err = s.kept.Load(ctx, at, append(slices.Clone(s.folded), recorder)...); err != nil {
		return out, err
	}
	s.World.Read(func(w *domain.World) { out.Plans = w.Plans.Clone() })
	recorder.Read(func(r *wiring.Recorder) {
		out.Build, out.Amendments = r.Build, r.Amendments
		if r.Zone != nil {
			s.mind.machine = *r.Zone
		}
	})
	return out, nil
}

// Apply implements player.Runtime.
func (s *Sandbox) Apply(rec domain.Record) error {
	for _, p := range s.folded {
		if err := projections.Apply(p, &rec); err != nil {
			return err
		}
	}
	switch t := rec.Envelope.Type; {
	case t == domain.ReasoningStartedType, domain.IsSilent(rec.Envelope):
		s.mind.learn(rec)
	case t == domain.SystemStartedType:
		return s.begin()
	}
	return nil
}

// Hold implements player.Runtime.
func (s *Sandbox) Hold(trace domain.TraceID) { s.mind.hold(trace) }

// Run implements player.Runtime.
func (s *Sandbox) Run(ctx context.Context, act player.Act) error {
	ctx = context.WithValue(ctx, actKey{}, act)
	if !act.Invocation.IsZero() {
		return s.invocation(ctx, act.Invocation)
	}
	opening, unknown := s.env.Effects.Invoked(ctx, act.Trace.ID)
	if unknown == nil && opening.Envelope.Type == domain.TimerDueType {
		return s.tellDue(ctx, opening)
	}
	reasoner, err := s.reasonerOf(ctx, act)
	if err != nil {
		return err
	}
	if unknown == nil && domain.IsSilent(opening.Envelope) {
		return reasoner.ThinkAgain(ctx, opening)
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
func (s *Sandbox) tellDue(ctx context.Context, opening domain.Record) error {
	due, err := domain.Decode[domain.TimerDue](opening.Envelope)
	if err != nil {
		return err
	}
	// A scheduler doesn't retry a plan that it failed to tell, so each gets a new one.
	scheduler, err := s.Scheduler(noHeart{})
	if err != nil {
		return err
	}
	return scheduler.Tell(ctx, due.SubjectID)
}

// stillWaits expires a proposal of an episode when its time has come. It reports whether
// the episode waits.
func (s *Sandbox) stillWaits(ctx context.Context, trace domain.TraceID) (bool, error) {
	if !s.asksThePerson() {
		return true, nil
	}
	var ep domain.Episode
	const page = 256
	for n := page; n == page; {
		records, err := s.History.Select(ctx, domain.Selector{Trace: trace}, ep.Through+1, page)
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
	first, err := s.History.Find(ctx, made.Invocation)
	if err != nil {
		return true, err
	}
	out, err := s.parts.tools.Resume(ctx, first)
	return out.Outcome == domain.ApprovalProposedType, err
}

// asksThePerson reports whether any proposal waits.
func (s *Sandbox) asksThePerson() (some bool) {
	s.Invocations.Read(func(known *domain.Invocations) {
		for _, open := range known.Open {
			some = some || open.Pending > 0
		}
	})
	return some
}

// invocation continues a directly requested invocation.
func (s *Sandbox) invocation(ctx context.Context, id domain.ID) error {
	first, err := s.History.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		if first, err = s.env.Effects.Invoked(ctx, id); err == nil {
			_, err = s.parts.tools.Again(ctx, first)
		}
		return err
	}
	if err == nil {
		_, err = s.parts.tools.Resume(ctx, first)
	}
	return err
}

// builtinPrefix begins the name of the built-in model, in every version of it.
const builtinPrefix = "builtin/"

// reasonerOf is the reasoner with the models of the episode's start. The built-in model
// is called again; any other gives its recorded reply.
func (s *Sandbox) reasonerOf(ctx context.Context, act player.Act) (*reasoning.Reasoner, error) {
	ground, _ := s.env.Effects.Ground(ctx, act)
	names := slices.Clone(ground.Models)
	if len(names) == 0 {
		names = []string{s.BuiltIn.Name()}
	}
	key := strings.Join(append(names, ground.Verifier), "\x00")
	if known := s.parts.reasoners[key]; known != nil {
		return known, nil
	}
	var models []reasoning.Model
	var verifier reasoning.Verifier
	for _, name := range names {
		if strings.HasPrefix(name, builtinPrefix) {
			models = append(models, asRecorded{s.BuiltIn, name, s.env.Effects})
		} else if s.live != nil && s.live.Name() == name {
			models = append(models, s.live)
		} else {
			models = append(models, recordedModel{name, s.env.Effects})
		}
	}
	if ground.Verifier != "" {
		verifier = recordedVerifier{ground.Verifier, s.env.Effects}
	}
	made, err := s.Reasoner(models, verifier, s.parts.tools, s.parts.approvals)
	if err != nil {
		return nil, err
	}
	// Names in a log are untrusted, so the cache of them has a bound.
	const most = 64
	if len(s.parts.reasoners) == most {
		maps.DeleteFunc(s.parts.reasoners, func(string, *reasoning.Reasoner) bool { return true })
	}
	s.parts.reasoners[key] = made
	return made, nil
}

// actKey is the context's key for the running act.
type actKey struct{}

func actOf(ctx context.Context) player.Act {
	act, _ := ctx.Value(actKey{}).(player.Act)
	return act
}

// alwaysApplied is a barrier for folds that are applied synchronously.
type alwaysApplied struct{}

// WaitFor implements commands.Barrier.
func (alwaysApplied) WaitFor(context.Context, domain.Position) error { return nil }

// noHeart is a background.Heart without supervision.
type noHeart struct{}

// Work implements background.Heart.
func (noHeart) Work(string) func() { return func() {} }

// noTokens are tokens that decide no proposal.
type noTokens struct{}

// Token implements tool.Tokens.
func (noTokens) Token(proposal domain.ID) string { return "replayed " + proposal.String() }
