package watermillbus

import (
	"context"
	"time"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
)

// subscription is one channel of messages and the goroutine that fills it.
type subscription struct {
	group  *group
	out    chan *message.Message
	ctx    context.Context // ends with the subscriber's caller, or its Close
	saving context.Context // like ctx, but an ack already given is still saved
	logger watermill.LoggerAdapter
}

// run takes turns with the group's other members until it must end.
func (s *subscription) run() {
	for {
		select {
		case <-s.group.turn:
		case <-s.ctx.Done():
			return
		}
		ok := s.serve()
		s.group.turn <- struct{}{}
		if !ok {
			return
		}
	}
}

// serve delivers one record until it is acked, and saves that. It reports false
// when the subscription is to end.
func (s *subscription) serve() bool {
	var rec *domain.Record
	ok := s.retry("read the log", func() (err error) {
		rec, err = s.group.next(s.ctx)
		return err
	})
	if !ok || !s.deliver(rec) {
		return false
	}
	// From here on the group goes on behind the record, whether or not that can
	// be saved before the subscription ends.
	pos := s.group.advance()
	return s.retry("save the position", func() error { return s.group.save(s.saving, pos) })
}

// deliver hands out the record until it is acked.
func (s *subscription) deliver(rec *domain.Record) bool {
	for nacks := 0; s.ctx.Err() == nil; nacks++ {
		if nacks > 1 && !s.pause(nacks-1) {
			return false
		}
		ctx, cancel := context.WithCancel(s.ctx)
		acked := s.offer(messageOf(ctx, rec))
		cancel()
		if acked {
			return true
		}
	}
	return false
}

// offer hands out the message once and waits for its answer.
func (s *subscription) offer(msg *message.Message) (acked bool) {
	select {
	case s.out <- msg:
	case <-s.ctx.Done():
		return false
	}
	select {
	case <-msg.Acked():
		return true
	case <-msg.Nacked():
		return false
	case <-s.ctx.Done():
	}
	select {
	case <-msg.Acked():
		return true
	default:
		return false
	}
}

// retry repeats what fails for a reason that may pass. It reports false when
// the subscription is to end.
func (s *subscription) retry(what string, do func() error) bool {
	for failures := 1; ; failures++ {
		err := do()
		switch {
		case err == nil:
			return true
		case s.ctx.Err() != nil:
			return false
		case domain.CodeOf(err) == domain.CodeClosed:
			s.logger.Info("the subscription ends: the log is shut", nil)
			return false
		case !domain.IsRetriable(err):
			s.logger.Error("the subscription ends: it can't "+what, err, nil)
			return false
		}
		s.logger.Error("the subscription waits: it can't "+what, err, watermill.LogFields{"failures": failures})
		if !s.pause(failures) {
			return false
		}
	}
}

// pause waits longer each time, up to the bound. It reports false when the
// subscription ended meanwhile.
func (s *subscription) pause(times int) bool {
	wait := s.group.cfg.RedeliverAfter
	for ; times > 1 && wait < s.group.cfg.RedeliverAtMost; times-- {
		wait *= 2
	}
	timer := time.NewTimer(min(wait, s.group.cfg.RedeliverAtMost))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.ctx.Done():
		return false
	}
}
