package main

import (
	"context"
	"fmt"
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

// answering is the reasoner, or a test's.
type answering interface {
	Answer(ctx context.Context, rec domain.Record) error
}

var _ answering = (*commands.Reasoner)(nil)

// reactor hands what is said to the reasoner, one message after the other, and
// acks it when its episode has ended.
type reactor struct {
	subscriber *watermillbus.Subscriber
	reasoner   answering
	logger     *slog.Logger

	mu     sync.Mutex
	ended  bool
	err    error  // what it is stuck at; nil when all is well
	missed int    // messages that can't be answered
	last   string // of those, the last: which, and why
}

// attempts is how often a message is tried whose answer fails for a reason of its
// own. After them it is passed over: it must not hold up the others for ever.
const attempts = 3

func newReactor(bus *watermillbus.Bus, reasoner answering, logger *slog.Logger) *reactor {
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
		if r.answer(ctx, rec) {
			msg.Ack()
		} else {
			msg.Nack()
		}
	}
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	return r.subscriber.Close()
}

// answer reports whether a record is done with. What may pass, and what the
// program depends on, is waited for: the bus delivers the record again after a
// pause.
func (r *reactor) answer(ctx context.Context, rec domain.Record) (done bool) {
	var err error
	for range attempts {
		if err = r.reasoner.Answer(ctx, rec); err == nil || !isItsOwn(err) || ctx.Err() != nil {
			break
		}
	}
	trace := rec.Envelope.Trace.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = nil
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		return false
	case isItsOwn(err):
		r.logger.Error("a message can't be answered and is passed over", "position", uint64(rec.Position), "trace", trace, "err", err)
		r.missed, r.last = r.missed+1, trace+": "+words(err)
		return true
	}
	r.logger.Warn("an answer has to wait", "position", uint64(rec.Position), "trace", trace, "err", err)
	r.err = err
	return false
}

// isItsOwn reports whether an error is about the message alone, and for good.
func isItsOwn(err error) bool {
	category := domain.CategoryOf(err)
	return !domain.IsRetriable(err) && category != domain.Dependency && category != ""
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
	if r.missed > 0 {
		return httpapi.Service{Ready: true, Detail: fmt.Sprintf("answers messages; passed over %d that can't be answered, the last %s", r.missed, r.last)}
	}
	return httpapi.Service{Ready: true, Detail: "answers messages"}
}
