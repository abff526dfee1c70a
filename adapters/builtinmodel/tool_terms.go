package builtinmodel

import (
	"math/bits"
	"strings"
	"unicode"

	"chalie/commands/reasoning"
	"chalie/commands/tool"
)

// What a word of a request is worth for a tool, before it is known how rare it is
// among the tools.
const (
	inName        = 8 // it is in the tool's name
	inDescription = 3 // or in what the tool says of itself
	inParameter   = 2
	inInterface   = 2
	asGeneric     = 1 // wherever a word stands that most tools could carry
)

// maxTermWords bounds how much of a tool's own words is read.
const maxTermWords = 60

// terms are the words a tool can be meant by, each with what it is worth.
type terms map[string]int

// termsOf reads what a tool says of itself.
func termsOf(o reasoning.Offered) terms {
	t := terms{}
	t.add(nameWords(o.Name), inName)
	t.add(nameWords(o.Interface), inInterface)
	t.add(textWords(o.Description), inDescription)
	for _, p := range o.Parameters {
		t.add(nameWords(p.Name), inParameter)
	}
	return t
}

func (t terms) add(words []string, worth int) {
	for _, w := range words[:min(len(words), maxTermWords)] {
		w = stem(w)
		if isFiller(w) {
			continue
		}
		if isGeneric(w) {
			t[w] = max(t[w], asGeneric)
			continue
		}
		t[w] = max(t[w], worth)
	}
}

// lexicon is what the tools of interfaces say of themselves. It is read when it is
// needed first: most of what is said needs none of them.
type lexicon struct {
	tools  []candidate
	held   map[string]int // by word: how many tools carry it
	isRead bool
}

// read reads the tools on offer. Those of Chalie are understood by their own
// sentences.
func (x *lexicon) read(offered []reasoning.Offered) {
	if x.isRead {
		return
	}
	x.held, x.isRead = map[string]int{}, true
	for _, o := range offered {
		if o.Interface == ownInterface {
			continue
		}
		c := candidate{offered: o, terms: termsOf(o)}
		for w := range c.terms {
			x.held[w]++
		}
		x.tools = append(x.tools, c)
	}
}

// nameWords splits an identifier: lightSet, light.set and light_set are two words.
func nameWords(name string) []string { return textWords(tool.SpacedName(name)) }

// textWords are the words of a text; of a long one, of its beginning.
func textWords(text string) []string {
	const enough = 1 << 10
	return strings.FieldsFunc(strings.ToLower(text[:min(len(text), enough)]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}

// stem is a word without the commonest endings.
func stem(word string) string {
	word = strings.TrimSuffix(word, "'s")
	switch {
	case word == "news":
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 5 && strings.HasSuffix(word, "ing"):
		return word[:len(word)-3]
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word[:len(word)-1]
	}
	return word
}

// rarity is how much a word that n of all tools carry tells.
func rarity(n, all int) int { return bits.Len(uint(all / max(n, 1))) }

// isFiller reports whether a word holds a sentence together and means nothing here.
func isFiller(word string) bool {
	switch word {
	case "a", "an", "the", "my", "our", "your", "this", "that", "these", "those", "me", "i", "it", "we", "us", "you",
		"is", "are", "be", "am", "do", "doe", "does", "has", "have", "will", "would", "can", "could", "should", "like", "want", "need",
		"what", "how", "when", "where", "which", "who", "and", "or", "any", "some", "all", "there", "out", "up", "down",
		"in", "on", "off", "at", "of", "for", "to", "from", "by", "with", "about", "into", "onto", "as", "if", "than", "please", "now", "today",
		"currently", "right", "again", "so", "just", "many", "much", "one", "i'd":
		return true
	}
	return word == "" || isNumber(word)
}

// isGeneric reports whether a word says what nearly any tool does.
func isGeneric(word string) bool {
	switch word {
	case "get", "set", "list", "show", "fetch", "create", "update", "read", "write", "run", "do", "make", "send", "add", "delete", "remove", "find",
		"search", "lookup", "look", "query", "check", "tell", "give", "call", "use", "execute", "new", "info", "information", "data", "status", "state", "current",
		"value", "name", "item", "tool", "turn", "switch", "put", "change", "start", "stop", "open", "close", "play", "go", "see", "know", "return", "report", "id", "text", "string", "number":
		return true
	}
	return false
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789.,+-%°") == "" }
