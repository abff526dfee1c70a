package relate

import (
	"cmp"
	"slices"
	"strings"

	"chalie/domain"
)

// By is a kind of evidence.
type By string

// The kinds.
const (
	ByName   By = "name"   // a name both texts carry
	ByCode   By = "code"   // a flight, a line, an order's number
	ByWord   By = "word"   // a rare word
	ByTopic  By = "topic"  // a word of a topic
	BySource By = "source" // the sender's name
	ByDay    By = "day"    // the day agrees or (weight below zero) differs
	ByOther  By = "other"  // weight below zero: a name or code that differs
)

// Evidence is one reason, with what it adds to the score. The weights add up to
// the score, as far as that stays within 0 … domain.One.
type Evidence struct {
	Kind   By
	Text   string // as the signal has it; "" for a day
	Weight domain.PPM
}

// Words is the evidence in a few words, to stand behind a pair: both name
// "Luigi's".
func (e Evidence) Words() string {
	quoted := `"` + e.Text + `"`
	switch e.Kind {
	case ByName:
		return "both name " + quoted
	case ByCode:
		return "both carry " + quoted
	case ByWord:
		return "both speak of " + quoted
	case ByTopic:
		return "the topic is " + quoted
	case BySource:
		return "it comes from " + quoted
	case ByDay:
		if e.Weight < 0 {
			return "they speak of different days"
		}
		return "both are for the same day"
	}
	return "the signal says " + quoted
}

// Needs says what a pair that doesn't surface would need to do so; "" for one
// that does.
func (r Relation) Needs() string {
	if r.Surfaces() {
		return ""
	}
	against, named := false, false
	for _, e := range r.Evidence {
		switch {
		case e.Kind == ByDay && e.Weight < 0:
			return "it would need to be for the day of the commitment"
		case e.Kind == ByOther:
			against = true
		case e.Kind == ByName, e.Kind == ByCode:
			named = true
		}
	}
	switch {
	case against:
		return "it would need to name the very same, not one that only sounds like it"
	case named:
		return "besides that name it would need to share another word, or the day"
	}
	return "it would need to share a name, a number or another rare word"
}

// weigh puts evidence in order and adds it up.
func weigh(evidence []Evidence) (domain.PPM, []Evidence) {
	slices.SortStableFunc(evidence, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text))
	})
	var sum domain.PPM
	for _, e := range evidence {
		sum += e.Weight
	}
	return min(max(sum, 0), domain.One), evidence
}
