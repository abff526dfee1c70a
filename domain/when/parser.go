package when

import (
	"strings"
	"time"
)

// parser goes over the words of a sentence. Its methods read something at a word
// and return the word behind it; 0 when it isn't there.
type parser struct {
	words []word
	now   time.Time // in the zone
	past  bool      // a time that has passed is wanted
	wrong error     // something that is a time, and can't be
}

// text is a word, "" before the first and behind the last.
func (p *parser) text(i int) string {
	if 0 <= i && i < len(p.words) {
		return p.words[i].text
	}
	return ""
}

func (p *parser) is(i int, texts ...string) bool {
	for _, text := range texts {
		if p.text(i) == text {
			return true
		}
	}
	return false
}

// phrase is the word behind the phrase that is at i; 0 when it isn't there.
func (p *parser) phrase(i int, phrase ...string) int {
	for n, text := range phrase {
		if p.text(i+n) != text {
			return 0
		}
	}
	return i + len(phrase)
}

// said is the sentence's own words, for errors.
func (p *parser) said(from, to int) string {
	said := make([]string, 0, to-from)
	for _, w := range p.words[from:min(to, len(p.words))] {
		said = append(said, w.text)
	}
	return strings.Join(said, " ")
}

// piece is a part of a sentence that says a time, or a part of one.
type piece struct {
	from, to int // words
	day      *day
	clock    *clock
	part     *partOfDay
	span     *span
	every    *every
}

// hasDayAndTime reports whether the piece says both a day and a time of it.
func (x piece) hasDayAndTime() bool {
	timed := x.clock != nil || x.part != nil
	return x.span != nil && (x.span.exact() || timed) || x.every != nil && (timed || x.every.short()) || x.day != nil && timed
}

// pieces are the parts of the sentence that say times, in order.
func (p *parser) pieces() []piece {
	var out []piece
	for i := 0; i < len(p.words); {
		x := p.piece(i)
		if x.to == 0 {
			i++
			continue
		}
		out = append(out, x)
		i = x.to
		if x.clock == nil {
			continue
		}
		if other := p.another(i); other.to > 0 {
			out = append(out, other)
			i = other.to
		}
	}
	return out
}

// another reads a second time of day behind the first: at 7 and 19. A number that
// counts something, as in "at 7 and 2 friends", is none.
func (p *parser) another(i int) piece {
	if !p.is(i, "and", "or") {
		return piece{}
	}
	c, ok := clockFace(p.text(i+1), true)
	if !ok || c.hour > 24 || c.minute > 59 || i+2 < len(p.words) && !strings.Contains(p.text(i+1), ":") &&
		!p.is(i+2, "to", "that", "about", "for", "of", "on", "and", "or", "every", "each", "today", "tomorrow", "remind", "take", "o'clock") {
		return piece{}
	}
	return piece{from: i + 1, to: i + 2, clock: &c}
}

// piece reads as many parts as are next to each other, each kind once.
func (p *parser) piece(from int) piece {
	x := piece{from: from}
	for i := from; ; {
		next := p.add(&x, i)
		if next == 0 && i > from && p.is(i, "at", "on", "starting", "beginning", "from") {
			// A word that only joins two parts.
			next = p.add(&x, i+1)
		}
		if next == 0 {
			return x
		}
		i, x.to = next, next
	}
}

// add reads one more part of a piece.
func (p *parser) add(x *piece, i int) int {
	if x.span == nil && x.every == nil && x.day == nil {
		if s, next := p.span(i); next > 0 {
			x.span = s
			return next
		}
	}
	if x.every == nil && x.span == nil {
		if e, next := p.every(i); next > 0 {
			x.every = e
			return next
		}
	}
	if x.day == nil && x.span == nil {
		if d, next := p.day(i); next > 0 {
			x.day = d
			return next
		}
	}
	if x.clock == nil {
		if c, next := p.clock(i); next > 0 {
			x.clock = c
			return next
		}
	}
	if x.part == nil {
		if d, next := p.partOfDay(i, x.day != nil && i > x.from); next > 0 {
			x.part = d
			return next
		}
	}
	return 0
}
