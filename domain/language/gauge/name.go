package gauge

import (
	"slices"
	"strings"
	"unicode"
)

// Name is what something is called.
type Name struct {
	Text string // as it was given
	ways []way
}

// way is one way to call it.
type way struct {
	words []string
	exact bool // in just these letters: a short one in capitals may else be a word
}

// NameOf is a name, which also goes by others: AAPL by Apple. One of up to three capitals is
// heard in capitals only, and an other one with its first letter large.
func NameOf(text string, also ...string) Name {
	out := Name{Text: text}
	add := func(text string, exact bool) {
		var words []string
		for _, w := range wordsOf(text) {
			word := strings.TrimSuffix(w.text, "'s")
			if !exact {
				word = strings.ToLower(word)
			}
			if !generic[strings.ToLower(word)] || len(words) > 0 {
				words = append(words, word)
			}
		}
		for len(words) > 1 && generic[strings.ToLower(words[len(words)-1])] {
			words = words[:len(words)-1]
		}
		if len(words) > 0 {
			out.ways = append(out.ways, way{words, exact})
		}
	}
	const short = 3
	add(text, len(text) <= short && isCapitals(text))
	for _, other := range also {
		add(other, true)
	}
	return out
}

// generic are words of a name that don't tell it from others.
var generic = setOf("the a an my our share shares stock stocks plant plants inc corp")

func isCapitals(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsUpper(r) })
}

// at returns behind which word a name at a word ends; 0 when there is none.
func (n Name) at(words []word, i int) int {
	for _, by := range n.ways {
		if i+len(by.words) > len(words) {
			continue
		}
		fits := true
		for k, want := range by.words {
			got := strings.TrimSuffix(strings.ReplaceAll(words[i+k].text, "’", "'"), "'s")
			fits = fits && (got == want || !by.exact && sameWord(strings.ToLower(got), want))
			fits = fits && (k == len(by.words)-1 || words[i+k].end != sentence)
		}
		if fits {
			return i + len(by.words)
		}
	}
	return 0
}

// sameWord reports whether two words are one, be it of one or of several.
func sameWord(a, b string) bool {
	const short = 4
	return a == b || len(a) >= short && len(b) >= short && (a+"s" == b || b+"s" == a || a+"es" == b || b+"es" == a)
}

// MayBeIn reports whether a text in small letters may have the name: a cheap look before a
// careful one.
func (n Name) MayBeIn(lower string) bool {
	return slices.ContainsFunc(n.ways, func(by way) bool {
		first := strings.ToLower(by.words[0])
		const short = 4
		if len(first) > short {
			first = strings.TrimSuffix(first, "s")
		}
		return strings.Contains(lower, first)
	})
}

// in reports whether a text has the name: the words in it may be joined by marks, as in
// "basil-sensor" and "basil_1".
func (n Name) in(text string) bool {
	words := wordsOf(strings.NewReplacer("-", " ", "_", " ", "/", " ", ".", " ").Replace(text))
	for i := range words {
		if n.at(words, i) > 0 {
			return true
		}
	}
	return false
}

// mention is where a text has a name: from a word up to another.
type mention struct{ from, to int }

// mentions are where a text has any of some names, in order.
func mentions(words []word, names []Name) []mention {
	var out []mention
	for i := 0; i < len(words); i++ {
		end := 0
		for _, n := range names {
			end = max(end, n.at(words, i))
		}
		if end > 0 {
			out = append(out, mention{i, end})
			i = end - 1
		}
	}
	return out
}

