package replay

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// scores tell how the pieces of evidence were scored then.
func (t *teller) scores(evidence []domain.Evidence) []narrate.Phrase {
	var out []narrate.Phrase
	for _, ev := range evidence {
		n := t.node(ev.EnvelopeID)
		if n == nil {
			continue
		}
		salience, ok := n.Numbers["salience"]
		if !ok || len(out) == sentencesMost {
			continue
		}
		told := narrate.Sayf("%s had a salience of %s at that moment: it %s", t.quotedOf(t.records[n.ID]), domain.PPMOf(salience), t.standing(*n))
		if bonus := n.Numbers["bonus"]; bonus > 0 && !t.relates(ev.EnvelopeID, domain.PPMOf(bonus), evidence) {
			told = narrate.Sayf("%s. It counted %s more because it has to do with something else in mind", told, domain.PPMOf(bonus))
		}
		if n.Gate != "" {
			told = narrate.Sayf("%s. By itself it would not have been in mind: %s", told, narrate.Shortened(n.Gate.Clause(), narrate.MaxLabel))
		}
		out = append(out, narrate.Sayf("%s.", told))
	}
	return out
}

// standing is what an item's salience came of: how near it was, or how old, and what it
// weighed when it was heard.
func (t *teller) standing(n Node) string {
	item := t.seen[n.ID]
	age := time.Duration(n.Numbers["age_ms"]) * time.Millisecond
	now := t.asOf[n.ID]
	switch {
	case item.Phase == domain.PhasePending && item.Moment >= now:
		return "was due in " + narrate.Span(item.Moment.Sub(now))
	case item.Phase == domain.PhasePending:
		return "had been due for " + narrate.Span(now.Sub(item.Moment))
	case item.Phase == domain.PhaseDone:
		return "had been told or done " + narrate.Span(now.Sub(item.Moment)) + " before"
	case item.Phase == domain.PhaseOpen:
		return "was open, without a time"
	}
	told := "was new"
	if age >= time.Second {
		told = "was " + narrate.Span(age) + " old"
	}
	if energy, ok := n.Numbers["activation_energy"]; ok {
		told += ", and had come in with an activation energy of " + domain.PPMOf(energy).String()
	}
	return told
}

// relations say which pieces of evidence belong together, and by which rule.
func (t *teller) relations(ctx context.Context, evidence []domain.Evidence) ([]narrate.Phrase, error) {
	rests := map[domain.ID]bool{}
	for _, ev := range evidence {
		rests[ev.EnvelopeID] = true
	}
	var out []narrate.Phrase
	for _, rel := range t.related {
		if rests[rel.Signal] && rests[rel.Commitment] && len(out) < sentencesMost {
			told := narrate.Sayf("%s has to do with %s by %s of 1", t.quotedOf(t.records[rel.Signal]), t.quotedOf(t.records[rel.Commitment]), rel.Score)
			rule, err := t.ruleOf(ctx, rel)
			if err != nil {
				return nil, err
			}
			out = append(out, narrate.Sayf("%s%s.", told, rule))
		}
	}
	return out, nil
}

// relates reports whether a number of a piece of evidence is the score of what it has
// to do with another, which is told for both where the relation is.
func (t *teller) relates(id domain.ID, score domain.PPM, evidence []domain.Evidence) bool {
	told := 0
	for _, rel := range t.related {
		has := func(id domain.ID) bool {
			return slices.ContainsFunc(evidence, func(ev domain.Evidence) bool { return ev.EnvelopeID == id })
		}
		if !has(rel.Signal) || !has(rel.Commitment) {
			continue
		}
		if told++; told > sentencesMost {
			return false // it isn't told
		}
		if rel.Score == score && (rel.Signal == id || rel.Commitment == id) {
			return true
		}
	}
	return false
}

// inMind says how much was considered beside the evidence.
func (t *teller) inMind() []narrate.Phrase {
	n := t.out.Nodes[0]
	inMind, left := int(n.Numbers["in_mind"]), int(n.Numbers["left_out"])
	if inMind+left == 0 {
		return nil
	}
	had := counted(inMind, "thing", "things")
	if inMind == 0 {
		had = "nothing"
	}
	told := "When it began to think it had " + had + " in mind"
	if left > 0 {
		told += "; " + counted(left, "more was", "more were") + " left out"
	}
	return []narrate.Phrase{narrate.Words(told + ".")}
}

// rejected tells what was considered beside that and kept back. What it bears on is
// a candidate, too, and is told with it.
func (t *teller) rejected(ctx context.Context, end domain.Envelope, candidates []domain.Rejected) ([]narrate.Phrase, error) {
	var out []narrate.Phrase
	more := 0
	for _, r := range candidates {
		if len(out) == sentencesMost {
			more++
			continue
		}
		rec, err := t.log.Find(ctx, r.EnvelopeID)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return nil, err
		}
		if rec.Topic == domain.TopicCommitments {
			continue
		}
		why, err := t.gateOf(ctx, end, r)
		if err != nil {
			return nil, err
		}
		what, err := t.quotedRecord(ctx, r.EnvelopeID, rec)
		if err != nil {
			return nil, err
		}
		out = append(out, narrate.Sayf("It did not tell you %s: %s.", what, why))
	}
	if more > 0 {
		out = append(out, narrate.Sayf("It kept back %s more.", counted(more, "thing", "things")))
	}
	return out, nil
}

// quotedRecord is what an envelope says that was found, or that isn't there.
func (t *teller) quotedRecord(ctx context.Context, id domain.ID, rec domain.Record) (narrate.Phrase, error) {
	if rec.Position == 0 {
		err := t.lookFor(ctx, id)
		return narrate.Words(t.somethingAbsent(id)), err
	}
	return t.quotedOf(rec), nil
}

// gateOf says why a conclusion kept a candidate back, with the numbers of then.
func (t *teller) gateOf(ctx context.Context, end domain.Envelope, r domain.Rejected) (narrate.Phrase, error) {
	told := narrate.Shortened(r.Gate.Clause(), narrate.MaxLabel)
	if r.Detail != "" {
		told += " (" + narrate.Shortened(r.Detail, narrate.MaxLabel) + ")"
	}
	if r.Score > 0 {
		told += ", though the case for it was " + r.Score.String() + " of 1"
	}
	if r.Because.IsZero() {
		return narrate.Words(told), nil
	}
	reply, err := t.log.Find(ctx, end.Parent)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	because, err := t.quotedAlike(ctx, r.Because, restsOf(reply.Envelope, r.EnvelopeID))
	return narrate.Sayf("%s; it was compared with %s", told, because), err
}

// quotedFound is what an envelope says that is no cause of the target.
func (t *teller) quotedFound(ctx context.Context, id domain.ID) (narrate.Phrase, error) {
	rec, err := t.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return nil, err
	}
	return t.quotedRecord(ctx, id, rec)
}

// fetchReply reads the reply that a conclusion shows, so that it can be quoted
// though it is no cause of the target.
func (w *walk) fetchReply(ctx context.Context, e domain.Envelope) error {
	c, ok := decoded[domain.ReasoningConcluded](e)
	if !ok || e.Type != domain.ReasoningConcludedType || c.Reply.IsZero() {
		return nil
	}
	reply, err := w.log.Find(ctx, c.Reply)
	if domain.CategoryOf(err) == domain.NotFound {
		return w.lookFor(ctx, c.Reply)
	}
	if err == nil {
		w.beside[c.Reply] = reply
	}
	return err
}
