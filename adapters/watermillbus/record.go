package watermillbus

import (
	"context"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// delivery is the context of a message: it knows the record.
type delivery struct {
	context.Context
	record *domain.Record
}

type recordKey struct{}

func (d *delivery) Value(key any) any {
	if key == (recordKey{}) {
		return d.record
	}
	return d.Context.Value(key)
}

// RecordOf is the record a delivered message stands for, with its position and
// recorded_at. It is found in the message's context, so a Copy of the message
// doesn't have it.
func RecordOf(msg *message.Message) (domain.Record, bool) {
	rec, ok := msg.Context().Value(recordKey{}).(*domain.Record)
	if !ok {
		return domain.Record{}, false
	}
	return *rec, true
}
