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
		if len(texts) > 1 && c.isWhole(said, a) && c.isWhole(planned, b) {
			sum += wholeName
		}
		e := Evidence{Kind: kindOf(&said.words[first.said], &planned.words[first.planned]), Text: strings.Join(texts, " "), Weight: sum}
		evidence = append(evidence, e)
		if other, less := c.otherName(said, planned, a, b, sum); less != 0 {
			evidence = append(evidence, Evidence{Kind: ByOther, Text: other, Weight: less})
		}
	}
	return evidence
}

// otherName finds what speaks for two names that share a word being two: both go
// on and differently (Marco Bellini, Marco Rossi), both are of a kind and of
// different ones (Lotus Studio, Lotus Bakery), or the signal's goes on where the
// commitment's is a single word (Anna, Anna Karenina). It returns the word and
// what is taken off of the worth.
func (c *cycle) otherName(said, planned *document, a, b int16, sum domain.PPM) (string, domain.PPM) {
	if said.names[a].loose || planned.names[b].loose {
		return "", 0
	}
	left, leftKind := c.rest(said, a)
	right, rightKind := c.rest(planned, b)
	switch {
	case left >= 0 && right >= 0:
		return said.words[left].text, -sum * 2 / 3
	case max(left, leftKind) >= 0 && max(right, rightKind) >= 0:
		return said.words[max(left, leftKind)].text, -sum / 2
	case left > said.names[a].from && said.words[left].class == rare && planned.names[b].to-planned.names[b].from == 1:
		return said.words[left].text, -sum / 3
	}
	return "", 0
}

// isWhole tells whether everything that is telling in a name is shared, and the
// name is one for sure.
func (c *cycle) isWhole(d *document, n int16) bool {
	telling, _ := c.rest(d, n)
	return telling < 0 && !d.names[n].loose
}

// rest are words of a name that the other side lacks: a telling one, and one that
// says of what kind the name is; -1 for none.
func (c *cycle) rest(d *document, n int16) (telling, kind int16) {
	telling, kind = -1, -1
	for at := d.names[n].from; at < d.names[n].to; at++ {
		if c.shared(d.ids[at]) {
			continue
		}
		if d.words[at].class == generic {
			kind = at
		} else if telling < 0 {
			telling = at
		}
	}
	return telling, kind
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
