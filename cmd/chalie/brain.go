package main

import (
	"context"
	"math"
	"net/http"

	"chalie/adapters/brain"
	"chalie/adapters/httpapi"
	"chalie/commands"
	"chalie/commands/intake"
	"chalie/commands/vault"
	"chalie/domain"
	"chalie/projections/aliases"
)

// newBrain makes the handler of the Unix socket: the Brain SDK's calls before the API without a
// login.
func newBrain(a *App) (http.Handler, error) {
	f := a.folds
	in, err := intake.New(intake.Config{Env: a.env(), Aliases: f.aliases, Applied: f.Of(f.aliases.Name())})
	if err != nil {
		return nil, err
	}
	files, err := vault.New(vault.Config{Env: a.env(), Plans: f.Plans, Memory: f.Memory, Notes: f.Notes, Applied: f.Those(f.Plans, f.Memory, f.Notes)})
	if err != nil {
		return nil, err
	}
	return brain.New(brain.Config{
		Intake: in, Vault: files, Messages: a.core.messages, Tools: a.outside.tools, Approvals: a.outside.approvals, Interfaces: a.outside.interfaces,
		Hub: a.outside.peer, Log: a.log, Clock: a.cfg.Clock, Tokens: a.tokens, Applied: f.Those(f.Registry, f.accounts, f.Invocations, f.Policy),
		Token: func(token string) (commands.Caller, bool) {
			if who, ok := a.core.accounts.Token(token); ok {
				return who, true
			}
			return a.outside.interfaces.Token(token)
		},
		Seen: a.outside.seen, Model: func(profile string) string { return a.thinkers.profiles[profile] },
		Otherwise: a.core.api.TrustedHandler(), Logger: a.cfg.Logger,
	})
}

// seen notes a sign of life of a program. One that was away is looked at soon.
func (o *integrations) seen(id domain.ID) {
	o.monitor.Seen(id)
	if known, err := o.interfaces.Get(id); err == nil && known.Calls() && known.Offline {
		o.monitor.Registered(id)
	}
}

// named is a log in which an envelope is found by what a program calls it by, too, and by what it
// calls its trace or its invocation.
type named struct {
	httpapi.Log
	names *aliases.Projection
	scans bool // names wasn't folded, because only records are read: commands are looked through
}

var _ domain.WithinReader = named{}

// Find implements domain.Reader.
func (l named) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := l.Log.Find(ctx, id)
	if domain.CategoryOf(err) != domain.NotFound {
		return rec, err
	}
	for _, space := range []aliases.Space{aliases.Envelopes, aliases.Traces, aliases.Invocations} {
		if known, ok, wrong := l.names.Meant(space, id.UUID()); ok || wrong != nil {
			if wrong != nil {
				return rec, wrong
			}
			return l.Log.Find(ctx, known)
		}
	}
	if !l.scans {
		return rec, err
	}
	known := aliases.New()
	if _, wrong := domain.Look(ctx, l.Log, domain.Selector{Topic: domain.TopicRequests}, 1, math.MaxInt, func(r domain.Record) {
		_ = known.Apply(r) // what can't be read has no name
	}); wrong != nil {
		return rec, wrong
	}
	l.names, l.scans = known, false
	return l.Find(ctx, id)
}

// SelectWithin implements domain.WithinReader.
func (l named) SelectWithin(ctx context.Context, s domain.Selector, from domain.Position, limit, bytes int) ([]domain.Record, bool, error) {
	return domain.SelectWithin(ctx, l.Log, s, from, limit, bytes)
}
