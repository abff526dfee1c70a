package skill

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// Bounds of the search for the words about something.
const (
	conclusionsSearched = 50
	recordsSearched     = 20_000
	recordsAtOnce       = 500
)

func (s *skills) doWhy(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ About string }](call)
	if err != nil {
		return asksBack(err)
	}
	var id domain.ID
	if about := strings.TrimSpace(p.About); about != "" && !strings.EqualFold(about, "last") {
		if id, err = domain.ParseID(about); err != nil {
			if id, err = s.saidAbout(ctx, tellingWords(about)); err != nil {
				return tool.SkillDone{}, err
			}
		}
		if id.IsZero() {
			return asks(fmt.Sprintf("I said nothing about %q lately. Ask without it for the last thing that was said, or give an id.", commands.Cut(about, maxAboutBytes)))
		}
	}
	sentences, err := s.cfg.Explainer.Explain(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return asks("There is nothing to explain: " + commands.InWords(err) + ".")
	}
	if err != nil {
		return tool.SkillDone{}, err
	}
	return answered(strings.Join(sentences, "\n"), []domain.Block{domain.ListBlock(sentences...)}, nil)
}

// maxAboutBytes bounds what is repeated of a question.
const maxAboutBytes = 80

// saidAbout is the latest conclusion that was shown and has all these words, in its
// text or in what it rests on; the zero id when there is none. An answer of why is
// none of them: it repeats what others said.
func (s *skills) saidAbout(ctx context.Context, words []string) (domain.ID, error) {
	if len(words) == 0 {
		return domain.ID{}, nil
	}
	tail, left := s.cfg.Tail.Tail(), conclusionsSearched
	oldest := domain.Position(1)
	if tail > recordsSearched {
		oldest = tail - recordsSearched + 1
	}
	for end := tail; end >= oldest && left > 0; {
		from := oldest
		if end-oldest >= recordsAtOnce {
			from = end - recordsAtOnce + 1
		}
		// The other topics hold nothing to search for, and the large records.
		records, err := s.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicReasoning}, from, int(end-from)+1)
		if err != nil {
			return domain.ID{}, err
		}
		for _, rec := range slices.Backward(records) {
			c, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
			if err != nil || rec.Position > end || c.Shown == domain.ShownNot || left == 0 {
				continue
			}
			left--
			if told := tellingWords(s.conclusionText(ctx, c)); !containsAll(told, words) {
				continue
			}
			explains, err := s.isExplanation(ctx, rec.Envelope.Trace)
			if err != nil {
				return domain.ID{}, err
			}
			if !explains {
				return rec.Envelope.ID, nil
			}
		}
		end = from - 1
	}
	return domain.ID{}, nil
}

// conclusionText is the content of a conclusion and its evidence, as far as it can be read.
func (s *skills) conclusionText(ctx context.Context, c domain.ReasoningConcluded) string {
	parts := []string{domain.PlainText(c.Blocks)}
	if rec, err := s.cfg.Reader.Find(ctx, c.Reply); err == nil {
		if reply, err := domain.Decode[domain.ModelReplied](rec.Envelope); err == nil {
			parts = append(parts, domain.PlainText(reply.Blocks))
			for _, f := range reply.Findings {
				parts = append(parts, domain.PlainText(f.Blocks))
			}
		}
	}
	for _, e := range c.Evidence {
		rec, err := s.cfg.Reader.Find(ctx, e.EnvelopeID)
		if err != nil {
			continue
		}
		if sig, err := domain.Decode[domain.SignalReceived](rec.Envelope); err == nil {
			parts = append(parts, sig.Content)
		} else if text, err := domain.PlanText(rec.Envelope); err == nil {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// isExplanation reports whether why was called in an episode.
func (s *skills) isExplanation(ctx context.Context, trace domain.TraceID) (bool, error) {
	records, err := s.cfg.Reader.Select(ctx, domain.Selector{Trace: trace}, 1, recordsAtOnce)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(records, func(rec domain.Record) bool {
		called, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
		return err == nil && called.Tool == "why"
	}), nil
}
