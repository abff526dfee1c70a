package explain

import (
	"context"
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// episode answers for the opening of an episode: a message, a button, or a signal of the
// spine. The episode's end has the answer.
func (s *inquiry) episode(ctx context.Context) error {
	trace := s.target.Envelope.Trace
	s.openings = map[domain.TraceID]domain.Record{trace: s.target}
	d, err := s.endedEpisode(ctx, s.target)
	if err != nil {
		return err
	}
	if d == nil {
		return s.unended(ctx)
	}
	c, err := s.of(ctx, d)
	if err != nil {
		return err
	}
	end := d.conclusion()
	switch {
	case end == nil:
		c.Gate = domain.GateErased
	case end.Shown != domain.ShownNot:
		s.out.Surfaced = d.end.Envelope.ID
	case len(end.Rejected) > 0:
		return s.rejections(ctx, c, d, end.Rejected)
	default:
		s.ended(&c, d, end)
	}
	s.out.Considered = append(s.out.Considered, c)
	return nil
}

// endedEpisode is the episode that an opening opened; nil while it hasn't ended.
func (s *inquiry) endedEpisode(ctx context.Context, opening domain.Record) (*episode, error) {
	if domain.IsSilent(opening.Envelope) {
		return s.silentEpisode(ctx, opening)
	}
	trace := opening.Envelope.Trace
	found, err := s.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	d := &episode{end: found[0]}
	_, err = domain.Look(ctx, s.log, domain.Selector{Trace: trace}, opening.Position, maxSystem, func(rec domain.Record) {
		switch rec.Envelope.Type {
		case domain.ReasoningStartedType:
			d.started = rec
		case domain.ModelRepliedType:
			d.replied = rec
		}
	})
	return d, err
}

// rejections are the candidates that the end of an episode rejected, each as a decision
// of its own.
func (s *inquiry) rejections(ctx context.Context, c Decision, d *episode, rejected []domain.Rejected) error {
	for _, r := range rejected {
		one := c
		one.Numbers = Numbers{}
		it := item{inquiry: s, id: r.EnvelopeID}
		rec, err := s.log.Find(ctx, r.EnvelopeID)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
		if rec.Topic == domain.TopicCommitments && len(rejected) > 1 {
			continue // it is told with the related signal
		}
		if err := it.rejected(ctx, &one, d, r); err != nil {
			return err
		}
		if err := s.word(ctx, &one); err != nil {
			return err
		}
		if r.EnvelopeID != s.target.Envelope.ID {
			what, err := s.quotedRecord(ctx, r.EnvelopeID, rec)
			if err != nil {
				return err
			}
			one.said = narrate.Sayf("%s: %s", what, one.phrase())
		}
		s.out.Considered = append(s.out.Considered, one)
	}
	return nil
}

// ended adds the decision of an end without findings and rejections.
func (s *inquiry) ended(c *Decision, d *episode, end *domain.ReasoningConcluded) {
	switch end.Outcome {
	case domain.OutcomeFailed:
		c.Gate = domain.GateFailed
		c.Words = c.Gate.Clause() + strings.TrimRight(narrate.Shortened(narrate.Because(d.end.Envelope), narrate.MaxLabel), ". ")
		if c.Kind == ByAnswer && len(d.end.Envelope.Errors) > 0 {
			s.out.Surfaced = d.end.Envelope.ID // the person was told of the failure
		}
	case domain.OutcomeYielded:
		c.Gate = domain.GateYielded
	case domain.OutcomeCancelled:
		c.Gate = domain.GateCancelled
	default:
		c.Gate = domain.GateNothingFound
		c.Words = "there was nothing to tell"
		if ground := d.ground(); c.Kind == ByCycle && ground != nil {
			c.Words = s.looked(c, ground)
		}
	}
}

// looked says what a cycle without findings had considered.
func (s *inquiry) looked(c *Decision, ground *domain.ReasoningStarted) string {
	c.Numbers["in_mind"] = float64(len(ground.World.Items))
	c.Numbers["left_out"] = float64(len(ground.World.LeftOut) + ground.World.Unlisted)
	c.Numbers["relation_needed"] = c.params().World.Surfaces.Float()
	told := "it had nothing in mind"
	if n := len(ground.World.Items); n > 0 {
		told = fmt.Sprintf("of the %s in mind none has to do with something you have planned", counted(n, "thing", "things"))
	}
	if len(ground.Relations) > 0 {
		strongest := ground.Relations[0].Score
		c.Numbers["relation"] = strongest.Float()
		if strongest >= c.params().World.Surfaces {
			return "something in mind has to do with something you have planned, and the model brought nothing up about it"
		}
		told += fmt.Sprintf(": what comes closest by %s, where %s is enough", strongest, c.params().World.Surfaces)
	}
	return told
}

// unended answers for an episode without an end.
func (s *inquiry) unended(ctx context.Context) error {
	e := s.target.Envelope
	records, err := s.log.Select(ctx, domain.Selector{Trace: e.Trace}, 1, maxSystem)
	if err != nil {
		return err
	}
	last := s.target
	c := Decision{Kind: kindOf(s.target, e), Gate: domain.GateWaits, Numbers: Numbers{}, Words: "its turn hasn't come yet"}
	pending := false
	for _, rec := range records {
		last = rec
		switch rec.Envelope.Type {
		case domain.SpineSignalDroppedType:
			c.Gate, c.Words = domain.GateDropped, "too much waited to be thought about, and the oldest had to go"
		case domain.MessageQueuedType:
			c.Words = "an earlier message was being answered"
		case domain.ApprovalProposedType:
			pending = true
		case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
			pending = false
		case domain.ReasoningStartedType:
			c.Gate, c.Words = domain.GateUnderWay, ""
		}
	}
	if pending {
		c.Gate, c.Words = domain.GateApproval, "something that it needs waits for your approval"
	}
	c.Decision, c.Trace, c.Position, c.At = last.Envelope.ID, e.Trace, last.Position, last.RecordedAt
	s.out.Considered = append(s.out.Considered, c)
	return s.stoppedSince(ctx, s.target.Position)
}

// maxChanges bounds the records that are read of one plan.
const maxChanges = 1000

// planned answers for a commitment: whether its time has come, and how the latest
// decisions treated it.
func (s *inquiry) planned(ctx context.Context) error {
	id := s.target.Envelope.ID
	changes, err := s.log.Select(ctx, domain.Selector{Key: domain.PlanKey(id)}, s.target.Position, maxChanges)
	if err != nil {
		return err
	}
	if err := s.timed(ctx, append([]domain.Record{s.target}, changes...)); err != nil {
		return err
	}
	if !s.out.Surfaced.IsZero() {
		return nil
	}
	from, err := latestDecided(ctx, s.log, s.target.Position, s.tail)
	if err != nil {
		return err
	}
	it := item{inquiry: s, id: id, isPlan: true}
	clock := s.out.Considered
	s.out.Considered = []Decision{}
	r := episodes{walk: s.walk, through: s.tail, asking: s.asker, visit: func(d *episode) (going, error) {
		c, considered, err := it.judge(ctx, d)
		if considered {
			s.out.Considered = append(s.out.Considered, c)
		}
		return goOn, err
	}}
	if s.out.Cut, err = r.read(ctx, from); err != nil {
		return err
	}
	s.out.Cut = s.out.Cut || from > s.target.Position && len(s.out.Considered) > 0
	if err := it.compared(ctx); err != nil {
		return err
	}
	s.out.Considered = append(s.out.Considered, clock...)
	return nil
}

// timed adds the decision of the clock: whether the plan's time has come.
func (s *inquiry) timed(ctx context.Context, history []domain.Record) error {
	var plans domain.Commitments
	timing := s.target
	for _, rec := range history {
		if err := plans.Evolve(rec); err != nil {
			return err
		}
		if rec.Envelope.Type != domain.TimerDueType {
			timing = rec
			continue
		}
		end, err := s.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(rec.Envelope.Trace)}, 1, 1)
		if err != nil {
			return err
		}
		if len(end) > 0 {
			s.out.Surfaced = end[0].Envelope.ID
		}
	}
	one, known := plans.Find(s.target.Envelope.ID)
	if !known || !s.out.Surfaced.IsZero() {
		return nil
	}
	now, err := s.lastMoment(ctx)
	if err != nil {
		return err
	}
	c := Decision{Decision: timing.Envelope.ID, Trace: timing.Envelope.Trace, Position: timing.Position, At: timing.RecordedAt, Kind: ByClock, Numbers: Numbers{}}
	c.Gate, c.Words = s.byClock(one, now, &c)
	s.out.Considered = append(s.out.Considered, c)
	if c.Gate != domain.GateLate {
		return nil
	}
	return s.stoppedSince(ctx, timing.Position)
}

