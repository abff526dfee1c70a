package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Bounds of looking for words: conclusions that were shown, and records of a topic that
// could have been told.
const (
	maxShownNamed = 1000
	maxHeardNamed = 20_000
)

// TargetOf is the target that a text names: as replay.ParseTarget reads it, or else the
// latest thing that the person was told with all these words, in its text or in what it
// rests on. Errors: validation; and not found, with code no_words.
func TargetOf(ctx context.Context, log replay.Log, text string) (replay.Target, error) {
	target, err := replay.ParseTarget(text)
	words := bynames.TellingWords(text)
	if err == nil || !canBeName(text) || len(words) == 0 {
		return target, err
	}
	n := naming{walk: newWalk(log), words: words}
	told := conclusions{log: log, keys: replay.ShownKeys()}
	if err := told.each(ctx, maxShownNamed, func(rec domain.Record) error { return n.told(ctx, rec) }); err != nil {
		return target, err
	}
	if n.found.Position == 0 {
		return target, replay.NotThere("no_words", fmt.Sprintf("Chalie said nothing with the words %s: give words of what it said, or %s",
			narrate.Quoted(narrate.Shortened(text, narrate.MaxName)), replay.PossibleTargets))
	}
	return replay.ParseTarget(n.found.Envelope.ID.String())
}

// naming finds what a person names by words of it.
type naming struct {
	*walk
	words []string
	found domain.Record // the latest; the zero Record for none
}

func (n *naming) isIn(text string) bool { return bynames.HasAll(bynames.TellingWords(text), n.words) }

// told looks at a conclusion that was shown. An answer of why is none of those meant: it
// repeats what others said.
func (n *naming) told(ctx context.Context, rec domain.Record) error {
	if n.found.Position > 0 {
		return nil
	}
	if err := n.fetchReply(ctx, rec.Envelope); err != nil {
		return err
	}
	texts := []string{n.said(rec)}
	c, err := domain.ConclusionOf(rec.Envelope)
	if err != nil {
		return nil //nolint:nilerr // an unknown version
	}
	for _, e := range c.Evidence {
		about, err := n.log.Find(ctx, e.EnvelopeID)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
		texts = append(texts, textOf(about.Envelope))
	}
	if !n.isIn(strings.Join(texts, " ")) {
		return nil
	}
	explains, err := n.isExplanation(ctx, rec.Envelope.Trace)
	if err == nil && !explains {
		n.found = rec
	}
	return err
}

// isExplanation reports whether the skill why was called in a trace.
func (n *naming) isExplanation(ctx context.Context, trace domain.TraceID) (explains bool, err error) {
	_, err = domain.Look(ctx, n.log, domain.Selector{Trace: trace}, 1, maxSteps, func(rec domain.Record) {
		called, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
		explains = explains || err == nil && called.Tool == "why"
	})
	return explains, err
}

// textOf is what somebody else said or the person planned; "" of anything else, and of
// what can't be read.
func textOf(e domain.Envelope) string {
	switch e.Type {
	case domain.SignalReceivedType:
		p, _ := decoded[domain.SignalReceived](e)
		return p.Content
	case domain.MessageReceivedType:
		p, _ := decoded[domain.MessageReceived](e)
		return p.Text
	}
	text, err := domain.PlanText(e)
	if err != nil {
		return ""
	}
	return text
}

// tellable are the types of what a person could have been told of.
func tellable() map[domain.Topic][]domain.EventType {
	return map[domain.Topic][]domain.EventType{
		domain.TopicSignals:     {domain.SignalReceivedType},
		domain.TopicMessages:    {domain.MessageReceivedType},
		domain.TopicCommitments: domain.TypesOf(domain.PlanMade),
	}
}

// named is what the person could have been told of and has all words of a text, the latest
// last; of each topic the latest maxHeardNamed are looked at. What the person says
// themselves is none of it, or each question would find itself.
func named(ctx context.Context, log replay.Log, text string) (out []domain.Record, err error) {
	n, tail := naming{words: bynames.TellingWords(text)}, log.Tail()
	if len(n.words) == 0 {
		return nil, nil
	}
	for topic, types := range tellable() {
		from, err := latest(ctx, log, topic, types[0], maxHeardNamed, 1, tail)
		if err != nil {
			return nil, err
		}
		err = eachOfTopic(ctx, log, topic, from, tail, func(rec domain.Record) {
			e := rec.Envelope
			own := e.Type == domain.MessageReceivedType && e.Principal == domain.PrincipalOperator
			if slices.Contains(types, e.Type) && !own && n.isIn(textOf(e)) {
				out = append(out, rec)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	domain.SortFunc(out, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	return out, nil
}

// mostOthers bounds the others with the same words that are told of.
const mostOthers = 3

// tellOthers tells what else has the words of the question, the latest first.
func (s *inquiry) tellOthers(ctx context.Context, others []domain.Record) error {
	if len(others) == 0 {
		return nil
	}
	var latest []narrate.Phrase
	for _, rec := range slices.Backward(others[max(0, len(others)-mostOthers):]) {
		name, err := s.nameOf(ctx, rec)
		if err != nil {
			return err
		}
		latest = append(latest, narrate.Sayf("%s at %s", narrate.About(rec, narrate.Label(rec.Envelope, name)), s.clock(rec.RecordedAt)))
	}
	s.after = append(s.after, narrate.Sayf("The same words are in %s: the latest is %s.",
		narrate.Counted(len(others), "earlier record", "earlier records"), narrate.Join(latest, "; before that ")))
	return nil
}
