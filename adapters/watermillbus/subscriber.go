package watermillbus

import (
	"context"
	"sync"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// Subscriber is a message.Subscriber over the log, for one consumer group or
// for none.
type Subscriber struct {
	bus   *Bus
	group string

	closing context.Context
	close   context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

var (
	_ message.Subscriber           = (*Subscriber)(nil)
	_ message.SubscribeInitializer = (*Subscriber)(nil)
)

// Subscriber makes a member of a consumer group; with "" each subscription has
// a position of its own and starts at the oldest record. The caller closes it.
func (b *Bus) Subscriber(group string) *Subscriber {
	closing, cancel := context.WithCancel(context.Background())
	return &Subscriber{bus: b, group: group, closing: closing, close: cancel}
}

// Subscribe delivers the topic's records, or those of all topics for "$all",
// until ctx ends, the subscriber is closed or the log can no longer be read;
// then the channel is closed. Messages carry ctx. A closed subscriber returns
// CodeClosed, names out of bounds a validation error.
func (s *Subscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if topic == "" || len(topic) > domain.MaxNameBytes {
		return nil, domain.Invalid("subscribe", "topic", "name the topic to listen to, in at most 128 bytes, or $all")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, closed("subscribe", "the subscriber is closed")
	}
	g, err := s.bus.join(s.group, domain.Topic(topic))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(s.closing, cancel)
	sub := &subscription{
		group: g, out: make(chan *message.Message), ctx: ctx, saving: context.WithoutCancel(ctx),
		logger: s.bus.cfg.Logger.With(map[string]any{"group": s.group, "topic": topic}),
	}
	s.running.Go(func() {
		sub.run()
		s.bus.leave(s.group, g)
		close(sub.out)
		forget()
		cancel()
	})
	return sub.out, nil
}

// SubscribeInitialize has nothing to do: a topic exists as soon as its name is
// known, and a subscription begins at the oldest record.
func (s *Subscriber) SubscribeInitialize(string) error { return nil }

// Close ends all subscriptions and waits until their channels are closed. It
// can be called again.
func (s *Subscriber) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.close()
	s.running.Wait()
	return nil
}
