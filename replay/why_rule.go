package replay

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

// Bounds of telling a rule: how many texts are read again to score a pair as it was,
// and how many of its reasons are named.
const (
	weighedMost = 400
	reasonsMost = 8
)

// ruleOf names the rules that related a pair, and their reasons with what each added to the
// score, to stand behind it; "" when that isn't known any more. The log has the
// score alone, so the pair is scored again, among all that counted then: its reasons
// are told only when the score is what it was.
func (t *teller) ruleOf(ctx context.Context, rel domain.SeenRelation) (string, error) {
	for _, rec := range t.started {
		ground := startedOf(rec.Envelope)
		if ground == nil || !slices.Contains(ground.Relations, rel) {
			continue
		}
		again, err := t.relatedAgain(ctx, rec.Envelope.Trace, *ground)
		if err != nil {
			return "", err
		}
		for _, r := range again {
			if r.Signal == rel.Signal && r.Commitment == rel.Commitment && r.Score == rel.Score {
				return ", by the rules " + relate.Version + ": " + reasons(r), nil
			}
		}
	}
	return "", nil
}

// reasons are why a pair belongs together, or what speaks against it, each with what
// it adds to the score.
func reasons(r relate.Relation) string {
	var out []string
	for _, ev := range r.Evidence[:min(len(r.Evidence), reasonsMost)] {
		sign := "+"
		if ev.Weight < 0 {
			sign = "−"
		}
		out = append(out, fmt.Sprintf("%s (%s%s)", narrate.Shortened(ev.Words(), narrate.MaxLabel), sign, max(ev.Weight, -ev.Weight)))
	}
	if more := len(r.Evidence) - reasonsMost; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}

// relatedAgain relates what counted when the thinking in a trace began. Of more than
// weighedMost texts nothing is told: it would take too long.
func (t *teller) relatedAgain(ctx context.Context, trace domain.TraceID, ground domain.ReasoningStarted) ([]relate.Relation, error) {
	if known, ok := t.again[trace]; ok {
		return known, nil
	}
	zone, err := time.LoadLocation(ground.Zone)
	if err != nil {
		zone = time.UTC
	}
	items := slices.DeleteFunc(slices.Concat(ground.World.Items, ground.World.LeftOut), func(item domain.SeenItem) bool { return !bore(item) })
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

// bore reports whether an item was one to be related: what was heard and still
// counted, and what was still to come.
func bore(item domain.SeenItem) bool {
	switch item.Kind {
	case domain.ItemSignal:
		return item.Gate == "" || item.Gate == domain.GateNotInFive
	case domain.ItemReminder, domain.ItemTask:
		return item.Phase != domain.PhaseDone
	}
	return false
}

// wordsOf is what an item said then; false when that can't be read any more.
func (t *teller) wordsOf(ctx context.Context, item domain.SeenItem) (relate.Text, bool, error) {
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
	} else if rec.Topic == domain.TopicCommitments {
		out.Text = narrate.Text(rec.Envelope)
	}
	return out, out.Text != "", nil
}
