package relate

import (
	"slices"

	"chalie/domain"
)

// match finds the words that both carry and what each is worth by itself.
func (c *cycle) match(said, planned *document) {
	c.matches = c.matches[:0]
	i, j := 0, 0
	for i < len(said.sorted) && j < len(planned.sorted) {
		a, b := said.ids[said.sorted[i]], planned.ids[planned.sorted[j]]
		switch {
		case a < b:
			i++
		case a > b:
			j++
		default:
			m := match{id: a, said: said.best(&i, a), planned: planned.best(&j, a)}
			s, w := &said.words[m.said], &planned.words[m.planned]
			m.worth = faded(worth(s, w), c.inPlans[a], isTelling(s, w))
			if s.class == matter {
				m.worth = c.matterOf(said, planned)
			}
			switch s.field {
			case inTopic:
				m.worth = m.worth * topicPercent / 100
			case inSource:
				if planned.hasSender(said.Terms) {
					m.worth = m.worth * senderPercent / 100
				} else {
					m.worth = m.worth * partSenderPercent / 100
				}
			case inText:
			}
			c.matches = append(c.matches, m)
		}
	}
	// What two words of a family begin with is nothing beside the word itself.
	for k := range c.matches {
		m := &c.matches[k]
		if s, w := &said.words[m.said], &planned.words[m.planned]; s.class == part && w.class == part &&
			(c.isMatched(said.ids[s.of]) || c.isMatched(planned.ids[w.of])) {
			m.worth = 0
		}
	}
}

// matterOf is what it is worth that a signal and a plan belong together: once, however
// many matters say so, and the same for every plan that it touches.
func (c *cycle) matterOf(said, planned *document) domain.PPM {
	if slices.ContainsFunc(c.matches, func(m match) bool { return said.words[m.said].class == matter && m.worth > 0 }) ||
		!said.touches(planned.Terms) {
		return 0
	}
	return matterWorth
}

func (c *cycle) isMatched(id int32) bool {
	return slices.ContainsFunc(c.matches, func(m match) bool { return m.id == id })
}

// best is the most telling of the places that hold id from *at on, and moves *at
// behind them. What the text says goes before what its source and topic say.
func (d *document) best(at *int, id int32) int32 {
	best := d.sorted[*at]
	for ; *at < len(d.sorted) && d.ids[d.sorted[*at]] == id; *at++ {
		one := d.sorted[*at]
		a, b := &d.words[one], &d.words[best]
		if a.field == b.field && (a.shape > b.shape || a.shape == b.shape && a.name >= 0 && b.name < 0) {
			best = one
		}
	}
	return best
}

// A rest is what of a name the other side lacks.
type rest struct {
	from, words int16 // where the name begins, and how many words it has
	telling     int16 // a word that tells it from others, or -1
	kind        int16 // a word that says of what kind it is, or -1
	sure        bool  // it is a name for sure
}

func (d *document) restOf(n int16, shared []int32) rest {
	name := d.names[n]
	r := rest{from: name.from, words: name.to - name.from, telling: -1, kind: -1, sure: !name.loose}
	for at := name.from; at < name.to; at++ {
		switch {
		case slices.Contains(shared, d.ids[at]):
		case d.words[at].class == generic:
			r.kind = at
		case r.telling < 0:
			r.telling = at
		}
	}
	return r
}

// differ finds what speaks for two names that share words being two: both go on
// and differently (Marco Bellini, Marco Rossi), both are of a kind and of
// different ones (Lotus Studio, Lotus Bakery), or the signal's goes on where the
// commitment's is a single word (Anna, Anna Karenina). It returns the place of the
// signal's word, and what is taken off of what they are worth.
func differ(said *document, a, b rest, worth domain.PPM) (at int16, less domain.PPM) {
	switch {
	case !a.sure || !b.sure:
		return -1, 0
	case a.telling >= 0 && b.telling >= 0:
		return a.telling, -worth * 2 / 3
	case max(a.telling, a.kind) >= 0 && max(b.telling, b.kind) >= 0:
		return max(a.telling, a.kind), -worth / 2
	case a.telling > a.from && said.words[a.telling].class == rare && b.words == 1:
		return a.telling, -worth / 3
	}
	return -1, 0
}
