package watermillbus_test

import (
	"errors"
	"testing"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/ThreeDotsLabs/watermill/message"
)

// through is a layer that does something with what is published.
type through struct {
	message.Publisher
	publish func(next message.Publisher, topic string, messages ...*message.Message) error
}

func (l through) Publish(topic string, messages ...*message.Message) error {
	return l.publish(l.Publisher, topic, messages...)
}

func layer(publish func(next message.Publisher, topic string, messages ...*message.Message) error) message.PublisherDecorator {
	return func(next message.Publisher) (message.Publisher, error) { return through{next, publish}, nil }
}

func layered(t *testing.T, log domain.Log, layers ...message.PublisherDecorator) *watermillbus.Bus {
	t.Helper()
	clock := domaintest.NewClock()
	bus, err := watermillbus.New(watermillbus.Config{Log: log, IDs: domaintest.NewIDs(clock, 7), Clock: clock, Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	return bus
}

func TestLayersSeeEveryAppendWhole(t *testing.T) {
	log := memlog.New(domaintest.NewClock())
	var order, topics []string
	var batches []domain.Batch
	seen := func(name string) message.PublisherDecorator {
		return layer(func(next message.Publisher, topic string, messages ...*message.Message) error {
			order = append(order, name)
			batch, ok := watermillbus.BatchOf(messages)
			if !ok || len(batch.Entries) != len(messages) {
				t.Errorf("%s sees %d messages of %+v", name, len(messages), batch)
			}
			topics, batches = append(topics, topic), append(batches, batch)
			err := next.Publish(topic, messages...)
			if receipt := watermillbus.ReceiptOf(messages); err == nil && len(receipt.Positions) != len(messages) {
				t.Errorf("%s hears of %+v", name, receipt)
			}
			return err
		})
	}
	bus := layered(t, log, seen("outer"), seen("inner"))
	tx := bus.Transaction()
	if err := errors.Join(tx.Publish("a", foreign("1"), foreign("2")), tx.Publish("b", foreign("3"))); err != nil {
		t.Fatal(err)
	}
	tx.Require(domain.Condition{Key: "seat"})
	if _, err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := bus.Publisher().Publish("a", foreign("4")); err != nil {
		t.Fatal(err)
	}
	if len(order) != 4 || order[0] != "outer" || order[1] != "inner" || topics[0] != "$all" || topics[2] != "a" {
		t.Errorf("the layers were passed as %v with topics %v", order, topics)
	}
	if len(batches[0].Conditions) != 1 || batches[0].Entries[2].Topic != "b" || batches[0].Entries[0].Envelope.Type != domain.ForeignMessageType {
		t.Errorf("a layer saw %+v", batches[0])
	}
}

func TestLayersChangeWhatIsStored(t *testing.T) {
	log := memlog.New(domaintest.NewClock())
	bus := layered(t, log, message.MessageTransformPublisherDecorator(func(msg *message.Message) { msg.Payload = []byte(`{"n":2}`) }))
	batch := domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(domaintest.NewIDs(domaintest.NewClock(), 1), "a")}}
	if _, err := bus.Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	rec, err := log.Find(t.Context(), batch.Entries[0].Envelope.ID)
	if err != nil || string(rec.Envelope.Payload.Bytes) != `{"n":2}` || string(batch.Entries[0].Envelope.Payload.Bytes) == `{"n":2}` {
		t.Errorf("stored is %+v, %v, the entry has %+v", rec.Envelope, err, batch.Entries[0])
	}
}

func TestLayersCantTearABatch(t *testing.T) {
	log := memlog.New(domaintest.NewClock())
	ids := domaintest.NewIDs(domaintest.NewClock(), 1)
	for name, publish := range map[string]func(next message.Publisher, topic string, messages ...*message.Message) error{
		"passes on a part": func(next message.Publisher, topic string, messages ...*message.Message) error {
			return next.Publish(topic, messages[1:]...)
		},
		"in another order": func(next message.Publisher, topic string, messages ...*message.Message) error {
			return next.Publish(topic, messages[1], messages[0])
		},
		"adds one": func(next message.Publisher, topic string, messages ...*message.Message) error {
			return next.Publish(topic, append(messages, foreign("x"))...)
		},
		"loses the envelope": func(next message.Publisher, topic string, messages ...*message.Message) error {
			messages[0].SetContext(t.Context())
			return next.Publish(topic, messages...)
		},
		"adds metadata": func(next message.Publisher, topic string, messages ...*message.Message) error {
			messages[0].Metadata.Set("correlation_id", "1")
			return next.Publish(topic, messages...)
		},
		"refuses": func(message.Publisher, string, ...*message.Message) error {
			return errors.New("no")
		},
	} {
		entries := []domain.Entry{domaintest.NewEntry(ids, "a"), domaintest.NewEntry(ids, "b")}
		if _, err := layered(t, log, layer(publish)).Append(t.Context(), domain.Batch{Entries: entries}); err == nil || log.Tail() != 0 {
			t.Errorf("a layer that %s: got %v and %d records", name, err, log.Tail())
		}
	}
	_, err := watermillbus.New(watermillbus.Config{Log: log, IDs: ids, Clock: domaintest.NewClock(),
		Layers: []message.PublisherDecorator{func(message.Publisher) (message.Publisher, error) { return nil, errors.New("can't begin") }}})
	if err == nil {
		t.Error("a layer that can't begin: the bus was made")
	}
}
