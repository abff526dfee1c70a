package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"chalie/adapters/api"
	"chalie/adapters/watermillbus"
	"chalie/commands/background"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// reasoningGroup is the consumer group that answers. Its position is durable: a
// message that was not answered yet is delivered again after a restart.
const reasoningGroup = "reasoning"

// answering is the reasoner, or a test's.
type answering interface {
	Answer(ctx context.Context, rec domain.Record) error
}

var _ answering = (*reasoning.Reasoner)(nil)

// reactor hands what is said to the reasoner, one message after the other, and
// acks it when its episode has ended or waits for the person's approval. What the
// person decides then is handed on, too.
type reactor struct {
	reactorConfig
	queue *queue

	one sync.Mutex // one episode at a time

	mu     sync.Mutex
	ended  bool
	err    error  // what it is stuck at; nil when all is well
	missed int    // messages that can't be answered
	last   string // of those, the last: which, and why
}

// reactorConfig is what the reactor works with.
type reactorConfig struct {
	bus        *watermillbus.Bus
	reasoner   answering
	foreground *background.Foreground
	ids        domain.IDs
	clock      domain.Clock
	logger     *slog.Logger
}

// attempts is how often a message is tried whose answer fails for a reason of its
// own. After them it is passed over: it must not hold up the others for ever.
const attempts = 3

func newReactor(cfg reactorConfig) *reactor {
	return &reactor{reactorConfig: cfg, queue: newQueue(cfg.foreground)}
}

// run answers until ctx ends or the log can't be read any more. What is under
// way then is taken up again by the next start.
func (r *reactor) run(ctx context.Context) error {
	done, err := r.bus.Reached(ctx, reasoningGroup, domain.TopicMessages)
	if err != nil {
		r.over()
		return err
	}
	r.queue.skip(done)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failures := make(chan error, 3)
	var running sync.WaitGroup
	for _, part := range []struct {
		group   string
		topic   domain.Topic
		concern func(domain.EventType) bool
		handle  func(context.Context, domain.Record) bool
	}{
		{reasoningGroup, domain.TopicMessages, concernsAnAnswer, r.answer},
		{reasoningGroup + "/ahead", domain.TopicMessages, everything, r.lookAhead},
		{reasoningGroup + "/decided", domain.TopicTools, isDecision, r.answer},
	} {
		running.Go(func() {
			failures <- r.react(ctx, part.group, part.topic, part.concern, part.handle)
			cancel() // none of them is of use without the others
		})
	}
	running.Wait()
	r.over()
	for range cap(failures) {
		if e := <-failures; err == nil {
			err = e
		}
	}
	return err
}

func (r *reactor) over() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
}

func everything(domain.EventType) bool { return true }

// concernsAnAnswer reports whether an episode may go on because of it.
func concernsAnAnswer(t domain.EventType) bool {
	return domain.OpensReasoning(t) || t == domain.SteerReceivedType || t == domain.CancelReceivedType
}

// isDecision reports whether an episode that waited for approval can go on.
func isDecision(t domain.EventType) bool {
	return t == domain.ApprovalGrantedType || t == domain.ApprovalRefusedType || t == domain.ApprovalExpiredType
}

// react hands the records of a topic on, as far as they concern it, until ctx
// ends. A record that isn't done with is delivered again after a pause.
func (r *reactor) react(ctx context.Context, group string, topic domain.Topic, concern func(domain.EventType) bool, handle func(context.Context, domain.Record) bool) error {
	subscriber := r.bus.Subscriber(group)
	messages, err := subscriber.Subscribe(ctx, string(topic))
	if err != nil {
		return err
	}
	for msg := range messages {
		rec, ok := watermillbus.RecordOf(msg)
		if !ok || !concern(rec.Envelope.Type) || handle(ctx, rec) {
			msg.Ack()
		} else {
			msg.Nack()
		}
	}
	return subscriber.Close()
}

// answer reports whether a record is done with. What may pass, and what the
// program depends on, is waited for: the bus delivers the record again after a
// pause.
func (r *reactor) answer(ctx context.Context, rec domain.Record) (done bool) {
	r.one.Lock()
	defer r.one.Unlock()
	trace := rec.Envelope.Trace
	r.queue.enter(rec)
	var err error
	for try := 0; try < attempts && ctx.Err() == nil; {
		turn, stop := r.queue.begin(ctx, trace)
		err = r.reasoner.Answer(turn, rec)
		interrupted := turn.Err() != nil && ctx.Err() == nil
		stop()
		if interrupted {
			continue // the person said something to it
		}
		if err == nil || !isItsOwn(err) {
			break
		}
		try++
	}
	if err == nil || isItsOwn(err) {
		r.queue.leave(rec)
	}
	return r.judge(ctx, rec, err)
}

// judge notes how it went, and reports whether the record is done with.
func (r *reactor) judge(ctx context.Context, rec domain.Record, err error) (done bool) {
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
func (r *reactor) health() api.Service {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
		return api.Service{Detail: "has ended: messages are kept, and answered after the next start"}
	case r.err != nil:
		return api.Service{Detail: "is stuck and tries again: " + words(r.err)}
	}
	if r.missed > 0 {
		return api.Service{Ready: true, Detail: fmt.Sprintf("answers messages; passed over %d that can't be answered, the last %s", r.missed, r.last)}
	}
	return api.Service{Ready: true, Detail: "answers messages"}
}
