package main

import (
	"context"
	"fmt"

	"chalie/adapters/api"
	"chalie/adapters/argon2"
	"chalie/adapters/hostzone"
	"chalie/adapters/httpapi"
	"chalie/adapters/pebblelog"
	"chalie/commands"
	"chalie/commands/account"
	"chalie/commands/background"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
	"chalie/replay"
	"chalie/replay/explain"
)

// core is the API over a log and its projections, which the running program and reading
// commands share.
type core struct {
	accounts *account.Accounts
	signals  *signal.Signals
	messages *message.Messages
	api      *httpapi.API
}

// coreParts are the parts of a core.
type coreParts struct {
	commands.Env
	log       *pebblelog.Log // Env's
	feed      httpapi.Log    // log, or a wrapper of it
	folds     *folds
	kept      keyframes
	backups   *backups           // nil where the folds are empty
	rebuilds  *rebuild.Rebuilder // nil for a read-only log
	stores    rebuild.Stores     // what is read where nothing is written; nil when no store is
	passwords argon2.Config
	around    *signal.Surroundings // nil where nothing runs
	priority  background.Priority  // nil where nothing is answered
	thinkers  *answeringModels
	running   func(*core, *httpapi.Config) error // adds the parts of a running program; nil for a read-only log
	setupKey  string
	health    func(context.Context) httpapi.Health
	command   func(args string) string
	memory    allowance
	scans     bool // the folds are empty, because only records are read
	walks     int  // concurrent walks of a replay; 0 is one per processor
}

func newCore(p coreParts) (*core, error) {
	passwords, err := argon2.New(p.passwords)
	if err != nil {
		return nil, err
	}
	var c core
	c.accounts, err = account.New(account.Config{
		Env: p.Env, Book: p.folds.accounts, Applied: p.folds.Those(p.folds.accounts, p.folds.Policy), // rules go by the names of tokens
		Passwords: passwords, Interfaces: p.folds.Registry,
	})
	if err != nil {
		return nil, err
	}
	c.signals, err = signal.New(signal.Config{
		Env: p.Env, Surroundings: p.around, Priority: p.priority,
	})
	if err != nil {
		return nil, err
	}
	c.messages, err = message.New(message.Config{
		Env: p.Env, Conversation: p.folds.Transcript,
		Applied: p.folds.Of(p.folds.Transcript.Name()),
	})
	if err != nil {
		return nil, err
	}
	cfg := httpapi.Config{
		Signals: c.signals, Accounts: c.accounts, Messages: c.messages, Transcript: p.folds.Transcript, Views: p.folds.Serving.Projections,
		Log: named{p.feed, p.folds.aliases, p.scans}, Counts: p.log, World: reasoning.NewMind(p.folds.World, commands.AtHome{View: p.folds.Surroundings, Zone: hostzone.Name()}, p.log), Traces: p.folds.traces, Models: p.thinkers.names(), Vision: p.thinkers.seeImages(),
		Clock: p.Clock, Past: replay.NewPast(p.log, p.kept.Keyframes, hostzone.Name()), Trial: explain.NewTrials(p.log, sandboxes(p.kept).Open), Applied: p.folds.Group, Health: p.health, Verify: verifier(p.log), Export: exporter(p.log),
		Projections: func(ctx context.Context) []projections.Status { return p.folds.Group.Status(ctx) },
		Replay:      replayer(p.log, p.kept, p.walks),
		WhatIf:      whatIf(p.log, p.kept, p.thinkers),
		BodyBytes:   p.memory.bodies(),
		SetupKey:    p.setupKey, Command: p.command, Version: thisBuild().Version, Logger: p.Logger,
	}
	if p.rebuilds != nil {
		cfg.Rebuilds, cfg.Rebuilt = p.rebuilds, p.rebuilds.Status
	} else if p.stores != nil {
		cfg.Rebuilt = func(name string) rebuild.Status { return rebuild.Status{Active: p.stores.Active(name)} }
	}
	if p.backups != nil {
		cfg.BackUp = p.backups.Write
	}
	if p.log != nil {
		cfg.MayRetire, cfg.OnDisk = p.log.MayRetire, p.log.OnDisk
	}
	if p.around != nil {
		cfg.Surroundings = p.around
	}
	if p.running != nil {
		if err := p.running(&c, &cfg); err != nil {
			return nil, err
		}
	}
	c.api, err = httpapi.New(cfg)
	return &c, err
}

// verifier walks the log and reports in the API's words.
func verifier(log *pebblelog.Log) func(context.Context, func(done, total domain.Position)) (httpapi.Verification, error) {
	return func(ctx context.Context, progress func(done, total domain.Position)) (httpapi.Verification, error) {
		report, err := log.Verify(ctx, progress)
		if err != nil {
			return httpapi.Verification{}, err
		}
		out := httpapi.Verification{Records: report.Records, Lost: report.Lost, Retired: report.Retired}
		for _, s := range report.LostAt {
			out.LostAt = append(out.LostAt, api.LostRun(s))
		}
		for _, p := range report.Problems {
			out.Problems = append(out.Problems, api.Problem(p))
		}
		if report.More > 0 {
			out.Problems = append(out.Problems, api.Problem{Error: fmt.Sprintf("there are %d more problems", report.More)})
		}
		return out, nil
	}
}
