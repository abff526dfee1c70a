package hearing

import (
	"slices"
	"strings"
)

// phrase is a way to say something: words, each with its alternatives, such as
//
//	put|add *item on|onto the|my? *list list
//
// A word with a question mark may be missing, one with a colon must have one
// behind it, and *name is any words, at least one and as few as fit. It has to fit
// a whole sentence. Words within quotation marks only fit a *name.
type phrase string

// captured are the words that the names of a phrase stand for.
type captured struct {
	said  said
	names []string
	parts [][2]int
}

// get is what a name stands for; "" when the phrase has no such name.
func (c captured) get(name string) string {
	for i, n := range c.names {
		if n == name {
			return c.said.part(c.parts[i][0], c.parts[i][1])
		}
	}
	return ""
}

// sentence is what a name stands for, to be read on.
func (c captured) sentence(name string) said {
	for i, n := range c.names {
		if n == name {
			s := c.said
			s.words = s.words[c.parts[i][0]:c.parts[i][1]]
			return s
		}
	}
	return said{}
}

// match fits a phrase to a sentence.
func (s said) match(p phrase) (captured, bool) {
	c := captured{said: s}
	ok := s.endsAs(p) && c.fit(string(p), 0)
	return c, ok
}

// endsAs reports whether a sentence may end as a phrase does. Most don't, and many ways to part it
// needn't be tried then.
func (s said) endsAs(p phrase) bool {
	last := string(p[strings.LastIndexByte(string(p), ' ')+1:])
	if last == "" || last[0] == '*' || last[len(last)-1] == '?' {
		return true
	}
	return len(s.words) > 0 && fits(last, s.words[len(s.words)-1])
}

// mayStandAt reports whether one of several phrases may begin with the word at i.
func (s said) mayStandAt(i int, phrases []phrase) bool {
	return i < len(s.words) && slices.ContainsFunc(phrases, func(p phrase) bool { return p.mayBegin(s.words[i]) })
}

// mayBegin reports whether a sentence that a phrase fits may begin with a word.
func (p phrase) mayBegin(w word) bool {
	for element := range strings.SplitSeq(string(p), " ") {
		element, optional := strings.CutSuffix(element, "?")
		if element[0] == '*' || fits(element, w) {
			return true
		}
		if !optional {
			return false
		}
	}
	return true
}

// any fits the first of several phrases that does.
func (s said) any(phrases ...phrase) (captured, bool) {
	for _, p := range phrases {
		if c, ok := s.match(p); ok {
			return c, true
		}
	}
	return captured{}, false
}

// fit fits the rest of a phrase to the words from at on.
func (c *captured) fit(rest string, at int) bool {
	if rest == "" {
		return at == len(c.said.words)
	}
	element, rest, _ := strings.Cut(rest, " ")
	if name, ok := strings.CutPrefix(element, "*"); ok {
		return c.capture(name, rest, at)
	}
	element, optional := strings.CutSuffix(element, "?")
	if at < len(c.said.words) && fits(element, c.said.words[at]) && c.fit(rest, at+1) {
		return true
	}
	return optional && c.fit(rest, at)
}

func (c *captured) capture(name, rest string, at int) bool {
	n := len(c.names)
	c.names, c.parts = append(c.names, name), append(c.parts, [2]int{at, at})
	for end := at + 1; end <= len(c.said.words); end++ {
		if rest == "" {
			end = len(c.said.words)
		}
		c.parts[n] = [2]int{at, end}
		if c.fit(rest, end) {
			return true
		}
		c.names, c.parts = c.names[:n+1], c.parts[:n+1]
	}
	c.names, c.parts = c.names[:n], c.parts[:n]
	return false
}

// fits reports whether a word is one of an element's alternatives.
func fits(element string, w word) bool {
	if w.quoted {
		return false
	}
	for at := 0; w.lower != ""; {
		i := strings.Index(element[at:], w.lower)
		if i < 0 {
			return false
		}
		from := at + i
		at = from + len(w.lower)
		behind := element[at:]
		if w.colon {
			behind = strings.TrimPrefix(behind, ":")
		}
		if (from == 0 || element[from-1] == '|') && (behind == "" || behind[0] == '|') {
			return !strings.ContainsAny(w.lower, "|:") // which stand for something in an element
		}
	}
	return false
}
