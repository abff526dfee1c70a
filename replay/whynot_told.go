package replay

import (
	"context"
	"fmt"
	"slices"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// afterTold are the changes by which something would have been told although
// something else was told before it.
func (s *silent) afterTold(ctx context.Context, c Considered) ([]Remedy, error) {
	before, err := s.log.Find(ctx, c.because)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil, nil // it isn't kept any more: nothing is known of it
	}
	if err != nil {
		return nil, err
	}
	told, _ := decoded[domain.ReasoningConcluded](before.Envelope)
	reply, findings, err := s.alike(ctx, before, c.rests)
	if err != nil {
		return nil, err
	}
	rests := told.Evidence
	if len(findings) > 0 {
		rests = nil
	}
	for _, i := range findings {
		rests = append(rests, reply.Findings[i].Evidence...)
	}
	about := s.target.Envelope.ID
	if slices.ContainsFunc(told.Evidence, func(ev domain.Evidence) bool { return ev.EnvelopeID == about }) {
		// The very same was told: nothing had to be otherwise for that.
		s.after = append(s.after, narrate.Sayf("You were told of it before that; ask why of %s.", narrate.About(before, "that")))
		return nil, nil
	}
	var out []Remedy
	if name, was, ok := s.quietFor(c); ok {
		ago := rounded(millis(&c, "told_ago_ms"))
		words := fmt.Sprintf("the same had been told again after %s, and not only after %s", lasting(ago), lasting(was))
		if name == "cooldown" {
			words = fmt.Sprintf("the cooldown had been %s instead of %s", lasting(ago), lasting(was))
		}
		if ago > 0 && ago < was {
			out = append(out, parameter(name, lasting(ago), words))
		}
	}
	without, err := s.unheard(ctx, rests)
	return append(out, without...), err
}

// quietFor is the rule that keeps something back for a time after another.
func (s *silent) quietFor(c Considered) (name string, was time.Duration, ok bool) {
	rules := domain.DefaultNoticeRules()
	switch {
	case c.Gate == domain.GateCooldown:
		return "cooldown", rules.Cooldown, true
	case c.Kind == ByPassing:
		return "directed", rules.Directed, true
	case c.Gate == domain.GateAlreadyTold:
		return "repeated", rules.Repeated, true
	}
	return "", 0, false
}

// rounded is a time that has passed, cut to what a person would set: what is a little
// shorter has passed, too.
func rounded(d time.Duration) time.Duration {
	switch {
	case d >= 2*time.Minute:
		return d.Truncate(time.Minute)
	case d >= time.Second:
		return d.Truncate(time.Second)
	}
	return d.Truncate(time.Millisecond)
}

// unheard is what was heard, or said by somebody outside, that made what was told
// before: without it this would have been the first.
func (s *silent) unheard(ctx context.Context, rests []domain.Evidence) ([]Remedy, error) {
	var out []Remedy
	for _, ev := range rests {
		rec, err := s.log.Find(ctx, ev.EnvelopeID)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		passed := rec.Envelope.Type == domain.MessageReceivedType && rec.Envelope.Principal != domain.PrincipalOperator
		if rec.Envelope.Type != domain.SignalReceivedType && !passed {
			continue
		}
		out = append(out, Remedy{Kind: ChangeWithout, Without: rec.Envelope.ID,
			said: narrate.Sayf("%s had not come in at %s, which was told first", s.quotedOf(rec), s.clock(rec.RecordedAt))})
		if len(out) == 2 {
			break
		}
	}
	return out, nil
}

// unfocused is the person's attention, had it been another.
func (s *silent) unfocused(ctx context.Context, c Considered) ([]Remedy, error) {
	said, err := lastBefore(ctx, s.log, domain.TopicMessages, c.Position, func(rec domain.Record) bool {
		p, ok := decoded[domain.ContextUpdated](rec.Envelope)
		return ok && rec.Envelope.Type == domain.ContextUpdatedType && p.Attention != nil
	})
	if err != nil || said.Position == 0 {
		return nil, err
	}
	return []Remedy{{Kind: ChangeAttention, Words: fmt.Sprintf("your attention had been %s instead of %s when that was reported at %s", domain.AttentionAmbient, domain.AttentionFocused, s.clock(said.RecordedAt)),
		Edit: &Edit{ID: said.Envelope.ID, Field: "attention", Value: domain.AttentionAmbient}}}, nil
}

// lastBefore is the last record of a topic before a position that is meant; the zero
// Record when there is none. It goes back in steps that grow.
func lastBefore(ctx context.Context, log Log, topic domain.Topic, end domain.Position, meant func(domain.Record) bool) (domain.Record, error) {
	for span := domain.Position(1024); end > 1; span *= 4 {
		begin := domain.Position(1)
		if end > span {
			begin = end - span
		}
		var last domain.Record
		for from := begin; from < end; {
			page, err := log.Select(ctx, domain.Selector{Topic: topic}, from, decisionPage)
			if err != nil {
				return domain.Record{}, err
			}
			for _, rec := range page {
				if rec.Position < end && meant(rec) {
					last = rec
				}
			}
			if len(page) < decisionPage {
				break
			}
			from = page[len(page)-1].Position + 1
		}
		if last.Position > 0 {
			return last, nil
		}
		end = begin
	}
	return domain.Record{}, nil
}

// inTime are the changes by which the time of a plan would have told it.
func (s *silent) inTime(c Considered) []Remedy {
	const taken = "a replay takes everything at the time at which it came"
	switch c.Gate {
	case domain.GateNotDue:
		return []Remedy{{Kind: ChangeTime, Words: fmt.Sprintf("it had been due %s sooner", narrate.Span(millis(&c, "due_in_ms"))), NotTried: taken}}
	case domain.GateNoDeadline:
		return []Remedy{{Kind: ChangeTime, Words: "it had a deadline that has passed", NotTried: taken}}
	case domain.GateEnded:
		return []Remedy{{Kind: ChangeTime, Words: "it had still been open when it was due", NotTried: taken}}
	case domain.GateLate:
		return []Remedy{{Kind: ChangeTime, Words: "Chalie were running", NotTried: "what has not happened is in no log"}}
	}
	return nil
}
