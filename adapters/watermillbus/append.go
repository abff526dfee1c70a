package watermillbus

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// appending is a batch on its way through the layers.
type appending struct {
	batch   domain.Batch
	own     bool // the batch's entries: until a layer changes one they are its sender's
	receipt domain.Receipt

	// The most frequent batch has one entry, and needs no other memory.
	carrier [1]carrier
	message [1]message.Message
	list    [1]*message.Message
}

// unlayered are those that nobody but the sink has seen, to be used again.
var unlayered = sync.Pool{New: func() any { return new(appending) }}

// Append implements domain.Appender. The entries become one Publish of as many messages,
// in order, which passes the layers and is one append of the log: a layer sees a batch
// whole, over whatever topics and on whatever conditions, and refuses all of it or none.
// The topic is that of the entries, and domain.TopicAll where they differ.
//
// What a layer changes is stored; batch stays as it is.
func (b *Bus) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	layered := len(b.cfg.Layers) > 0
	var a *appending
	if layered {
		a = new(appending) // a layer may keep its messages
	} else {
		a, _ = unlayered.Get().(*appending) // there is nothing else in it
		defer func() {
			*a = appending{}
			unlayered.Put(a)
		}()
	}
	a.batch = batch
	messages := a.messages(ctx, layered)
	if len(messages) == 0 {
		return b.cfg.Log.Append(ctx, batch) // which says what is wrong with nothing
	}
	err := b.way.Publish(string(topicOf(batch.Entries)), messages...)
	return a.receipt, err
}

// messages are the entries as messages. What only a layer could want of them is made for
// layers.
func (a *appending) messages(ctx context.Context, layered bool) []*message.Message {
	n := len(a.batch.Entries)
	carriers, messages, list := a.carrier[:], a.message[:], a.list[:]
	if n > 1 {
		carriers, messages, list = make([]carrier, n), make([]message.Message, n), make([]*message.Message, n)
	}
	for i := range a.batch.Entries {
		entry, msg := &a.batch.Entries[i], &messages[i]
		carriers[i] = carrier{Context: ctx, append: a, at: i}
		msg.Payload = entry.Envelope.Payload.Bytes
		msg.SetContext(&carriers[i])
		if layered {
			msg.UUID, msg.Metadata = entry.Envelope.ID.String(), message.Metadata{}
		}
		list[i] = msg
	}
	return list[:n]
}

func topicOf(entries []domain.Entry) domain.Topic {
	for i := range entries {
		if entries[i].Topic != entries[0].Topic {
			return domain.TopicAll
		}
	}
	return entries[0].Topic
}

// BatchOf is the append that messages are, for a layer: what its entries say so far, and
// its conditions; false when they didn't come from a Bus. It isn't to be changed: a layer
// changes messages.
func BatchOf(messages []*message.Message) (domain.Batch, bool) {
	if a := appendingOf(messages); a != nil {
		return a.batch, true
	}
	return domain.Batch{}, false
}

// ReceiptOf is where messages were stored, for a layer that has published them.
func ReceiptOf(messages []*message.Message) domain.Receipt {
	if a := appendingOf(messages); a != nil {
		return a.receipt
	}
	return domain.Receipt{}
}

// Change has a message carry another envelope, for a layer. It does nothing to a message
// that carries none.
func Change(msg *message.Message, e domain.Envelope) {
	c := carrierOf(msg)
	if c == nil || c.append == nil {
		return
	}
	c.append.change(c.at, e)
	msg.Payload = e.Payload.Bytes
}

func (a *appending) change(i int, e domain.Envelope) {
	if !a.own {
		a.batch.Entries, a.own = slices.Clone(a.batch.Entries), true
	}
	a.batch.Entries[i].Envelope = e
}

// appendingOf is the batch whose messages these are, all of them and in order; else nil.
// Its entries say what the messages say.
func appendingOf(messages []*message.Message) *appending {
	var a *appending
	for i, msg := range messages {
		c := carrierOf(msg)
		if c == nil || c.append == nil || a != nil && c.append != a || c.at != i || len(messages) != len(c.append.batch.Entries) {
			return nil
		}
		a = c.append
		if e := &a.batch.Entries[i].Envelope; !bytes.Equal(e.Payload.Bytes, msg.Payload) {
			changed := *e
			changed.Payload.Bytes = msg.Payload
			a.change(i, changed)
		}
	}
	return a
}

// sink is where the layers end.
type sink struct{ log domain.Log }

// Publish appends what came through the layers.
func (s sink) Publish(_ string, messages ...*message.Message) (err error) {
	a := appendingOf(messages)
	if a == nil {
		return &domain.Error{Op: "publish", Category: domain.Conflict, Code: "torn_batch",
			Message: "a layer passed on other messages than it was given, so nothing was stored: a layer may change messages, and pass on all of them or none"}
	}
	for _, msg := range messages {
		if err := checkPlain(msg); err != nil {
			return err
		}
	}
	a.receipt, err = s.log.Append(messages[0].Context(), a.batch)
	return err
}

// Close has nothing to do: the log is closed by its owner.
func (sink) Close() error { return nil }
