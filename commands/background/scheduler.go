package background

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// ChangingPlans is a View[domain.Plans] that says when it changes.
type ChangingPlans interface {
	commands.View[domain.Plans]
	// Changed is closed at the next change after the call.
	Changed() <-chan struct{}
}

// SchedulerConfig has the dependencies of the scheduler. All are required.
type SchedulerConfig struct {
	commands.Env
	Plans   ChangingPlans
	Applied commands.Barrier // of Plans
	Heart   Heart
}

// Scheduler tells the person of reminders and deadlines when their time comes, and of
// appointments before:
// exactly once for each, over restarts and crashes. What fell due while nothing ran
// is told when it runs again, with the time at which it was due; of something that
// comes back and was missed several times that is told once. It notes when an appointment
// is over.
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
	if err := commands.Complete("configure scheduler", cfg); err != nil {
		return nil, err
	}
	return &Scheduler{cfg: cfg, stuck: map[domain.Key]bool{}}, nil
}

// longestSleep bounds the timer: a machine that sleeps stops it, and shall not be
// hours late when it wakes up.
const longestSleep = time.Minute

// pauseAfterTrouble is the pause after the log refused an append.
const pauseAfterTrouble = time.Second

// Run tells what falls due until ctx ends. An error says that the plans can no longer
// be known.
func (s *Scheduler) Run(ctx context.Context) error {
	for {
		changed := s.cfg.Plans.Changed()
		sleep, err := s.Round(ctx)
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

// Round tells all that is due, once, and returns how long nothing else is. Run makes rounds by
// itself; one alone is for a caller with a clock of its own. Errors are those of the log, and of
// the plans' fold.
func (s *Scheduler) Round(ctx context.Context) (time.Duration, error) {
	defer s.cfg.Heart.Work(domain.ServiceTimer)()
	for {
		if err := s.cfg.Applied.WaitFor(ctx, s.cfg.Tail.Tail()); err != nil {
			return 0, err
		}
		act := s.cfg.Act(ctx)
		now := s.cfg.Now()
		waiting, through := s.waiting()
		if len(waiting) == 0 {
			return longestSleep, nil
		}
		next := waiting[0]
		if at := next.Wakes(); at > now {
			return min(longestSleep, at.Sub(now)), nil
		}
		do := s.tell
		if isOver(next) {
			do = s.pass
		}
		if err := do(act, next, through, now); err != nil {
			return 0, err
		}
	}
}

// isOver reports whether of a commitment whose time has come there is nothing to tell.
func isOver(c domain.Commitment) bool { return c.Kind.TakesPlace() && c.Tell == 0 }

// waiting are the commitments whose time is still to come, the nearest first.
func (s *Scheduler) waiting() (out []domain.Commitment, through domain.Position) {
	s.cfg.Plans.Read(func(p *domain.Plans) { out, through = p.Commitments.List(), p.Commitments.Through })
	for i, c := range out {
		if c.Tell != 0 && s.stuck[domain.DueKey(c.ID, c.Tell)] {
			out[i].Tell = 0 // it passes untold
		}
	}
	out = slices.DeleteFunc(out, func(c domain.Commitment) bool { return c.Wakes() == 0 || s.stuck[domain.DueKey(c.ID, c.Wakes())] })
	domain.SortStableFunc(out, func(a, b domain.Commitment) int { return cmp.Compare(a.Wakes(), b.Wakes()) })
	return out, through
}

// tell records that a time has come, and what the person is shown of it, if nobody
// did so before and the plan is as it was. Otherwise nothing happens, and the next
// look at the plans shows why.
func (s *Scheduler) tell(ctx context.Context, c domain.Commitment, through domain.Position, now domain.Millis) error {
	key := domain.DueKey(c.ID, c.Wakes())
	entries, err := s.due(ctx, c, now)
	if err == nil {
		_, err = s.cfg.Log.Append(ctx, domain.Batch{Entries: entries, Conditions: []domain.Condition{
			{Key: key}, {Key: domain.PlanKey(c.ID), After: through},
		}})
	}
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		told, findErr := s.cfg.Reader.Select(ctx, domain.Selector{Key: key}, 1, 1)
		if findErr == nil && len(told) > 0 && told[0].Position <= through {
			// It came back to a time at which it was told before.
			s.stuck[key] = true
		}
		return findErr
	}
	return s.unlessStuck(ctx, c, err)
}

// unlessStuck is what a failure to note a time means: it is tried again, or the time is put
// aside.
func (s *Scheduler) unlessStuck(ctx context.Context, c domain.Commitment, err error) error {
	switch {
	case err == nil:
		return nil
	case domain.IsRetriable(err) || ctx.Err() != nil || domain.CodeOf(err) == domain.CodeOutcomeUnknown:
		return &domain.Error{Op: "tell what is due", Category: domain.Dependency, Code: domain.CodeOf(err), Retriable: true, Err: err,
			Message: "it is tried again"}
	}
	s.cfg.Logger.ErrorContext(ctx, "something that is due can't be told", "plan", c.ID.UUID(), "due", c.Wakes().Time(), "err", err)
	s.stuck[domain.DueKey(c.ID, c.Wakes())] = true
	return nil
}

// Tell tells a plan whose time has come, once. It is for a replay: Run finds them by
// itself. Errors: not found, when there is none that is due; and those of the log.
func (s *Scheduler) Tell(ctx context.Context, plan domain.ID) error {
	ctx = s.cfg.Act(ctx)
	waiting, through := s.waiting()
	now := s.cfg.Now()
	for _, c := range waiting {
		if c.ID == plan && c.Wakes() <= now && !isOver(c) {
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

// schedulerSource emits what falls due.
const schedulerSource domain.Source = "scheduler"

// Roles of the evidence of a conclusion that tells what is due.
const (
	rolePlanned = "planned" // what the person had planned
	roleDue     = "due"     // that its time has come
)

// plan is a commitment's time and words, as the log has them.
type plan struct {
	timing      domain.Envelope // what set its time
	text        string
	appointment domain.Appointment // when it is due, or takes place
	recurrence  *domain.Recurrence
	zone        *time.Location
}

// due is the episode of something that has fallen due: that it has, and what the
// person is shown.
func (s *Scheduler) due(ctx context.Context, c domain.Commitment, now domain.Millis) ([]domain.Entry, error) {
	p, err := s.plan(ctx, c)
	if err != nil {
		return nil, notRecorded(c, err)
	}
	timer := domain.TimerDue{SubjectID: c.ID, Kind: c.Kind, Due: c.Wakes()}
	if p.recurrence != nil && !c.Kind.TakesPlace() {
		timer.Missed = missed(*p.recurrence, c.Due, now, p.zone)
		timer.Next = when.Next(*p.recurrence, max(c.Due, now), p.zone)
	}
	id := s.cfg.IDs.NewID()
	opening, err := domain.New(domain.Resume(p.timing, domain.TraceID{ID: id}), id, now, schedulerSource, timer)
	if err != nil {
		return nil, err
	}
	opening.Envelope.Keys = timer.Keys()
	in, err := s.toldIn(ctx, p.timing.Trace)
	if err != nil {
		return nil, err
	}
	var said []speech.Said
	for _, m := range inTime(c, p, timer, now) {
		said = append(said, speech.Said{As: speech.Told, Says: []speech.Message{m}})
	}
	spoken, _ := in.Stored(said)
	told := domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Topic: string(c.Kind), Spoken: spoken,
		Blocks: []domain.Block{domain.TextBlock(in.Plain(said, speech.Voice{Now: now, Zone: p.zone}), domain.FormatPlain)},
		Evidence: []domain.Evidence{
			{EnvelopeID: c.TextID, Role: rolePlanned, Weight: domain.One}, {EnvelopeID: id, Role: roleDue, Weight: domain.One},
		},
		Findings: []int{}, Rejected: []domain.Rejected{},
	}
	shown, err := domain.New(domain.Continue(opening.Envelope), s.cfg.IDs.NewID(), now, schedulerSource, told)
	if err != nil {
		return nil, err
	}
	shown.Envelope.Keys = []domain.Key{domain.ConcludedKey(opening.Envelope.Trace), told.ShownKey()}
	return []domain.Entry{opening, shown}, nil
}

// toldIn has the words of the language in which the person was answered in a trace; English where nobody knows.
func (s *Scheduler) toldIn(ctx context.Context, trace domain.TraceID) (*speech.Catalogue, error) {
	ends, err := s.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil || len(ends) == 0 {
		return speech.English(), err
	}
	said, err := domain.SaidIn(ends[0].Envelope, func(id domain.ID) (domain.Envelope, error) {
		rec, err := s.cfg.Reader.Find(ctx, id)
		return rec.Envelope, err
	})
	if domain.CodeOf(err) == domain.CodeErased || domain.CategoryOf(err) == domain.NotFound {
		err = nil
	}
	if said.Spoken != nil {
		if c, ok := speech.In(said.Spoken.Language); ok {
			return c, err
		}
	}
	return speech.English(), err
}

// plan reads a commitment's time and words. What was erased meanwhile doesn't come
// back, and says so.
func (s *Scheduler) plan(ctx context.Context, c domain.Commitment) (plan, error) {
	timing, err := s.cfg.Reader.Find(ctx, c.Timing)
	if err != nil {
		return plan{}, err
	}
	said, err := s.cfg.Reader.Find(ctx, c.TextID)
	if err != nil {
		return plan{}, err
	}
	p := plan{timing: timing.Envelope, text: commands.ErasedText, zone: time.UTC}
	if text, err := domain.PlanText(said.Envelope); err == nil {
		p.text = text
	} else if domain.CodeOf(err) != domain.CodeErased {
		return plan{}, err
	}
	set, err := domain.SaidOf(timing.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return plan{}, err
	}
	p.appointment, p.recurrence, p.zone = set.Time, set.Time.Recurrence, commands.ZoneOf(set.Time.Zone)
	return p, nil
}

// mostMissed bounds how far missed times are counted.
const mostMissed = 1000

// missed is how often something came back after due, through now: those times
// aren't told. It counts to mostMissed.
func missed(r domain.Recurrence, due, now domain.Millis, zone *time.Location) int {
	n := 0
	for at := when.Next(r, due, zone); at <= now && n < mostMissed; at = when.Next(r, at, zone) {
		n++
	}
	return n
}

// late is from when on it is said that something is told late.
const late = 2 * time.Minute

// its are the words of a plan, which may be others'.
func (p plan) its(c domain.Commitment) speech.Text { return speech.Text{Words: p.text, In: c.TextID} }

// inTime is what the person is told of a plan whose time has come.
func inTime(c domain.Commitment, p plan, timer domain.TimerDue, now domain.Millis) []speech.Message {
	if c.Kind.TakesPlace() {
		return ahead(c, p, now)
	}
	out := []speech.Message{{ID: "due.told", Args: speech.Args{"kind": speech.Kind(c.Kind), "what": p.its(c)}}}
	if !c.Kind.IsTold() {
		out[0] = speech.Message{ID: "due.now", Args: speech.Args{"what": p.its(c)}}
		if c.Percent > 0 {
			out[0].Args["percent"] = speech.Count(c.Percent)
		}
	}
	if now.Sub(timer.Due) < late {
		return out
	}
	was := speech.Args{"at": speech.Time{At: timer.Due, Zone: p.zone.String()}}
	switch {
	case timer.Missed >= mostMissed:
		was["least"] = speech.Count(mostMissed)
	case timer.Missed > 0:
		was["times"] = speech.Count(timer.Missed)
	}
	return append(out, speech.Message{ID: "due.late", Args: was})
}
