package replay

import (
	"context"

	"chalie/domain"
	"chalie/replay/narrate"
)

// maxSystem bounds what is read of starts, stops and spine signals after something.
const maxSystem = 1000

// never finds out why no decision considered what was heard: nothing decides what a
// signal is worth when it comes in, so something has to make Chalie look.
func (s *silent) never(ctx context.Context) error {
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
		end, err := s.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(rec.Envelope.Trace)}, 1, 1)
		if err != nil {
			return err
		}
		if len(end) == 0 {
			open++
		}
	}
	switch open -= dropped; {
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
		s.before = append(s.before, narrate.Words("No decision considered it: nothing has made Chalie think since. It does when somebody says something, when one of its services notices something, and when nothing was said or done for a while."))
	}
	return nil
}

// stopped is the stop after which Chalie wasn't started again, as far as the log
// knows; the zero Record when it runs, or was killed.
func (s *silent) stopped(ctx context.Context, since domain.Position) (domain.Record, error) {
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

// stoppedSince says that Chalie doesn't run, if that is so.
func (s *silent) stoppedSince(ctx context.Context, since domain.Position) error {
	stopped, err := s.stopped(ctx, since)
	if err != nil || stopped.Position == 0 {
		return err
	}
	s.out.Never = NeverRan
	s.after = append(s.after, narrate.Sayf("Chalie was stopped at %s, and hasn't been started since: what falls due meanwhile is told late, by the next start.", s.clock(stopped.RecordedAt)))
	return nil
}
