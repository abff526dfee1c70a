package replay

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/domain"
	"chalie/replay/narrate"
)

// sentencesMost bounds how many pieces of evidence, tools and candidates are told
// in sentences, each; the nodes hold more.
const sentencesMost = 5

// teller puts an explanation into words.
type teller struct {
	*walk
	zone   *time.Location // nil is UTC, and said so
	target domain.Record
}

// sentences tell the explanation to a person: first why, then on what it rests and
// with which numbers, then what to know about how complete that is.
func (t *teller) sentences(ctx context.Context) ([]narrate.Phrase, error) {
	var out []narrate.Phrase
	var err error
	switch t.target.Envelope.Type {
	case domain.ReasoningConcludedType:
		out, err = t.concluded(ctx)
	default:
		out, err = t.other(ctx)
	}
	if err != nil {
		return nil, err
	}
	return append(out, t.honest()...), nil
}

// concluded explains a conclusion.
func (t *teller) concluded(ctx context.Context) ([]narrate.Phrase, error) {
	e := t.target.Envelope
	c, readable := decoded[domain.ReasoningConcluded](e)
	if !readable {
		return []narrate.Phrase{t.unreadableEnd()}, nil
	}
	evidence := t.ranked(c.Evidence)
	verdict, told := verdictOn(e, c, narrate.Words(inSaid(t.saying(t.target))))
	var out []narrate.Phrase
	rested := false // the evidence was told as the reason
	switch {
	case !told:
		out = append(out, narrate.Sayf("%s.", verdict), narrate.Sayf("It had begun because %s.", t.opening()))
	case c.Outcome == domain.OutcomeSurfaced && t.unasked() && len(evidence) > 0:
		out = append(because(verdict, t.joined(evidence)), narrate.Sayf("Nobody had asked: it looked over what it had in mind because %s.", t.opening()))
		rested = true
	default:
		out = because(verdict, t.opening())
	}
	if len(evidence) > 0 && !rested {
		out = append(out, narrate.Sayf("It rests on this: %s.", t.joined(evidence)))
	}
	if more := len(evidence) - sentencesMost; more > 0 {
		out = append(out, narrate.Sayf("It rests on %s more.", counted(more, "thing", "things")))
	}
	out = append(out, t.scores(evidence)...)
	related, err := t.relations(ctx, evidence)
	if err != nil {
		return nil, err
	}
	out = append(out, related...)
	out = append(out, t.letIn(evidence)...)
	out = append(out, t.tools()...)
	out = append(out, t.inMind()...)
	rejected, err := t.rejected(ctx, e, c.Rejected)
	return append(out, rejected...), err
}

// because says what came of it and why: behind a long saying the reason gets a sentence
// of its own, or it would be lost.
func because(verdict, reason narrate.Phrase) []narrate.Phrase {
	if utf8.RuneCountInString(verdict.String()) <= narrate.MaxQuote {
		return []narrate.Phrase{narrate.Sayf("%s because %s.", verdict, reason)}
	}
	return []narrate.Phrase{verdict.TrimRight(",").Sentence(), narrate.Sayf("That was because %s.", reason)}
}

// unreadableEnd is what is known of a conclusion without its payload.
func (t *teller) unreadableEnd() narrate.Phrase {
	gone := narrate.Gone(t.target.Envelope)
	if t.out.Target.Said != "" {
		return narrate.Sayf("Chalie told you something that can't be read any more %s, because %s.", gone, t.opening())
	}
	return narrate.Sayf("Chalie came to an end that can't be read any more %s. It had begun because %s.", gone, t.opening())
}

// verdictOn says what a conclusion came to, and whether that is something the person was
// told: said, then.
func verdictOn(e domain.Envelope, c domain.ReasoningConcluded, said narrate.Phrase) (verdict narrate.Phrase, told bool) {
	what := narrate.Shortened(c.Outcome.Sentence(), narrate.MaxName+narrate.MaxName)
	switch c.Outcome {
	case domain.OutcomeResponded:
		return narrate.Sayf("%s %s", what, said), true
	case domain.OutcomeSurfaced:
		if c.Shown == domain.ShownEscalation {
			return narrate.Sayf("%s %s at once, as something that can't wait,", what, said), true
		}
		return narrate.Sayf("%s %s", what, said), true
	case domain.OutcomeFailed:
		what += strings.TrimRight(narrate.Shortened(narrate.Because(e), narrate.MaxLabel), ". ")
	}
	return narrate.Words(what), false
}

