package explain

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Bounds of linking what the person said to what they had been told. The log doesn't
// record why they said it, so the link is made only where it is near and telling.
const (
	toldWithin = 24 * time.Hour // people answer a notice the same day
	toldLast   = 10             // conclusions: of more nobody remembers the words
	toldPage   = 256            // conclusions read of one way of showing; a day has fewer
	toldRests  = 8              // pieces of evidence whose words count, too

	saidLooked = 4   // messages of one explanation that are linked back, the nearest
	toldLooked = 20  // conclusions of one explanation whose answers are looked for
	saidMost   = 200 // messages and what belongs to them that are read after each of those
)

// tellingWord is the least weight of a word that links two texts: below it are verbs and
// other words of every day.
const tellingWord domain.PPM = 120_000

// followTold goes from the person's message, or a steer, to what they had been told before
// about the same. On one way there is one such link: otherwise each message of a long
// conversation would lead to the one before it.
func (w *walk) followTold(ctx context.Context, rec domain.Record) error {
	if w.linked.said == saidLooked || w.across[rec.Envelope.ID] || utteredBy(rec.Envelope) == "" {
		return nil
	}
	w.linked.said++
	told, shared, err := w.toldBefore(ctx, rec)
	if err != nil || told.Position == 0 {
		return err
	}
	w.shares[edgeKey{told.Envelope.ID, rec.Envelope.ID, RoleTold}] = shared
	w.followTo(rec, told, RoleTold)
	return nil
}

// noteSaid notes the messages whose link leads to a conclusion that was shown.
func (w *walk) noteSaid(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if e.Type != domain.ReasoningConcludedType || w.across[e.ID] || w.linked.told == toldLooked {
		return nil
	}
	texts, err := w.toldTexts(ctx, rec)
	if err != nil || len(texts) == 0 {
		return err
	}
	w.linked.told++
	var said []domain.Record
	_, err = domain.Look(ctx, w.log, domain.Selector{Topic: domain.TopicMessages}, rec.Position+1, saidMost, func(r domain.Record) {
		if r.RecordedAt.Sub(rec.RecordedAt) <= toldWithin && sharedWith(texts, utteredBy(r.Envelope)) != "" {
			said = append(said, r)
		}
	})
	if err != nil {
		return err
	}
	for _, r := range said[:min(len(said), toldLast)] {
		told, shared, err := w.toldBefore(ctx, r)
		if err != nil {
			return err
		}
		if told.Envelope.ID == e.ID {
			w.shares[edgeKey{e.ID, r.Envelope.ID, RoleTold}] = shared
			w.expect(r, cause{id: e.ID, role: RoleTold})
		}
	}
	return nil
}

// utteredBy is the text of a message or a steer of the person; "" of anything else.
func utteredBy(e domain.Envelope) string {
	if e.Principal != domain.PrincipalOperator {
		return ""
	}
	switch e.Type {
	case domain.MessageReceivedType:
		return words(e, func(p domain.MessageReceived) string { return p.Text })
	case domain.SteerReceivedType:
		return words(e, func(p domain.SteerReceived) string { return p.Text })
	}
	return ""
}

// toldBefore is the latest conclusion that the person was shown before they said something
// and that shares a telling word with it, and that word; the zero Record for none.
func (w *walk) toldBefore(ctx context.Context, said domain.Record) (domain.Record, string, error) {
	candidates, err := w.shownBefore(ctx, said)
	if err != nil {
		return domain.Record{}, "", err
	}
	for _, told := range candidates {
		texts, err := w.toldTexts(ctx, told)
		if err != nil {
			return domain.Record{}, "", err
		}
		if shared := sharedWith(texts, utteredBy(said.Envelope)); shared != "" {
			return told, shared, nil
		}
	}
	return domain.Record{}, "", nil
}

// shownBefore are the last conclusions that the person was shown before a record, the
// latest first. Of a time with too many to read only the end is looked at.
func (w *walk) shownBefore(ctx context.Context, rec domain.Record) ([]domain.Record, error) {
	for within := toldWithin; within > time.Second; within /= 4 {
		from, err := w.log.Since(ctx, rec.RecordedAt-domain.Millis(within.Milliseconds()))
		if err != nil {
			return nil, err
		}
		var out []domain.Record
		full := false
		for _, key := range replay.ShownKeys() {
			some, err := w.log.Select(ctx, domain.Selector{Key: key}, from, toldPage)
			if err != nil {
				return nil, err
			}
			full = full || len(some) == toldPage && some[toldPage-1].Position < rec.Position
			out = append(out, some...)
		}
		if full {
			continue
		}
		out = slices.DeleteFunc(out, func(r domain.Record) bool {
			return r.Position >= rec.Position || r.Envelope.Type != domain.ReasoningConcludedType
		})
		domain.SortFunc(out, func(a, b domain.Record) int { return cmp.Compare(b.Position, a.Position) })
		return out[:min(len(out), toldLast)], nil
	}
	return nil, nil
}

// toldTexts are the words of a conclusion that was shown, and of what it rests on, but the
// question itself; none of anything else.
func (w *walk) toldTexts(ctx context.Context, told domain.Record) ([]string, error) {
	c, err := domain.ConclusionOf(told.Envelope)
	if err != nil || c.Shown == domain.ShownNot || narrate.Unreadable(told.Envelope) != "" {
		return nil, nil //nolint:nilerr // an unknown version has no words
	}
	if err := w.fetchReply(ctx, told.Envelope); err != nil {
		return nil, err
	}
	texts := []string{w.said(told)}
	for _, ev := range c.Evidence[:min(len(c.Evidence), toldRests)] {
		if ev.EnvelopeID == told.Envelope.Trace.ID {
			continue
		}
		about, err := w.log.Find(ctx, ev.EnvelopeID)
		switch {
		case domain.CategoryOf(err) == domain.NotFound:
		case err != nil:
			return nil, err
		default:
			texts = append(texts, textOf(about.Envelope))
		}
	}
	return texts, nil
}

// sharedWith is the most telling code, name or other rare word that a text shares with
// one of others, as it is written there; "" for none.
func sharedWith(texts []string, said string) string {
	if said == "" {
		return ""
	}
	codes := codesIn(said)
	for _, text := range texts {
		for _, code := range codesIn(text) {
			if slices.Contains(codes, code) {
				return code
			}
		}
	}
	best := relate.Evidence{Weight: tellingWord - 1}
	asked := relate.Read(relate.Text{Kind: relate.Question, Text: said}, nil)
	for _, text := range texts {
		for _, ev := range relate.Between(relate.Read(relate.Text{Kind: relate.Signal, Text: text}, nil), asked).Evidence {
			if (ev.Kind == relate.ByName || ev.Kind == relate.ByCode || ev.Kind == relate.ByWord) && ev.Weight > best.Weight {
				best = ev
			}
		}
	}
	return best.Text
}
