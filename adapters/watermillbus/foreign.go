package watermillbus

import (
	"unicode/utf8"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// sourceForeign is the source of the envelopes that hold foreign messages.
const sourceForeign domain.Source = "watermill"

// entryOf is what a message becomes in the log.
func (b *Bus) entryOf(topic domain.Topic, msg *message.Message) (domain.Entry, error) {
	if IsEnvelope(msg) {
		e, err := EnvelopeOf(msg)
		return domain.Entry{Topic: topic, Envelope: e}, err
	}
	if err := checkForeign(msg); err != nil {
		return domain.Entry{}, err
	}
	id := b.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(b.cfg.Clock.Now()), sourceForeign,
		domain.ForeignMessage{UUID: msg.UUID, Metadata: msg.Metadata, Payload: msg.Payload})
	entry.Topic = topic
	return entry, err
}

// checkForeign refuses what JSON would not give back as it was.
func checkForeign(msg *message.Message) error {
	if !utf8.ValidString(msg.UUID) {
		return refused("the UUID", "is not UTF-8", nil)
	}
	for name, value := range msg.Metadata {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return refused("metadata", "is not UTF-8", nil)
		}
	}
	return nil
}

// messageOf is what a record is delivered as. A foreign message whose content
// is gone is delivered as the envelope it is.
func messageOf(rec *domain.Record) *message.Message {
	if rec.Envelope.Type != domain.ForeignMessageType {
		return MessageOf(rec.Envelope)
	}
	foreign, err := domain.Decode[domain.ForeignMessage](rec.Envelope)
	if err != nil {
		return MessageOf(rec.Envelope)
	}
	msg := message.NewMessage(foreign.UUID, foreign.Payload)
	if len(foreign.Metadata) > 0 {
		msg.Metadata = foreign.Metadata
	}
	return msg
}
