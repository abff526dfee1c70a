package watermillbus

import (
	"sync"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// Publisher is a message.Publisher over the log.
type Publisher struct {
	bus *Bus

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

var _ message.Publisher = (*Publisher)(nil)

// Publisher makes a publisher. Any number of them may be used at once.
func (b *Bus) Publisher() *Publisher { return &Publisher{bus: b} }

// Publish appends all messages to the topic, or none, and returns when they are
// durable. The context of the first message bounds the wait. Errors are those
// of domain.Appender.
func (p *Publisher) Publish(topic string, messages ...*message.Message) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return closed("publish", "the publisher is closed; nothing was published")
	}
	p.running.Add(1)
	p.mu.Unlock()
	defer p.running.Done()

	if len(messages) == 0 {
		return nil
	}
	tx := p.bus.Transaction()
	if err := tx.Publish(topic, messages...); err != nil {
		return err
	}
	_, err := tx.Commit(messages[0].Context())
	return err
}

// Close waits for what is being published and refuses what comes later. It can
// be called again.
func (p *Publisher) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.running.Wait()
	return nil
}

func closed(op, message string) error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeClosed, Message: message}
}
