package main

import (
	"context"
	"errors"
	"log/slog"

	"chalie/adapters/watermillbus"
	"chalie/commands/tool"
	"chalie/domain"
)

// approvalsGroup is the consumer group that goes on with what was granted. Its
// position is durable: what was granted and not called yet is after a restart.
const approvalsGroup = "approvals"

// approving lets proposals expire, and what was granted go on.
type approving struct {
	desk   *tool.Approvals
	bus    *watermillbus.Bus
	logger *slog.Logger
}

func newApproving(a *App, tools *tool.Tools) (*approving, error) {
	desk, err := a.deciding().approvals(tools)
	return &approving{desk, a.bus, a.cfg.Logger}, err
}

// run ends with ctx, or when one of its two halves can't go on.
func (s *approving) run(ctx context.Context) error {
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	expiring := make(chan error, 1)
	go func() {
		expiring <- s.desk.Run(both)
		cancel()
	}()
	err := s.follow(both)
	cancel()
	late := <-expiring
	if ctx.Err() != nil {
		return nil
	}
	return errors.Join(err, late)
}

func (s *approving) follow(ctx context.Context) error {
	subscriber := s.bus.Subscriber(approvalsGroup)
	messages, err := subscriber.Subscribe(ctx, string(domain.TopicTools))
	if err != nil {
		return err
	}
	for msg := range messages {
		rec, ok := watermillbus.RecordOf(msg)
		if !ok || s.done(ctx, rec) {
			msg.Ack()
		} else {
			msg.Nack()
		}
	}
	return subscriber.Close()
}

// done reports whether a record needs nothing more. What can't be gone on with for
// a reason of its own is passed over; the next start ends it if it was dispatched.
func (s *approving) done(ctx context.Context, rec domain.Record) bool {
	err := s.desk.Follow(ctx, rec)
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		return false
	case domain.IsPermanent(err):
		s.logger.Error("what was granted can't be gone on with", "position", uint64(rec.Position), "trace", rec.Envelope.Trace.String(), "err", err)
		return true
	}
	s.logger.Warn("what was granted has to wait", "position", uint64(rec.Position), "err", err)
	return false
}
