package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// scores tell how the pieces of evidence were scored then.
func (t *teller) scores(evidence []domain.Evidence) []string {
	var out []string
	for _, ev := range evidence {
		n := t.node(ev.EnvelopeID)
		if n == nil {
			continue
		}
		salience, ok := n.Numbers["salience"]
		if !ok || len(out) == sentencesMost {
			continue
		}
		age := "new"
		if old := time.Duration(n.Numbers["age_ms"]) * time.Millisecond; old >= time.Second {
			age = span(old) + " old"
		}
		told := fmt.Sprintf("%s was %s then, with a salience of %s", t.quotedOf(t.records[n.ID].Envelope), age, domain.PPMOf(salience))
		if bonus := n.Numbers["bonus"]; bonus > 0 && !t.relates(ev.EnvelopeID, domain.PPMOf(bonus), evidence) {
			told += " and " + domain.PPMOf(bonus).String() + " more for what it is related to"
		}
		if n.Gate != "" {
			told += ", and was not in mind (" + gateWords(n.Gate) + ")"
		}
		out = append(out, told+".")
	}
	return out
}

// relations say which pieces of evidence belong together.
func (t *teller) relations(evidence []domain.Evidence) []string {
	rests := map[domain.ID]bool{}
	for _, ev := range evidence {
		rests[ev.EnvelopeID] = true
	}
	var out []string
	for _, rel := range t.related {
		if rests[rel.Signal] && rests[rel.Commitment] && len(out) < sentencesMost {
			told := t.quotedOf(t.records[rel.Signal].Envelope) + " bears on " + t.quotedOf(t.records[rel.Commitment].Envelope)
			if !t.weighs(rel, evidence) {
				told += " by " + rel.Score.String() + " of 1"
			}
			out = append(out, told+".")
		}
	}
	return out
}

// weighs reports whether the score of a relation was told as the weight of one of
// the two.
func (t *teller) weighs(rel domain.SeenRelation, evidence []domain.Evidence) bool {
	return slices.ContainsFunc(evidence[:min(len(evidence), sentencesMost)], func(ev domain.Evidence) bool {
		return ev.Weight == rel.Score && (ev.EnvelopeID == rel.Signal || ev.EnvelopeID == rel.Commitment)
	})
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
func (t *teller) inMind() []string {
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
	return []string{told + "."}
}

// rejected tells what was considered beside that and kept back. What it bears on is
// a candidate, too, and is told with it.
func (t *teller) rejected(ctx context.Context, candidates []domain.Rejected) ([]string, error) {
	var out []string
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
		why, err := t.gateOf(ctx, r)
		if err != nil {
			return nil, err
		}
		out = append(out, "It did not tell you "+t.quotedRecord(rec)+": "+why+".")
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("It kept back %s more.", counted(more, "thing", "things")))
	}
	return out, nil
}

// quotedRecord is what a record says; the zero Record is one that isn't kept.
func (t *teller) quotedRecord(rec domain.Record) string {
	if rec.Position == 0 {
		return quoted(missingLabel)
	}
	return t.quotedOf(rec.Envelope)
}

// gateOf says why a candidate was kept back, with the numbers of then.
func (t *teller) gateOf(ctx context.Context, r domain.Rejected) (string, error) {
	told := gateWords(r.Gate)
	if r.Detail != "" {
		told += " (" + shortened(r.Detail, maxLabel) + ")"
	}
	if r.Score > 0 {
		told += ", with a score of " + r.Score.String()
	}
	if r.Because.IsZero() {
		return told, nil
	}
	because, err := t.quotedFound(ctx, r.Because)
	return told + ", in view of " + because, err
}

// quotedFound is what an envelope says that is no cause of the target.
func (t *teller) quotedFound(ctx context.Context, id domain.ID) (string, error) {
	rec, err := t.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return "", err
	}
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return "", err
	}
	return t.quotedRecord(rec), nil
}

// fetchReply reads the reply that a conclusion shows, so that it can be quoted
// though it is no cause of the target.
func (t *teller) fetchReply(ctx context.Context, e domain.Envelope) error {
	c, ok := decoded[domain.ReasoningConcluded](e)
	if !ok || e.Type != "reasoning.concluded" || c.Reply.IsZero() {
		return nil
	}
	reply, err := t.log.Find(ctx, c.Reply)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err == nil {
		t.beside[c.Reply] = reply
	}
	return err
}

func gateWords(gate domain.Gate) string {
	return strings.ReplaceAll(shortened(string(gate), maxName), "_", " ")
}

// keptMost bounds how many conclusions after a signal are looked through for it, of
// each way in which they were shown.
const keptMost = 200

// keptBack tells which conclusions considered the target, a signal, and did not
// tell the person of it.
func (t *teller) keptBack(ctx context.Context) ([]string, error) {
	if t.target.Envelope.Type != "signal.received" {
		return nil, nil
	}
	var out []string
	for _, key := range append(shownKeys(), domain.ReasoningConcluded{}.ShownKey()) {
		ends, err := t.log.Select(ctx, domain.Selector{Key: key}, t.target.Position+1, keptMost)
		if err != nil {
			return nil, err
		}
		for _, end := range ends {
			c, err := domain.Decode[domain.ReasoningConcluded](end.Envelope)
			if err != nil {
				continue // erased: what it considered isn't known any more
			}
			for _, r := range c.Rejected {
				if r.EnvelopeID != t.target.Envelope.ID || len(out) == sentencesMost {
					continue
				}
				why, err := t.gateOf(ctx, r)
				if err != nil {
					return nil, err
				}
				out = append(out, fmt.Sprintf("At %s it was considered, and you were not told: %s.", t.clock(end.RecordedAt), why))
			}
		}
	}
	return out, nil
}
