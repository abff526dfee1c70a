package replay

import (
	"context"
	"fmt"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// word says in words what stopped something in a decision, with the numbers of then.
func (s *silent) word(ctx context.Context, c *Considered) error {
	if c.Words != "" || len(c.said) > 0 {
		return nil // the one that judged it said so itself
	}
	var err error
	switch c.Gate {
	case domain.Gate(""):
		c.Words = c.Gate.Clause()
		if s.asks() {
			c.Words = "it was answered"
		}
	case domain.GateBelowThreshold:
		c.said, err = s.faded(ctx, c)
	case domain.GateNotInFive:
		c.said, err = s.crowded(ctx, c)
	case domain.GateOverCapacity:
		c.Words = fmt.Sprintf("more than %d newer signals had pushed it out of mind", domain.DefaultWorldRules().Capacity)
	case domain.GateUnrelated:
		c.said, err = s.unrelated(ctx, c)
	case domain.GateNotBrought:
		c.said, err = s.notBrought(ctx, c)
	case domain.GateNotUsed:
		c.Words = s.inMindThen(c) + ", but the answer did not rest on it"
	case domain.GateCooldown, domain.GateAlreadyTold, domain.GateAttention:
		c.said, err = s.kept(ctx, c)
	case domain.GateFailed:
		c.Words = "it came to no end"
	default:
		c.Words = narrate.Shortened(c.Gate.Clause(), narrate.MaxLabel)
	}
	return err
}

// inMindThen says how much the item weighed.
func (s *silent) inMindThen(c *Considered) string {
	told := "it was in mind, with a salience of " + ppm(c, "salience").String()
	if bonus := ppm(c, "bonus"); bonus > 0 {
		told += " and " + bonus.String() + " more because it has to do with something else in mind"
	}
	return told
}

func ppm(c *Considered, name string) domain.PPM { return domain.PPMOf(c.Numbers[name]) }

func millis(c *Considered, name string) time.Duration {
	return time.Duration(c.Numbers[name]) * time.Millisecond
}

// apart writes two scores so that they can be told from each other.
func apart(a, b domain.PPM) (string, string) {
	if a.String() != b.String() {
		return a.String(), b.String()
	}
	return fmt.Sprintf("%.6f", a.Float()), fmt.Sprintf("%.6f", b.Float())
}

func (s *silent) faded(ctx context.Context, c *Considered) (narrate.Phrase, error) {
	salience, threshold := apart(ppm(c, "salience"), ppm(c, "threshold"))
	told := "its salience was"
	if old := millis(c, "age_ms"); old >= time.Minute {
		told = "after " + narrate.Span(old) + " its salience was"
	}
	told = fmt.Sprintf("%s %s, and below %s nothing counts", told, salience, threshold)
	if !c.near.known || c.near.score < domain.DefaultWorldRules().Surfaces {
		return narrate.Words(told), nil
	}
	text, err := s.quotedItem(ctx, c.near.text)
	return narrate.Sayf("%s; it has to do with %s, by %s", told, text, c.near.score), err
}

func (s *silent) crowded(ctx context.Context, c *Considered) (narrate.Phrase, error) {
	if _, known := c.Numbers["last_in"]; !known {
		return narrate.Words(c.Gate.Clause()), nil
	}
	weight, last, slots := ppm(c, "salience")+ppm(c, "bonus"), ppm(c, "last_in"), int(c.Numbers["slots"])
	own, least := apart(weight, last)
	told := fmt.Sprintf("it counted %s, and of the %d things in mind the last counted %s", own, slots, least)
	if weight == last {
		told = fmt.Sprintf("it counted %s, as did the last of the %d things in mind, which was newer", weight, slots)
	}
	if c.Kind != ByCycle {
		return narrate.Words(told), nil
	}
	also, err := s.bearing(ctx, c)
	return narrate.Sayf("%s; %s", told, also), err
}

func (s *silent) unrelated(ctx context.Context, c *Considered) (narrate.Phrase, error) {
	told, err := s.bearing(ctx, c)
	return narrate.Sayf("%s, but %s", s.inMindThen(c), told), err
}

// bearing says what the item came closest to bear on.
func (s *silent) bearing(ctx context.Context, c *Considered) (narrate.Phrase, error) {
	told := domain.GateUnrelated.Clause()
	if s.isPlan() {
		told = "nothing that was heard has to do with it"
	}
	if !c.near.known {
		return narrate.Words(told), nil
	}
	text, err := s.quotedItem(ctx, c.near.text)
	if err != nil || c.near.score <= 0 {
		return narrate.Words(told), err
	}
	if c.near.today && c.near.score >= domain.DefaultWorldRules().Surfaces {
		return narrate.Sayf("%s by the rules of then; by today's it has to do with %s, by %s", told, text, c.near.score), nil
	}
	score, needed := apart(c.near.score, domain.DefaultWorldRules().Surfaces)
	return narrate.Sayf("%s: what comes closest is %s, by %s where %s is enough", told, text, score, needed), nil
}

func (s *silent) notBrought(ctx context.Context, c *Considered) (narrate.Phrase, error) {
	text, err := s.quotedItem(ctx, c.near.text)
	if s.isPlan() {
		return narrate.Sayf("%s has to do with it by %s of 1, and the model brought nothing up about it", text, c.near.score), err
	}
	return narrate.Sayf("it has to do with %s by %s of 1, and the model brought nothing up about it", text, c.near.score), err
}

// quotedItem is what an item of the world state says.
func (s *silent) quotedItem(ctx context.Context, id domain.ID) (narrate.Phrase, error) {
	rec, err := s.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	return s.quotedRecord(ctx, id, rec)
}

// kept is what a rule of what may be told unasked says, with what it was kept back
// in view of.
func (s *silent) kept(ctx context.Context, c *Considered) (narrate.Phrase, error) {
	ago := narrate.Span(millis(c, "told_ago_ms"))
	var because narrate.Phrase
	if !c.because.IsZero() {
		text, err := s.quotedAlike(ctx, c.because, c.rests)
		if err != nil {
			return nil, err
		}
		because = narrate.Sayf(": %s", text)
	}
	switch c.Gate {
	case domain.GateCooldown:
		return narrate.Sayf("it was ready to be told, but something about the same plan, or from the same source on the same topic, had been told %s before%s; within %s only what can't wait is told", ago, because, narrate.Span(domain.DefaultNoticeRules().Cooldown)), nil
	case domain.GateAlreadyTold:
		return narrate.Sayf("it was ready to be told, but the same had been told %s before%s", ago, because), nil
	}
	return narrate.Words("it was ready to be told, but you were focused, and it could wait"), nil
}

// isPlan reports whether a reminder or a task is asked about.
func (s *silent) isPlan() bool { return s.target.Topic == domain.TopicCommitments }
