package main

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/replay/player"
	"chalie/replay/sandbox"
)

// life is what is recorded while the code that decides runs on a log in memory, by a
// clock of its own. It is no replay: what is outside answers as the test says.
type life struct {
	log    *memlog.Log
	clock  *domaintest.Clock
	ids    *domaintest.IDs
	box    *sandbox.Sandbox
	models []string      // none for the built-in one alone
	asked  domain.Record // what is asked for without any words

	replies func(model string) domain.ModelReplied          // of other models
	answers func(call player.Outgoing) domain.ToolCompleted // of interfaces
	calls   int
}

func newLife(t testing.TB) *life {
	t.Helper()
	clock := domaintest.NewClock()
	l := &life{log: memlog.New(clock), clock: clock, ids: domaintest.NewIDs(clock, 7)}
	l.answers = func(call player.Outgoing) domain.ToolCompleted {
		text := "done: " + call.Tool
		return domain.ToolCompleted{Text: &text}
	}
	var err error
	if l.box, err = sandbox.New(sandboxes(keyframes{}), player.Environment{Log: lifeLog{l.log, l}, Clock: clock, IDs: l.ids, Effects: lifeEffects{l}}); err != nil {
		t.Fatal(err)
	}
	return l
}

// lifeLog folds what it appends at once.
type lifeLog struct {
	*memlog.Log
	life *life
}

func (l lifeLog) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	l.life.clock.Advance(3 * time.Millisecond)
	receipt, err := l.Log.Append(ctx, b)
	if err != nil || receipt.Duplicate {
		return receipt, err
	}
	for i, e := range b.Entries {
		if err := l.life.box.Apply(domain.Record{Position: receipt.Positions[i], Topic: e.Topic, RecordedAt: receipt.RecordedAt, Envelope: e.Envelope}); err != nil {
			return receipt, err
		}
	}
	return receipt, nil
}

// put records something that comes from outside.
func put[P any](t testing.TB, l *life, lin domain.Lineage, source domain.Source, payload P, keys ...domain.Key) domain.ID {
	t.Helper()
	l.clock.Advance(time.Second)
	id := l.ids.NewID()
	if lin.Trace.IsZero() {
		lin.Trace = domain.TraceID{ID: id}
	}
	entry, err := domain.New(lin, id, domain.MillisOf(l.clock.Now()), source, payload)
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = keys
	if _, err := (lifeLog{l.log, l}).Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	return id
}

func by(who domain.Principal) domain.Lineage { return domain.Lineage{Principal: who} }

func (l *life) hears(t testing.TB, content string, energy float64) domain.ID {
	t.Helper()
	return put(t, l, by("station"), "station", domain.SignalReceived{SignalType: "news", Content: content, Source: "station", ActivationEnergy: energy})
}

// asks says something to Chalie, without waiting for an answer.
func (l *life) asks(t testing.TB, text string) domain.TraceID {
	t.Helper()
	return domain.TraceID{ID: put(t, l, by(domain.PrincipalOperator), "api", domain.MessageReceived{Text: text, Source: domain.SaidInText, ImageIDs: []domain.ID{}})}
}

// says puts something to Chalie, which answers.
func (l *life) says(t testing.TB, text string) domain.TraceID {
	t.Helper()
	trace := l.asks(t, text)
	l.goesOn(t, trace)
	return trace
}

// tells lets an interface say something.
func (l *life) tells(t testing.TB, text string) domain.TraceID {
	t.Helper()
	trace := domain.TraceID{ID: put(t, l, by("station"), "station", domain.MessageReceived{Text: text, Source: "station", ImageIDs: []domain.ID{}})}
	l.goesOn(t, trace)
	return trace
}

// thinks is a cycle of Chalie's own accord.
func (l *life) thinks(t testing.TB) domain.TraceID {
	t.Helper()
	trace := domain.TraceID{ID: put(t, l, by(domain.ServiceIdle), domain.ServiceIdle, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery, Source: domain.ServiceIdle, ActivationEnergy: 0.5})}
	l.goesOn(t, trace)
	return trace
}

func (l *life) goesOn(t testing.TB, trace domain.TraceID) {
	t.Helper()
	if err := l.box.Run(t.Context(), player.Act{Trace: trace}); err != nil {
		t.Fatal(err)
	}
}

// unwatched is the heart of services that nobody watches.
type unwatched struct{}

func (unwatched) Work(string) func() { return func() {} }

