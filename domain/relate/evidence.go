package relate

import (
	"cmp"
	"slices"
	"strings"

	"chalie/domain"
)

// By is a kind of evidence.
type By string

// What both say.
const (
	ByName   By = "name"   // a name
	ByCode   By = "code"   // a flight, a line, an order's number
	ByWord   By = "word"   // any other word
	ByTopic  By = "topic"  // a word of the signal's topic
	BySource By = "source" // the sender's name
	ByShare  By = "share"  // how much of the commitment it is
	ByDay    By = "day"    // the day agrees or (weight below zero) differs
	ByClock  By = "clock"  // a time of day
	ByBelong By = "belong" // what belongs to what is planned, in other words
)

// What the signal says besides, and what speaks against the pair.
const (
	ByChange By = "change" // it says that something changes
	ByCue    By = "cue"    // it gives a time, sets a limit or speaks to somebody
	ByAnswer By = "answer" // it speaks of what is asked
	ByEntry  By = "entry"  // it speaks of all that an entry of a list says
	BySoon   By = "soon"   // it is heard shortly before the commitment is due
	ByIdle   By = "idle"   // below zero: it says of no change
	ByStory  By = "story"  // below zero: it is news of others, or for everybody
	ByOther  By = "other"  // below zero: it names another
	ByOver   By = "over"   // below zero: the commitment was due before
	ByRival  By = "rival"  // below zero: it fits another commitment better
	ByRest   By = "rest"   // of what is recorded: several smaller reasons together
)

func (k By) isShared() bool {
	switch k {
	case ByName, ByCode, ByWord, ByTopic, BySource, ByDay, ByClock, ByBelong:
		return true
	}
	return false
}

// Evidence is one reason, with what it adds to the score. The weights add up to
// the score, as far as that stays within 0 … domain.One.
type Evidence struct {
	Kind   By
	Text   string // as the signal has it; "" where the kind says it all
	Weight domain.PPM
}

// Words is the evidence in a few words: both name "Luigi's".
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
	case ByBelong:
		return quoted + " and it belong together"
	case ByShare:
		return "that is much of it"
	case ByDay:
		if e.Weight < 0 {
			return "they speak of different days"
		}
		return "both are for the same day"
	case ByClock:
		return "both name the same time"
	case ByChange, ByCue:
		return "the signal says " + quoted
	case ByAnswer:
		return "it speaks of what you asked"
	case ByEntry:
		return "it is about the whole entry"
	case BySoon:
		return "it is due soon"
	case ByIdle:
		return "the signal says of nothing that changes"
	case ByStory:
		if e.Text == "" {
			return "the signal is for everybody"
		}
		return "the signal is news of others: " + quoted
	case ByOther:
		return "the signal names another: " + quoted
	case ByOver:
		return "it was due before"
	case ByRival:
		return "the signal fits something else better"
	case ByRest:
		return "several smaller reasons"
	}
	return quoted
}

// settle bounds the score.
func (p *pair) settle() { p.Score = min(max(p.total, 0), domain.One) }

// done is the relation with memory of its own and its evidence in order.
func (p *pair) done() Relation {
	out := p.Relation
	out.Evidence = inOrder(out.Evidence)
	return out
}

// inOrder is a copy with the weightiest first, what speaks against the pair last.
func inOrder(evidence []Evidence) []Evidence {
	return slices.SortedStableFunc(slices.Values(evidence), func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text))
	})
}
