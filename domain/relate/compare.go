package relate

import (
	"strings"

	"chalie/domain"
)

// A match is a word that both carry, at its most telling place on each side.
type match struct {
	said, planned int32 // places in words
	id            int32
	worth         domain.PPM
}

// compare weighs everything one signal and one commitment share.
func (c *cycle) compare(h, p int) Relation {
	said, planned := &c.said[h], &c.planned[p]
	out := Relation{Signal: said.id, Commitment: planned.id}
	c.match(said, planned)
	evidence := c.names(nil, said, planned)
	for _, m := range c.matches {
		w := &said.words[m.said]
		if m.worth == 0 {
			continue
		}
		evidence = append(evidence, Evidence{Kind: kindOf(w, &planned.words[m.planned]), Text: w.text, Weight: m.worth})
	}
	evidence = c.codes(evidence, said, planned)
	var sum domain.PPM
	for _, e := range evidence {
		sum += e.Weight
	}
	if sum >= dayAnchors {
		switch compareDays(&planned.days, &said.days) {
		case agrees:
			evidence = append(evidence, Evidence{Kind: ByDay, Weight: sameDay})
		case differs:
			evidence = append(evidence, Evidence{Kind: ByDay, Weight: otherDay})
		case silent:
		}
	}
	out.Score, out.Evidence = weigh(evidence)
	return out
}

func kindOf(said, planned *word) By {
	switch {
	case said.class == code:
		return ByCode
	case said.field == inSource:
		return BySource
	case said.field == inTopic:
		return ByTopic
	case said.shape == capital || planned.shape == capital:
		return ByName
	}
	return ByWord
}

// match finds the words that both carry.
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
			m.worth = faded(worth(&said.words[m.said], &planned.words[m.planned]), c.inPlans[a])
			if f := said.words[m.said].field; f != inText {
				m.worth = m.worth * 4 / 5
			}
			c.matches = append(c.matches, m)
		}
	}
}

// best is the most telling of the places that hold id from *at on, and moves *at
// behind them.
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

// names takes the matches that stand in names out of the list and weighs them
// name by name.
func (c *cycle) names(evidence []Evidence, said, planned *document) []Evidence {
	for i := range c.matches {
		first := &c.matches[i]
		a, b := said.words[first.said].name, planned.words[first.planned].name
		if first.worth == 0 || a < 0 || b < 0 {
			continue
		}
		var texts []string
		var sum domain.PPM
		for j := range c.matches {
			m := &c.matches[j]
			if said.words[m.said].name != a || planned.words[m.planned].name != b {
				continue
			}
			sum = max(sum, m.worth) + min(sum, m.worth)/2
			m.worth = 0
		}
		from := said.names[a].from
		for k, w := range said.words[from:said.names[a].to] {
			if c.shared(said.ids[int(from)+k]) {
				texts = append(texts, w.text)
			}
		}
		e := Evidence{Kind: kindOf(&said.words[first.said], &planned.words[first.planned]), Text: strings.Join(texts, " "), Weight: sum}
		evidence = append(evidence, e)
		if other, found := c.otherName(said, planned, a, b); found {
			evidence = append(evidence, Evidence{Kind: ByOther, Text: other, Weight: -sum * 2 / 3})
		}
	}
	return evidence
}

// otherName tells whether both names go on, and differently: Marco Bellini and
// Marco Rossi share a word and are two people.
func (c *cycle) otherName(said, planned *document, a, b int16) (string, bool) {
	if said.names[a].loose || planned.names[b].loose {
		return "", false
	}
	left := c.rest(said, a)
	right := c.rest(planned, b)
	if left < 0 || right < 0 {
		return "", false
	}
	return said.words[left].text, true
}

// rest is a telling word of a name that the other side lacks, or -1.
func (c *cycle) rest(d *document, n int16) int16 {
	for at := d.names[n].from; at < d.names[n].to; at++ {
		if cl := d.words[at].class; (cl == rare || cl == common) && !c.shared(d.ids[at]) {
			return at
		}
	}
	return -1
}

// codes notes a code of the signal that is of the same series as one of the
// commitment's and has other digits.
func (c *cycle) codes(evidence []Evidence, said, planned *document) []Evidence {
	if !said.coded || !planned.coded {
		return evidence
	}
	for i := range said.words {
		w := &said.words[i]
		if w.class != code || series(w.key) == "" || c.shared(said.ids[i]) {
			continue
		}
		for j := range planned.words {
			other := &planned.words[j]
			if other.class == code && series(other.key) == series(w.key) && !c.shared(planned.ids[j]) {
				return append(evidence, Evidence{Kind: ByOther, Text: w.text, Weight: otherDay})
			}
		}
	}
	return evidence
}

// shared tells whether a word is among the matches.
func (c *cycle) shared(id int32) bool {
	for i := range c.matches {
		if c.matches[i].id == id {
			return true
		}
	}
	return false
}
