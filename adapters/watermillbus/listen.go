package watermillbus

import (
	"context"

	"chalie/domain"
)

// Listen calls handle for every record of a topic, one at a time and in log order,
// as the only member of a consumer group: it begins behind the last record that
// handle returned nil for. One whose handling fails comes again, after a pause.
//
// It returns nil when ctx ends, and an error with CodeClosed when the subscription
// ended before: the log can no longer be read, and why is logged.
func (b *Bus) Listen(ctx context.Context, group string, topic domain.Topic, handle func(context.Context, domain.Record) error) error {
	subscriber := b.Subscriber(group)
	messages, err := subscriber.Subscribe(ctx, string(topic))
	if err != nil {
		return err
	}
	for msg := range messages {
		rec, ok := RecordOf(msg)
		if !ok || handle(msg.Context(), rec) == nil {
			msg.Ack()
		} else {
			msg.Nack()
		}
	}
	err = subscriber.Close()
	if err != nil || ctx.Err() != nil {
		return err
	}
	return closed("listen", "the topic "+string(topic)+" can't be read any more; start Chalie again once the log is mended")
}
