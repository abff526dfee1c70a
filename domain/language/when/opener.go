package when

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// openers are the words that a time may begin with, besides holidays. Most words are none of them,
// and needn't be tried as each kind of time that there is. What a reader looks for at its first token
// stands here or in a table of openWords.
const openers = `a about after all alternate an any anytime approx approximately around as at before beginning between bi business by
	circa close coming couple current during each earlier early end ends eod eom eoy every everyday exactly few final following for
	from half in last late later m mid middle midday midnight next nightly no noon not now of on once over pair past previous
	q quarter quarterly recurring repeating rest roughly same school schooldays since sometime sometimes start starting the this through
	thrice thru til till time tmr tmrw today tomorrow tomorrow's tomorrows tonight tonite twice until up upcoming very week weekday
	weekdays weekend weekends when within work workdays working year yesterday`

// openWords are all of them.
var openWords = sync.OnceValue(func() map[string]bool {
	out := wordSet(openers)
	addWords(out, units)
	addWords(out, tens)
	addWords(out, ordinals)
	addWords(out, months)
	addWords(out, weekdays)
	addWords(out, shortWeekdays)
	addWords(out, adverbs)
	addWords(out, parts)
	for _, m := range more {
		first, _, _ := strings.Cut(m.words, " ")
		out[first] = true
	}
	return out
})

func addWords[V any](to map[string]bool, table map[string]V) {
	for w := range table {
		to[w] = true
	}
}

// mayOpen reports whether a time may begin with a token. With one that is no word any may.
func (t token) mayOpen() bool {
	if first, _ := utf8.DecodeRuneInString(t.text); !unicode.IsLetter(first) {
		return true
	}
	one, many := strings.CutSuffix(t.text, "s") // Mondays, mornings
	return openWords()[t.text] || many && openWords()[one] || byName()[normal(t.text)] != nil
}
