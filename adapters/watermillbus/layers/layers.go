// Package layers has what applies to every append, whoever makes it: decorators of the
// bus's publisher. Each sees a batch whole, over all its topics and with its conditions.
//
//	bus, err := watermillbus.New(watermillbus.Config{…, Layers: layers.All(layers.Config{…})})
//
// # Order
//
// From the outermost to the log:
//
//	spans    how long an append took, and what it failed of, for a collector
//	metrics  the same in numbers; both see what the layers below refuse
//	screen   takes out secrets, so that nothing below or after sees them
//	limits   refuses what is over a caller's limits; it counts the bytes that are stored
//
// What a layer isn't given for is left out.
//
// # Failure
//
// A layer that refuses an append returns a *domain.Error, and nothing was stored. Spans and
// metrics never fail.
package layers

import (
	"context"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"chalie/adapters/watermillbus"
	"chalie/commands/limit"
	"chalie/domain"
)

// Config is what the layers work with. Each may be nil.
type Config struct {
	Spans  Observer
	Meter  Observer
	Screen func(domain.Envelope) domain.Envelope // what an envelope is stored as
	Limits *limit.Callers
}

// Observer hears of every append that has ended. It is safe for concurrent use, doesn't
// block and keeps nothing of the batch.
type Observer interface {
	Appended(domain.Appended)
}

// All are the layers, the outermost first.
func All(c Config) (out []message.PublisherDecorator) {
	for _, o := range []Observer{c.Spans, c.Meter} {
		if o != nil {
			out = append(out, around(observed(o)))
		}
	}
	if c.Screen != nil {
		out = append(out, screened(c.Screen))
	}
	if c.Limits != nil {
		out = append(out, around(limited(c.Limits)))
	}
	return out
}

// screened changes what is on its way.
func screened(screen func(domain.Envelope) domain.Envelope) message.PublisherDecorator {
	return message.MessageTransformPublisherDecorator(func(msg *message.Message) {
		if e, ok := watermillbus.EnvelopeOf(msg); ok {
			watermillbus.Change(msg, screen(e))
		}
	})
}

func observed(o Observer) appender {
	return func(_ context.Context, batch domain.Batch, next func() (domain.Receipt, error)) error {
		began := time.Now()
		receipt, err := next()
		o.Appended(domain.Appended{Batch: batch, Receipt: receipt, Err: err, Began: began, Took: time.Since(began)})
		return err
	}
}

func limited(callers *limit.Callers) appender {
	return func(ctx context.Context, batch domain.Batch, next func() (domain.Receipt, error)) error {
		admission, err := callers.Admit(ctx, batch.Entries)
		if err != nil {
			return err
		}
		receipt, err := next()
		admission.Settle(receipt, err)
		return err
	}
}

// appender does something before and after an append, which is next.
type appender func(ctx context.Context, batch domain.Batch, next func() (domain.Receipt, error)) error

// around is a layer that does so.
func around(do appender) message.PublisherDecorator {
	return func(next message.Publisher) (message.Publisher, error) { return layer{next, do}, nil }
}

type layer struct {
	message.Publisher
	do appender
}

// Publish implements message.Publisher.
func (l layer) Publish(topic string, messages ...*message.Message) error {
	batch, ok := watermillbus.BatchOf(messages)
	if !ok {
		return l.Publisher.Publish(topic, messages...)
	}
	return l.do(messages[0].Context(), batch, func() (domain.Receipt, error) {
		err := l.Publisher.Publish(topic, messages...)
		return watermillbus.ReceiptOf(messages), err
	})
}
