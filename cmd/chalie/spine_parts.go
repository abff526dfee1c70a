package main

import (
	"cmp"
	"context"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
	"chalie/projections"
)

// spine is what Chalie does of its own accord: services that notice something, and
// who thinks about it.
type spine struct {
	emitter     *commands.Emitter
	hearts      *commands.Heartbeats
	self        *commands.SelfModel
	background  *commands.Consumer
	idle        *commands.Idle
	threads     *commands.Threads
	plans       *commands.Watcher
	scheduler   *commands.Watcher
	observation *commands.Watcher
	foreground  commands.Foreground
}

// newSpine makes what others emit with. The rest comes with think.
func newSpine(a *App) (*spine, error) {
	s := spine{hearts: commands.NewHeartbeats(a.cfg.Clock, a.cfg.Logger)}
	var err error
	s.emitter, err = commands.NewEmitter(commands.EmitterConfig{Env: a.env()})
	if err != nil {
		return nil, err
	}
	s.self, err = commands.NewSelfModel(commands.SelfModelConfig{Env: a.env(), Hearts: s.hearts})
	return &s, err
}

// think makes the services that notice, and the consumer that takes up what they
// emit.
func (s *spine) think(a *App, reasoner commands.Background) error {
	var err error
	declared, _ := domain.ServiceNamed(domain.ServiceBackground)
	s.background, err = commands.NewConsumer(commands.ConsumerConfig{
		Name: declared.Name, Takes: declared.Consumes, Env: a.env(), Feed: a.log, Work: reasoner, Priority: &s.foreground, Heart: s.hearts, Debounce: a.cfg.Debounce,
	})
	if err != nil {
		return err
	}
	s.idle, err = commands.NewIdle(commands.IdleConfig{
		Env: a.env(), Emitter: s.emitter, Priority: &s.foreground, Heart: s.hearts, After: a.cfg.IdleAfter,
	})
	if err != nil {
		return err
	}
	s.threads, err = commands.NewThreads(commands.ThreadsConfig{
		Env: a.env(), Emitter: s.emitter, Priority: &s.foreground, Heart: s.hearts,
	})
	if err != nil {
		return err
	}
	for _, w := range []struct {
		to       **commands.Watcher
		service  string
		noticing commands.Noticing
		topics   []domain.Topic
	}{
		{&s.plans, domain.ServicePlans, commands.NoticePlans(), []domain.Topic{domain.TopicCommitments, domain.TopicMemory}},
		{&s.scheduler, domain.ServiceScheduler, commands.NoticeDue(), []domain.Topic{domain.TopicReasoning}},
		{&s.observation, domain.ServiceObservation, commands.NewObservation(a.log, a.cfg.Clock), []domain.Topic{domain.TopicTools}},
	} {
		*w.to, err = commands.NewWatcher(commands.WatcherConfig{
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

// health says which services live. What a service says of itself stands.
func (s *spine) health(services map[string]api.Service) {
	for _, p := range s.hearts.Pulses() {
		name := p.Service.Name
		switch _, told := services[name]; {
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

// view is how the spine is now, with the projections, which have a runner each of
// their own.
func (a *App) view() commands.SpineView {
	s := a.spine
	folded := commands.Pulse{Last: a.cfg.Clock.Now()}
	folded.Service, _ = domain.ServiceNamed(domain.ServiceProjections)
	for _, p := range a.folds.group.Status(a.stopping) {
		if p.State == projections.StateStopped {
			folded.Dead, folded.Why = true, p.Name+" has stopped"
		}
	}
	return commands.SpineView{
		Pulses: append(s.hearts.Pulses(), folded), Emitted: s.emitter.Counts(), Consumers: []commands.ConsumerView{s.background.View()},
		Idle: cmp.Or(a.cfg.IdleAfter, commands.DefaultIdleAfter),
	}
}
