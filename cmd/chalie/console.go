package main

import (
	"context"
	"io"
	"time"

	"chalie/adapters/aistalk"
	"chalie/adapters/httpapi"
	"chalie/adapters/wsapi"
	"chalie/domain"
	"chalie/projections/rebuild"
	"chalie/replay/player"
)

// nodesEvery is how often consoles are told how Chalie is.
const nodesEvery = 15 * time.Second

// nodeName is what consoles call this program.
const nodeName = "chalie"

// console is the sockets of consoles.
type console struct {
	app    *App
	hub    *wsapi.Hub
	speaks *consoleDialect
}

// consoleDialect is what consoles speak, on the sockets' hub.
type consoleDialect struct{ *aistalk.Console }

// Handle implements wsapi.Dialect.
func (d consoleDialect) Handle(ctx context.Context, c *wsapi.Client, text []byte) error {
	return d.Console.Handle(ctx, c, text)
}

// newConsole makes the sockets of consoles, and adds them to the API. Who replays or exports is
// listened to from then on.
func newConsole(a *App, cfg *httpapi.Config) (*console, error) {
	c := &console{app: a, speaks: &consoleDialect{&aistalk.Console{Reader: a.log, Clock: a.cfg.Clock, Models: cfg.Models, Epochs: func() domain.Epochs { return a.epochs }}}}
	var err error
	c.hub, err = wsapi.New(wsapi.Config{
		Buffer: a.folds.console, Reader: a.log, Tail: a.log, Speaks: c.speaks, Logger: a.cfg.Logger, Epochs: func() domain.Epochs { return a.epochs },
		Ready: func(ctx context.Context) error { return a.folds.Of(a.folds.console.Name()).WaitFor(ctx, a.started) },
	})
	if err != nil {
		return nil, err
	}
	cfg.Console, cfg.Unkeyed, cfg.Tokens = c.hub, a.cfg.AISTalk, a.tokens
	replay, whatIf, export := cfg.Replay, cfg.WhatIf, cfg.Export
	cfg.Replay = func(ctx context.Context, what player.Request, told func(player.Progress)) (out player.Report, err error) {
		began := a.cfg.Clock.Now()
		defer func() { c.ran(aistalk.Ops{Name: "replay", OK: err == nil}, began) }()
		return replay(ctx, what, told)
	}
	cfg.WhatIf = func(ctx context.Context, change player.Change, scope player.Scope, told func(done, total domain.Position)) (out player.Outcomes, err error) {
		began := a.cfg.Clock.Now()
		defer func() { c.ran(aistalk.Ops{Name: "what_if", OK: err == nil}, began) }()
		return whatIf(ctx, change, scope, told)
	}
	cfg.Export = func(ctx context.Context, q httpapi.ExportQuery, out io.Writer) (err error) {
		began := a.cfg.Clock.Now()
		defer func() { c.ran(aistalk.Ops{Name: "export", OK: err == nil}, began) }()
		return export(ctx, q, out)
	}
	return c, nil
}

// run sends events, and how Chalie is every now and then, until ctx ends.
func (c *console) run(ctx context.Context) error {
	ticking, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		ticker := time.NewTicker(nodesEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if c.hub.Clients() > 0 || c.app.bridge != nil {
					c.tell(ticking)
				}
			case <-ticking.Done():
				return
			}
		}
	}()
	return c.hub.Run(ctx)
}

// tell tells consoles how Chalie is.
func (c *console) tell(ctx context.Context) {
	a := c.app
	now := a.cfg.Clock.Now()
	is := a.health(ctx)
	c.send(aistalk.NodesStatus(now, aistalk.Nodes{
		UptimeS: int64(now.Sub(a.began.Time()).Seconds()), Clients: c.hub.Clients(),
		Nodes: []aistalk.Node{{ID: nodeName, Online: is.Ready, RouterOK: is.Services[domain.ServiceReasoning].Ready, LatencyMS: c.speaks.Latency()}},
	}))
}

// ran tells consoles that an operation has ended.
func (c *console) ran(what aistalk.Ops, began time.Time) {
	now := c.app.cfg.Clock.Now()
	what.ElapsedMS = now.Sub(began).Milliseconds()
	c.send(aistalk.OpsRun(now, what))
}

// send sends what comes from no record to all who listen now.
func (c *console) send(event []byte) {
	c.hub.Tell(event)
	if c.app.bridge != nil {
		c.app.bridge.Tell(event)
	}
}

// rebuilt tells consoles that a rebuild has ended.
func (a *App) rebuilt(projection string, ended rebuild.View) {
	if a.console == nil { // the program is being opened
		return
	}
	a.console.ran(aistalk.Ops{Name: string(ended.What), Of: projection, OK: ended.State == rebuild.Done && ended.Err == nil},
		ended.Ended.Add(-ended.Result.Took))
}

// detail is what /health says.
func (c *console) detail() string {
	said := counted(c.hub.Clients(), "console", "consoles")
	if c.app.cfg.AISTalk {
		said += "; programs on this machine need no token"
	}
	return said
}
