package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
	"chalie/replay/narrate"
)

// scores tell the recorded scores of the evidence.
func (t *narrator) scores(evidence []domain.Evidence) []narrate.Phrase {
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

// standing tells how an item's salience came about: a plan's due time, or a signal's age
// and energy.
func (t *narrator) standing(n Node) string {
	item := t.seen[n.ID]
	age := time.Duration(n.Numbers["age_ms"]) * time.Millisecond
	now := t.asOf[n.ID]
	switch {
	case item.Kind == domain.ItemEntry:
		return "was on a list"
	case item.Kind == domain.ItemQuestion:
		return "was asked " + narrate.Span(age) + " before"
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
	if item.Kind == domain.ItemMessage {
		return told + ", and counts as much as a signal with an activation energy of " + domain.MessageEnergy.String()
	}
	if energy, ok := n.Numbers["activation_energy"]; ok {
		told += ", and had come in with an activation energy of " + domain.PPMOf(energy).String()
	}
	return told
}

// relations tell which pieces of evidence are related, and by which rule.
func (t *narrator) relations(ctx context.Context, evidence []domain.Evidence) ([]narrate.Phrase, error) {
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

// relates reports whether a score of a piece of evidence is that of its relation to
// another, which relations tells.
func (t *narrator) relates(id domain.ID, score domain.PPM, evidence []domain.Evidence) bool {
	told := 0
	for _, rel := range t.related {
		has := func(id domain.ID) bool {
			return slices.ContainsFunc(evidence, func(ev domain.Evidence) bool { return ev.EnvelopeID == id })
		}
		if !has(rel.Signal) || !has(rel.Commitment) {
			continue
		}
		if told++; told > sentencesMost {
			return false // relations doesn't tell it
		}
		if rel.Score == score && (rel.Signal == id || rel.Commitment == id) {
			return true
		}
	}
	return false
}

// inMind tells how many items were considered beside the evidence.
func (t *narrator) inMind() []narrate.Phrase {
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

// rejected tells the rejected candidates. The item that a candidate is related to is one,
// too, and is told with it.
func (t *narrator) rejected(ctx context.Context, end domain.Envelope, candidates []domain.Rejected) ([]narrate.Phrase, error) {
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
		why, err := t.gateOf(ctx, domain.Record{Envelope: end}, r)
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

// quotedRecord quotes an envelope, or says that the log doesn't hold it.
func (t *narrator) quotedRecord(ctx context.Context, id domain.ID, rec domain.Record) (narrate.Phrase, error) {
	if rec.Position == 0 {
		err := t.lookFor(ctx, id)
		return narrate.Words(t.somethingAbsent(id)), err
	}
	return t.quotedOf(rec), nil
}

// gateOf tells why a conclusion rejected a candidate, with the recorded numbers.
func (t *narrator) gateOf(ctx context.Context, end domain.Record, r domain.Rejected) (narrate.Phrase, error) {
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
	d := &episode{end: end}
	var err error
	if domain.IsSilent(end.Envelope) {
		d, err = t.silentEpisode(ctx, end)
	} else {
		d.replied, err = t.log.Find(ctx, end.Envelope.Parent)
	}
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	because, err := t.quotedAlike(ctx, r.Because, d.rests(r.EnvelopeID))
	return narrate.Sayf("%s; it was compared with %s", told, because), err
}

// quotedFound quotes an envelope that is no cause of the target.
func (t *narrator) quotedFound(ctx context.Context, id domain.ID) (narrate.Phrase, error) {
	rec, err := t.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	if err := t.fetchReply(ctx, rec.Envelope); err != nil {
		return nil, err
	}
	return t.quotedRecord(ctx, id, rec)
}

// fetchReply reads the reply that a conclusion shows, to quote it, though it is no cause
// of the target.
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

// Bounds of telling a rule: the texts that are read to score a pair again, and the
// reasons that are named.
const (
	weighedMost = 400
	reasonsMost = 8
)

// ruleOf names the rules that related a pair, and their reasons with the score of each;
// "" when unknown. Where the log has only the total score, the pair is scored again among
// the items of that time, and the reasons are told only if the score is the same.
func (t *narrator) ruleOf(ctx context.Context, rel domain.SeenRelation) (string, error) {
	for _, rec := range t.started {
		ground := startedOf(rec.Envelope)
		if ground == nil || !slices.Contains(ground.Relations, rel) {
			continue
		}
		var again []relate.Relation
		var err error
		if ground.Found.IsZero() {
			again, err = t.relatedAgain(ctx, rec.Envelope.Trace, *ground)
		} else {
			again, err = t.relationsOf(ctx, ground, t.records[rel.Signal])
		}
		if err != nil {
			return "", err
		}
		for _, r := range again {
			if r.Signal == rel.Signal && r.Commitment == rel.Commitment && r.Score == rel.Score {
				return ", by the rules " + relate.Version + ": " + reasons(r.Evidence), nil
			}
		}
	}
	return "", nil
}

// reasons are those for and against a relation, each with its score. Recorded answers to why
// are in these words, and a replay compares them.
func reasons(evidence []relate.Evidence) string { return strings.Join(weighed(evidence), ", ") }

// weighed are reasons in words, each with its score.
func weighed(evidence []relate.Evidence) []string {
	var out []string
	for _, ev := range evidence[:min(len(evidence), reasonsMost)] {
		sign := "+"
		if ev.Weight < 0 {
			sign = "−"
		}
		out = append(out, fmt.Sprintf("%s (%s%s)", narrate.Shortened(ev.Words(), narrate.MaxLabel), sign, max(ev.Weight, -ev.Weight)))
	}
	if more := len(evidence) - reasonsMost; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return out
}

// balance tells what speaks for a relation, and then what speaks against it.
func balance(evidence []relate.Evidence) string {
	at := slices.IndexFunc(evidence, func(ev relate.Evidence) bool { return ev.Weight < 0 })
	if at <= 0 {
		return inAList(weighed(evidence))
	}
	return inAList(weighed(evidence[:at])) + "; but " + inAList(weighed(evidence[at:]))
}

// inAList joins words: a, b and c.
func inAList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// relatedAgain relates the items with which the reasoning in a trace began. Above
// weighedMost texts it does nothing, because it would take too long.
func (t *narrator) relatedAgain(ctx context.Context, trace domain.TraceID, ground domain.ReasoningStarted) ([]relate.Relation, error) {
	if known, ok := t.again[trace]; ok {
		return known, nil
	}
	zone, err := time.LoadLocation(ground.Zone)
	if err != nil {
		zone = time.UTC
	}
	items := slices.DeleteFunc(slices.Concat(ground.World.Items, ground.World.LeftOut), func(item domain.SeenItem) bool { return !wasRelated(item) })
	if len(items) > weighedMost || ground.World.Unlisted > 0 {
		return nil, nil
	}
	var heard, planned []relate.Terms
	for _, item := range items {
		text, ok, err := t.wordsOf(ctx, item)
		if err != nil {
			return nil, err
		}
		switch {
		case !ok:
		case item.Kind == domain.ItemSignal:
			heard = append(heard, relate.Read(text, zone))
		default:
			planned = append(planned, relate.Read(text, zone))
		}
	}
	t.again[trace] = relate.Relate(heard, planned)
	return t.again[trace], nil
}

// wasRelated reports whether an item took part in relating: a signal that still counted, or a
// plan still to come.
func wasRelated(item domain.SeenItem) bool {
	switch {
	case item.Kind == domain.ItemSignal:
		return item.Gate == "" || item.Gate == domain.GateNotInFive
	case item.Kind.IsPlan():
		return item.Phase != domain.PhaseDone
	}
	return item.Kind.IsInterest()
}

// wordsOf is an item's text at that time; false when it can't be read any more.
func (t *narrator) wordsOf(ctx context.Context, item domain.SeenItem) (relate.Text, bool, error) {
	rec, err := t.log.Find(ctx, item.Text())
	if domain.CategoryOf(err) == domain.NotFound {
		return relate.Text{}, false, nil
	}
	if err != nil {
		return relate.Text{}, false, err
	}
	out := relate.Text{ID: item.EnvelopeID, Kind: relate.Kind(item.Kind), At: rec.Clock(), Due: item.Moment}
	if p, ok := decoded[domain.SignalReceived](rec.Envelope); ok && rec.Envelope.Type == domain.SignalReceivedType {
		out.Text, out.Source = p.Content, p.Source
		if p.Topic != nil {
			out.Topic = *p.Topic
		}
	} else if item.Kind.IsMinded() {
		if out.Text, err = domain.PlanWords(rec.Envelope); err != nil {
			return out, false, nil //nolint:nilerr // erased, or of a type without a text
		}
	}
	return out, out.Text != "", nil
}
