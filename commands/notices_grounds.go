package commands

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
)

// grounds are what a finding rests on, as the log has it: the plans it is about, what
// was heard of them, and where. Two findings are compared by their grounds, because
// their texts differ with the minute they were made in ("due in 11 h").
type grounds struct {
	plans    []domain.ID
	heard    []string  // each signal's source and words, in plain form
	channels []channel // where they came from, as far as they had a topic
	partial  bool      // some of it can't be read any more
}

// channel is a source on one of its topics.
type channel struct {
	source string
	topic  domain.TopicHash
}

func (g *grounds) isEmpty() bool { return len(g.plans)+len(g.heard) == 0 && !g.partial }

func (g *grounds) sharesChannel(other grounds) bool {
	return slices.ContainsFunc(g.channels, func(c channel) bool { return slices.Contains(other.channels, c) })
}

// isTopic reports whether a topic says what something is about.
func isTopic(topic string) bool {
	topic = domain.PlainForm(topic)
	return topic != "" && topic != domain.GeneralTopic
}

// grounds reads what evidence is about. Everything that wasn't heard is planned.
func (p *NoticePolicy) grounds(ctx context.Context, evidence []domain.Evidence) (out grounds, err error) {
	for _, id := range domain.Subjects(evidence) {
		rec, err := p.cfg.Reader.Find(ctx, id)
		switch {
		case domain.CategoryOf(err) == domain.NotFound:
			out.partial = true
			continue
		case err != nil:
			return grounds{}, err
		case rec.Envelope.Type != domain.SignalReceivedType:
			out.plans = append(out.plans, id)
			continue
		}
		heard, err := domain.Decode[domain.SignalReceived](rec.Envelope)
		switch {
		case domain.CodeOf(err) == domain.CodeErased:
			out.partial = true
			continue
		case err != nil:
			return grounds{}, err
		}
		out.heard = append(out.heard, domain.PlainForm(heard.Source)+"\n"+domain.PlainForm(heard.Content))
		if heard.Topic != nil && isTopic(*heard.Topic) {
			out.channels = append(out.channels, channel{domain.PlainForm(heard.Source), domain.HashTopic(*heard.Topic)})
		}
	}
	return out, nil
}

// groundsOf is what something that was told rested on; nothing when that can't be
// read any more.
func (p *NoticePolicy) groundsOf(ctx context.Context, t domain.Told) (grounds, error) {
	if !t.Reply.IsZero() && t.Finding >= 0 {
		_, r, err := recall[domain.ModelReplied](ctx, p.cfg.Reader, t.Reply)
		if err != nil {
			return grounds{}, err
		}
		if r != nil && t.Finding < len(r.Findings) {
			return p.grounds(ctx, r.Findings[t.Finding].Evidence)
		}
	}
	_, c, err := recall[domain.ReasoningConcluded](ctx, p.cfg.Reader, t.Conclusion)
	if c == nil {
		return grounds{partial: true}, err
	}
	return p.grounds(ctx, c.Evidence)
}

// sameWords holds a finding when all that was heard of its plans was told of them
// within Rules.Repeated: another signal that says the same is no news.
func (p *NoticePolicy) sameWords(ctx context.Context, at domain.Millis, says grounds) (Verdict, error) {
	if len(says.heard) == 0 || says.partial {
		return Verdict{}, nil
	}
	type saying struct {
		plan  domain.ID // none of a finding that is about no plan
		words string
	}
	left := map[saying]bool{}
	for _, words := range says.heard {
		for _, plan := range says.plans {
			left[saying{plan, words}] = true
		}
		if len(says.plans) == 0 {
			left[saying{words: words}] = true
		}
	}
	within, last, since := p.cfg.Rules.Repeated, domain.Told{}, time.Duration(0)
	for _, t := range p.cfg.Told.Recent(at, within) {
		if t.From != "" || t.Since(at) >= within {
			continue
		}
		before, err := p.groundsOf(ctx, t)
		if err != nil {
			return Verdict{}, err
		}
		known := len(left)
		for s := range left {
			if slices.Contains(before.heard, s.words) && (s.plan.IsZero() || slices.Contains(before.plans, s.plan)) {
				delete(left, s)
			}
		}
		if len(left) < known && last.Conclusion.IsZero() {
			last, since = t, t.Since(at)
		}
		if len(left) == 0 {
			return inSameWords(last, since, within), nil
		}
	}
	return Verdict{}, nil
}
