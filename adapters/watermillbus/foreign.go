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
	if e, ok := EnvelopeOf(msg); ok {
		return domain.Entry{Topic: topic, Envelope: e}, checkPlain(msg)
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
		return refused("the UUID", "is not UTF-8")
	}
	for name, value := range msg.Metadata {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return refused("metadata", "is not UTF-8")
		}
	}
	return nil
}

// checkPlain refuses an envelope's message that has metadata: nothing keeps it.
func checkPlain(msg *message.Message) error {
	for name := range msg.Metadata {
		return refused("metadata "+name, "is no part of the envelope and would be lost: put it into the payload")
	}
	return nil
}

func refused(field, why string) error {
	return domain.Invalid("publish", field, "the message can't be stored: "+field+" "+why)
}
