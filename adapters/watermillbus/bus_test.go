package watermillbus_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/ThreeDotsLabs/watermill/message"
)

// throughBus is a log whose every append travels as Watermill messages.
type throughBus struct {
	domain.Log
	bus *watermillbus.Bus
}

func (l throughBus) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	return l.bus.Append(ctx, b)
}

func TestAppendThroughBusIsConformant(t *testing.T) {
	domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
		log := memlog.New(clock)
		return domaintest.Subject{Log: throughBus{log, newBus(t, log)}}
	})
}

func TestConfig(t *testing.T) {
	clock := domaintest.NewClock()
	good := watermillbus.Config{Log: memlog.New(clock), IDs: domaintest.NewIDs(clock, 1), Clock: clock}
	if _, err := watermillbus.New(good); err != nil {
		t.Errorf("the smallest config: %v", err)
	}
	for field, change := range map[string]func(*watermillbus.Config){
		"Log":            func(c *watermillbus.Config) { c.Log = nil },
		"IDs":            func(c *watermillbus.Config) { c.IDs = nil },
		"Clock":          func(c *watermillbus.Config) { c.Clock = nil },
		"RedeliverAfter": func(c *watermillbus.Config) { c.RedeliverAtMost = -time.Second },
		"ReadAhead":      func(c *watermillbus.Config) { c.ReadAhead = -1 },
	} {
		bad := good
		change(&bad)
		_, err := watermillbus.New(bad)
		if e, ok := errors.AsType[*domain.Error](err); !ok || e.Field != field {
			t.Errorf("a wrong %s: got %v", field, err)
		}
	}
}

func TestPublishIsAtomic(t *testing.T) {
	log := memlog.New(domaintest.NewClock())
	pub := newBus(t, log).Publisher()
	if err := pub.Publish("a"); err != nil {
		t.Errorf("publishing no message: %v", err)
	}
	if err := pub.Publish("a", foreign("1"), foreign("2"), foreign("\xff")); err == nil || log.Tail() != 0 {
		t.Errorf("with one message that can't be stored: got %v and %d records", err, log.Tail())
	}
	if err := pub.Publish("a", foreign("1"), foreign("2")); err != nil || log.Tail() != 2 {
		t.Errorf("with two that can: got %v and %d records", err, log.Tail())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	given := foreign("3")
	given.SetContext(ctx)
	if err := pub.Publish("a", given); !errors.Is(err, context.Canceled) {
		t.Errorf("with a message whose context ended: got %v", err)
	}
}

func TestPublisherClose(t *testing.T) {
	pub := newBus(t, memlog.New(domaintest.NewClock())).Publisher()
	for range 2 {
		if err := pub.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if err := pub.Publish("a", foreign("1")); domain.CodeOf(err) != domain.CodeClosed {
		t.Errorf("publishing on a closed publisher: got %v, want code %s", err, domain.CodeClosed)
	}
}

func TestTransaction(t *testing.T) {
	log := memlog.New(domaintest.NewClock())
	ids := domaintest.NewIDs(domaintest.NewClock(), 1)
	bus := newBus(t, log)
	tx := bus.Transaction()
	keyed := domaintest.NewEntry(ids, "b").Envelope
	keyed.Keys = []domain.Key{"seat"}
	if err := tx.Publish("a", foreign("1"), foreign("2")); err != nil {
		t.Fatal(err)
	}
	if err := tx.Publish("b", watermillbus.MessageOf(t.Context(), keyed)); err != nil {
		t.Fatal(err)
	}
	if err := tx.Publish("b", foreign("3"), foreign("\xff")); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a message that can't be stored: got %v", err)
	}
	tx.Require(domain.Condition{Key: "seat"})
	if log.Tail() != 0 {
		t.Errorf("before the commit %d records were appended", log.Tail())
	}
	receipt, err := tx.Commit(t.Context())
	if err != nil || len(receipt.Positions) != 3 || receipt.Positions[2] != 3 {
		t.Fatalf("Commit: got %+v, %v, want positions 1 to 3", receipt, err)
	}
	if recs, err := log.Select(t.Context(), domain.Selector{Topic: "b"}, 1, 9); err != nil || len(recs) != 1 || recs[0].Position != 3 {
		t.Errorf("topic b holds %d records, %v", len(recs), err)
	}
	if _, err := tx.Commit(t.Context()); domain.CodeOf(err) != domain.CodeClosed {
		t.Errorf("a second Commit: got %v", err)
	}
	if err := tx.Publish("a", foreign("4")); domain.CodeOf(err) != domain.CodeClosed {
		t.Errorf("Publish after Commit: got %v", err)
	}
}

// TestTransactionAgain checks that a commit whose answer got lost can be
// repeated, and one that was refused stays refused.
func TestTransactionAgain(t *testing.T) {
	log := &faulty{Log: memlog.New(domaintest.NewClock())}
	bus := newBus(t, log)
	tx := bus.Transaction()
	if err := tx.Publish("a", foreign("1")); err != nil {
		t.Fatal(err)
	}
	log.fail("append after", &domain.Error{Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true})
	if _, err := tx.Commit(t.Context()); domain.CodeOf(err) != domain.CodeOutcomeUnknown {
		t.Fatalf("Commit: got %v", err)
	}
	receipt, err := tx.Commit(t.Context())
	if err != nil || !receipt.Duplicate || log.Tail() != 1 {
		t.Errorf("the same again: got %+v, %v and %d records, want a duplicate", receipt, err, log.Tail())
	}
	dropped := bus.Transaction()
	if err := dropped.Publish("a", foreign("2")); err != nil {
		t.Fatal(err)
	}
	if err := dropped.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := dropped.Commit(t.Context()); domain.CodeOf(err) != domain.CodeClosed || log.Tail() != 1 {
		t.Errorf("Commit after Close: got %v and %d records", err, log.Tail())
	}
}

func foreign(uuid string) *message.Message { return message.NewMessage(uuid, []byte("x")) }