// falls tells what has fallen due, as the scheduler does.
func (l *life) falls(t testing.TB) {
	t.Helper()
	records, err := l.log.Select(t.Context(), domain.Selector{Topic: domain.TopicCommitments}, 1, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		scheduler, err := l.box.Scheduler(unwatched{})
		if err == nil {
			err = scheduler.Tell(t.Context(), rec.Envelope.ID)
		}
		if err != nil && domain.CodeOf(err) != "not_due" {
			t.Fatal(err)
		}
	}
}

// steers adds something to what was asked.
func (l *life) steers(t testing.TB, trace domain.TraceID, text string) domain.ID {
	t.Helper()
	return put(t, l, domain.Lineage{Trace: trace, Parent: trace.ID, Principal: domain.PrincipalOperator}, "api", domain.SteerReceived{Text: text}, domain.SteerKey(trace))
}

// pairs makes an interface known, whose tools change something unless they are said to
// be harmless.
func (l *life) pairs(t testing.TB, name string, tools ...domain.Tool) domain.ID {
	t.Helper()
	return put(t, l, by(domain.PrincipalOperator), "pairing", domain.InterfacePaired{Name: name, Host: "127.0.0.1", Port: 9, Version: "1", TokenHash: domain.HashSecret(name).String(), Tools: tools, Scopes: domain.Scopes{}})
}

// directs asks for a tool without any words.
func (l *life) directs(t testing.TB, face domain.ID, tool, params string) domain.ID {
	t.Helper()
	l.clock.Advance(time.Second)
	id := l.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(l.clock.Now()), "api", domain.ToolInvoked{
		InterfaceID: face, Tool: tool, Params: json.RawMessage(params), Actor: domain.ActorOperator, Channel: "api"})
	if err != nil {
		t.Fatal(err)
	}
	l.asked = domain.Record{Topic: entry.Topic, Envelope: entry.Envelope}
	if err := l.box.Run(t.Context(), player.Act{Trace: domain.TraceID{ID: id}, Invocation: id}); err != nil {
		t.Fatal(err)
	}
	return id
}

// told are the texts that the person was shown, in order.
func (l *life) told(t testing.TB) (texts []string) {
	t.Helper()
	records, err := l.log.Select(t.Context(), domain.Selector{Topic: domain.TopicReasoning}, 1, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		if end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err != nil || end.Shown == domain.ShownNot {
			continue
		}
		said, err := domain.SaidIn(rec.Envelope, func(id domain.ID) (domain.Envelope, error) {
			found, err := l.log.Find(t.Context(), id)
			return found.Envelope, err
		})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, domain.PlainText(said.Blocks))
	}
	return texts
}

// lifeEffects is what is outside.
type lifeEffects struct{ life *life }

var _ player.Effects = lifeEffects{}

func (e lifeEffects) Ground(context.Context, player.Act) (domain.ReasoningStarted, bool) {
	return domain.ReasoningStarted{Models: e.life.models, Zone: "UTC"}, true
}

func (e lifeEffects) Reply(_ context.Context, _ player.Act, model string) (domain.Envelope, error) {
	return effect(e.life, e.life.replies(model))
}

func (e lifeEffects) Edited(context.Context, player.Act) (domain.Envelope, bool, error) {
	return domain.Envelope{}, false, nil
}

func (e lifeEffects) Verdict(context.Context, player.Act) (domain.Envelope, error) {
	return domain.Envelope{}, player.NotRecorded("a verdict")
}

func (e lifeEffects) Answer(_ context.Context, _ player.Act, call player.Outgoing) (domain.Envelope, error) {
	e.life.calls++
	return effect(e.life, e.life.answers(call))
}

func (e lifeEffects) State(context.Context, player.Act, player.Outgoing, domain.Moment) (domain.StateTaken, error) {
	return domain.StateTaken{}, player.NotRecorded("a state")
}

func (e lifeEffects) Invoked(_ context.Context, id domain.ID) (domain.Record, error) {
	if e.life.asked.Envelope.ID == id {
		return e.life.asked, nil
	}
	return domain.Record{}, player.NotRecorded("what was asked for")
}

func (e lifeEffects) Trouble() []string { return nil }

func effect[P any](l *life, payload P) (domain.Envelope, error) {
	l.clock.Advance(40 * time.Millisecond)
	entry, err := domain.New(domain.Lineage{}, domain.ID{}, domain.MillisOf(l.clock.Now()), "outside", payload)
	return entry.Envelope, err
}
