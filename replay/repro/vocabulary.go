package repro

import (
	_ "embed" // the words of the code
	"strings"
	"sync"

	"chalie/domain/language/tongues"
	"chalie/domain/relate"
)

// spokenWords are the words that stand in the texts of the code that decides, one
// on a line.
//
//go:embed vocabulary.txt
var spokenWords string

// words is a set of them, by stem.
type words map[string]bool

// vocabulary are the words that Chalie's code knows.
var vocabulary = sync.OnceValue(func() words {
	known := words{}
	for word := range strings.Lines(spokenWords) {
		known.add(strings.TrimSuffix(word, "\n"))
	}
	for word := range tongues.Known() { // in whatever form it is said
		known.add(word)
	}
	return known
})

func (w words) add(word string) { w[relate.Stem(word)] = true }

// has reports whether a word is known, in any form that means the same, or in another
// language that the code reads.
func (w words) has(word string) bool { return w[relate.Stem(word)] || tongues.Knows(word) }
