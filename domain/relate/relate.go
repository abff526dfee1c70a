package relate

import (
	"bytes"
	"cmp"
	"slices"

	"chalie/domain"
)

// Surfaces is the score from which on a pair belongs together: a cycle may
// propose to tell the person. A replay may take another, domain.WorldRules.Surfaces.
const Surfaces domain.PPM = 500_000

// Unsure is the score from which on a pair may belong together: Relate returns
// it, and its evidence isn't enough to tell anybody.
const Unsure = domain.LeastRelation

// A Relation is a pair that belongs together, or may.
type Relation struct {
	Signal     domain.ID
	Commitment domain.ID
	Score      domain.PPM // Unsure … domain.One
	Evidence   []Evidence // the weightiest first; what speaks against it last
}

// Surfaces reports whether the person may be told of it.
func (r Relation) Surfaces() bool { return r.Score >= Surfaces }

// Shared is what both say, in words, the weightiest first: names, codes, words,
// topics, the sender and the day.
func (r Relation) Shared() []string {
	out := make([]string, 0, len(r.Evidence))
	for _, e := range r.SharedEvidence() {
		out = append(out, e.Words())
	}
	return out
}

// SharedEvidence is what both say, the weightiest first.
func (r Relation) SharedEvidence() (out []Evidence) {
	for _, e := range r.Evidence {
		if e.Weight > 0 && e.Kind.isShared() {
			out = append(out, e)
		}
	}
	return out
}

// For is what speaks for the pair: the worth of all that both say.
func (r Relation) For() domain.PPM {
	var out domain.PPM
	for _, e := range r.Evidence {
		if e.Weight > 0 && e.Kind.isShared() {
			out += e.Weight
		}
	}
	return out
}

// Relate finds the pairs in which a signal bears on a commitment, the strongest
// first, and among equals by the ids of the signal and the commitment. The order
// of the arguments changes nothing as long as ids are told apart.
//
// The work grows with the rare words that are shared, not with the product of the
// arguments.
func Relate(signals, commitments []Terms) []Relation {
	related, _ := Weigh(signals, commitments)
	return related
}

// Weigh is Relate with the pairs that come closest, of the signals that bear on nothing:
// those that share the most, whatever speaks against them. A signal without one shares
// nothing that weighs anything. They are in the order of the signals.
func Weigh(signals, commitments []Terms) (related, near []Relation) {
	c := newCycle(signals, commitments)
	for h := range signals {
		before := len(related)
		related = c.relate(related, h)
		if len(related) > before {
			continue
		}
		if closest := c.closest(); closest != nil {
			near = append(near, closest.done())
		}
	}
	slices.SortFunc(related, func(a, b Relation) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), bytes.Compare(a.Signal[:], b.Signal[:]), bytes.Compare(a.Commitment[:], b.Commitment[:]))
	})
	return related, near
}

// Between is what one signal and one commitment share, taken by themselves. The
// score is that of Relate where no other commitment carries the same words, and
// may be lower than Unsure.
func Between(signal, commitment Terms) Relation {
	c := newCycle([]Terms{signal}, []Terms{commitment})
	p := c.nextPair()
	c.compare(p, 0, 0)
	return p.done()
}

// Everyday reports whether a word in small letters says little by itself: it holds
// sentences together, tells a time, or is what people do every day.
func Everyday(word string) bool { return isFunction(word) || isTime(word) || isVerb(word) }

// Function reports whether a word in small letters only holds sentences together.
func Function(word string) bool { return isFunction(word) }
