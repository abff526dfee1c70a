package reasoning_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// slow answers when it is told to, or when its turn ends.
type slow struct {
	began  chan domain.TraceID
	finish chan error
}

func (s *slow) Answer(ctx context.Context, rec domain.Record) error {
	select {
	case s.began <- rec.Envelope.Trace:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-s.finish:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *slow) BrokeOff(context.Context, domain.TraceID, *commands.Broken) error { return nil }

// switchboard is a loop over an in-memory log.
type switchboard struct {
	t          *testing.T
	log        *memlog.Log
	bus        *watermillbus.Bus
	ids        *domaintest.IDs
	slow       *slow
	foreground *background.Foreground
	end        func() // of the process
}

func newSwitchboard(t *testing.T) *switchboard {
	clock := domaintest.NewClock()
	ids, log := domaintest.NewIDs(clock, 1), memlog.New(clock)
	bus, err := watermillbus.New(watermillbus.Config{Log: log, IDs: ids, Clock: clock, RedeliverAfter: time.Millisecond, RedeliverAtMost: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	b := &switchboard{t: t, log: log, bus: bus, ids: ids, foreground: &background.Foreground{},
		slow: &slow{began: make(chan domain.TraceID), finish: make(chan error)}}
	b.end = b.begin()
	return b
}

// begin runs a loop, as a new process does, until the test ends or end is called.
func (b *switchboard) begin() (end func()) {
	r := newLoop(b.t, reasoning.LoopConfig{Env: commands.Env{Log: b.bus, Reader: b.log, Tail: b.log, Clock: domaintest.NewClock(), IDs: b.ids, Logger: slog.New(slog.DiscardHandler)}, Feed: b.bus, Reasoner: b.slow, Foreground: b.foreground})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	end = sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(end)
	return end
}

func (b *switchboard) add(lin domain.Lineage, id domain.ID, payload any) domain.Envelope {
	b.t.Helper()
	var entry domain.Entry
	var err error
	switch p := payload.(type) {
	case domain.MessageReceived:
		entry, err = domain.New(lin, id, 1, "test", p)
	case domain.CancelReceived:
		entry, err = domain.New(lin, id, 1, "test", p)
	default:
		err = errors.New("no such payload")
	}
	if err == nil {
		_, err = b.bus.Append(b.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return entry.Envelope
}

func (b *switchboard) say(by domain.Principal) domain.Envelope {
	id := b.ids.NewID()
	return b.add(domain.Begin(domain.TraceID{ID: id}, by), id, domain.MessageReceived{Text: "hi", ImageIDs: []domain.ID{}})
}

// wait returns the first record of a trace with the given type.
func (b *switchboard) wait(trace domain.TraceID, t domain.EventType) domain.Record {
	b.t.Helper()
	for tail := domain.Position(0); ; {
		var err error
		if tail, err = b.log.Wait(b.t.Context(), tail); err != nil {
			b.t.Fatal(err)
		}
		records, err := b.log.Select(b.t.Context(), domain.Selector{Trace: trace}, 1, 100)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, rec := range records {
			if rec.Envelope.Type == t {
				return rec
			}
		}
	}
}

func TestWhoWaitsIsTold(t *testing.T) {
	b := newSwitchboard(t)
	first := b.say(domain.PrincipalOperator)
	if trace := <-b.slow.began; trace != first.Trace {
		t.Fatalf("it answers %s first", trace)
	}
	second := b.say(domain.PrincipalOperator)
	queued, err := domain.Decode[domain.MessageQueued](b.wait(second.Trace, "message.queued").Envelope)
	if err != nil || queued.Behind != first.ID {
		t.Errorf("it waits for %s, %v", queued.Behind, err)
	}
	if !b.foreground.Waiting() {
		t.Error("nobody waits")
	}
	b.slow.finish <- nil
	if trace := <-b.slow.began; trace != second.Trace {
		t.Errorf("it answers %s next", trace)
	}
	changed := b.foreground.Changed()
	b.slow.finish <- nil
	<-changed
	if b.foreground.Waiting() {
		t.Error("somebody waits for ever")
	}
}

// What the person says to an answer under way reaches it at once: its turn ends,
// and another one begins.
func TestACancelEndsTheTurn(t *testing.T) {
	b := newSwitchboard(t)
	first := b.say(domain.PrincipalOperator)
	<-b.slow.began
	b.add(domain.Continue(first), b.ids.NewID(), domain.CancelReceived{})
	if trace := <-b.slow.began; trace != first.Trace {
		t.Errorf("it goes on with %s", trace)
	}
	b.slow.finish <- nil
	if trace := <-b.slow.began; trace != first.Trace { // the cancel itself, as a record of the trace
		t.Errorf("it goes on with %s", trace)
	}
	b.slow.finish <- nil
}

// A process that went after it had answered, and before it had noted that it heard
// of the message, doesn't leave anybody waiting for ever.
func TestNobodyWaitsForWhatWasAnswered(t *testing.T) {
	b := newSwitchboard(t)
	b.say(domain.PrincipalOperator)
	<-b.slow.began
	b.slow.finish <- nil
	b.say(domain.PrincipalOperator)
	<-b.slow.began
	b.end() // with the first acked, and the second not
	if err := b.log.SaveCheckpoint(t.Context(), "group/reasoning%2Fahead/messages", 0); err != nil {
		t.Fatal(err)
	}
	b.foreground = &background.Foreground{}
	b.end = b.begin()
	<-b.slow.began
	third := b.say(domain.PrincipalOperator)
	b.wait(third.Trace, "message.queued") // whoever looks ahead has come to the end
	b.slow.finish <- nil
	<-b.slow.began
	changed := b.foreground.Changed()
	b.slow.finish <- nil
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Error("somebody waits for an answer that was given")
	}
}
