package intake_test

import (
	"context"
	"log/slog"
	"testing"

	"chalie/commands"
	"chalie/commands/intake"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections/aliases"
)

type applied struct{}

func (applied) WaitFor(context.Context, domain.Position) error { return nil }

// TestAliasesOfAnEarlierBuild reads a log in which programs were known by the names of their tokens.
// What a program called its commands then it still may call them. What another sent that had the
// name before isn't its own, and what it sent isn't that of the next with its name.
func TestAliasesOfAnEarlierBuild(t *testing.T) {
	clock := domaintest.NewClock()
	ids, log, known := domaintest.NewIDs(clock, 1), memlog.New(clock), aliases.New()
	const before, since, trace = "6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a", "6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5b", "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
	record := func(id domain.ID, who domain.Principal, payload any) domain.Record {
		t.Helper()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, who), id, domain.MillisOf(clock.Now()), "editor", payload)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
		rec, err := log.Find(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if known.Wants(&rec) {
			if err := known.Apply(rec); err != nil {
				t.Fatal(err)
			}
		}
		return rec
	}
	sent := func(envelope, trace string) domain.CommandReceived {
		return domain.CommandReceived{Sender: "editor", EnvelopeID: envelope, TraceID: trace, Route: "invoke", BodyHash: "hash"}
	}
	record(ids.NewID(), "editor", sent(before, ""))
	token := record(ids.NewID(), domain.PrincipalOperator, domain.TokenIssued{Name: "editor", Signals: []string{}, TokenHash: domain.HashSecret("x").String()})
	own := record(ids.NewID(), "editor", sent(since, trace))
	later := record(ids.NewID(), domain.PrincipalOperator, domain.TokenIssued{Name: "editor", Signals: []string{}, TokenHash: domain.HashSecret("y").String()})

	in, err := intake.New(intake.Config{Aliases: known, Applied: applied{}, Env: commands.Env{
		Log: log, Reader: log, Tail: log, Clock: clock, IDs: ids, Logger: slog.New(slog.DiscardHandler),
	}})
	if err != nil {
		t.Fatal(err)
	}
	of := func(issued domain.Record) commands.Caller {
		return commands.TokenCaller(domain.Token{Name: "editor", Issued: issued.Envelope.ID, Position: issued.Position})
	}
	enter := func(c commands.Caller, asked domain.CommandReceived) *intake.Command {
		t.Helper()
		asked.Sender = ""
		cmd, release, err := in.Enter(t.Context(), c, asked, func(domain.CommandReceived) string { return "" })
		release()
		if err != nil {
			t.Fatalf("%s of %s: %v", asked.EnvelopeID, c.Principal, err)
		}
		return cmd
	}
	if cmd := enter(of(token), sent(since, trace)); !cmd.Repeated || cmd.ID != own.Envelope.ID {
		t.Errorf("what it sent under its name isn't known as its own: %+v", cmd)
	}
	next := sent("6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5c", trace)
	next.ParentID = since
	if cmd := enter(of(token), next); cmd.Lineage.Trace != own.Envelope.Trace || cmd.Lineage.Parent != own.Envelope.ID {
		t.Errorf("it goes on with %+v, want %v", cmd.Lineage, own.Envelope)
	}
	if cmd := enter(of(token), sent(before, "")); cmd.Repeated {
		t.Error("what another had sent under its name before is its own")
	}
	if cmd := enter(of(later), sent(since, trace)); cmd.Repeated || cmd.Lineage.Trace == own.Envelope.Trace {
		t.Errorf("a later token of the name has what the earlier sent: %+v", cmd)
	}
}
