package watermillbus_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/ThreeDotsLabs/watermill/message"
)

// sized is an entry with a payload of 400 bytes.
func sized(ids domain.IDs) domain.Entry {
	e := domaintest.NewEntry(ids, "signals")
	e.Envelope.Payload = domain.JSONPayload(fmt.Appendf(nil, `{"content":%q}`, strings.Repeat("x", 386)))
	return e
}

// discard is a log that takes everything and keeps nothing: what remains is the
// bus.
type discard struct{ domain.Log }

func (discard) Append(_ context.Context, b domain.Batch) (domain.Receipt, error) {
	return domain.Receipt{}, b.Entries[0].Envelope.Check()
}

// BenchmarkConversion is what the bus adds to an append of one envelope of
// 400 B, and to its delivery; check is what every log does with it anyway.
func BenchmarkConversion(b *testing.B) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	plain, keyed := sized(ids), sized(ids)
	plain.Envelope.Parent = ids.NewID()
	keyed.Envelope.Parent = ids.NewID()
	keyed.Envelope.Keys = []domain.Key{"signal/1"}
	bus := newBus(b, discard{memlog.New(clock)})
	for _, c := range []struct {
		name  string
		entry domain.Entry
	}{{"plain", plain}, {"keyed", keyed}} {
		batch := domain.Batch{Entries: []domain.Entry{c.entry}}
		b.Run("append/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bus.Append(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("message/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = watermillbus.MessageOf(b.Context(), c.entry.Envelope)
			}
		})
	}
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if err := plain.Envelope.Check(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPublish appends messages one by one to the in-memory log.
func BenchmarkPublish(b *testing.B) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	b.Run("envelope", func(b *testing.B) {
		pub := newBus(b, memlog.New(clock)).Publisher()
		for b.Loop() {
			if err := pub.Publish("signals", watermillbus.MessageOf(b.Context(), sized(ids).Envelope)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("foreign", func(b *testing.B) {
		pub := newBus(b, memlog.New(clock)).Publisher()
		payload := []byte(strings.Repeat("x", 400))
		for b.Loop() {
			if err := pub.Publish("signals", message.NewMessage("u", payload)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSubscribe receives and acks envelopes of 400 B from the in-memory log.
func BenchmarkSubscribe(b *testing.B) {
	for _, group := range []string{"", "group"} {
		b.Run("group="+group, func(b *testing.B) {
			clock := domaintest.NewClock()
			ids := domaintest.NewIDs(clock, 1)
			log := memlog.New(clock)
			for n := 0; n < b.N; n += 1000 {
				batch := domain.Batch{}
				for range 1000 {
					batch.Entries = append(batch.Entries, sized(ids))
				}
				if _, err := log.Append(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
			sub := newBus(b, log).Subscriber(group)
			b.ReportAllocs()
			b.ResetTimer()
			messages, err := sub.Subscribe(b.Context(), "signals")
			if err != nil {
				b.Fatal(err)
			}
			for range b.N {
				(<-messages).Ack()
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msgs/s")
			if err := sub.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
