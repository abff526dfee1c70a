package streams

import (
	"context"
	"errors"
	"sync"
	"time"

	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
)

// subscription listens to one stream: it connects, hears, and connects again.
type subscription struct {
	cfg    Config
	stream domain.Stream
	caller commands.Caller
	cancel context.CancelFunc
	intake *intake
	meter  *meter

	mu     sync.Mutex
	state  signal.StreamState
	reason string
	until  time.Time
}

func newSubscription(cfg Config, stream domain.Stream, cancel context.CancelFunc) *subscription {
	m := &meter{}
	return &subscription{
		cfg: cfg, stream: stream, caller: signal.StreamCaller(stream), cancel: cancel,
		meter: m, intake: newIntake(cfg, stream, m), state: signal.StreamConnecting,
	}
}

// run listens until ctx ends, and returns when the log has what was heard.
func (s *subscription) run(ctx context.Context) {
	patience, stop := lasting(ctx, s.cfg.Grace)
	defer stop()
	ended := make(chan struct{})
	var storing sync.WaitGroup
	storing.Go(func() { s.intake.run(patience, ended) })
	defer storing.Wait()
	defer close(ended)
	pause := backoff{first: s.cfg.FirstPause, longest: s.cfg.LongestPause}
	for ctx.Err() == nil {
		s.enter(signal.StreamConnecting, "", time.Time{})
		lived, err := s.listen(ctx, patience)
		if ctx.Err() != nil {
			return
		}
		if lived >= s.cfg.HealthyAfter {
			pause.reset()
		}
		wait := s.cfg.Part(pause.next())
		s.meter.fail(err)
		s.cfg.Logger.Warn("a stream has no connection", "stream", s.stream.ID.UUID(), "url", bare(s.stream.URL), "again_in", wait, "err", err)
		s.enter(signal.StreamWaiting, words(err), s.cfg.Clock.Now().Add(wait))
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// listen connects and hears until the connection ends. It returns how long the
// connection lived and why it ended.
func (s *subscription) listen(ctx, patience context.Context) (lived time.Duration, err error) {
	sock, err := dial(ctx, s.cfg, s.stream.URL)
	if err != nil {
		return 0, err
	}
	// The connection goes at once with ctx; the reader below finds it closed.
	stop := context.AfterFunc(ctx, sock.leave)
	defer sock.shut()
	defer stop()
	s.enter(signal.StreamLive, "", time.Time{})
	begun := s.cfg.Clock.Now()
	err = s.hear(ctx, patience, sock)
	return s.cfg.Clock.Now().Sub(begun), err
}

// hear takes in message after message. What is read when ctx ends still goes in,
// while patience lasts.
func (s *subscription) hear(ctx, patience context.Context, sock *socket) error {
	for ctx.Err() == nil {
		text, err := sock.message()
		fault, isFault := errors.AsType[*fault](err)
		if err != nil && !isFault {
			return err
		}
		s.meter.received.Add(1)
		if isFault {
			s.meter.fault(fault)
			continue
		}
		sig, err := decodeMessage(text)
		switch {
		case errors.Is(err, errIgnored):
			s.meter.ignored.Add(1)
			continue
		case err != nil:
			s.meter.fault(err)
			continue
		}
		heard, err := s.cfg.Signals.Overhear(s.caller, sig)
		if err != nil {
			s.meter.fault(err)
			continue
		}
		if err := s.intake.add(patience, heard); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *subscription) enter(state signal.StreamState, reason string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.reason, s.until = state, reason, until
}

func (s *subscription) status() signal.StreamStatus {
	now := s.cfg.Clock.Now()
	out := s.meter.status(now)
	out.LagMillis = s.intake.lag(now).Milliseconds()
	s.mu.Lock()
	defer s.mu.Unlock()
	out.State, out.Reason = s.state, s.reason
	if !s.until.IsZero() {
		until := domain.MillisOf(s.until)
		out.Until = &until
	}
	return out
}
