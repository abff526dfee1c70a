package main

import (
	"context"
	"fmt"
	"log/slog"

	"chalie/adapters/api"
	"chalie/adapters/brain"
	"chalie/adapters/cardhtml"
	"chalie/adapters/httpapi"
	"chalie/adapters/interfaces"
	"chalie/adapters/mcpclient"
	"chalie/adapters/streams"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/commands/setting"
	"chalie/commands/signal"
	"chalie/commands/tool"
	"chalie/domain"
)

// integrations are the parts that call programs outside: interfaces,
// their tools, and broadcasts.
type integrations struct {
	peer       *brain.Hub // before all others
	servers    *mcpclient.Client
	interfaces *pairing.Interfaces
	monitor    *pairing.Monitor
	tools      *tool.Tools
	policies   *tool.Policies
	settings   *setting.Settings
	approvals  *tool.Approvals
	listening  commands.Listener
	streams    *signal.Streams
	listener   *streams.Listener
	logger     *slog.Logger
}

func newIntegrations(a *App, signals *signal.Signals) (*integrations, error) {
	o := integrations{logger: a.cfg.Logger, listening: a.bus}
	direct, err := interfaces.New(interfaces.Config{})
	if err != nil {
		return nil, err
	}
	if o.servers, err = newServers(a, func(id domain.ID) { o.monitor.Registered(id) }); err != nil {
		return nil, err
	}
	o.peer = brain.NewHub(commands.Peers{Interfaces: direct, Servers: o.servers}, a.folds.Registry, a.cfg.Clock)
	book, known := a.folds.Registry, a.folds.Of(a.folds.Registry.Name())
	o.interfaces, err = pairing.New(pairing.Config{
		Env: a.env(), Book: book, Applied: known, Peer: o.peer, Servers: o.servers, Accounts: a.folds.accounts,
	})
	if err != nil {
		return nil, err
	}
	o.monitor, err = pairing.NewMonitor(pairing.MonitorConfig{
		Env: a.env(), Book: book, Applied: known, Peer: o.peer, Refresher: o.interfaces, Every: a.cfg.HealthEvery,
	})
	if err != nil {
		return nil, err
	}
	d := a.wiring()
	d.Peer, d.Cards = o.peer, cardhtml.New()
	if o.tools, err = d.Tools(); err != nil {
		return nil, err
	}
	o.policies, err = tool.NewPolicies(tool.PoliciesConfig{
		Env: a.env(), Book: a.folds.Policy, Applied: a.folds.Of(a.folds.Policy.Name()), Tools: o.tools,
	})
	if err != nil {
		return nil, err
	}
	o.settings, err = setting.New(setting.Config{Env: a.env(), Book: a.folds.Settings, Unwanted: a.folds.Unwanted, Applied: a.folds.Group})
	if err != nil {
		return nil, err
	}
	if o.approvals, err = d.Approvals(o.tools); err != nil {
		return nil, err
	}
	o.listener, err = streams.New(streams.Config{
		Book: book, Signals: signals, Clock: a.cfg.Clock, Applied: a.folds.Group, Logger: a.cfg.Logger,
	})
	if err != nil {
		return nil, err
	}
	o.streams, err = signal.NewStreams(signal.StreamsConfig{
		Env: a.env(), Book: book, Applied: known, Changed: o.listener.Look,
	})
	return &o, err
}

// tell adds the integrations to the API.
func (o *integrations) tell(cfg *httpapi.Config) {
	cfg.Interfaces, cfg.Presence, cfg.Tools, cfg.Peer = o.interfaces, o.monitor, o.tools, o.peer
	cfg.Cards = cardhtml.New()
	cfg.Policies, cfg.Approvals, cfg.Settings = o.policies, o.approvals, o.settings
	cfg.Streams, cfg.StreamStatus = o.streams, o.listener.Status
}

// services are what runs until the way out begins, by name; recovery ends before.
func (o *integrations) services() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"pairing": o.interfaces.Run, domain.ServiceServers: o.servers.Run, "monitor": o.monitor.Run, "streams": o.listener.Run, "recovery": o.recover,
		domain.ServiceApprovals: func(ctx context.Context) error { return o.approvals.Run(ctx, o.listening) },
	}
}

// recover ends the invocations that an earlier process left open, in the background. One
// that can't be ended stays open until the next start, and doesn't affect health.
func (o *integrations) recover(ctx context.Context) error {
	if err := o.tools.Recover(ctx); err != nil && ctx.Err() == nil {
		o.logger.Error("invocations of before can't be ended", "err", err)
	}
	return nil
}

// health adds the numbers of interfaces and streams, and of those that are offline.
func (o *integrations) health(services map[string]api.Service) {
	known := map[domain.InterfaceStatus]int{}
	list := o.interfaces.List()
	for _, i := range list {
		known[i.Status()]++
	}
	services["monitor"] = api.Service{Ready: true, Detail: fmt.Sprintf("%s, %d offline, %d pending",
		counted(len(list), "interface", "interfaces"), known[domain.StatusOffline], known[domain.StatusPending])}
	live := 0
	streams := o.streams.List()
	for _, s := range streams {
		if status, ok := o.listener.Status(s.ID); ok && status.State == signal.StreamLive {
			live++
		}
	}
	services["streams"] = api.Service{Ready: true, Detail: fmt.Sprintf("%s, %d live", counted(len(streams), "stream", "streams"), live)}
}
