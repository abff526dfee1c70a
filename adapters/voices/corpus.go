package voices

import (
	_ "embed" // for the sentences
	"maps"
	"slices"
	"strings"
	"sync"

	"chalie/commands/voice"
)

var (
	//go:embed sentences.txt
	sentencesText string
	//go:embed words.txt
	commonText string
)

// common are the words that are said most about anything. Without them whatever else is said
// would be heard, and surely, as words of the corpus.
var common = sync.OnceValue(func() []string { return strings.Fields(commonText) })

// phrasebook is sentences.txt, read.
type phrasebook struct {
	classes   map[string][]string
	sentences []string
}

var phrases = sync.OnceValue(func() phrasebook {
	book := phrasebook{classes: map[string][]string{}}
	for line := range strings.Lines(sentencesText) {
		line = strings.TrimSpace(line)
		name, members, isClass := strings.Cut(line, " = ")
		switch {
		case line == "" || line[0] == '#':
		case isClass:
			for member := range strings.SplitSeq(members, " | ") {
				book.classes[name] = append(book.classes[name], strings.TrimSpace(member))
			}
		default:
			book.sentences = append(book.sentences, line)
		}
	}
	return book
})

// Bounds of a corpus.
const (
	maxVariants   = 48  // of one sentence
	maxKnown      = 600 // phrases of the moment
	maxKnownWords = 6   // of a phrase that stands for a thing
	dwell         = 3   // how often a phrase of the moment counts by itself
)

// corpus is what may be said at a moment, a sentence of words each.
func corpus(known voice.Vocabulary) (sentences [][]string) {
	book := phrases()
	classes := maps.Clone(book.classes)
	for _, phrase := range known.Phrases[max(0, len(known.Phrases)-maxKnown):] {
		words := spokenWords(phrase)
		if len(words) == 0 {
			continue
		}
		for range dwell {
			sentences = append(sentences, words)
		}
		if len(words) <= maxKnownWords {
			classes["known"] = append(slices.Clip(classes["known"]), strings.Join(words, " "))
		}
	}
	for _, name := range known.Names[max(0, len(known.Names)-maxKnown):] {
		if words := spokenWords(name); len(words) > 0 && len(words) <= maxKnownWords {
			classes["name"] = append(slices.Clip(classes["name"]), strings.Join(words, " "))
		}
	}
	g := generator{classes: classes, turns: map[string]int{}}
	for _, sentence := range book.sentences {
		variants := 1
		for word := range strings.FieldsSeq(sentence) {
			if name, ok := className(word); ok {
				variants = max(variants, len(classes[name]))
			}
		}
		for range min(variants, maxVariants) {
			if words, ok := g.fill(sentence, 0); ok {
				sentences = append(sentences, words)
			}
		}
	}
	return sentences
}

// generator fills sentences. Each class goes round by itself, so that over many sentences
// every member stands in many, and the same vocabulary gives the same corpus.
type generator struct {
	classes map[string][]string
	turns   map[string]int
}

// fill replaces the classes of a sentence; false when one is empty.
func (g *generator) fill(sentence string, depth int) (words []string, ok bool) {
	for word := range strings.FieldsSeq(sentence) {
		name, isClass := className(word)
		if !isClass {
			words = append(words, word)
			continue
		}
		members := g.classes[name]
		if len(members) == 0 || depth > 4 {
			return nil, false
		}
		for tries := 0; ; tries++ {
			// A step that has no factor in common with the number comes to all of them.
			g.turns[name]++
			filled, ok := g.fill(members[g.turns[name]*step(len(members))%len(members)], depth+1)
			if ok {
				words = append(words, filled...)
				break
			}
			if tries == len(members) {
				return nil, false
			}
		}
	}
	return words, true
}

// step is a number without a factor in common with n.
func step(n int) int {
	for s := n*5/8 | 1; ; s++ {
		a, b := s, n
		for b != 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return s
		}
	}
}

func className(word string) (string, bool) {
	name, ok := strings.CutPrefix(word, "<")
	if !ok {
		return "", false
	}
	return strings.TrimSuffix(name, ">"), true
}
