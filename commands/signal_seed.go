package commands

import (
	"context"
	"math"
	"sync/atomic"

	"chalie/domain"
)

// seeding is reading what an earlier process took in within the last minute. It
// isn't done at the start: after a broadcast of millions a minute it takes
// seconds, and whoever doesn't send signals has no need of it.
type seeding struct {
	done    atomic.Bool
	turn    chan struct{}   // holds one while somebody reads
	through domain.Position // the last record of earlier processes
}

// newSeeding has nothing to do when there is no limit.
func newSeeding(ctx context.Context, cfg SignalsConfig) (*seeding, error) {
	s := &seeding{turn: make(chan struct{}, 1)}
	if cfg.PerMinute == 0 && cfg.Volume.limiter().limit == 0 {
		s.done.Store(true)
		return s, nil
	}
	end, err := cfg.Reader.Since(ctx, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	s.through = end - 1
	return s, nil
}

// seeded returns once the limiter knows the last minute's signals. After an error the next call begins anew.
func (s *Signals) seeded(ctx context.Context) error {
	if s.seeding.done.Load() {
		return nil
	}
	select {
	case s.seeding.turn <- struct{}{}:
	case <-ctx.Done():
		return &domain.Error{Op: "submit signal", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(),
			Message: "the wait for the last minute's count ended; nothing was recorded"}
	}
	defer func() { <-s.seeding.turn }()
	if s.seeding.done.Load() {
		return nil
	}
	err := s.limit.seedFrom(ctx, s.cfg.Reader, seeds{topic: domain.TopicSignals, event: domain.SignalReceivedType, through: s.seeding.through}, s.cfg.Now())
	if err != nil {
		return err
	}
	s.seeding.done.Store(true)
	return nil
}
