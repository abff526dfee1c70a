package relate

import (
	"slices"
	"strings"
)

// A rawWord is a token with what the tables say about it.
type rawWord struct {
	token
	folded string
	class  class
	first  letterCase
	isName bool // a word of everyday that stands as a name
}

type letterCase uint8

const (
	lower letterCase = iota
	upperFirst
	upperAll
	noCase // a digit, or a script without capitals
)

// reader makes Terms out of a text.
type reader struct {
	scan     scanner
	raw      []rawWord
	informed bool // in this text capitals say something
	asName   bool // the whole text is a name
	field    field
	parts    []word
	out      *Terms
}

// partSize is how many letters two long words must begin with to be of a family.
const partSize = 6

func (r *reader) collect() {
	r.raw = make([]rawWord, 0, len(r.scan.text)/5+2)
	for len(r.raw) < maxWords {
		t, ok := r.scan.next()
		if !ok {
			return
		}
		w := rawWord{token: t, folded: foldWord(t.text), first: caseOf(t.text)}
		if w.class = classOf(w.folded); w.first == upperFirst && (w.owns || !w.starts) {
			// James is no jam, and Rowan no row.
			w.class = exactClass(w.folded)
		}
		r.raw = append(r.raw, w)
	}
}

// foldWord folds a word and drops what may stand inside it.
func foldWord(text string) string {
	w := fold(text)
	if !strings.ContainsAny(w, "'’ʼ`-") {
		return w
	}
	return strings.Map(func(r rune) rune {
		if isApostrophe(r) || r == '-' {
			return -1
		}
		return r
	}, w)
}

// into decides for every word whether it is a name, and adds what may tell.
func (r *reader) into(out *Terms, in field) {
	r.out, r.field = out, in
	out.words = slices.Grow(out.words, len(r.raw)/2+1)
	for i := 0; i < len(r.raw); {
		if n := r.code(i); n > 0 {
			i += n
			continue
		}
		if n := r.nameFrom(i); n > 0 {
			r.addName(i, i+n)
			i += n
			continue
		}
		r.add(i, -1)
		i++
	}
	out.words = append(out.words, r.parts...)
}

// add keeps the word at i unless it says nothing.
func (r *reader) add(i int, inName int16) {
	w := r.raw[i]
	class := w.class
	if class >= act && inName >= 0 && !joinsNames(w.folded) {
		class = common
	}
	if class == empty || hasDigit(w.folded) || len(w.folded) < 2 {
		return
	}
	key := stem(w.folded)
	if w.isName {
		key = "@" + key
	}
	r.out.words = append(r.out.words, word{
		key: key, text: w.written, name: inName, class: class, shape: r.shapeOf(i), field: r.field,
	})
	if class == rare && len(key) > partSize {
		r.parts = append(r.parts, word{key: "~" + key[:partSize], text: w.written, name: -1, class: part, shape: r.shapeOf(i), field: r.field, of: int16(len(r.out.words) - 1)})
	}
}

// addName keeps a run of words as one name.
func (r *reader) addName(from, to int) {
	n := name{from: int16(len(r.out.words)), loose: !r.informed}
	for i := from; i < to; i++ {
		r.add(i, int16(len(r.out.names)))
	}
	n.to = int16(len(r.out.words))
	r.out.names = append(r.out.names, n)
}

// shapeOf says how sure it is that the word at i is a name.
func (r *reader) shapeOf(i int) shape {
	w := r.raw[i]
	switch {
	case r.asName, w.marked == '$', w.owns && w.first != lower && w.class == rare:
		return capital
	case !r.informed, w.first == noCase:
		return unsure
	case w.first == lower:
		return plain
	case w.starts && w.first == upperFirst:
		return unsure
	}
	return capital
}

// caseSays tells whether capitals mean names in a text: they don't where nothing
// has one, and where nearly everything has one (a headline, a shout).
func caseSays(words []rawWord, headlines bool) bool {
	capitals, small, found := 0, 0, false
	for _, w := range words {
		switch {
		case w.first == lower:
			if !smallInTitles(w.folded) {
				small++
			}
		case w.first == noCase:
		case w.starts:
			found = true
		default:
			found = true
			if w.class != rare && !isTime(w.folded) {
				capitals++
			}
		}
	}
	if !headlines {
		return found && (small > 0 || len(words) > 1 && words[1].first != upperAll)
	}
	return found && (small > 0 || capitals == 0) && capitals <= 2*small+1
}

// smallInTitles knows the words that keep their small letters in a headline.
func smallInTitles(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "nor", "as", "at", "by", "for", "from", "in", "into", "of", "off", "on", "per", "to", "up", "via", "vs", "with":
		return true
	}
	return false
}

// caseOf looks at a word's letters.
func caseOf(w string) letterCase {
	first, others, small := noCase, 0, 0
	for i, r := range w {
		isUpper, isLower := isUpperLetter(r), isLowerLetter(r)
		switch {
		case i == 0 && isUpper:
			first = upperFirst
		case i == 0 && isLower:
			first = lower
		case isUpper:
			others++
		case isLower:
			small++
		}
	}
	if first == upperFirst && others > 0 && small == 0 {
		return upperAll
	}
	return first
}
