package relate

import (
	"bytes"
	"cmp"
	"slices"

	"chalie/domain"
)

// A document is a text whose words have numbers.
type document struct {
	*Terms
	ids    []int32 // by word
	sorted []int32 // places of words, by id, then in order
}

// cycle is one comparison of all with all.
type cycle struct {
	ids     map[string]int32
	said    []document
	planned []document
	inPlans []int32      // by id: how many commitments carry it
	best    []domain.PPM // by id: what it is worth at most where one commitment carries it
	telling []bool       // by id: it may be a name or a code

	holders []int32      // the commitments that carry a word, word after word
	ends    []int32      // by id: where in holders those of that word end
	reach   []domain.PPM // by commitment: what it could reach with the signal at hand
	touched []int32
	matches []match
	pairs   []pair // of the signal at hand
}

func newCycle(signals, commitments []Terms) *cycle {
	c := &cycle{ids: make(map[string]int32, 4*(len(commitments)+len(signals)))}
	c.planned = c.documents(commitments)
	c.hold()
	c.said = c.documents(signals)
	c.reach = make([]domain.PPM, len(commitments))
	return c
}

// hold notes which commitments carry which word.
func (c *cycle) hold() {
	c.inPlans, c.ends = make([]int32, len(c.ids)), make([]int32, len(c.ids))
	for p := range c.planned {
		c.planned[p].each(func(id int32) { c.inPlans[id]++ })
	}
	var sum int32
	for id, n := range c.inPlans {
		c.ends[id] = sum
		sum += n
	}
	c.holders = make([]int32, sum)
	for p := range c.planned {
		c.planned[p].each(func(id int32) {
			c.holders[c.ends[id]] = int32(p)
			c.ends[id]++
		})
	}
}

func (c *cycle) documents(texts []Terms) []document {
	out := make([]document, len(texts))
	for i := range texts {
		out[i] = c.document(&texts[i])
	}
	return out
}

// document numbers the words of a text.
func (c *cycle) document(t *Terms) document {
	places := make([]int32, 2*len(t.words))
	d := document{Terms: t, ids: places[:len(t.words)], sorted: places[len(t.words):]}
	for i := range t.words {
		w := &t.words[i]
		id, ok := c.ids[w.key]
		if !ok {
			id = int32(len(c.ids))
			c.ids[w.key] = id
			c.best, c.telling = append(c.best, 0), append(c.telling, false)
		}
		c.best[id] = max(c.best[id], most(w.class))
		c.telling[id] = c.telling[id] || w.class == code || w.class == rare || w.class == matter
		d.ids[i], d.sorted[i] = id, int32(i)
	}
	slices.SortFunc(d.sorted, func(a, b int32) int { return cmp.Or(cmp.Compare(d.ids[a], d.ids[b]), cmp.Compare(a, b)) })
	return d
}

// each calls f once for every word, however often it is there.
func (d *document) each(f func(id int32)) {
	last := int32(-1)
	for _, i := range d.sorted {
		if id := d.ids[i]; id != last {
			f(id)
			last = id
		}
	}
}

// relate compares one signal with the commitments that share a word with it and
// could reach Unsure.
func (c *cycle) relate(out []Relation, h int) []Relation {
	c.touched = c.touched[:0]
	c.said[h].each(func(id int32) {
		if int(id) >= len(c.ends) {
			return
		}
		worth := faded(c.best[id], c.inPlans[id], c.telling[id])
		if worth == 0 {
			return
		}
		for _, p := range c.holders[c.ends[id]-c.inPlans[id] : c.ends[id]] {
			if c.reach[p] == 0 {
				c.touched = append(c.touched, p)
			}
			c.reach[p] += worth
		}
	})
	c.pairs = c.pairs[:0]
	for _, p := range c.touched {
		if c.reach[p] >= faint {
			c.compare(c.nextPair(), h, int(p))
		}
		c.reach[p] = 0
	}
	rivals(c.pairs)
	for i := range c.pairs {
		if c.pairs[i].Score >= Unsure {
			out = append(out, c.pairs[i].done())
		}
	}
	return out
}

// closest is the pair of the signal at hand that shares the most; nil when none shares
// anything.
func (c *cycle) closest() *pair {
	var best *pair
	for i := range c.pairs {
		p := &c.pairs[i]
		if p.tied > 0 && (best == nil || cmp.Or(cmp.Compare(p.tied, best.tied), cmp.Compare(p.total, best.total), bytes.Compare(best.Commitment[:], p.Commitment[:])) > 0) {
			best = p
		}
	}
	return best
}

// nextPair is a place for one more pair of the signal at hand, in the memory of
// an earlier signal's.
func (c *cycle) nextPair() *pair {
	if len(c.pairs) < cap(c.pairs) {
		c.pairs = c.pairs[:len(c.pairs)+1]
	} else {
		c.pairs = append(c.pairs, pair{})
	}
	return &c.pairs[len(c.pairs)-1]
}
