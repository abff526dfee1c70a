package tools

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tongues"
)

// things are words for the same thing in the languages that are read: the rows by their words.
var things = sync.OnceValue(func() map[string][]int {
	out := map[string][]int{}
	for row, line := range rowsOf(thingsTable) {
		for w := range strings.FieldsSeq(strings.ReplaceAll(line, "/", " ")) {
			if !slices.Contains(out[w], row) {
				out[w] = append(out[w], row)
			}
		}
	}
	return out
})

// Small are the words that say nothing of what is to be done to what, in any language that is read.
var Small = sync.OnceValue(func() map[string]bool {
	return sentences.WordsIn(strings.Join(rowsOf(smallTable), " "))
})

var (
	//go:embed things.txt
	thingsTable string
	//go:embed smallwords.txt
	smallTable string
)

// rowsOf are the lines of a table without those that only say what it is.
func rowsOf(table string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(table), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
}

// PlainWord is a word without accents and capitals, with where it stands in its text.
type PlainWord struct {
	Word       string
	At         int // which of the words between white space
	Start, End int // of those, in bytes
	keys       keys
}

// Bounds of the words that are compared: what is longer is only ever itself, and what is behind isn't read.
const (
	longestWord  = 40 // bytes
	MaxPlainText = 400
)

// PlainWordsOf are the words of a text; of "l'alarme" there are two.
func PlainWordsOf(text string) []PlainWord {
	var out []PlainWord
	end, at := 0, 0
	for written := range strings.FieldsSeq(text) {
		start := end + strings.Index(text[end:], written)
		end = start + len(written)
		folded := tongues.Fold(written)
		if n := decimal.FindString(folded); n != "" {
			out = append(out, PlainWord{strings.Replace(n, ",", ".", 1), at, start, end, keys{n}})
			folded = strings.Replace(folded, n, "", 1)
		}
		for part := range strings.FieldsFuncSeq(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			out = append(out, PlainWord{part, at, start, end, keysOf(part)})
		}
		if at++; at == MaxPlainText {
			break
		}
	}
	return out
}

// decimal finds a number with a fraction, which is one word.
var decimal = regexp.MustCompile(`^\d+[.,]\d+`)

// TellingOf are the words of a text that tell what it is about.
func TellingOf(text string) []string {
	var out []string
	for _, w := range PlainWordsOf(text) {
		if !Small()[w.Word] && !slices.Contains(out, w.Word) {
			out = append(out, w.Word)
		}
	}
	return out
}

// keys are what two words share that are forms of one, or mean the same thing: its stem, and the rows of things that
// it stands in.
type keys []string

func keysOf(word string) keys {
	if len(word) > longestWord {
		return keys{word}
	}
	plain := umlauts.Replace(word)
	out := keys{singular(plain)}
	rows := things()[word]
	if rows == nil {
		rows = things()[plain]
	}
	for _, row := range rows {
		out = append(out, "#"+strconv.Itoa(row))
	}
	return out
}

// isThing reports whether the word is one of those that have a row.
func (k keys) isThing() bool { return len(k) > 1 }

// isIn reports whether one of the words that were counted is a form of this one, or means the same.
func (k keys) isIn(all map[string]bool) bool {
	return slices.ContainsFunc(k, func(key string) bool { return all[key] })
}

// isLike reports whether another word is a form of this one, or means the same.
func (k keys) isLike(other keys) bool {
	return slices.ContainsFunc(k, func(key string) bool { return slices.Contains(other, key) })
}

// areSame reports whether two words are forms of one, or mean the same thing.
func areSame(a, b string) bool { return keysOf(a).isLike(keysOf(b)) }

// keysIn are the keys of words.
func keysIn(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		for _, key := range keysOf(w) {
			out[key] = true
		}
	}
	return out
}

// umlauts are written with an e where a keyboard has none.
var umlauts = strings.NewReplacer("que", "que", "gue", "gue", "ae", "a", "oe", "o", "ue", "u")

// singular is a word without the ending of many.
func singular(w string) string {
	for _, end := range []string{"en", "es", "er", "n", "s", "x", "e"} {
		if bare, ok := strings.CutSuffix(w, end); ok && len(bare) > 3 {
			return bare
		}
	}
	return w
}

// wordParts are the two words that one is made of, as German does, where both are known: gartenkamera; nil for
// none.
func wordParts(w string, known func(keys) bool) []string {
	const least = 3
	if len(w) > longestWord {
		return nil
	}
	for i := len(w) - least; i >= least; i-- {
		back := w[i:]
		if !known(keysOf(back)) {
			continue
		}
		for _, front := range []string{w[:i], strings.TrimSuffix(w[:i], "s"), strings.TrimSuffix(w[:i], "n")} {
			if len(front) >= least && known(keysOf(front)) {
				return []string{front, back}
			}
		}
	}
	return nil
}

// heads are the ends of a word that may be the thing that it is, as in German: Dachfenster.
func heads(w string) []keys {
	const least = 5
	if len(w) > longestWord {
		return nil
	}
	var out []keys
	for i := 3; i+least <= len(w); i++ {
		out = append(out, keysOf(w[i:]))
	}
	return out
}

// LabelWords are the words of a button, or of what is said of one, without the small ones.
func LabelWords(text string) []string {
	return slices.DeleteFunc(TellingOf(text), tongues.IsBeside)
}