func (s *inquiry) byClock(one domain.Commitment, now domain.Millis, c *Decision) (domain.Gate, string) {
	due := one.Due
	if one.Kind.TakesPlace() && one.Tell != 0 {
		due = one.Tell
	}
	left := due.Sub(now)
	switch {
	case one.Standing == domain.StandingDone:
		return domain.GateEnded, "it was done before it was due"
	case one.Standing == domain.StandingPassed:
		return domain.GateEnded, "it is over, and it wasn't to be told before"
	case one.Standing == domain.StandingDropped && one.Kind.IsTold():
		return domain.GateEnded, "it was cancelled before it was due"
	case one.Standing == domain.StandingDropped:
		return domain.GateEnded, "it was dropped"
	case one.Due == 0:
		return domain.GateNoDeadline, "it has no deadline, so it is told only together with something that bears on it"
	case one.Kind.TakesPlace() && one.Tell == 0:
		return domain.GateNoDeadline, "it isn't to be told before, so it is told only together with something that bears on it"
	case left > 0:
		c.Numbers["due_in_ms"] = float64(left.Milliseconds())
		return domain.GateNotDue, fmt.Sprintf("it is due at %s, which was %s away when anything was last recorded", s.clock(due), narrate.Span(left))
	}
	c.Numbers["overdue_ms"] = float64(-left.Milliseconds())
	return domain.GateLate, fmt.Sprintf("it was due at %s, and nobody has told it since", s.clock(due))
}

