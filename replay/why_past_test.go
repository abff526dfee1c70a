package replay_test

import (
	"context"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// past is a log that a test writes by hand, one envelope after the other.
type past struct {
	t     testing.TB
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *domaintest.Log
}

func newPast(t testing.TB) *past {
	clock := domaintest.NewClock()
	return &past{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: domaintest.NewLog(clock)}
}

// begin opens a trace, and records are given its id.
func begin[P any](p *past, who domain.Principal, payload P, keys ...domain.Key) domain.Record {
	p.t.Helper()
	id := p.ids.NewID()
	return add(p, domain.Begin(domain.TraceID{ID: id}, who), id, payload, keys)
}

// then records what an earlier envelope caused in the same trace.
func then[P any](p *past, cause domain.Record, payload P, keys ...domain.Key) domain.Record {
	p.t.Helper()
	return add(p, domain.Continue(cause.Envelope), p.ids.NewID(), payload, keys)
}

func add[P any](p *past, lin domain.Lineage, id domain.ID, payload P, keys []domain.Key) domain.Record {
	p.t.Helper()
	entry, err := domain.New(lin, id, domain.MillisOf(p.clock.Now()), domain.Source(lin.Principal), payload)
	if err != nil {
		p.t.Fatal(err)
	}
	entry.Envelope.Keys = keys
	return p.put(entry)
}

func (p *past) put(entry domain.Entry) domain.Record {
	p.t.Helper()
	if _, err := p.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		p.t.Fatal(err)
	}
	rec, err := p.log.Find(context.Background(), entry.Envelope.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	return rec
}

// answer is a message with all steps to its end, resting on the items given.
type answer struct {
	opening, started, called, replied, concluded domain.Record
}

func (p *past) answered(who domain.Principal, text string, items []domain.SeenItem, used ...domain.Evidence) answer {
	p.t.Helper()
	var a answer
	a.opening = begin(p, who, domain.MessageReceived{Text: text, Source: "text", ImageIDs: []domain.ID{}})
	trace := a.opening.Envelope.Trace
	p.clock.Advance(time.Second)
	var relations []domain.SeenRelation
	if len(items) > 1 && items[1].Bonus > 0 {
		relations = append(relations, domain.SeenRelation{Signal: items[0].EnvelopeID, Commitment: items[1].EnvelopeID, Score: 880_000})
	}
	a.started = then(p, a.opening, domain.ReasoningStarted{
		AsOf: domain.MillisOf(p.clock.Now()), Relations: relations,
		World: domain.WorldSeen{Items: items, LeftOut: []domain.SeenItem{{EnvelopeID: p.ids.NewID(), Kind: domain.ItemSignal, Salience: 10_000, Gate: domain.GateBelowThreshold}}},
	}, domain.StepKey(trace, 1))
	a.called = then(p, a.started, domain.ModelCalled{Model: "builtin/1"}, domain.StepKey(trace, 2))
	a.replied = then(p, a.called, domain.ModelReplied{
		Model: "builtin/1", Blocks: []domain.Block{domain.TextBlock("Luigi's is closed tonight.", domain.FormatPlain)},
		Topic: "general", Mode: domain.ModeRespond, Confidence: 800_000, Used: used, Usage: domain.Usage{InputTokens: 12, OutputTokens: 5},
	}, domain.StepKey(trace, 3))
	end := domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: a.replied.Envelope.ID, DurationMS: 40,
		Evidence: append([]domain.Evidence{{EnvelopeID: a.opening.Envelope.ID, Role: "asked", Weight: domain.One}}, used...),
		Rejected: []domain.Rejected{{EnvelopeID: p.ids.NewID(), Gate: "cooldown"}},
	}
	if who != domain.PrincipalOperator {
		end.Outcome, end.Shown = domain.OutcomeSurfaced, domain.ShownNotification
	}
	a.concluded = then(p, a.replied, end, domain.ConcludedKey(trace), end.ShownKey(), domain.StepKey(trace, 4))
	return a
}

// paired is an interface that was let in with a key.
func (p *past) paired(name string) domain.Record {
	p.t.Helper()
	issued := begin(p, domain.PrincipalOperator, domain.PairingKeyIssued{KeyHash: "aa", ExpiresAt: 1})
	used := then(p, issued, domain.PairingKeyUsed{KeyHash: "aa", Name: name, Host: "127.0.0.1", Port: 9000})
	id := p.ids.NewID()
	return add(p, domain.Continue(used.Envelope), id, domain.InterfacePaired{Name: name, Host: "127.0.0.1", Port: 9000, TokenHash: "bb"}, []domain.Key{domain.InterfaceKey(id)})
}

func (p *past) closure(who domain.Principal) domain.Record {
	p.t.Helper()
	return begin(p, who, domain.SignalReceived{SignalType: "closure", Content: "Luigi's is closed tonight", Source: "luigis", ActivationEnergy: 0.5})
}

// erased is a record with its payload gone.
func erased(rec domain.Record) domain.Entry {
	env := rec.Envelope
	env.Payload = domain.Payload{Encoding: domain.EncodingErased, KeyID: "gone"}
	return domain.Entry{Topic: rec.Topic, Envelope: env}
}
