package main

import (
	"context"
	"errors"

	"chalie/adapters/pebblelog"
	"chalie/adapters/watermillbus"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
)

// openBus is Chalie's own Pub/Sub over its log.
func openBus(dir string) (*pubsub, error) {
	log, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock{}})
	if err != nil {
		return nil, err
	}
	bus, err := watermillbus.New(watermillbus.Config{Log: log, IDs: &ids{}, Clock: clock{}})
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	publisher, subscriber := bus.Publisher(), bus.Subscriber("bench")
	return &pubsub{
		publisher: publisher,
		subscribe: func(ctx context.Context) (<-chan *message.Message, error) { return subscriber.Subscribe(ctx, topic) },
		close:     func() error { return errors.Join(subscriber.Close(), publisher.Close(), log.Close()) },
	}, nil
}

// openGoChannel is Watermill's Pub/Sub in memory: it keeps nothing, and shows
// what the interface itself costs.
func openGoChannel(string) (*pubsub, error) {
	ps := gochannel.NewGoChannel(gochannel.Config{Persistent: true}, watermill.NopLogger{})
	return &pubsub{
		publisher: ps,
		subscribe: func(ctx context.Context) (<-chan *message.Message, error) { return ps.Subscribe(ctx, topic) },
		close:     ps.Close,
	}, nil
}
