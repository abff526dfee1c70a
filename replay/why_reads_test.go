package replay_test

import (
	"context"
	"testing"

	"chalie/domain"
	"chalie/replay"
)

// countedLog is a log that counts what is read of it.
type countedLog struct {
	replay.Log
	calls, records int
}

func (c *countedLog) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	found, err := c.Log.Select(ctx, s, from, limit)
	c.calls, c.records = c.calls+1, c.records+len(found)
	return found, err
}

func (c *countedLog) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := c.Log.Find(ctx, id)
	c.calls, c.records = c.calls+1, c.records+1
	return rec, err
}

// What is read follows from how much is told, and not from how long the log or the
// trace is: ten times as much takes as many reads.
func TestReadsAreBounded(t *testing.T) {
	type reads struct{ calls, records int }
	read := func(steps int, target string, ask func(context.Context, replay.Log, replay.Target) (replay.Explanation, error)) (reads, replay.Explanation) {
		p := newPast(t)
		issued := domain.TokenIssued{Name: "lab", TokenHash: "aa", Signals: []string{}}
		begin(p, domain.PrincipalOperator, issued, issued.Keys()...)
		opening := p.message("begin")
		heard := p.closure("lab")
		last := opening
		for range steps {
			last = then(p, last, domain.SteerReceived{Text: "and then"})
			p.closure("lab")
		}
		reply := then(p, last, says("done"))
		p.concluded(reply, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.Envelope.ID,
			Evidence: []domain.Evidence{asked(opening.Envelope.ID), {EnvelopeID: heard.Envelope.ID, Role: "named", Weight: domain.One}}})
		parsed, err := replay.ParseTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		log := &countedLog{Log: p.log}
		out, err := ask(t.Context(), log, parsed)
		if err != nil {
			t.Fatal(err)
		}
		return reads{log.calls, log.records}, out
	}
	back := func(ctx context.Context, log replay.Log, target replay.Target) (replay.Explanation, error) {
		return replay.Explain(ctx, log, target, nil)
	}
	forward := func(ctx context.Context, log replay.Log, target replay.Target) (replay.Explanation, error) {
		return replay.LedTo(ctx, log, target, nil)
	}
	for name, c := range map[string]struct {
		target string
		ask    func(context.Context, replay.Log, replay.Target) (replay.Explanation, error)
		most   reads
		scans  bool // some of it is looked for up to a bound
	}{
		// Each of the 500 envelopes is found once; beside them come the sender, the target and
		// the thinking that the conclusion rests on.
		"the end":            {target: "last", ask: back, most: reads{replay.MaxNodes + 60, replay.MaxNodes + 60}},
		"a signal":           {target: "pos:3", ask: back, most: reads{20, 20}},
		"what a signal did":  {target: "pos:3", ask: forward, most: reads{20, 20}},
		"what a message did": {target: "pos:2", ask: forward, most: reads{2*replay.MaxNodes + 60, 2*replay.MaxNodes + 60}},
		"what a token did":   {target: "pos:1", ask: forward, most: reads{2*replay.MaxNodes + 60, 22_000}, scans: true},
	} {
		t.Run(name, func(t *testing.T) {
			short, _ := read(600, c.target, c.ask)
			long, out := read(6000, c.target, c.ask)
			if long.calls > c.most.calls || long.records > c.most.records {
				t.Errorf("it took %+v, at most %+v is enough for %d envelopes", long, c.most, len(out.Nodes))
			}
			// The last word is searched for by halves, so the length counts by its logarithm.
			if !c.scans && (long.calls > short.calls+10 || long.records > short.records+10) {
				t.Errorf("of ten times as much it took %+v, and %+v before", long, short)
			}
		})
	}
}
