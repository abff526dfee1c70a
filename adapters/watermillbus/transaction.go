package watermillbus

import (
	"context"
	"sync"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// Transaction collects messages for any number of topics and appends them as
// one batch, in the order they were published. It is a message.Publisher, and
// safe for concurrent use.
type Transaction struct {
	bus *Bus

	mu         sync.Mutex
	entries    []domain.Entry
	conditions []domain.Condition
	ended      bool
}

var _ message.Publisher = (*Transaction)(nil)

// Transaction begins a transaction. One that isn't committed leaves nothing.
func (b *Bus) Transaction() *Transaction { return &Transaction{bus: b} }

// Publish adds messages. When one can't be stored, none of the call is added,
// and the validation error says why.
func (t *Transaction) Publish(topic string, messages ...*message.Message) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := len(t.entries)
	for _, msg := range messages {
		if err := t.add(domain.Topic(topic), msg); err != nil {
			t.entries = t.entries[:before]
			return err
		}
	}
	return nil
}

func (t *Transaction) add(topic domain.Topic, msg *message.Message) error {
	if t.ended {
		return ended()
	}
	entry, err := t.bus.entryOf(topic, msg)
	if err == nil {
		t.entries = append(t.entries, entry)
	}
	return err
}

// Require makes the commit depend on conditions.
func (t *Transaction) Require(conditions ...domain.Condition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conditions = append(t.conditions, conditions...)
}

// Commit appends what was collected and ends the transaction. After an error
// the transaction is still open: Commit may be called again, with the same ids,
// so also after CodeOutcomeUnknown. Errors are those of domain.Appender.
func (t *Transaction) Commit(ctx context.Context) (domain.Receipt, error) {
	t.mu.Lock()
	batch, isEnded := domain.Batch{Entries: t.entries, Conditions: t.conditions}, t.ended
	t.mu.Unlock()
	if isEnded {
		return domain.Receipt{}, ended()
	}
	receipt, err := t.bus.Append(ctx, batch)
	if err != nil {
		return domain.Receipt{}, err
	}
	return receipt, t.Close()
}

// Close ends the transaction; what isn't committed is dropped. It never fails.
func (t *Transaction) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	return nil
}

func ended() error {
	return closed("publish", "the transaction has ended; begin another one")
}
