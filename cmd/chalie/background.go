package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/builtinmodel"
	"chalie/adapters/faultfile"
	"chalie/adapters/hostzone"
	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections"
	"chalie/replay/sandbox"
	"chalie/replay/wiring"
)

// spine is the background bus: services that emit signals, and their consumer.
type spine struct {
	emitter     *background.Emitter
	hearts      *background.Heartbeats
	self        *background.SelfModel
	background  *background.Consumer
	idle        *background.Idle
	threads     *background.Threads
	plans       *background.Watcher
	scheduler   *background.Watcher
	observation *background.Watcher
	foreground  background.Foreground
}

// newSpine makes the emitter. think adds the rest.
func newSpine(a *App) (*spine, error) {
	s := spine{hearts: background.NewHeartbeats(a.cfg.Clock, a.cfg.Logger)}
	var err error
	s.emitter, err = background.NewEmitter(background.EmitterConfig{Env: a.env()})
	if err != nil {
		return nil, err
	}
	s.self, err = background.NewSelfModel(background.SelfModelConfig{Env: a.env(), Hearts: s.hearts})
	return &s, err
}

// think makes the services that emit signals, and the consumer of them.
func (s *spine) think(a *App, reasoner background.Work) error {
	var err error
	declared, _ := domain.ServiceNamed(domain.ServiceBackground)
	s.background, err = background.NewConsumer(background.ConsumerConfig{
		Name: declared.Name, Takes: declared.Consumes, Env: a.env(), Feed: a.log, Work: reasoner, Priority: &s.foreground, Heart: s.hearts, Debounce: a.cfg.Debounce, Bounds: a.bounds(),
	})
	if err != nil {
		return err
	}
	s.idle, err = background.NewIdle(background.IdleConfig{
		Env: a.env(), Emitter: s.emitter, Priority: &s.foreground, Heart: s.hearts, After: a.cfg.IdleAfter,
	})
	if err != nil {
		return err
	}
	s.threads, err = background.NewThreads(background.ThreadsConfig{
		Env: a.env(), Emitter: s.emitter, Priority: &s.foreground, Heart: s.hearts,
	})
	if err != nil {
		return err
	}
	for _, w := range []struct {
		to       **background.Watcher
		service  string
		noticing background.Noticing
		topics   []domain.Topic
	}{
		{&s.plans, domain.ServicePlans, background.NoticePlans(), []domain.Topic{domain.TopicCommitments, domain.TopicMemory}},
		{&s.scheduler, domain.ServiceScheduler, background.NoticeDue(), []domain.Topic{domain.TopicReasoning}},
		{&s.observation, domain.ServiceObservation, background.NewObservation(a.log, a.cfg.Clock), []domain.Topic{domain.TopicTools}},
	} {
		*w.to, err = background.NewWatcher(background.WatcherConfig{
			Service: w.service, Topics: w.topics, Noticing: w.noticing, Listener: a.bus, Env: a.env(), Emitter: s.emitter,
			Heart: s.hearts,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// services are what runs until the way out begins, by name.
func (s *spine) services() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		domain.ServiceSpine: s.emitter.Run, domain.ServiceSelfModel: s.self.Run,
		domain.ServiceIdle: s.idle.Run, domain.ServiceThreads: s.threads.Run, domain.ServicePlans: s.plans.Run,
		domain.ServiceScheduler: s.scheduler.Run, domain.ServiceObservation: s.observation.Run,
		domain.ServiceBackground: s.background.Run,
	}
}

// health adds the services' liveness, unless a service reports its own state.
func (s *spine) health(services map[string]api.Service) {
	for _, p := range s.hearts.Pulses() {
		name := p.Service.Name
		switch _, told := services[name]; {
		case p.Err != nil:
			services[name] = api.Service{Detail: "has ended: " + words(p.Err) + "; start Chalie again once that is mended"}
		case p.Dead:
			services[name] = api.Service{Detail: p.Why + "; missing: " + p.Service.FailMode}
		case told:
		case p.Over:
			services[name] = api.Service{Ready: true, Detail: "has done its work"}
		default:
			services[name] = api.Service{Ready: true, Detail: "alive"}
		}
	}
}

// view is the present state of the spine and of the projections.
func (a *App) view() background.View {
	s := a.spine
	folded := background.Pulse{Last: a.cfg.Clock.Now()}
	folded.Service, _ = domain.ServiceNamed(domain.ServiceProjections)
	for _, p := range a.folds.Group.Status(a.stopping) {
		if p.State == projections.StateStopped {
			folded.Dead, folded.Why = true, p.Name+" has stopped"
		}
	}
	return background.View{
		Pulses: append(s.hearts.Pulses(), folded), Emitted: s.emitter.Counts(), Consumers: []background.ConsumerView{s.background.View()},
		Idle: cmp.Or(a.cfg.IdleAfter, background.DefaultIdleAfter),
	}
}

// newScheduler makes the service that tells the person of due plans.
func newScheduler(a *App) (*background.Scheduler, error) {
	return a.wiring().Scheduler(a.spine.hearts)
}

// zone is the person's time zone as a client reported it, or this machine's; UTC when
// neither is known.
func (a *App) zone() *time.Location {
	return commands.AtHome{View: a.folds.Surroundings, Zone: hostzone.Name()}.Location()
}

// faults are the parts of Chalie that don't work at present, a sentence each.
func (a *App) faults() (out []string) {
	for _, p := range a.spine.hearts.Pulses() {
		if p.Dead {
			out = append(out, fmt.Sprintf("%s %s: %s", p.Service.Name, p.Why, p.Service.FailMode))
		}
	}
	diverged := a.auditor.Diverged(a.stopping)
	for _, name := range slices.Sorted(maps.Keys(diverged)) {
		out = append(out, "projection "+name+" "+divergedWords(diverged[name]))
	}
	return out
}

// thisProgram is this program's parts of the deciding code.
func thisProgram() wiring.Program {
	return wiring.Program{
		BuiltIn: builtinmodel.Model{},
		Formats: jsonschema.Formats{}, Build: thisBuild().Version,
	}
}

// sandboxes is the configuration of replays' sandboxes.
func sandboxes(kept keyframes) sandbox.Config {
	return sandbox.Config{Program: thisProgram(), Zone: hostzone.Name(), Kept: kept.Keyframes}
}

// wiring is the running program's wiring of the deciding code.
func (a *App) wiring() wiring.Wiring {
	out := wiring.Wiring{
		Projections: a.folds.held.Projections, Env: a.env(), History: a.log,
		Applied: func(wanted ...projections.Projection) commands.Barrier { return a.folds.Those(wanted...) },
		Mind:    reasoning.NewMind(a.folds.World, commands.AtHome{View: a.folds.Surroundings, Zone: hostzone.Name()}, a.log),
		Heard:   a.folds.Transcript,
		Known:   a.folds.Registry,
		Zone:    a.zone, Trouble: a.faults, Tokens: a.tokens, Volume: a.volume, Until: a.waiting,
		Program: thisProgram(),
	}
	if a.cfg.wires != nil {
		a.cfg.wires(&out)
	}
	return out
}

// bounds are those of reading: no more than a quarter of the memory that there is for the
// program, so that it comes to its bound before the machine ends it.
func (a *App) bounds() commands.Bounds {
	out := a.cfg.bounds
	if out.Memory == 0 {
		out.Memory = uint64(a.cfg.memory.reading())
	}
	return out
}

// newReasoner makes the Reasoner, which writes through the bus.
func newReasoner(a *App, t *answeringModels) (*reasoning.Reasoner, error) {
	return a.wiring().Reasoner(t.models, t.verifier, a.outside.tools, a.outside.approvals)
}

// newLoop makes the loop that answers. Where what a fault would leave can't be kept, the program
// runs all the same.
func newLoop(a *App, reasoner *reasoning.Reasoner) (*reasoning.Loop, error) {
	cfg := reasoning.LoopConfig{Env: a.env(), Feed: a.bus, Reasoner: reasoner, Foreground: &a.spine.foreground, Bounds: a.bounds()}
	if a.cfg.faults {
		kept, err := faultfile.Open(a.cfg.Data, a.cfg.Logger)
		if err == nil {
			a.fault, cfg.Faults = kept, kept
		} else {
			a.cfg.Logger.Warn("a fault that ends Chalie would leave nothing", "err", err)
		}
	}
	return reasoning.NewLoop(cfg)
}
