package builtinmodel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chalie/commands/reasoning"
)

// candidate is a tool that what was said may mean.
type candidate struct {
	offered reasoning.Offered
	score   int
	telling int  // words of the request that tell something and that the tool carries
	named   bool // one of them is in the tool's name
	exact   bool // the request has the tool's very name
	terms   terms
}

// tool hears a request that plainly means a tool of an interface.
func (l listener) tool(s said) (intent, bool) {
	if hasAny(s, "not", "never", "without", "cannot", "why", "was", "were", "did", "you", "your", "yesterday", "if", "unless") || s.is(0, "i", "he", "she", "they", "we", "that", "this", "it") {
		return intent{}, false
	}
	all := l.candidates(s)
	var meant []candidate
	for _, c := range all {
		if c.isMeant(s) {
			meant = append(meant, c)
		}
	}
	if len(meant) == 0 {
		return intent{}, false
	}
	best := meant[0]
	if len(meant) > 1 && !best.exact && best.score*2 < meant[1].score*3 {
		return tied(meant), true
	}
	return l.fill(s, best)
}

// candidates are the tools that share a telling word with a request, best first.
func (l listener) candidates(s said) []candidate {
	l.known.read(l.p.Tools)
	stems := stemsOf(s)
	var out []candidate
	for _, c := range l.known.tools {
		c.weigh(s, stems, l.known.held, len(l.known.tools))
		if c.exact || c.telling > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.offered.Name, b.offered.Name))
	})
	return out
}

// stemsOf are the stems of a sentence's words, each once; none of what is quoted.
func stemsOf(s said) []string {
	var out []string
	for _, w := range s.words {
		if w.quoted {
			continue
		}
		for _, part := range nameWords(w.lower) {
			if part = stem(part); !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// weigh adds up the words of a request that the tool carries, rare ones more.
func (c *candidate) weigh(s said, stems []string, held map[string]int, tools int) {
	for i, w := range s.words {
		if !w.quoted && strings.EqualFold(w.lower, c.offered.Name) && (strings.ContainsAny(w.lower, "._-/") || s.is(i-1, "call", "use", "run", "tool")) {
			c.exact, c.named = true, true
			c.score += exactName
			break
		}
	}
	for _, word := range stems {
		worth := c.terms[word]
		c.score += worth * rarity(held[word], tools)
		if worth > asGeneric {
			c.telling++
			c.named = c.named || worth == inName
		}
	}
}

// exactName is worth more than any words.
const exactName = 1 << 20

// isMeant reports whether the request is one for this tool, and not only speaks of
// the same things. Something outside is changed only where it is told to.
func (c candidate) isMeant(s said) bool {
	if !c.exact && !c.named && c.telling < 2 {
		return false
	}
	if c.isOrder(s) && !s.question {
		return !c.offered.SideEffects || c.exact || c.terms[stem(s.words[0].lower)] > asGeneric || c.isNamedWholly(s)
	}
	return !c.offered.SideEffects && (s.question || s.is(0, "what", "how", "when", "where", "which", "who", "any", "is", "are"))
}

// isNamedWholly reports whether a request has every telling word of the tool's name:
// "put the milk on the table" doesn't mean book_table.
func (c candidate) isNamedWholly(s said) bool {
	whose := nameWords(c.offered.Interface) // a name may begin with it
	for _, part := range nameWords(c.offered.Name) {
		name := stem(part)
		if isGeneric(name) || isFiller(name) || slices.Contains(whose, part) {
			continue
		}
		if !slices.ContainsFunc(s.words, func(w word) bool {
			return !w.quoted && slices.ContainsFunc(nameWords(w.lower), func(p string) bool { return stem(p) == name })
		}) {
			return false
		}
	}
	return true
}

// isOrder reports whether a sentence tells to do something: it begins with a word
// for doing, or with one of the tool's, and isn't about how that is.
func (c candidate) isOrder(s said) bool {
	for i := 1; i < min(len(s.words), 5); i++ {
		if s.is(i, "is", "are", "has", "have", "will", "would", "should", "could", "can", "may", "might", "must") {
			return false
		}
	}
	if s.words[0].quoted || isFiller(s.words[0].lower) {
		return c.exact
	}
	return c.exact || isGeneric(stem(s.words[0].lower)) || c.terms[stem(s.words[0].lower)] > 0
}

// tied asks which of several tools is meant.
func tied(all []candidate) intent {
	const few = 4
	var names []string
	for _, c := range all[:min(len(all), few)] {
		names = append(names, c.name())
	}
	return intent{weak: true, ask: fmt.Sprintf("More than one tool fits: %s. Which one? Say its name with what it needs.", strings.Join(names, ", "))}
}

// name is a tool by its name and whose it is.
func (c candidate) name() string {
	out := mention(cut(c.offered.Name, maxNameBytes))
	if whose := cut(oneLine(c.offered.Interface), maxNameBytes); whose != "" {
		out += " of " + whose
	}
	return out
}
