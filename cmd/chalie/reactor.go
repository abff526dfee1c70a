package main

import (
	"context"
	"log/slog"
	"sync"

	"chalie/adapters/httpapi"
	"chalie/adapters/watermillbus"
	"chalie/commands"
	"chalie/domain"
)

// reasoningGroup is the consumer group that answers. Its position is durable: a
// message that was not answered yet is delivered again after a restart.
const reasoningGroup = "reasoning"

// reactor hands what is said to the reasoner, one message after the other, and
// acks it when its episode has ended.
type reactor struct {
	subscriber *watermillbus.Subscriber
	reasoner   *commands.Reasoner
	logger     *slog.Logger

	mu    sync.Mutex
	ended bool
	err   error // what it is stuck at; nil when all is well
}

func newReactor(bus *watermillbus.Bus, reasoner *commands.Reasoner, logger *slog.Logger) *reactor {
	return &reactor{subscriber: bus.Subscriber(reasoningGroup), reasoner: reasoner, logger: logger}
}

// run answers until ctx ends or the log can't be read any more. What is under
// way then is taken up again by the next start.
func (r *reactor) run(ctx context.Context) error {
	messages, err := r.subscriber.Subscribe(ctx, string(domain.TopicMessages))
	if err != nil {
		return err
	}
	for msg := range messages {
		rec, ok := watermillbus.RecordOf(msg)
		if !ok {
			msg.Ack() // not from a log, so nothing that could be answered
			continue
		}
		err := r.reasoner.Answer(ctx, rec)
		r.note(err)
		switch {
		case err == nil:
			msg.Ack()
		case ctx.Err() != nil:
			msg.Nack()
		default:
			r.logger.Warn("an answer has to wait", "position", uint64(rec.Position), "trace", rec.Envelope.Trace.String(), "err", err)
			msg.Nack()
		}
	}
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	return r.subscriber.Close()
}

func (r *reactor) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

// health says whether messages are answered.
func (r *reactor) health() httpapi.Service {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
		return httpapi.Service{Detail: "has ended: messages are kept, and answered after the next start"}
	case r.err != nil:
		return httpapi.Service{Detail: "is stuck and tries again: " + words(r.err)}
	}
	return httpapi.Service{Ready: true, Detail: "answers messages"}
}
