package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/domain"
)

// sentencesMost bounds how many pieces of evidence, tools and candidates are told
// in sentences, each; the nodes hold more.
const sentencesMost = 5

// teller puts an explanation into words.
type teller struct {
	*walk
	marker
	zone   *time.Location // nil is UTC, and said so
	target domain.Record
}

// sentences tell the explanation to a person: first why, then on what it rests and
// with which numbers, then what to know about how complete that is.
func (t *teller) sentences(ctx context.Context) ([]string, error) {
	var out []string
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
func (t *teller) concluded(ctx context.Context) ([]string, error) {
	e := t.target.Envelope
	c, readable := decoded[domain.ReasoningConcluded](e)
	if !readable {
		return []string{t.unreadableEnd()}, nil
	}
	evidence := t.ranked(c.Evidence)
	verdict, told := verdictOn(e, c, inSaid(t.saying(t.target)))
	var out []string
	rested := false // the evidence was told as the reason
	switch {
	case !told:
		out = append(out, verdict+".", "It had begun because "+t.opening()+".")
	case c.Outcome == domain.OutcomeSurfaced && t.unasked() && len(evidence) > 0:
		out = append(because(verdict, t.joined(evidence)), "Nobody had asked: it looked over what it had in mind because "+t.opening()+".")
		rested = true
	default:
		out = because(verdict, t.opening())
	}
	if len(evidence) > 0 && !rested {
		out = append(out, "It rests on this: "+t.joined(evidence)+".")
	}
	if more := len(evidence) - sentencesMost; more > 0 {
		out = append(out, fmt.Sprintf("It rests on %s more.", counted(more, "thing", "things")))
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
func because(verdict, reason string) []string {
	if utf8.RuneCountInString(unmarked(verdict)) <= maxQuote {
		return []string{verdict + " because " + reason + "."}
	}
	return []string{sentence(strings.TrimSuffix(verdict, ",")), "That was because " + reason + "."}
}

// unreadableEnd is what is known of a conclusion without its payload.
func (t *teller) unreadableEnd() string {
	if t.out.Target.Said != "" {
		return "Chalie told you something that can't be read any more " + unreadable(t.target.Envelope) + ", because " + t.opening() + "."
	}
	return "Chalie came to an end that can't be read any more " + unreadable(t.target.Envelope) + ". It had begun because " + t.opening() + "."
}

func unreadable(e domain.Envelope) string { return cmp.Or(unreadableLabel(e), "(unreadable)") }

// verdictOn says what a conclusion came to, and whether that is something the person was
// told: said, then.
func verdictOn(e domain.Envelope, c domain.ReasoningConcluded, said string) (verdict string, told bool) {
	switch c.Outcome {
	case domain.OutcomeResponded:
		return "Chalie answered " + said, true
	case domain.OutcomeSurfaced:
		if c.Shown == domain.ShownEscalation {
			return "Chalie told you " + said + " at once, as something that can't wait,", true
		}
		return "Chalie told you " + said, true
	case domain.OutcomeHeld:
		return "Chalie thought, and told you nothing", false
	case domain.OutcomeYielded:
		return "Chalie gave up this thought to make room for you", false
	case domain.OutcomeCancelled:
		return "You stopped Chalie before it was done", false
	case domain.OutcomeFailed:
		return "It did not work out" + strings.TrimRight(shortened(becauseOf(e), maxLabel), ". "), false
	}
	return "It ended as " + shortened(string(c.Outcome), maxName), false
}

// inSaid is what the person was told, in quotation marks.
func inSaid(text string) string { return `"` + shortened(text, maxSaid) + `"` }

// unasked reports whether the episode of the target is a cycle of its own accord.
func (t *teller) unasked() bool {
	opening := t.node(t.target.Envelope.Trace.ID)
	return opening == nil || opening.Type == domain.SpineSignalEmittedType
}

// opening is what opened the episode of the target, as a clause.
func (t *teller) opening() string {
	opening := t.node(t.target.Envelope.Trace.ID)
	switch {
	case opening != nil:
		return t.clause(*opening)
	case t.out.Cut:
		return "something happened that is too far back to be shown"
	}
	return "something happened that the log doesn't hold"
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
func (t *teller) joined(evidence []domain.Evidence) string {
	first := evidence[:min(len(evidence), sentencesMost)]
	alike := len(first) > 1 && !slices.ContainsFunc(first, func(ev domain.Evidence) bool { return ev.Weight != first[0].Weight })
	var clauses []string
	for _, ev := range first {
		clause := "something happened that is too far back to be shown"
		if n := t.node(ev.EnvelopeID); n != nil {
			clause = t.clause(*n)
		}
		if !alike {
			clause += fmt.Sprintf(" (weight %s)", ev.Weight)
		}
		clauses = append(clauses, clause)
	}
	n := len(clauses)
	if n < 2 {
		return strings.Join(clauses, "")
	}
	joined := strings.Join(clauses[:n-1], ", ") + " and " + clauses[n-1]
	if alike {
		joined += fmt.Sprintf(" (weight %s each)", first[0].Weight)
	}
	return joined
}

// cutSentence says that there is more than was followed.
func (t *teller) cutSentence() string {
	if t.out.Direction == Forward {
		return fmt.Sprintf("There may be more than the %d envelopes shown, which came first: only so much is looked through.", len(t.out.Nodes))
	}
	return fmt.Sprintf("There are more causes than the %d envelopes shown, which are the nearest.", len(t.out.Nodes))
}

// honest says what is missing.
func (t *teller) honest() []string {
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
	var out []string
	if dropped > 0 {
		out = append(out, counted(dropped, "cause is", "causes are")+" no longer kept: the log begins after "+oneOf(dropped, "it", "them")+".")
	}
	if absent > 0 {
		out = append(out, counted(absent, "cause is", "causes are")+" not in this log: "+oneOf(absent, "it", "they")+" may have been left behind when a part of another log was imported.")
	}
	if erased > 0 {
		out = append(out, counted(erased, "step was", "steps were")+" erased: nothing but when it happened is known any more.")
	}
	if t.out.Cut {
		out = append(out, t.cutSentence())
	}
	return out
}
