package relate

import (
	"slices"
	"strings"

	"chalie/domain"
)

// A pair is a relation as it is being weighed.
type pair struct {
	Relation
	shared  []int32    // ids of the words that both carry, in order
	telling []int32    // those that are names or codes in the text itself
	tied    domain.PPM // what the shared words are worth
	covered int        // words of the commitment that are shared
	belongs string     // what the signal says that belongs together with the plan, or ""
	total   domain.PPM // the score before it is bounded
	fit     domain.PPM // the total before rivals took from it
}

// add adds a piece of evidence and returns its weight.
func (p *pair) add(kind By, text string, weight domain.PPM) domain.PPM {
	if weight != 0 {
		p.Evidence = append(p.Evidence, Evidence{Kind: kind, Text: text, Weight: weight})
		p.total += weight
	}
	return weight
}

// A match is a word that both carry, at its most telling place on each side.
type match struct {
	said, planned int32 // places in words
	id            int32
	worth         domain.PPM
}

// compare weighs everything one signal and one commitment share, into p.
func (c *cycle) compare(p *pair, h, at int) {
	said, planned := &c.said[h], &c.planned[at]
	*p = pair{
		Relation: Relation{Signal: said.id, Commitment: planned.id, Evidence: p.Evidence[:0]},
		shared:   p.shared[:0], telling: p.telling[:0],
	}
	if planned.asked && said.at < planned.at {
		return // what was heard before is in the answer
	}
	c.match(said, planned)
	for i := range c.matches {
		m := &c.matches[i]
		s, w := &said.words[m.said], &planned.words[m.planned]
		p.shared = append(p.shared, m.id)
		if s.field == inText && isTelling(s, w) {
			p.telling = append(p.telling, m.id)
		}
		if w.covers() {
			p.covered++
		}
		if s.class == matter && m.worth > 0 {
			p.belongs = s.text
		}
	}
	c.nameEvidence(p, said, planned)
	for _, m := range c.matches {
		s := &said.words[m.said]
		p.add(kindOf(s, &planned.words[m.planned]), s.text, m.worth)
	}
	var topics domain.PPM
	for _, e := range p.Evidence {
		if e.Kind == ByTopic {
			topics += e.Weight
		}
	}
	c.codeEvidence(p, said, planned)
	p.tied = p.total
	// Many signals share a topic: it strengthens a tie and is none.
	if held := p.tied - topics; held > 0 {
		if all := planned.covering(); p.covered > 0 && all > 0 {
			held += p.add(ByShare, "", coverage*domain.PPM(p.covered)/domain.PPM(all))
		}
		if namesClock(said.Terms, planned.Terms) {
			held += p.add(ByClock, "", sameClock)
		}
		if held >= tie {
			p.bear(said.Terms, planned.Terms)
		}
	}
	p.fit = p.total
	p.settle()
}

func kindOf(said, planned *word) By {
	switch {
	case said.class == code:
		return ByCode
	case said.class == matter:
		return ByBelong
	case said.field == inSource:
		return BySource
	case said.field == inTopic:
		return ByTopic
	case isNamed(said, planned):
		return ByName
	}
	return ByWord
}

// nameEvidence weighs the matches that are in names, name by name, and leaves
// them without worth.
func (c *cycle) nameEvidence(p *pair, said, planned *document) {
	for i := range c.matches {
		first := &c.matches[i]
		s, w := &said.words[first.said], &planned.words[first.planned]
		if first.worth == 0 || s.name < 0 || w.name < 0 {
			continue
		}
		sum, kind := c.nameWorth(said, planned, s.name, w.name)
		var texts []string
		from, to := said.names[s.name].from, said.names[s.name].to
		for at := from; at < to; at++ {
			if slices.Contains(p.shared, said.ids[at]) {
				texts = append(texts, said.words[at].text)
			}
		}
		a, b := said.restOf(s.name, p.shared), planned.restOf(w.name, p.shared)
		if len(texts) > 1 && a.sure && b.sure && a.telling < 0 && b.telling < 0 {
			sum += wholeName
		}
		p.add(kind, strings.Join(texts, " "), sum)
		if at, less := differ(said, a, b, sum); less != 0 {
			p.add(ByOther, said.words[at].text, less)
		}
	}
}

// nameWorth is what the matches of two names are worth together, and as what: the
// weightiest counts whole, each other half, in whatever order they stand. It leaves
// them without worth.
func (c *cycle) nameWorth(said, planned *document, a, b int16) (worth domain.PPM, kind By) {
	var whole, halves domain.PPM
	for i := range c.matches {
		m := &c.matches[i]
		s, w := &said.words[m.said], &planned.words[m.planned]
		if s.name != a || w.name != b {
			continue
		}
		if kind != ByName { // one word written as a name makes it one
			kind = kindOf(s, w)
		}
		halves += min(whole, m.worth) / 2
		whole, m.worth = max(whole, m.worth), 0
	}
	return whole + halves, kind
}

// namesOther tells whether a text carries a code of the same series as one of another's,
// and not that code.
func (t *Terms) namesOther(other *Terms) bool {
	if !t.coded || !other.coded {
		return false
	}
	clash := false
	for i := range t.words {
		for j := range other.words {
			a, b := &t.words[i], &other.words[j]
			if a.class != code || b.class != code || series(a.key) != series(b.key) {
				continue
			}
			if a.key == b.key {
				return false
			}
			clash = true
		}
	}
	return clash
}

// codeEvidence notes a code of the signal that is of the same series as one of
// the commitment's and another: LH454 and LH455.
func (c *cycle) codeEvidence(p *pair, said, planned *document) {
	if !said.coded || !planned.coded {
		return
	}
	for i := range said.words {
		s := &said.words[i]
		if s.class != code || slices.Contains(p.shared, said.ids[i]) {
			continue
		}
		for j := range planned.words {
			w := &planned.words[j]
			if w.class == code && series(w.key) == series(s.key) && !slices.Contains(p.shared, planned.ids[j]) {
				p.add(ByOther, s.text, otherCode)
				return
			}
		}
	}
}
