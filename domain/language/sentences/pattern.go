package sentences

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// Pattern is a regular expression that isn't tried on texts that it can't be found in: those
// without one of the words that it has to have. Most are so, and looking for a word takes a
// fraction of the time.
type Pattern struct {
	*regexp.Regexp
	needs []string // of which a text has one, folded; empty when nothing is known
}

// PatternOf is a regular expression with what a text needs to fit it.
func PatternOf(expression string) Pattern {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic("pattern: " + err.Error())
	}
	return Pattern{regexp.MustCompile(expression), needsOf(tree.Simplify())}
}

// MayBeIn reports whether a text that is folded has what a pattern needs.
func (p Pattern) MayBeIn(folded string) bool {
	for _, n := range p.needs {
		if strings.Contains(folded, n) {
			return true
		}
	}
	return len(p.needs) == 0
}

// needsOf are texts of which whatever fits an expression has one, folded; none when it may have
// none of them.
func needsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{Folded(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, part := range re.Sub {
			if needs := needsOf(part); shortest(needs) > shortest(best) {
				best = needs
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, one := range re.Sub {
			needs := needsOf(one)
			if len(needs) == 0 {
				return nil
			}
			all = append(all, needs...)
		}
		return all
	}
	return nil
}

// shortest is the length of the shortest of several texts: 0 of none.
func shortest(texts []string) int {
	least := 0
	for i, t := range texts {
		if i == 0 || len(t) < least {
			least = len(t)
		}
	}
	return least
}

// Folded is a text in which all forms of a letter are one, those that regular expressions take for
// the same: k, K, and the sign of Kelvin.
func Folded(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}
