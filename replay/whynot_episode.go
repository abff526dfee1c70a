package replay

import (
	"context"
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// episode asks about what opened an episode: a message, a button, or a signal of the
// spine. What it has to tell is what its end says.
func (s *silent) episode(ctx context.Context) error {
	trace := s.target.Envelope.Trace
	s.openings = map[domain.TraceID]domain.Record{trace: s.target}
	found, err := s.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return s.unended(ctx)
	}
	d := &decision{end: found[0]}
	if started, err := s.log.Select(ctx, domain.Selector{Key: domain.StepKey(trace, 1)}, 1, 1); err != nil {
		return err
	} else if len(started) > 0 {
		d.started = started[0]
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

// rejections are the candidates that the end of an episode kept back, each as a
// decision of its own.
func (s *silent) rejections(ctx context.Context, c Considered, d *decision, rejected []domain.Rejected) error {
	for _, r := range rejected {
		one := c
		one.Numbers = Numbers{}
		it := item{silent: s, id: r.EnvelopeID}
		rec, err := s.log.Find(ctx, r.EnvelopeID)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
		if rec.Topic == domain.TopicCommitments && len(rejected) > 1 {
			continue // what was heard, which bears on it, is told with it
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

// ended is an end that tells nothing and kept nothing back.
func (s *silent) ended(c *Considered, d *decision, end *domain.ReasoningConcluded) {
	switch end.Outcome {
	case domain.OutcomeFailed:
		c.Gate = domain.GateFailed
		c.Words = c.Gate.Clause() + strings.TrimRight(narrate.Shortened(narrate.Because(d.end.Envelope), narrate.MaxLabel), ". ")
		if c.Kind == ByAnswer && len(d.end.Envelope.Errors) > 0 {
			s.out.Surfaced = d.end.Envelope.ID // who asked was told that it failed
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

// looked says what a cycle had before it that found nothing.
func (s *silent) looked(c *Considered, ground *domain.ReasoningStarted) string {
	c.Numbers["in_mind"] = float64(len(ground.World.Items))
	c.Numbers["left_out"] = float64(len(ground.World.LeftOut) + ground.World.Unlisted)
	c.Numbers["relation_needed"] = domain.DefaultWorldRules().Surfaces.Float()
	told := "it had nothing in mind"
	if n := len(ground.World.Items); n > 0 {
		told = fmt.Sprintf("of the %s in mind none has to do with something you have planned", counted(n, "thing", "things"))
	}
	if len(ground.Relations) > 0 {
		strongest := ground.Relations[0].Score
		c.Numbers["relation"] = strongest.Float()
		if strongest >= domain.DefaultWorldRules().Surfaces {
			return "something in mind has to do with something you have planned, and the model brought nothing up about it"
		}
		told += fmt.Sprintf(": what comes closest by %s, where %s is enough", strongest, domain.DefaultWorldRules().Surfaces)
	}
	return told
}

// unended is an episode that hasn't come to its end.
func (s *silent) unended(ctx context.Context) error {
	e := s.target.Envelope
	records, err := s.log.Select(ctx, domain.Selector{Trace: e.Trace}, 1, maxSystem)
	if err != nil {
		return err
	}
	last := s.target
	c := Considered{Kind: kindOf(s.target, e), Gate: domain.GateWaits, Numbers: Numbers{}, Words: "its turn hasn't come yet"}
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
