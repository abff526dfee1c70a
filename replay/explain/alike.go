package explain

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// A cycle tells all its findings in one conclusion, and the rules of notices compare
// finding with finding. A rejected candidate names the earlier conclusion as a whole; the
// finding that was meant is the one it has most in common with.

// restsOf is the evidence of the finding that a rejected candidate belongs to.
func restsOf(replied domain.Envelope, candidate domain.ID) []domain.ID {
	reply, ok := decoded[domain.ModelReplied](replied)
	if !ok || replied.Type != domain.ModelRepliedType {
		return restsOn(nil, candidate)
	}
	return restsOn(reply.Findings, candidate)
}

// restsOn is restsOf some findings.
func restsOn(findings []domain.Finding, candidate domain.ID) (out []domain.ID) {
	for _, f := range findings {
		if about := domain.Subjects(f.Evidence); slices.Contains(about, candidate) {
			out = append(out, about...)
		}
	}
	if len(out) == 0 {
		out = append(out, candidate)
	}
	return out
}

// alike are the findings of a conclusion that have most in common with some evidence: the
// same plans, or signals in the same words. There are none when the conclusion has only
// one finding, or nothing is in common.
func (t *narrator) alike(ctx context.Context, told domain.Record, rests []domain.ID) (domain.ModelReplied, []int, error) {
	c, ok := decoded[domain.ReasoningConcluded](told.Envelope)
	if !ok || told.Envelope.Type != domain.ReasoningConcludedType || len(c.Findings) < 2 {
		return domain.ModelReplied{}, nil, nil
	}
	rec, err := t.log.Find(ctx, c.Reply)
	if err != nil {
		if domain.CategoryOf(err) == domain.NotFound {
			err = nil
		}
		return domain.ModelReplied{}, nil, err
	}
	reply, ok := decoded[domain.ModelReplied](rec.Envelope)
	if !ok || rec.Envelope.Type != domain.ModelRepliedType {
		return domain.ModelReplied{}, nil, nil
	}
	own, err := t.grounds(ctx, rests)
	if err != nil {
		return reply, nil, err
	}
	most, out := 0, []int(nil)
	for _, i := range c.Findings {
		if i < 0 || i >= len(reply.Findings) {
			continue
		}
		of, err := t.grounds(ctx, domain.Subjects(reply.Findings[i].Evidence))
		if err != nil {
			return reply, nil, err
		}
		common := 0
		for ground := range of {
			if own[ground] {
				common++
			}
		}
		switch {
		case common > most:
			most, out = common, []int{i}
		case common == most && most > 0:
			out = append(out, i)
		}
	}
	return reply, out, nil
}

// grounds identifies envelopes as the rules do: a signal by its source and words,
// anything else by its id.
func (t *narrator) grounds(ctx context.Context, ids []domain.ID) (map[string]bool, error) {
	out := map[string]bool{}
	for _, id := range ids {
		out[id.String()] = true
		rec, err := t.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if heard, ok := decoded[domain.SignalReceived](rec.Envelope); ok && rec.Envelope.Type == domain.SignalReceivedType {
			out[domain.PlainForm(heard.Source)+"\n"+domain.PlainForm(heard.Content)] = true
		}
	}
	return out, nil
}

// quotedAlike is quotedFound of a conclusion, but only of the findings that have most in
// common with some evidence.
func (t *narrator) quotedAlike(ctx context.Context, id domain.ID, rests []domain.ID) (narrate.Phrase, error) {
	told, err := t.log.Find(ctx, id)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	reply, findings, err := t.alike(ctx, told, rests)
	if err != nil {
		return nil, err
	}
	if len(findings) == 0 {
		return t.quotedFound(ctx, id)
	}
	return narrate.About(told, narrate.Quoted(shownText(reply, findings, forASentence))), nil
}

// endsMost bounds the conclusions after a signal that are searched for it, for each way
// of showing them.
const endsMost = 200

// considered tells which conclusions considered the target, a signal: those that rest on
// it, and those that rejected it.
func (t *narrator) considered(ctx context.Context) ([]narrate.Phrase, error) {
	if t.target.Envelope.Type != domain.SignalReceivedType {
		return nil, nil
	}
	ends, err := t.endsAfter(ctx)
	if err != nil {
		return nil, err
	}
	var out []narrate.Phrase
	for _, end := range ends {
		c, err := t.conclusionIn(ctx, end)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue // erased: what it considered isn't known any more
		}
		told, err := t.judgement(ctx, end, *c)
		if err != nil {
			return nil, err
		}
		if len(told) > 0 && len(out) < sentencesMost {
			out = append(out, told)
		}
	}
	return out, nil
}

// endsAfter are the conclusions after the target, in log order.
func (t *narrator) endsAfter(ctx context.Context) ([]domain.Record, error) {
	var out []domain.Record
	for _, key := range append(replay.ShownKeys(), domain.ReasoningConcluded{}.ShownKey()) {
		ends, err := t.log.Select(ctx, domain.Selector{Key: key}, t.target.Position+1, endsMost)
		if err != nil {
			return nil, err
		}
		out = append(out, ends...)
	}
	domain.SortFunc(out, func(a, b domain.Record) int { return int(a.Position) - int(b.Position) })
	return out, nil
}

// judgement tells how a conclusion used the target; none when it didn't.
func (t *narrator) judgement(ctx context.Context, end domain.Record, c domain.ReasoningConcluded) (narrate.Phrase, error) {
	id, at := t.target.Envelope.ID, t.clock(end.RecordedAt)
	for _, ev := range c.Evidence {
		if ev.EnvelopeID != id || c.Shown == domain.ShownNot || t.node(end.Envelope.ID) != nil {
			continue
		}
		if err := t.fetchReply(ctx, end.Envelope); err != nil {
			return nil, err
		}
		return narrate.Sayf("At %s Chalie told you %s, which rests on it (weight %s).", at, narrate.About(end, narrate.Quoted(t.saying(end))), ev.Weight), nil
	}
	for _, r := range c.Rejected {
		if r.EnvelopeID != id {
			continue
		}
		why, err := t.gateOf(ctx, end, r)
		return narrate.Sayf("At %s it %s, and you were not told: %s.", at, narrate.About(end, "was considered"), why), err
	}
	return nil, nil
}