// lastMoment is the time of the last record.
func (s *inquiry) lastMoment(ctx context.Context) (domain.Millis, error) {
	last, err := s.log.Select(ctx, domain.Selector{}, s.tail, 1)
	if err != nil || len(last) == 0 {
		return s.target.RecordedAt, err
	}
	return last[0].RecordedAt, nil
}

// maxSystem bounds the starts, stops and spine signals that are read after a position.
const maxSystem = 1000

// never finds the reason why no decision considered a signal: a signal alone starts no
// episode; a message, a button or a spine signal does.
func (s *inquiry) never(ctx context.Context) error {
	stopped, err := s.stopped(ctx, s.target.Position)
	if err != nil {
		return err
	}
	emitted, err := s.log.Select(ctx, domain.Selector{Topic: domain.TopicSpine}, s.target.Position+1, maxSystem)
	if err != nil {
		return err
	}
	open, dropped := 0, 0
	for _, rec := range emitted {
		if rec.Envelope.Type == domain.SpineSignalDroppedType {
			dropped++
			continue
		}
		if domain.IsSilent(rec.Envelope) {
			continue // its end is in it
		}
		end, err := s.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(rec.Envelope.Trace)}, 1, 1)
		if err != nil {
			return err
		}
		if len(end) == 0 {
			open++
		}
	}
	switch open -= dropped; {
	case s.gap.Went > 0 && open <= 0:
		s.out.Never = NeverKept
		s.before = append(s.before, narrate.Words("No decision that the log still holds considered it."))
	case stopped.Position > 0:
		s.out.Never = NeverRan
		s.before = append(s.before, narrate.Sayf("No decision considered it: Chalie was stopped at %s, and hasn't been started since.", s.clock(stopped.RecordedAt)))
	case open > 0:
		s.out.Never = NeverUnderWay
		s.before = append(s.before, narrate.Words("No decision has considered it yet: something was noticed since, and will be thought about when nobody waits for an answer."))
	case dropped > 0:
		s.out.Never = NeverTaken
		s.before = append(s.before, narrate.Sayf("No decision considered it: too much waited to be thought about, so that %s given up.", counted(dropped, "occasion to think was", "occasions to think were")))
	default:
		s.out.Never = NeverLooked
		s.before = append(s.before, narrate.Words("No decision considered it: nothing has made Chalie think since. It does when somebody says something, when one of its services notices something, and when nothing was said or done for a while. It may still come."))
	}
	return nil
}

// stopped is the stop without a later start in the log; the zero Record when Chalie runs,
// or was killed.
func (s *inquiry) stopped(ctx context.Context, since domain.Position) (domain.Record, error) {
	var last domain.Record
	for from := since; ; {
		page, err := s.log.Select(ctx, domain.Selector{Topic: domain.TopicSystem}, from, maxSystem)
		if err != nil {
			return last, err
		}
		for _, rec := range page {
			switch rec.Envelope.Type {
			case domain.SystemStoppedType:
				last = rec
			case domain.SystemStartedType:
				last = domain.Record{}
			}
		}
		if len(page) < maxSystem {
			return last, nil
		}
		from = page[len(page)-1].Position + 1
	}
}

// stoppedSince adds the sentence that Chalie doesn't run, if it stopped.
func (s *inquiry) stoppedSince(ctx context.Context, since domain.Position) error {
	stopped, err := s.stopped(ctx, since)
	if err != nil || stopped.Position == 0 {
		return err
	}
	s.out.Never = NeverRan
	s.after = append(s.after, narrate.Sayf("Chalie was stopped at %s, and hasn't been started since: what falls due meanwhile is told late, by the next start.", s.clock(stopped.RecordedAt)))
	return nil
}
