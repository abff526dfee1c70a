package tools

import (
	"slices"
	"strings"

	"chalie/domain/language/deed"
	"chalie/domain/language/sentences"
)

// sameDeeds are the verbs of one word for the same deed as some words; nil for none.
func sameDeeds(words string) [][]string { return deed.Alike(words) }

// actsIn are the verbs by which a tool says what it does: those of its name, the first of its
// description, and one behind "or" there, which may be the contrary. synonyms stand in brackets.
func actsIn(name, about []string, description string) (acts, synonyms []string) {
	isAct := func(w string) bool { return Verbs[w] != 0 || sameDeeds(w) != nil }
	add := func(all []string, w string) []string {
		if bare := infinitive(w); !isAct(w) && isAct(bare) {
			w = bare
		}
		if !isAct(w) || slices.Contains(acts, w) || slices.Contains(all, w) {
			return all
		}
		return append(all, w)
	}
	told := slices.ContainsFunc(name, func(w string) bool { return Verbs[w] != 0 })
	for i, w := range name {
		if i == 0 && !told || Verbs[w] != 0 {
			acts = add(acts, w)
		}
	}
	for i, w := range about[:min(len(about), maxTermWords)] {
		if i == 0 || i == 2 && about[1] == "or" {
			acts = add(acts, w)
		}
	}
	if _, rest, ok := strings.Cut(description, "("); ok {
		inside, _, _ := strings.Cut(rest, ")")
		for _, w := range textWords(inside) {
			synonyms = add(synonyms, w)
		}
	}
	return acts, synonyms
}

// inItsWords is an order that begins with the verb of the tool, where it begins with another for
// the same deed; false when it doesn't.
func (c *Candidate) inItsWords(s sentences.Said) (sentences.Said, bool) {
	const longest = 4
	if len(c.acts) == 0 || s.Words[0].Quoted {
		return s, false
	}
	onlyLooks := Verbs[s.Words[0].Lower] == toLook && !c.Looks && !s.Is(0, "give") && !(s.Is(0, "get") && s.Is(1, "me", "us"))
	for n := min(longest, len(s.Words)-1); n > 0; n-- {
		words := make([]string, n)
		for i := range words {
			words[i] = s.Words[i].Lower
		}
		phrase := strings.Join(words, " ")
		if n == 1 && slices.Contains(c.acts, phrase) {
			return s, false
		}
		if act := c.actLike(phrase); act != "" && !(n == 1 && onlyLooks) {
			return beginningOf(s, act, n), true
		}
		if n > 2 && sameDeeds(phrase) != nil {
			return s, false // get rid of says nothing of getting
		}
	}
	if first := s.Words[0].Lower; len(s.Words) > 2 { // turn Paul down
		for i := 2; i < min(len(s.Words), 8); i++ {
			if !s.Is(i, "up", "down", "off", "out", "back", "away", "in") {
				continue
			}
			if act := c.actLike(first + " " + s.Words[i].Lower); act != "" {
				return beginningOf(s, act, 1), true
			}
		}
	}
	return s, false
}

// isPhrasal reports whether an order begins with a verb of several words whose first says nothing of
// what is to be done: get rid of, take a look at.
func isPhrasal(s sentences.Said) bool {
	const least, most = 3, 4
	for n := least; n <= min(most, len(s.Words)-1); n++ {
		words := make([]string, n)
		for i := range words {
			words[i] = s.Words[i].Lower
		}
		if sameDeeds(strings.Join(words, " ")) != nil {
			return true
		}
	}
	return false
}

// principal is the verb by which a tool is asked for.
func (c *Candidate) principal() string {
	switch {
	case c.Verb != "":
		return c.Verb
	case slices.Contains(c.acts, c.about):
		return c.about
	}
	return c.acts[0]
}

// actLike is the verb of the tool that stands for the same deed as some words; "" for none.
func (c *Candidate) actLike(words string) string {
	for _, other := range sameDeeds(words) {
		if slices.Contains(c.acts, other[0]) {
			return other[0]
		}
	}
	if slices.Contains(c.synonyms, words) || slices.ContainsFunc(sameDeeds(words), func(o []string) bool { return slices.Contains(c.synonyms, o[0]) }) {
		return c.principal()
	}
	return ""
}
