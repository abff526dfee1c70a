package replay

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/replay/narrate"
)

// A cycle tells what it found at once, in one conclusion, and the rules of what may be
// told compare finding with finding. What is kept back names the whole conclusion: which
// of its findings was meant is what it has most in common with.

// restsOf is what a finding rests on of which a candidate was kept back: of what the
// reply found, that in which the candidate is.
func restsOf(replied domain.Envelope, candidate domain.ID) []domain.ID {
	var out []domain.ID
	if reply, ok := decoded[domain.ModelReplied](replied); ok && replied.Type == domain.ModelRepliedType {
		for _, f := range reply.Findings {
			if about := domain.Subjects(f.Evidence); slices.Contains(about, candidate) {
				out = append(out, about...)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, candidate)
	}
	return out
}

// alike are the findings of a conclusion that have most in common with one that rests on
// something: its plans, or what was heard in the same words. It is none when the
// conclusion told no more than one, and when nothing is in common.
func (t *teller) alike(ctx context.Context, told domain.Record, rests []domain.ID) (domain.ModelReplied, []int, error) {
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

// grounds are what envelopes are to the rules: what was heard is its source and words,
// and everything else is itself.
func (t *teller) grounds(ctx context.Context, ids []domain.ID) (map[string]bool, error) {
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

// quotedAlike is quotedFound of a conclusion, but for what it told beside that which has
// most in common with a finding that rests on something.
func (t *teller) quotedAlike(ctx context.Context, id domain.ID, rests []domain.ID) (narrate.Phrase, error) {
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
	return narrate.About(told, narrate.Quoted(shownText(reply, findings, inASentence))), nil
}
