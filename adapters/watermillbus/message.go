package watermillbus

import (
	"context"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// carrier is the context of a message that stands for an envelope. It has the envelope as
// a value, so that nothing has to be written down and read back on the way.
type carrier struct {
	context.Context
	envelope *domain.Envelope // nil for a foreign message that was delivered
	record   *domain.Record   // of a delivered one
	append   *appending       // of one on its way into the log, which has the envelope
	at       int              // its place in there
}

type carrierKey struct{}

// Value implements context.Context.
func (c *carrier) Value(key any) any {
	if key == (carrierKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func carrierOf(msg *message.Message) *carrier {
	c, _ := msg.Context().Value(carrierKey{}).(*carrier)
	return c
}

// MessageOf is an envelope as a Watermill message. Its context is ctx, and carries the
// envelope: whoever sets another one derives it from the message's. The payload's memory
// is shared.
func MessageOf(ctx context.Context, e domain.Envelope) *message.Message {
	return newMessage(&carrier{Context: ctx, envelope: &e})
}

func newMessage(c *carrier) *message.Message {
	msg := message.NewMessage(c.envelope.ID.String(), c.envelope.Payload.Bytes)
	msg.SetContext(c)
	return msg
}

// EnvelopeOf is the envelope that a message carries, with the payload that the message
// has now; false for a foreign message, which carries none.
func EnvelopeOf(msg *message.Message) (domain.Envelope, bool) {
	c := carrierOf(msg)
	if c == nil || c.envelope == nil && c.append == nil {
		return domain.Envelope{}, false
	}
	var e domain.Envelope
	if c.append != nil {
		e = c.append.batch.Entries[c.at].Envelope
	} else {
		e = *c.envelope
	}
	e.Payload.Bytes = msg.Payload
	return e, true
}

// RecordOf is the record a delivered message stands for, with its position and
// recorded_at; false for one that wasn't delivered.
func RecordOf(msg *message.Message) (domain.Record, bool) {
	c := carrierOf(msg)
	if c == nil || c.record == nil {
		return domain.Record{}, false
	}
	return *c.record, true
}

// messageOf is what a record is delivered as. A foreign message whose content
// is gone is delivered as the envelope it is.
func messageOf(ctx context.Context, rec *domain.Record) *message.Message {
	if rec.Envelope.Type == domain.ForeignMessageType {
		if foreign, err := domain.Decode[domain.ForeignMessage](rec.Envelope); err == nil {
			msg := message.NewMessage(foreign.UUID, foreign.Payload)
			if len(foreign.Metadata) > 0 {
				msg.Metadata = foreign.Metadata
			}
			msg.SetContext(&carrier{Context: ctx, record: rec})
			return msg
		}
	}
	return newMessage(&carrier{Context: ctx, envelope: &rec.Envelope, record: rec})
}
