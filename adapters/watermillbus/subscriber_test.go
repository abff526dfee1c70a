package watermillbus_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/ThreeDotsLabs/watermill/message"
)

// hall is a log with a bus, and numbered messages in topic a.
type hall struct {
	*testing.T
	log *faulty
	bus *watermillbus.Bus
}

func newHall(t *testing.T, messages int) hall {
	t.Helper()
	log := &faulty{Log: memlog.New(domaintest.NewClock())}
	h := hall{t, log, newBus(t, log)}
	for n := range messages {
		h.publish("a", strconv.Itoa(n+1))
	}
	return h
}

func (h hall) publish(topic, uuid string) {
	h.Helper()
	if err := h.bus.Publisher().Publish(topic, foreign(uuid)); err != nil {
		h.Fatal(err)
	}
}

// subscribe joins a group in topic a until the test ends.
func (h hall) subscribe(group, topic string) (<-chan *message.Message, *watermillbus.Subscriber) {
	h.Helper()
	sub := h.bus.Subscriber(group)
	h.Cleanup(func() { h.close(sub) })
	out, err := sub.Subscribe(context.Background(), topic)
	if err != nil {
		h.Fatal(err)
	}
	return out, sub
}

func (h hall) close(sub *watermillbus.Subscriber) {
	h.Helper()
	if err := sub.Close(); err != nil {
		h.Errorf("Close: %v", err)
	}
}

// take receives the next message, which must be the one named.
func (h hall) take(out <-chan *message.Message, uuid string) *message.Message {
	h.Helper()
	msg, ok := <-out
	switch {
	case !ok:
		h.Fatalf("the channel is closed, want message %s", uuid)
	case msg.UUID != uuid:
		h.Fatalf("got message %s, want %s", msg.UUID, uuid)
	}
	return msg
}

func (h hall) ended(out <-chan *message.Message) {
	h.Helper()
	if msg, ok := <-out; ok {
		h.Fatalf("got message %s, want the channel closed", msg.UUID)
	}
}

func (h hall) checkpoint(name string) domain.Position {
	h.Helper()
	pos, err := h.log.Checkpoint(context.Background(), name)
	if err != nil {
		h.Fatal(err)
	}
	return pos
}

func TestOrderByTopicAndOverAll(t *testing.T) {
	h := newHall(t, 0)
	for n := range 2000 {
		h.publish([]string{"a", "b"}[n%2], strconv.Itoa(n))
	}
	a, _ := h.subscribe("", "a")
	all, _ := h.subscribe("auditor", "$all")
	for n := range 2000 {
		msg := h.take(all, strconv.Itoa(n))
		if rec, ok := watermillbus.RecordOf(msg); !ok || rec.Position != domain.Position(n+1) || rec.Topic != domain.Topic([]string{"a", "b"}[n%2]) {
			t.Fatalf("message %d comes with record %+v, %t", n, rec, ok)
		}
		msg.Ack()
		if n%2 == 0 {
			h.take(a, strconv.Itoa(n)).Ack()
		}
	}
	h.publish("b", "late")
	h.publish("a", "later")
	h.take(all, "late").Ack()
	h.take(all, "later").Ack()
	h.take(a, "later").Ack()
}

func TestRecordIsNotInCopies(t *testing.T) {
	h := newHall(t, 1)
	out, _ := h.subscribe("", "a")
	if _, ok := watermillbus.RecordOf(h.take(out, "1").Copy()); ok {
		t.Error("a copy has a record")
	}
}

func TestPositionMovesOnAckOnly(t *testing.T) {
	h := newHall(t, 4)
	out, sub := h.subscribe("g", "a")
	for n := range 2 {
		msg := h.take(out, strconv.Itoa(n+1))
		if pos := h.checkpoint("group/g/a"); pos != domain.Position(n) {
			t.Errorf("with message %d in flight the position is %d", n+1, pos)
		}
		msg.Ack()
	}
	h.take(out, "3") // never acked
	if pos := h.checkpoint("group/g/a"); pos != 2 {
		t.Errorf("with message 3 in flight the position is %d", pos)
	}
	h.close(sub)
	h.ended(out)

	// A process started later finds the position in the log.
	h.bus = newBus(t, h.log)
	out, _ = h.subscribe("g", "a")
	h.take(out, "3").Ack()
	h.take(out, "4").Ack()
	other, _ := h.subscribe("other", "a")
	h.take(other, "1").Ack()
}

func TestNackBringsTheSameAgain(t *testing.T) {
	for _, group := range []string{"", "g"} {
		h := newHall(t, 2)
		out, _ := h.subscribe(group, "a")
		for range 5 {
			msg := h.take(out, "1")
			msg.Nack()
			<-msg.Context().Done()
		}
		msg := h.take(out, "1")
		msg.Ack()
		<-msg.Context().Done()
		h.take(out, "2").Ack()
	}
}

