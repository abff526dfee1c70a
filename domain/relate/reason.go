package relate

import (
	"cmp"
	"slices"
	"strings"

	"chalie/domain"
)

// Bounds of what is recorded of one signal, so that what was found of all that are
// remembered fits into one append.
const (
	mostRecordedPlans   = 4
	mostRecordedReasons = 12
)

// The cues that are no words of the signal.
const (
	aTime = "a time"
	aDay  = "a day"
)

// Record is what was found of a signal as it is recorded: its strongest relations with
// their reasons, the signal's words by reference. Of very many reasons the least are
// summed up.
func Record(signal domain.ID, said domain.SignalReceived, found []Relation) domain.SignalRelations {
	out := domain.SignalRelations{Signal: signal, Plans: []domain.PlanRelation{}}
	for _, r := range found[:min(len(found), mostRecordedPlans)] {
		plan := domain.PlanRelation{Commitment: r.Commitment, Score: r.Score, Reasons: []domain.Reason{}}
		for _, e := range summedUp(inOrder(r.Evidence)) {
			plan.Reasons = append(plan.Reasons, e.record(said))
		}
		out.Plans = append(out.Plans, plan)
	}
	return out
}

// Recorded are the reasons of a recorded relation, with the words of the signal: "…" for
// those that can't be read any more.
func Recorded(plan domain.PlanRelation, said domain.SignalReceived) Relation {
	out := Relation{Commitment: plan.Commitment, Score: plan.Score}
	for _, reason := range plan.Reasons {
		e := Evidence{Kind: By(reason.By), Weight: reason.Weight, Text: reason.Says}
		var words []string
		for _, span := range reason.Words {
			words = append(words, cmp.Or(span.Of(said), "…"))
		}
		if len(words) > 0 {
			e.Text = strings.Join(words, " ")
		}
		out.Evidence = append(out.Evidence, e)
	}
	return out
}

// summedUp are reasons with the middle ones, which weigh least, as one.
func summedUp(all []Evidence) []Evidence {
	const half = mostRecordedReasons / 2
	if len(all) <= mostRecordedReasons {
		return all
	}
	rest := Evidence{Kind: ByRest}
	for _, e := range all[half : len(all)-half+1] {
		rest.Weight += e.Weight
	}
	return slices.Concat(all[:half], []Evidence{rest}, all[len(all)-half+1:])
}

func (e Evidence) record(said domain.SignalReceived) domain.Reason {
	out := domain.Reason{By: string(e.Kind), Weight: e.Weight}
	switch {
	case e.Text == "":
	case e.Kind == ByCue && (e.Text == aTime || e.Text == aDay):
		out.Says = e.Text
	default:
		out.Words = e.spans(said)
	}
	return out
}

// spans are the places of a reason's words in the signal: of all of them together, or of
// each when they stand apart. None of what isn't there as it is written.
func (e Evidence) spans(said domain.SignalReceived) []domain.Span {
	texts := []struct{ in, text string }{{"", said.Content}, {domain.InTopic, ""}, {domain.InSource, said.Source}}
	if said.Topic != nil {
		texts[1].text = *said.Topic
	}
	switch e.Kind {
	case ByTopic:
		texts = texts[1:2]
	case BySource:
		texts = texts[2:]
	}
	place := func(words string) (domain.Span, bool) {
		for _, t := range texts {
			if at := strings.Index(t.text, words); at >= 0 {
				return domain.Span{In: t.in, From: at, To: at + len(words)}, true
			}
		}
		return domain.Span{}, false
	}
	if whole, ok := place(e.Text); ok {
		return []domain.Span{whole}
	}
	var out []domain.Span
	for word := range strings.FieldsSeq(e.Text) {
		if span, ok := place(word); ok {
			out = append(out, span)
		}
	}
	return out
}
