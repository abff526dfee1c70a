package tongues

import (
	_ "embed" // for the words
	"iter"
	"maps"
	"strings"
	"sync"
	"unicode"
)

var (
	//go:embed english.txt
	englishWords string
	//go:embed others.txt
	otherWords string
)

// Of is the language of a sentence, if it is one of those that are read: it has words of
// that language which English and the others haven't, more than twice as many as it has
// English ones (or just more, when it begins with one), and either two of them or no other words at all. Those that names have too,
// such as de la, only count beside others.
func Of(text string) (*Tongue, bool) {
	words := wordsOf(text)
	if len(words) == 0 {
		return nil, false
	}
	var best *Tongue
	most, second := 0, 0
	for _, t := range All() {
		switch n := t.count(words); {
		case n > most:
			best, most, second = t, n, most
		case n > second:
			second = n
		}
	}
	if best == nil || most == second {
		return nil, false
	}
	for _, other := range others() {
		if n := count(words, other); n > 0 && n+strangers(text) > most {
			return nil, false
		}
	}
	own, names, foreign := 0, 0, 0
	for _, w := range words {
		mine, theirs := best.speaks(w), english()[w]
		switch {
		case mine && (inNames()[w] || len(w) == 1):
			names++
		case mine && !theirs:
			own++
		case theirs && !mine:
			foreign++
		}
	}
	first := words[0]
	begins := own >= 2 && own > foreign && best.speaks(first) && !english()[first] && !inNames()[first] && best.tables().numbers[first] == ""
	if own == 0 || own <= 2*foreign && !begins || own+names < 2 && most < len(words) {
		return nil, false
	}
	return best, true
}

// Elsewhere reports whether a sentence is in a language that isn't read: most of its
// letters are of another script, or several of its words are of another language and not
// of one that is read.
func Elsewhere(text string) bool {
	letters, strange := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				strange++
			}
		}
	}
	if strange > 0 && 2*strange > letters {
		return true
	}
	words := wordsOf(text)
	known := 0 // words of the language, of those that are read, that has the most of them
	for _, t := range All() {
		known = max(known, t.count(words))
	}
	inEnglish := count(words, english())
	for _, other := range others() {
		own := 0
		for _, w := range words {
			if other[w] && !english()[w] {
				own++
			}
		}
		if n := count(words, other); n == 0 {
			continue
		} else if n, own := n+strangers(text), own+strangers(text); n > known && own > 2*(inEnglish-(n-own)) && (own >= 2 || own == len(words) && len(words) <= 2) {
			return true
		}
	}
	return false
}

// strangers counts words with letters that English and the languages that are read haven't.
func strangers(text string) int {
	n := 0
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if strings.ContainsAny(word, "ãõąćęłńśźżășțşţğıčďěňřšťůýžőűåøì") {
			n++
		}
	}
	return n
}

// Knows reports whether a word tells a language, or is read in one: were it another word, the
// sentence could be read otherwise. Days that people are named after aren't.
func Knows(word string) bool { return known()[fold(word)] }

// Known are the words that [Knows] reports, without their accents and in no order.
func Known() iter.Seq[string] { return maps.Keys(known()) }

var known = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, set := range append([]map[string]bool{english(), inNames()}, others()...) {
		maps.Copy(out, set)
	}
	for _, t := range All() {
		for word := range t.tables().roles[spoken] {
			if t.tables().classes["feast"][word] == "" {
				out[word] = true
			}
		}
	}
	return out
})

// wordsOf are the words of a sentence outside of quotation marks.
func wordsOf(text string) []string {
	var out []string
	for w := range wordsIn(text) {
		if !w.Quoted && !w.IsMark() && !w.isNumber() {
			out = append(out, w.Text)
		}
		if len(out) == maxWords {
			break
		}
	}
	return out
}

// speaks reports whether a word is one of the language.
func (t *Tongue) speaks(w string) bool {
	return t.Is(w, spoken) || t == German && (strings.HasSuffix(w, "liste") && w != "liste" || strings.HasSuffix(w, "zettel") || strings.HasSuffix(w, "termin") && w != "termin")
}

func (t *Tongue) count(words []string) int {
	n := 0
	for _, w := range words {
		if t.speaks(w) {
			n++
		}
	}
	return n
}

func count(words []string, in map[string]bool) int {
	n := 0
	for _, w := range words {
		if in[w] {
			n++
		}
	}
	return n
}

// english are words that tell an English sentence, and English words that another language
// has as well.
var english = sync.OnceValue(func() map[string]bool { return set(englishWords) })

// inNames are words that names have in any language: El Paso, de la Cruz.
var inNames = sync.OnceValue(func() map[string]bool {
	return set("el la los las le les de del du des di da von van der san santa st saint un una une y e")
})

// others are words of languages that aren't read, in the order in which they are tried.
var others = sync.OnceValue(func() []map[string]bool {
	var out []map[string]bool
	for _, section := range sectionsOf(otherWords) {
		out = append(out, set(section.text))
	}
	return out
})