// TestNackPauses reads the pauses off the bubble's clock.
func TestNackPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, 1)
		clock := domaintest.NewClock()
		bus, err := watermillbus.New(watermillbus.Config{Log: h.log, IDs: domaintest.NewIDs(clock, 1), Clock: clock,
			RedeliverAfter: 10 * time.Millisecond, RedeliverAtMost: 35 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		h.bus = bus
		out, sub := h.subscribe("g", "a")
		last := time.Now()
		for i, want := range []int64{0, 0, 10, 20, 35, 35} {
			msg := h.take(out, "1")
			if got := time.Since(last).Milliseconds(); got != want {
				t.Errorf("delivery %d came after %d ms, want %d", i+1, got, want)
			}
			last = time.Now()
			msg.Nack()
		}
		h.close(sub) // in the middle of a pause
		if waited := time.Since(last); waited != 0 {
			t.Errorf("Close waited %s for a pause", waited)
		}
	})
}

func TestOneInFlightInAGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const members, messages = 4, 400
		h := newHall(t, messages)
		var outs []<-chan *message.Message
		for range members {
			out, _ := h.subscribe("g", "a")
			outs = append(outs, out)
		}
		synctest.Wait() // until all members stand in line
		var flying, last atomic.Int64
		var served [members]atomic.Int64
		done := make(chan struct{})
		var wg sync.WaitGroup
		for member, out := range outs {
			wg.Go(func() {
				for {
					select {
					case msg := <-out:
						if n := flying.Add(1); n != 1 {
							t.Errorf("%d messages are in flight", n)
						}
						n, err := strconv.ParseInt(msg.UUID, 10, 64)
						if before := last.Swap(n); err != nil || n != before+1 {
							t.Errorf("message %d follows %d", n, before)
						}
						served[member].Add(1)
						flying.Add(-1)
						msg.Ack()
						if n == messages {
							close(done)
						}
					case <-done:
						return
					}
				}
			})
		}
		wg.Wait()
		for member := range members {
			if served[member].Load() == 0 {
				t.Errorf("member %d was never served", member)
			}
		}
	})
}

func TestAnotherMemberGoesOn(t *testing.T) {
	h := newHall(t, 2)
	holder := h.bus.Subscriber("g")
	ctx, leave := context.WithCancel(t.Context())
	held, err := holder.Subscribe(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	late := h.take(held, "1")
	second, secondSub := h.subscribe("g", "a")
	third, _ := h.subscribe("g", "a")
	leave()
	h.ended(held)
	late.Ack() // too late to count
	select {
	case msg := <-second:
		if msg.UUID != "1" {
			t.Fatalf("the message in flight when its member left comes again as %s", msg.UUID)
		}
		h.close(secondSub) // in flight again, and again its member goes
		h.ended(second)
		h.take(third, "1").Ack()
	case msg := <-third:
		if msg.UUID != "1" {
			t.Fatalf("the message in flight when its member left comes again as %s", msg.UUID)
		}
		msg.Ack()
	}
	h.close(holder)
}

// TestAckThenEnd checks that an ack given before the end counts.
func TestAckThenEnd(t *testing.T) {
	for range 200 {
		h := newHall(t, 2)
		sub := h.bus.Subscriber("g")
		out, err := sub.Subscribe(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		h.take(out, "1").Ack()
		h.close(sub)
		if pos := h.checkpoint("group/g/a"); pos < 1 {
			t.Fatalf("the message was acked, then its subscriber closed, and the position is %d", pos)
		}
	}
}

func TestGroupsThatLookAlike(t *testing.T) {
	h := newHall(t, 0)
	h.publish("c", "1")
	h.publish("b/c", "2")
	first, _ := h.subscribe("a/b", "c")
	second, _ := h.subscribe("a", "b/c")
	h.take(first, "1").Ack()
	h.take(second, "2").Ack()
}

func TestSubscribeRefuses(t *testing.T) {
	h := newHall(t, 0)
	long := strings.Repeat("n", domain.MaxNameBytes)
	for _, c := range []struct{ name, group, topic string }{
		{"no topic", "g", ""}, {"a long topic", "", long + "n"}, {"long names", long + "n", long},
	} {
		sub := h.bus.Subscriber(c.group)
		if _, err := sub.Subscribe(t.Context(), c.topic); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: got %v, want a validation error", c.name, err)
		}
		h.close(sub)
		h.close(sub)
		if _, err := sub.Subscribe(t.Context(), "a"); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("a closed subscriber: got %v, want code %s", err, domain.CodeClosed)
		}
	}
}

type contextKey struct{}

func TestMessagesCarryTheContext(t *testing.T) {
	h := newHall(t, 1)
	sub := h.bus.Subscriber("")
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), contextKey{}, "value"))
	out, err := sub.Subscribe(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	msg := h.take(out, "1")
	if v := msg.Context().Value(contextKey{}); v != "value" {
		t.Errorf("the context's value is %v", v)
	}
	cancel()
	<-msg.Context().Done()
	h.ended(out)
	h.close(sub)
}