// inSaid is what the person was told, in quotation marks.
func inSaid(text string) string { return `"` + narrate.Shortened(text, maxSaid) + `"` }

// unasked reports whether the episode of the target is a cycle of its own accord.
func (t *teller) unasked() bool {
	opening := t.node(t.target.Envelope.Trace.ID)
	return opening == nil || opening.Type == domain.SpineSignalEmittedType
}

// opening is what opened the episode of the target, as a clause.
func (t *teller) opening() narrate.Phrase {
	opening := t.node(t.target.Envelope.Trace.ID)
	switch {
	case opening != nil:
		return t.reason(*opening)
	case t.out.Cut:
		return narrate.Words("something happened that is too far back to be shown")
	}
	return narrate.Words("something happened that the log doesn't hold")
}

// ranked is the evidence beside the opening: what the person planned first, then
// the heaviest, and among equals as recorded.
func (t *teller) ranked(evidence []domain.Evidence) []domain.Evidence {
	trace := t.target.Envelope.Trace.ID
	out := slices.DeleteFunc(slices.Clone(evidence), func(ev domain.Evidence) bool { return ev.EnvelopeID == trace })
	planned := func(ev domain.Evidence) int {
		if t.planned[ev.EnvelopeID] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b domain.Evidence) int {
		return cmp.Or(cmp.Compare(planned(a), planned(b)), cmp.Compare(b.Weight, a.Weight))
	})
	return out
}

// joined are clauses for the first pieces of evidence, each with its weight; one
// that they share is told once.
func (t *teller) joined(evidence []domain.Evidence) narrate.Phrase {
	first := evidence[:min(len(evidence), sentencesMost)]
	alike := len(first) > 1 && !slices.ContainsFunc(first, func(ev domain.Evidence) bool { return ev.Weight != first[0].Weight })
	var clauses []narrate.Phrase
	for _, ev := range first {
		clause := narrate.Words("something happened that is too far back to be shown")
		if n := t.node(ev.EnvelopeID); n != nil {
			clause = t.reason(*n)
		}
		if !alike {
			clause = narrate.Sayf("%s (weight %s)", clause, ev.Weight)
		}
		clauses = append(clauses, clause)
	}
	n := len(clauses)
	if n < 2 {
		return narrate.Join(clauses, "")
	}
	joined := narrate.Sayf("%s and %s", narrate.Join(clauses[:n-1], ", "), clauses[n-1])
	if alike {
		joined = narrate.Sayf("%s (weight %s each)", joined, first[0].Weight)
	}
	return joined
}

// cutSentence says that there is more than was followed.
func (t *teller) cutSentence() narrate.Phrase {
	if t.out.Direction == Forward {
		return narrate.Sayf("There may be more than the %d envelopes shown, which came first: only so much is looked through.", len(t.out.Nodes))
	}
	return narrate.Sayf("There are more causes than the %d envelopes shown, which are the nearest.", len(t.out.Nodes))
}

// honest says what is missing.
func (t *teller) honest() []narrate.Phrase {
	absent, dropped, erased := 0, 0, 0
	for _, n := range t.out.Nodes {
		switch {
		case n.Dropped:
			dropped++
		case n.Missing:
			absent++
		case n.Erased:
			erased++
		}
	}
	var out []narrate.Phrase
	if dropped > 0 {
		out = append(out, narrate.Sayf("%s no longer kept: the log begins after %s.", counted(dropped, "cause is", "causes are"), oneOf(dropped, "it", "them")))
	}
	if absent > 0 {
		out = append(out, narrate.Sayf("%s not in this log: %s may have been left behind when a part of another log was imported.", counted(absent, "cause is", "causes are"), oneOf(absent, "it", "they")))
	}
	if erased > 0 {
		out = append(out, narrate.Sayf("%s erased: nothing but when it happened is known any more.", counted(erased, "step was", "steps were")))
	}
	if t.out.Cut {
		out = append(out, t.cutSentence())
	}
	return out
}
