package commands

import (
	"context"
	"fmt"
	"slices"
	"time"

	"chalie/domain"
)

// ChangingPlans is a View[domain.Plans] that says when it changes.
type ChangingPlans interface {
	View[domain.Plans]
	// Changed is closed at the next change after the call.
	Changed() <-chan struct{}
}

// SchedulerConfig is what the scheduler needs. All fields are required.
type SchedulerConfig struct {
	Env
	Plans   ChangingPlans
	Applied Applied // of Plans
	Heart   Heart
}

// Scheduler tells the person of reminders and deadlines when their time comes:
// exactly once for each, over restarts and crashes. What fell due while nothing ran
// is told when it runs again, with the time at which it was due; of something that
// comes back and was missed several times that is told once.
//
// There is one timer, for what is due next. It is set anew when a plan changes.
type Scheduler struct {
	cfg SchedulerConfig

	// stuck are due times that can't be told: they must not hold up the others. They
	// are tried again by the next start.
	stuck map[domain.Key]bool
}

// NewScheduler checks the configuration. Run does the work.
func NewScheduler(cfg SchedulerConfig) (*Scheduler, error) {
	if err := Complete("configure scheduler", cfg); err != nil {
		return nil, err
	}
	return &Scheduler{cfg: cfg, stuck: map[domain.Key]bool{}}, nil
}

// longestSleep bounds the timer: a machine that sleeps stops it, and shall not be
// hours late when it wakes up.
const longestSleep = time.Minute

// pauseAfterTrouble is how long the log is left alone when it refuses.
const pauseAfterTrouble = time.Second

// Run tells what falls due until ctx ends. An error says that the plans can't be
// known any more.
func (s *Scheduler) Run(ctx context.Context) error {
	for {
		changed := s.cfg.Plans.Changed()
		sleep, err := s.round(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
		case !domain.IsRetriable(err):
			return err
		default:
			s.cfg.Logger.WarnContext(ctx, "what is due can't be told now", "err", err)
			sleep = pauseAfterTrouble
		}
		timer := time.NewTimer(sleep)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		case <-changed:
		}
		timer.Stop()
	}
}

// round tells all that is due, and returns how long nothing else is.
func (s *Scheduler) round(ctx context.Context) (time.Duration, error) {
	defer s.cfg.Heart.Work(domain.ServiceTimer)()
	for {
		if err := s.cfg.Applied.WaitFor(ctx, s.cfg.Tail.Tail()); err != nil {
			return 0, err
		}
		now := s.cfg.Now()
		waiting, through := s.waiting()
		if len(waiting) == 0 {
			return longestSleep, nil
		}
		next := waiting[0]
		if next.Due > now {
			return min(longestSleep, next.Due.Sub(now)), nil
		}
		if err := s.tell(ctx, next, through, now); err != nil {
			return 0, err
		}
	}
}

// waiting are the commitments whose time is still to be told, the nearest first.
func (s *Scheduler) waiting() (out []domain.Commitment, through domain.Position) {
	s.cfg.Plans.Read(func(p *domain.Plans) { out, through = p.Commitments.List(), p.Commitments.Through })
	return slices.DeleteFunc(out, func(c domain.Commitment) bool { return !c.Waiting || s.stuck[domain.DueKey(c.ID, c.Due)] }), through
}

// tell records that a time has come, and what the person is shown of it, if nobody
// did so before and the plan is as it was. Otherwise nothing happens, and the next
// look at the plans shows why.
func (s *Scheduler) tell(ctx context.Context, c domain.Commitment, through domain.Position, now domain.Millis) error {
	key := domain.DueKey(c.ID, c.Due)
	entries, err := s.due(ctx, c, now)
	if err == nil {
		_, err = s.cfg.Log.Append(ctx, domain.Batch{Entries: entries, Conditions: []domain.Condition{
			{Key: key}, {Key: domain.PlanKey(c.ID), After: through},
		}})
	}
	switch {
	case err == nil:
		return nil
	case domain.CodeOf(err) == domain.CodeConditionFailed:
		told, findErr := s.cfg.Reader.Select(ctx, domain.Selector{Key: key}, 1, 1)
		if findErr == nil && len(told) > 0 && told[0].Position <= through {
			// It came back to a time at which it was told before.
			s.stuck[key] = true
		}
		return findErr
	case domain.IsRetriable(err) || ctx.Err() != nil || domain.CodeOf(err) == domain.CodeOutcomeUnknown:
		return &domain.Error{Op: "tell what is due", Category: domain.Dependency, Code: domain.CodeOf(err), Retriable: true, Err: err,
			Message: "it is tried again"}
	}
	s.cfg.Logger.ErrorContext(ctx, "something that is due can't be told", "plan", c.ID.UUID(), "due", c.Due.Time(), "err", err)
	s.stuck[key] = true
	return nil
}

// Tell tells a plan whose time has come, once. It is for a replay: Run finds them by
// itself. Errors: not found, when there is none that is due; and those of the log.
func (s *Scheduler) Tell(ctx context.Context, plan domain.ID) error {
	waiting, through := s.waiting()
	now := s.cfg.Now()
	for _, c := range waiting {
		if c.ID == plan && c.Due <= now {
			return s.tell(ctx, c, through, now)
		}
	}
	return &domain.Error{Op: "tell what is due", Category: domain.NotFound, Code: "not_due",
		Message: "nothing of plan " + plan.String() + " is due now"}
}

// notRecorded says which plan can't be read.
func notRecorded(c domain.Commitment, err error) error {
	return fmt.Errorf("read plan %s: %w", c.ID.UUID(), err)
}