func TestTheEndOfTheLogClosesTheChannel(t *testing.T) {
	h := newHall(t, 1)
	idle, _ := h.subscribe("g", "b")
	busy, _ := h.subscribe("g", "a")
	msg := h.take(busy, "1")
	if err := h.log.Close(); err != nil {
		t.Fatal(err)
	}
	h.ended(idle)
	msg.Ack() // its position can't be saved any more
	h.ended(busy)
}

func TestFailuresThatPass(t *testing.T) {
	h := newHall(t, 2)
	pass := &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Message: "the disk is away"}
	h.log.fail("select", pass, pass)
	out, _ := h.subscribe("g", "a")
	msg := h.take(out, "1")
	h.log.fail("save", pass, pass, pass)
	msg.Ack()
	h.take(out, "2")
	if pos := h.checkpoint("group/g/a"); pos != 1 {
		t.Errorf("message 2 was delivered with the position at %d", pos)
	}
}

func TestFailuresThatStay(t *testing.T) {
	for _, op := range []string{"select", "save"} {
		h := newHall(t, 2)
		h.log.fail(op, &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "record 1 is damaged"})
		out, sub := h.subscribe("g", "a")
		if op == "save" {
			h.take(out, "1").Ack()
		}
		h.ended(out)
		h.close(sub)
		// Whoever comes next finds the log as it was.
		again, _ := h.subscribe("g", "a")
		h.take(again, "1")
	}
}

// TestDamageBehindGoodRecords delivers what can be read before it ends.
func TestDamageBehindGoodRecords(t *testing.T) {
	h := newHall(t, 2)
	log := &damaged{Log: h.log, from: 2}
	h.bus = newBus(t, log)
	out, _ := h.subscribe("g", "a")
	h.take(out, "1").Ack()
	h.ended(out)
	if pos := h.checkpoint("group/g/a"); pos != 1 {
		t.Errorf("the position is %d, want 1", pos)
	}
}

// damaged is a log whose records can't be read from a position on.
type damaged struct {
	domain.Log
	from domain.Position
}

func (d *damaged) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	recs, err := d.Log.Select(ctx, s, from, limit)
	for i, rec := range recs {
		if rec.Position >= d.from {
			return recs[:i], &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "damaged"}
		}
	}
	return recs, err
}

// TestManyLargeRecords reads them in small portions.
func TestManyLargeRecords(t *testing.T) {
	log := &portions{Log: memlog.New(domaintest.NewClock())}
	ids := domaintest.NewIDs(domaintest.NewClock(), 1)
	bus := newBus(t, log)
	large := []byte(`"` + strings.Repeat("x", domain.MaxPayloadBytes-2) + `"`)
	for range 24 {
		e := domaintest.NewEntry(ids, "a")
		e.Envelope.Payload.Bytes = large
		if _, err := bus.Append(t.Context(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
			t.Fatal(err)
		}
	}
	sub := bus.Subscriber("")
	defer sub.Close()
	out, err := sub.Subscribe(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for range 24 {
		(<-out).Ack()
	}
	if n := log.most.Load(); n > 16 {
		t.Errorf("%d records of 512 KiB were read at once", n)
	}
}

type portions struct {
	domain.Log
	most atomic.Int64
}

func (p *portions) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	recs, err := p.Log.Select(ctx, s, from, limit)
	p.most.Store(max(p.most.Load(), int64(len(recs))))
	return recs, err
}

// TestRouter lets Watermill's router carry messages from topic to topic.
func TestRouter(t *testing.T) {
	h := newHall(t, 3)
	router, err := message.NewRouter(message.RouterConfig{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	failed := false
	router.AddHandler("copy", "a", h.bus.Subscriber("copier"), "b", h.bus.Publisher(), func(msg *message.Message) ([]*message.Message, error) {
		if msg.UUID == "2" && !failed {
			failed = true
			return nil, errors.New("not yet")
		}
		rec, ok := watermillbus.RecordOf(msg)
		if !ok {
			return nil, errors.New("no record")
		}
		return []*message.Message{message.NewMessage("copy of "+msg.UUID, strconv.AppendUint(nil, uint64(rec.Position), 10))}, nil
	})
	running := make(chan error, 1)
	go func() { running <- router.Run(context.Background()) }()
	copies, _ := h.subscribe("", "b")
	for n := range 3 {
		h.take(copies, "copy of "+strconv.Itoa(n+1)).Ack()
	}
	for h.checkpoint("group/copier/a") != 3 {
		runtime.Gosched() // the router acks after it has published
	}
	if err := router.Close(); err != nil {
		t.Errorf("closing the router: %v", err)
	}
	if err := <-running; err != nil {
		t.Errorf("the router ended: %v", err)
	}
}