// Of is what a signal says of a name: its text, its data, which is JSON or nothing, and about
// what it is by its sender and its topic. others are names that may be spoken of beside it. It is
// false when nothing is said of it.
func Of(name Name, others []Name, text string, data []byte, about string) (Reading, bool) {
	out := Reading{Name: name.Text}
	text = strings.ReplaceAll(text, "->", "→")
	if read, ok := ofData([]byte(text), name, 0); ok {
		return Reading{name.Text, read.Figures, read.State}, true
	}
	var state string
	words := wordsOf(text)
	if isData(text) {
		words = nil
	}
	all := mentions(words, append(slices.Clone(others), name))
	said := false
	for k, m := range all {
		if name.at(words, m.from) == 0 {
			continue
		}
		said = true
		out.Figures = figuresAt(words, all, k)
		if len(out.Figures) > 0 {
			return out, true
		}
		if state == "" {
			state = stateAt(words, all, k, text)
		}
	}
	if read, ok := ofData(data, name, 0); ok && (len(read.Figures) > 0 || !said) {
		if len(read.Figures) == 0 && strings.TrimSpace(read.State) == "" {
			read.State = text // the data only names it: what is said of it is the text
		}
		return Reading{name.Text, read.Figures, read.State}, true
	}
	switch {
	case said:
		out.State = state
		return out, true
	case len(all) > 0 || !name.in(about):
		return Reading{}, false
	}
	if read, ok := anyData([]byte(text)); ok {
		return Reading{name.Text, read.Figures, read.State}, true
	}
	if out.Figures = (stretch{words, 0, len(words)}).figures(func(int) bool { return false }); len(out.Figures) > 0 {
		return out, true
	}
	if read, ok := anyData(data); ok {
		return Reading{name.Text, read.Figures, read.State}, true
	}
	out.State = text
	return out, true
}

// figuresAt are the values behind a mention, up to the next one or the end of the sentence; or
// before it, where there are none.
func figuresAt(words []word, all []mention, k int) []Figure {
	from, next := all[k].to, len(words)
	for k+1 < len(all) {
		// "mint and basil are at 31 %" is said of both.
		next = all[k+1].from
		if !onlyLinks(words, from, next) || words[from-1].end == sentence {
			break
		}
		k, from, next = k+1, all[k+1].to, len(words)
	}
	named := func(i int) bool {
		return slices.ContainsFunc(all, func(m mention) bool { return i >= m.from && i < m.to })
	}
	if words[from-1].end != sentence {
		if out := (stretch{words, from, sentenceEnd(words, from, next)}).figures(named); len(out) > 0 {
			return out
		}
	}
	start := all[k].from
	floor := 0
	if k > 0 {
		floor = all[k-1].to
	}
	for start > floor && words[start-1].end != sentence {
		start--
	}
	if k > 0 && start == floor {
		return nil // what stands between is said of the one before
	}
	return (stretch{words, start, all[k].from}).figures(named)
}

func onlyLinks(words []word, from, to int) bool {
	return !slices.ContainsFunc(words[from:to], func(w word) bool { return w.lower != "and" && w.lower != "or" && w.lower != "&" })
}

func sentenceEnd(words []word, from, to int) int {
	for i := from; i < to; i++ {
		if words[i].end == sentence {
			return i + 1
		}
	}
	return to
}

// stateAt are the words behind a mention that say how it is; the whole text when there are none.
func stateAt(words []word, all []mention, k int, text string) string {
	from, next := all[k].to, len(words)
	if k+1 < len(all) {
		next = all[k+1].from
	}
	if words[from-1].end == sentence {
		return text
	}
	end := sentenceEnd(words, from, next)
	for from < end && (linking[words[from].lower] || !strings.ContainsFunc(words[from].text, isWordly)) {
		from++
	}
	for end > from && (words[end-1].lower == "and" || words[end-1].lower == "or") {
		end--
	}
	if from >= end {
		return text
	}
	return text[words[from].from:words[end-1].to]
}

// linking are words between a name and how it is.
var linking = setOf("is are was were be been being now currently it it's its has have")

func isWordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// All is what a text says of whatever it names, in order. data is JSON or nothing, and counts where
// the text has no value. Where there is neither a value nor a name, there is none.
func All(text string, data []byte) []Reading {
	if out := allData([]byte(text), 0); len(out) > 0 {
		return out[:min(len(out), maxNamed)]
	}
	var out []Reading
	text = strings.ReplaceAll(text, "->", "→")
	words := wordsOf(text)
	if isData(text) {
		words = nil
	}
	var name []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w.number {
			if roleOf(words, i) == aValue && len(out) < maxNamed {
				out = append(out, Reading{Name: strings.Join(name[max(0, len(name)-maxNameWords):], " "), Figures: []Figure{w.figure}})
			}
			i += w.takes
			if name = nil; i < len(words) && words[i].end == sentence {
				continue
			}
			continue
		}
		if !w.noLetter && !fillers[w.lower] && !changing[w.lower] {
			name = append(name, w.text)
		}
		if w.end == sentence {
			name = nil
		}
	}
	if len(out) == 0 {
		out = allData(data, 0)
	}
	return out[:min(len(out), maxNamed)]
}

// maxNameWords bounds what something is called by in a text.
const maxNameWords = 4
