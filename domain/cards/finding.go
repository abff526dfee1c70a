package cards

import (
	"cmp"
	"slices"
	"time"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
)

// Bounds and rules of what a cycle proposes to tell.
const (
	// A finding is urgent when the commitment is due within urgentWithin and the
	// relation is at least urgentScore: a later cycle may come too late.
	urgentWithin = time.Hour
	urgentScore  = domain.PPM(800_000)
)

// bearing is what was heard that bears on one commitment, strongest first.
type bearing struct {
	on    language.ContextItem
	heard []language.Related
	more  bool // other signals were told of it before
}

// Findings are the pairs that surface, one for each commitment, strongest first: of its
// news. What is no news, or isn't wanted, makes another one, which rests on that alone and
// is held by the rules of what may be told, with their gate.
// Of a commitment that several signals bear on all are evidence.
func Findings(p language.Prompt) []domain.Finding {
	all := bearings(p.Related, cmp.Or(p.Surfaces, domain.DefaultWorldRules().Surfaces))
	out := make([]domain.Finding, 0, min(len(all), language.MaxFindings))
	for _, b := range all[:min(len(all), language.MaxFindings)] {
		out = append(out, b.finding(p))
	}
	return out
}

// bearings puts the pairs that surface together by commitment, news before the rest.
func bearings(related []language.Related, surfaces domain.PPM) []bearing {
	planned := map[domain.ID]bool{} // signals that bear on a plan
	for _, r := range related {
		planned[r.Signal.EnvelopeID] = planned[r.Signal.EnvelopeID] || r.Score >= surfaces && r.Commitment.Kind.IsPlan()
	}
	var pairs []language.Related
	for _, r := range related {
		if r.Commitment.Kind == domain.ItemQuestion && planned[r.Signal.EnvelopeID] {
			continue // the plan's card says it
		}
		if r.Score >= surfaces && isReadable(r.Signal) && isReadable(r.Commitment) {
			pairs = append(pairs, r)
		}
	}
	slices.SortStableFunc(pairs, func(a, b language.Related) int { return cmp.Compare(b.Score, a.Score) })
	type about struct {
		plan  domain.ID
		known domain.Gate
	}
	place := map[about]int{}
	var news, rest []bearing
	for _, r := range pairs {
		into := &news
		if r.Known != "" {
			into = &rest
		}
		key := about{r.Commitment.EnvelopeID, r.Known}
		at, ok := place[key]
		if !ok {
			at = len(*into)
			place[key] = at
			*into = append(*into, bearing{on: r.Commitment})
		}
		(*into)[at].heard = append((*into)[at].heard, r)
	}
	for i, b := range news {
		_, news[i].more = place[about{b.on.EnvelopeID, domain.GateAlreadyTold}]
	}
	return append(news, rest...)
}

// isReadable reports whether an item says anything that a person could be told.
func isReadable(item language.ContextItem) bool {
	label := sentences.OneLine(item.Label)
	return label != "" && label != sentences.Erased
}

// finding says what bears on what, and why. Its confidence is the score of the
// strongest signal.
func (b bearing) finding(p language.Prompt) domain.Finding {
	strongest := b.heard[0]
	out := domain.Finding{Topic: sentences.TopicOf(cmp.Or(b.on.Topic, strongest.Signal.Topic)), Confidence: min(strongest.Score, domain.One)}
	if left := b.on.Moment.Sub(p.AsOf); b.on.Moment != 0 && left >= 0 && left <= urgentWithin {
		out.Urgent = strongest.Score >= urgentScore
	}
	out.Headline, out.Blocks = b.card(p)
	for _, r := range b.heard[:min(len(b.heard), language.MaxEvidence-1)] {
		out.Evidence = append(out.Evidence, domain.Evidence{EnvelopeID: r.Signal.EnvelopeID, Role: "heard", Weight: r.Score})
	}
	out.Evidence = append(out.Evidence, domain.Evidence{EnvelopeID: b.on.EnvelopeID, Role: "planned", Weight: strongest.Score})
	return out
}
