package replay

import (
	"context"
	"fmt"
	"time"

	"chalie/domain"
)

// word says in words what stopped something in a decision, with the numbers of then.
func (s *silent) word(ctx context.Context, c *Considered) error {
	if c.Words != "" {
		return nil // the one that judged it said so itself
	}
	var err error
	switch c.Gate {
	case GateNone:
		c.Words = "you were told"
		if s.asks() {
			c.Words = "it was answered"
		}
	case domain.GateBelowThreshold:
		c.Words, err = s.faded(ctx, c)
	case domain.GateNotInFive:
		c.Words, err = s.crowded(ctx, c)
	case domain.GateOverCapacity:
		c.Words = fmt.Sprintf("more than %d newer signals had pushed it out of mind", domain.DefaultWorldRules().Capacity)
	case domain.GateExpired:
		c.Words = "it was over for too long"
	case GateUnrelated:
		c.Words, err = s.unrelated(ctx, c)
	case GateNotBrought:
		c.Words, err = s.notBrought(ctx, c)
	case GateNotUsed:
		c.Words = s.inMindThen(c) + ", but the answer did not rest on it"
	case domain.GateCooldown, domain.GateAlreadyTold, domain.GateAttention:
		c.Words, err = s.kept(ctx, c)
	case GateUnderWay:
		c.Words = "it hasn't come to an end yet"
	case GateYielded:
		c.Words = "it was given up to make room for you"
	case GateCancelled:
		c.Words = "you stopped it"
	case GateFailed:
		c.Words = "it came to no end"
	case GateErased:
		c.Words = "what was decided can't be read any more"
	default:
		c.Words = gateWords(c.Gate) // of a newer version, or a foreign writer
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

func (s *silent) faded(ctx context.Context, c *Considered) (string, error) {
	salience, threshold := apart(ppm(c, "salience"), ppm(c, "threshold"))
	told := "its salience was"
	if old := millis(c, "age_ms"); old >= time.Minute {
		told = "after " + span(old) + " its salience was"
	}
	told = fmt.Sprintf("%s %s, and below %s nothing counts", told, salience, threshold)
	if !c.near.known || c.near.score < domain.DefaultWorldRules().Surfaces {
		return told, nil
	}
	text, err := s.quotedItem(ctx, c.near.text)
	return fmt.Sprintf("%s; it has to do with %s, by %s", told, text, c.near.score), err
}

func (s *silent) crowded(ctx context.Context, c *Considered) (string, error) {
	if _, known := c.Numbers["last_in"]; !known {
		return "other things weighed more", nil
	}
	weight, last, slots := ppm(c, "salience")+ppm(c, "bonus"), ppm(c, "last_in"), int(c.Numbers["slots"])
	own, least := apart(weight, last)
	told := fmt.Sprintf("it counted %s, and of the %d things in mind the last counted %s", own, slots, least)
	if weight == last {
		told = fmt.Sprintf("it counted %s, as did the last of the %d things in mind, which was newer", weight, slots)
	}
	if c.Kind != ByCycle {
		return told, nil
	}
	also, err := s.bearing(ctx, c)
	return told + "; " + also, err
}

func (s *silent) unrelated(ctx context.Context, c *Considered) (string, error) {
	told, err := s.bearing(ctx, c)
	return s.inMindThen(c) + ", but " + told, err
}

// bearing says what the item came closest to bear on.
func (s *silent) bearing(ctx context.Context, c *Considered) (string, error) {
	told := "it has nothing to do with what you had planned"
	if s.isPlan() {
		told = "nothing that was heard has to do with it"
	}
	if !c.near.known {
		return told, nil
	}
	text, err := s.quotedItem(ctx, c.near.text)
	if err != nil || c.near.score <= 0 {
		return told, err
	}
	if c.near.today && c.near.score >= domain.DefaultWorldRules().Surfaces {
		return fmt.Sprintf("%s by the rules of then; by today's it has to do with %s, by %s", told, text, c.near.score), nil
	}
	score, needed := apart(c.near.score, domain.DefaultWorldRules().Surfaces)
	return fmt.Sprintf("%s: what comes closest is %s, by %s where %s is enough", told, text, score, needed), nil
}

func (s *silent) notBrought(ctx context.Context, c *Considered) (string, error) {
	text, err := s.quotedItem(ctx, c.near.text)
	bears := fmt.Sprintf("it has to do with %s by %s of 1", text, c.near.score)
	if s.isPlan() {
		bears = fmt.Sprintf("%s has to do with it by %s of 1", text, c.near.score)
	}
	return bears + ", and the model brought nothing up about it", err
}

// quotedItem is what an item of the world state says.
func (s *silent) quotedItem(ctx context.Context, id domain.ID) (string, error) {
	rec, err := s.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return "", err
	}
	return s.quotedRecord(ctx, id, rec)
}

// kept is what a rule of what may be told unasked says, with what it was kept back
// in view of.
func (s *silent) kept(ctx context.Context, c *Considered) (string, error) {
	told := "it was ready to be told, but "
	ago := span(millis(c, "told_ago_ms"))
	rules := domain.DefaultNoticeRules()
	var because string
	if !c.because.IsZero() {
		text, err := s.quotedAlike(ctx, c.because, c.rests)
		if err != nil {
			return "", err
		}
		because = ": " + text
	}
	switch c.Gate {
	case domain.GateCooldown:
		return fmt.Sprintf("%ssomething about the same plan, or from the same source on the same topic, had been told %s before%s; within %s only what can't wait is told", told, ago, because, span(rules.Cooldown)), nil
	case domain.GateAlreadyTold:
		return told + "the same had been told " + ago + " before" + because, nil
	}
	return told + "you were focused, and it could wait", nil
}

// isPlan reports whether a reminder or a task is asked about.
func (s *silent) isPlan() bool { return s.target.Topic == domain.TopicCommitments }
