package brain

import (
	"context"
	"fmt"
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/intake"
	"chalie/domain"
	"chalie/projections/aliases"
)

// folded is caught up with the log.
type folded struct{}

func (folded) WaitFor(context.Context, domain.Position) error { return nil }

// A command that was recorded by a build in which the trace_id was a part of what has to be the same is
// known when it comes again, as it was or with the trace_id that the SDK makes anew; another isn't.
func TestRepeatOfAnEarlierBuild(t *testing.T) {
	const body = `{"envelope_id":"6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a","trace_id":"%s","parent_id":"","kind":"command","source":"cron","principal":"operator","timestamp":"2026-11-2%dT09:00:00+00:00","prompt":"The %s key is with Ada"}`
	b := commandstest.NewBench(t)
	id := b.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "socket", domain.CommandReceived{
		Route: "/chat", EnvelopeID: "6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a", TraceID: "0a1b2c3d4e5f60718293a4b5c6d7e8f9", Source: "cron", Principal: "operator", SentAt: "2026-11-27T09:00:00+00:00", Sender: domain.PrincipalOperator,
		// As those builds made it: of the members in order, without the timestamp.
		BodyHash: "3c8767ea1bf3f2c445e20dcebc47afa46c6e4ed3d800617cd01897926a5faead",
	})
	if err == nil {
		_, err = b.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	names := aliases.New()
	for _, rec := range b.Records(domain.TopicRequests) {
		if err := names.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	in, err := intake.New(intake.Config{Env: b.Env(), Aliases: names, Applied: folded{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		trace, word string
		day         int
		again       bool
	}{{"0a1b2c3d4e5f60718293a4b5c6d7e8f9", "spare", 7, true}, {"0a1b2c3d4e5f60718293a4b5c6d7e8f9", "spare", 8, true}, {"ffffffffffffffffffffffffffffffff", "spare", 8, true}, {"0a1b2c3d4e5f60718293a4b5c6d7e8f9", "other", 7, false}} {
		x := &request{server: &server{cfg: Config{Intake: in}}, ctx: t.Context(), route: "/chat", caller: commandstest.Ada}
		if err := x.read(fmt.Appendf(nil, body, c.trace, c.day, c.word)); err != nil {
			t.Fatal(err)
		}
		var known bool
		_, err := x.command(func(*intake.Command) (reply, error) { return nil, nil },
			func(cmd *intake.Command) (reply, bool, error) {
				known = cmd.ID == id
				return nil, true, nil
			})
		if c.again != known || c.again != (err == nil) || !c.again && domain.CodeOf(err) != "envelope_id_reused" {
			t.Errorf("%+v is answered with %v, known %t", c, err, known)
		}
	}
}
