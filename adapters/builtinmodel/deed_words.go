package builtinmodel

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chalie/domain/tongue"
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

// small are the words that say nothing of what is to be done to what, in any language that is read.
var small = sync.OnceValue(func() map[string]bool {
	return wordsIn(strings.Join(rowsOf(smallTable), " "))
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

// plainWord is a word without accents and capitals, with where it stands in its text.
type plainWord struct {
	word       string
	at         int // which of the words between white space
	start, end int // of those, in bytes
}

// plainWordsOf are the words of a text; of "l'alarme" there are two.
func plainWordsOf(text string) []plainWord {
	var out []plainWord
	end := 0
	for at, written := range strings.Fields(text) {
		start := end + strings.Index(text[end:], written)
		end = start + len(written)
		for part := range strings.FieldsFuncSeq(tongue.Fold(written), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			out = append(out, plainWord{part, at, start, end})
		}
	}
	return out
}

// tellingOf are the words of a text that tell what it is about.
func tellingOf(text string) []string {
	var out []string
	for _, w := range plainWordsOf(text) {
		if !small()[w.word] && !slices.Contains(out, w.word) {
			out = append(out, w.word)
		}
	}
	return out
}

// areSame reports whether two words are forms of one, or mean the same thing.
func areSame(a, b string) bool {
	if a, b := umlauts.Replace(a), umlauts.Replace(b); a == b || len(a) > 3 && len(b) > 3 && singular(a) == singular(b) {
		return true
	}
	rows := meaningsOf(b)
	return slices.ContainsFunc(meaningsOf(a), func(row int) bool { return slices.Contains(rows, row) })
}

// meaningsOf are the rows of things that a word stands in.
func meaningsOf(w string) []int {
	if rows := things()[w]; rows != nil {
		return rows
	}
	return things()[umlauts.Replace(w)]
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

// wordParts are the two words that one is made of, as German does, where one of the two is known: gartenkamera;
// nil for none.
func wordParts(w string, known func(string) bool) []string {
	const least = 3
	for i := len(w) - least; i >= least; i-- {
		front, back := w[:i], w[i:]
		for _, f := range []string{front, strings.TrimSuffix(front, "s"), strings.TrimSuffix(front, "n")} {
			if len(f) >= least && known(f) && known(back) {
				return []string{f, back}
			}
		}
	}
	return nil
}
