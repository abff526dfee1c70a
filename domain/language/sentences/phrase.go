package sentences

import (
	"slices"
	"strings"
)

// Phrase is a way to say something: words, each with its alternatives, such as
//
//	put|add *item on|onto the|my? *list list
//
// A word with a question mark may be missing, one with a colon must have one
// behind it, and *name is any words, at least one and as few as fit. It has to fit
// a whole sentence. Words within quotation marks only fit a *name.
type Phrase string

// Captured are the words that the names of a phrase stand for.
type Captured struct {
	Said  Said
	Names []string
	Parts [][2]int
}

// Get is what a name stands for; "" when the phrase has no such name.
func (c Captured) Get(name string) string {
	for i, n := range c.Names {
		if n == name {
			return c.Said.Part(c.Parts[i][0], c.Parts[i][1])
		}
	}
	return ""
}

// Sentence is what a name stands for, to be read on.
func (c Captured) Sentence(name string) Said {
	for i, n := range c.Names {
		if n == name {
			s := c.Said
			s.Words = s.Words[c.Parts[i][0]:c.Parts[i][1]]
			return s
		}
	}
	return Said{}
}

// Match fits a phrase to a sentence.
func (s Said) Match(p Phrase) (Captured, bool) {
	c := Captured{Said: s}
	ok := s.endsAs(p) && c.fit(string(p), 0)
	return c, ok
}

// endsAs reports whether a sentence may end as a phrase does. Most don't, and many ways to part it
// needn't be tried then.
func (s Said) endsAs(p Phrase) bool {
	last := string(p[strings.LastIndexByte(string(p), ' ')+1:])
	if last == "" || last[0] == '*' || last[len(last)-1] == '?' {
		return true
	}
	return len(s.Words) > 0 && Fits(last, s.Words[len(s.Words)-1])
}

// MayStandAt reports whether one of several phrases may begin with the word at i.
func (s Said) MayStandAt(i int, phrases []Phrase) bool {
	return i < len(s.Words) && slices.ContainsFunc(phrases, func(p Phrase) bool { return p.mayBegin(s.Words[i]) })
}

// mayBegin reports whether a sentence that a phrase fits may begin with a word.
func (p Phrase) mayBegin(w Word) bool {
	for element := range strings.SplitSeq(string(p), " ") {
		element, optional := strings.CutSuffix(element, "?")
		if element[0] == '*' || Fits(element, w) {
			return true
		}
		if !optional {
			return false
		}
	}
	return true
}

// Any fits the first of several phrases that does.
func (s Said) Any(phrases ...Phrase) (Captured, bool) {
	for _, p := range phrases {
		if c, ok := s.Match(p); ok {
			return c, true
		}
	}
	return Captured{}, false
}

// fit fits the rest of a phrase to the words from at on.
func (c *Captured) fit(rest string, at int) bool {
	if rest == "" {
		return at == len(c.Said.Words)
	}
	element, rest, _ := strings.Cut(rest, " ")
	if name, ok := strings.CutPrefix(element, "*"); ok {
		return c.capture(name, rest, at)
	}
	element, optional := strings.CutSuffix(element, "?")
	if at < len(c.Said.Words) && Fits(element, c.Said.Words[at]) && c.fit(rest, at+1) {
		return true
	}
	return optional && c.fit(rest, at)
}

func (c *Captured) capture(name, rest string, at int) bool {
	n := len(c.Names)
	c.Names, c.Parts = append(c.Names, name), append(c.Parts, [2]int{at, at})
	for end := at + 1; end <= len(c.Said.Words); end++ {
		if rest == "" {
			end = len(c.Said.Words)
		}
		c.Parts[n] = [2]int{at, end}
		if c.fit(rest, end) {
			return true
		}
		c.Names, c.Parts = c.Names[:n+1], c.Parts[:n+1]
	}
	c.Names, c.Parts = c.Names[:n], c.Parts[:n]
	return false
}

// Fits reports whether a word is one of an element's alternatives.
func Fits(element string, w Word) bool {
	if w.Quoted {
		return false
	}
	for at := 0; w.Lower != ""; {
		i := strings.Index(element[at:], w.Lower)
		if i < 0 {
			return false
		}
		from := at + i
		at = from + len(w.Lower)
		behind := element[at:]
		if w.Colon {
			behind = strings.TrimPrefix(behind, ":")
		}
		if (from == 0 || element[from-1] == '|') && (behind == "" || behind[0] == '|') {
			return !strings.ContainsAny(w.Lower, "|:") // which stand for something in an element
		}
	}
	return false
}
